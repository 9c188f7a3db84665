"""Course Hero's two steps: what is found with the answer, how it is weighed, in what order, above which cut."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from serving.assistant.references import Calibration, OffList, ReferenceChooser, Response, Semantics
from serving.assistant.references.calibration import Scorer
from serving.assistant.references.ranking import (
    LEXICAL,
    SEMANTIC,
    ReferenceCandidate,
    find_candidates,
    lexical_signals,
    rank_candidates,
    semantic_signals,
)
from serving.index.schema import Entry, Kind
from serving.index.search import SearchIndex

Vectors = NDArray[np.float32]
RESPONSE = Response("What is a stack?", "You push a plate on the stack and pop the plate from the stack.")


class Letters:
    """An embedder whose vectors count letters: enough to tell texts apart, and worked out by hand."""

    name = "letters"
    dimension = 26
    languages = ("en",)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        counts = [[text.lower().count(chr(ord("a") + place)) for place in range(26)] for text in texts]
        vectors = np.array(counts, dtype=np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


class Stored:
    def __init__(self, vectors: Mapping[str, Vectors]) -> None:
        self._vectors = vectors

    def vectors(self, ids: Sequence[str], kind: Kind) -> Mapping[str, Vectors]:
        assert kind == "passage"
        return {one: self._vectors[one] for one in ids if one in self._vectors}


def entry(key: str, title: str = "t", text: str = "x") -> Entry:
    return Entry(entry_id=key, kind="passage", source="subtitle", course_id="ds", lang="en", title=title, text=text)


COSINE_ALONE = Scorer("en", "letters", 0.0, {"cosine": 10.0}, cut=0.5)


def test_the_first_step_searches_with_answer_and_explanation(index: SearchIndex) -> None:
    by_answer = find_candidates(Response("bakery", "plate"), index, course_id="ds")
    by_both = find_candidates(Response("bakery", "plate", "Late submission costs ten percent."), index, course_id="ds")
    assert [one.entry_id for one in by_answer] == ["p1"]
    assert {one.entry_id for one in by_both} == {"p1", "p3"}
    assert [one.entry_id for one in find_candidates(Response("bakery", ""), index, course_id="ds")] == ["p2"]


def test_the_first_step_finds_no_more_than_it_may(index: SearchIndex) -> None:
    response = Response("", "plate queue late")
    assert len(find_candidates(response, index, course_id="ds")) == 3
    assert len(find_candidates(response, index, course_id="ds", k=2)) == 2


def test_words_say_how_much_answer_and_passage_share(index: SearchIndex) -> None:
    same, other = lexical_signals(
        RESPONSE, [entry("a", "Plates", RESPONSE.text), entry("b", "Regulations", "Late submission")], index
    )
    assert (same["overlap"], same["support"]) == (1.0, 1.0)
    assert same["title"] == 1.0
    assert other == {"overlap": 0.0, "support": 0.0, "title": 0.0}


def test_meaning_is_the_cosine_and_the_gap_to_the_best() -> None:
    response = np.array([1, 0], dtype=np.float32)
    passages = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    found = semantic_signals(response, passages)
    assert [round(one["cosine"], 6) for one in found] == [1.0, 0.6, 0.0]
    assert [round(one["cosine_gap"], 6) for one in found] == [0.0, -0.4, -1.0]
    assert semantic_signals(response, np.empty((0, 2), dtype=np.float32)) == []


def test_the_order_is_that_of_a_plain_reference_implementation(index: SearchIndex) -> None:
    texts = ["plate stack", "plates stacked on plates", "queue", "stack of plates", "the stack", "plate stack"]
    entries = [entry(f"p{place}", text=text) for place, text in enumerate(texts)]
    embedder = Letters()
    signals = Semantics(embedder).signals(RESPONSE, entries)
    found = rank_candidates(
        [ReferenceCandidate(one, of, COSINE_ALONE.score(of)) for one, of in zip(entries, signals, strict=True)]
    )

    def cosine(one: str, other: str) -> float:
        left, right = (embedder.encode([text])[0] for text in (one, other))
        return float(sum(a * b for a, b in zip(left, right, strict=True)))

    plain = sorted(entries, key=lambda one: (-round(cosine(RESPONSE.text, f"t\n{one.text}"), 6), one.entry_id))
    assert [one.entry.entry_id for one in found] == [one.entry_id for one in plain]


def test_equal_scores_are_ordered_by_id() -> None:
    found = rank_candidates([ReferenceCandidate(entry(key), {}, 0.5) for key in ("b", "c", "a")])
    assert [one.entry.entry_id for one in found] == ["a", "b", "c"]


def test_stored_vectors_are_not_made_again_and_made_ones_are_remembered() -> None:
    embedder = Letters()
    stored = Stored({"p0": np.eye(26, dtype=np.float32)[0]})
    semantics = Semantics(embedder, stored)
    first = semantics.signals(RESPONSE, [entry("p0", text="aaa"), entry("p1", text="bbb")])
    second = semantics.signals(RESPONSE, [entry("p1", text="bbb"), entry("p0", text="aaa")])
    assert embedder.asked == [RESPONSE.text, "t\nbbb", RESPONSE.text]
    assert first == second[::-1]
    assert semantics.signals(RESPONSE, []) == []


def test_a_score_is_the_logistic_function_of_the_weighted_signals() -> None:
    scorer = Scorer("en", None, -1.0, {"support": 2.0, "title": 0.5}, cut=0.5)
    assert scorer.score({"support": 0.75, "title": 1.0, "overlap": 9.9}) == pytest.approx(1 / (1 + math.exp(-1.0)))


def test_words_alone_decide_where_the_embedder_does_not_know_the_language(index: SearchIndex) -> None:
    embedder = Letters()
    calibration = Calibration((COSINE_ALONE, Scorer("zh", "letters", 0.0, {"cosine": 10.0}, cut=0.5)))
    chooser = ReferenceChooser(index, calibration=calibration, semantics=Semantics(embedder))
    assert chooser.weigh(Response("栈", "栈就像盘子"), course_id="sjjg", lang="zh")[1].embedder is None
    assert embedder.asked == []
    assert chooser.weigh(RESPONSE, course_id="ds", lang="en")[1] is COSINE_ALONE


def test_cosines_of_another_embedder_are_never_put_on_this_cut(index: SearchIndex) -> None:
    other = Scorer("en", "another model", 0.0, {"cosine": 10.0}, cut=0.5)
    chooser = ReferenceChooser(index, calibration=Calibration((other,)), semantics=Semantics(Letters()))
    candidates, scorer = chooser.weigh(RESPONSE, course_id="ds", lang="en")
    assert scorer.embedder is None
    assert set(candidates[0].signals) == set(LEXICAL)


@pytest.mark.parametrize(("cut", "shown"), [(0.0, ["p1", "p2", "p3"]), (0.999, []), (1.0, [])])
def test_only_what_is_above_the_cut_is_shown(index: SearchIndex, cut: float, shown: list[str]) -> None:
    weights = dict.fromkeys(SEMANTIC, 1.0)
    calibration = Calibration((Scorer("en", "letters", 0.0, weights, cut=cut),))
    chooser = ReferenceChooser(
        index, calibration=calibration, semantics=Semantics(Letters()), off_list=OffList(()), candidates=3
    )
    found = chooser.choose(Response("", "plate queue late"), cited=[], used=[], course_id="ds", subject=None, lang="en")
    assert sorted(one.evidence_id for one in found.chosen) == shown
    assert len(found.candidates) == 3
