"""The strategies over one small index, with an embedder whose vectors can be read: what each finds, and how."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import course_rows as rows
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scripted_model import ScriptedModel

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Mode
from models.embedding.embedder import EmbeddingFailed
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.planner import Planner
from serving.assistant.references import ReferenceChooser
from serving.assistant.retrieval.candidates import Retrieved, Strategy
from serving.assistant.retrieval.concept_aware import ConceptAware
from serving.assistant.retrieval.dense import find_dense
from serving.assistant.retrieval.few_shot import FewShot
from serving.assistant.retrieval.fused import Fused, rewording_by
from serving.assistant.retrieval.fusion import in_order
from serving.assistant.retrieval.hybrid import Hybrid, combine_scores, contenders, supports
from serving.assistant.retrieval.lookup import Dense, Lookup, QueryHits
from serving.assistant.retrieval.strategies import STRATEGIES, Parts, judge_prompt, make_strategy, reword_as_asked
from serving.assistant.turn import Turn
from serving.assistant.understanding.follow_up_question import Resolved
from serving.assistant.understanding.understand import understand
from serving.index.build import build_index
from serving.index.schema import Kind
from serving.index.search import SearchIndex
from serving.llm.language_model import LlmUnavailable
from serving.settings import Settings

TOPICS = ("pay", "exam", "sort")
SYNONYMS = {"pay": "pay", "fee": "pay", "cost": "pay", "exam": "exam", "test": "exam", "sort": "sort", "order": "sort"}

PAIRS = [
    rows.pair("fee", "faq", "Is there a fee?", "The course is free.", origin_id="fee-origin"),
    rows.pair("exam", "faq", "When is the exam?", "In week ten."),
    rows.pair("exam2", "faq", "Which day is the exam?", "A Monday in week ten."),
    rows.pair("sorting", "document", "Sort", "How to sort a list."),
    rows.pair("foreign", "concept", "exam board", "Who examines.", course_id="sjjg", domains=["law"]),
]


@dataclass
class Words:
    """One dimension per topic: a text points to the topics it names by any synonym; none names them all a little."""

    name: str = "words"
    dimension: int = 3
    languages: tuple[str, ...] = ("en",)
    fails: bool = False
    asked: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fails:
            raise EmbeddingFailed("no vectors today")
        self.asked += texts
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        words = [SYNONYMS.get(word.strip("?.").lower(), "") for word in text.split()]
        vector = np.array([words.count(topic) + 0.01 for topic in TOPICS], dtype=np.float32)
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


class Vectors:
    """An index in memory over the pairs above: what each says in question and answer."""

    def __init__(self, embedder: Words) -> None:
        self._vectors = {str(row["qa_id"]): embedder._vector(f"{row['question']} {row['answer']}") for row in PAIRS}
        self.compared: list[str] = []

    def search(
        self,
        vector: NDArray[np.float32],
        *,
        kind: Kind = "qa",
        course_id: str | None = None,
        platforms: Collection[str] = (),
        sources: Collection[str] | None = None,
        lang: str | None = None,
        mode: Mode | None = None,
        k: int = 10,
    ) -> list[tuple[str, float]]:
        found = [(key, float(each @ vector)) for key, each in self._vectors.items()]
        return sorted(found, key=lambda one: (-one[1], one[0]))[:k]

    def vectors(self, ids: Sequence[str], kind: Kind) -> dict[str, NDArray[np.float32]]:
        return {key: self._vectors[key] for key in ids if key in self._vectors}

    def cosines(self, vector: NDArray[np.float32], ids: Sequence[str], kind: Kind) -> dict[str, float]:
        self.compared += ids
        return {key: float(self._vectors[key] @ vector) for key in ids if key in self._vectors}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    folder = tmp_path_factory.mktemp("small")
    build_index(rows.tables(folder / "tables", PAIRS, []), folder / "index")
    return SearchIndex.open(folder / "index")


@pytest.fixture
def words() -> Words:
    return Words()


@pytest.fixture
def lookup(small: SearchIndex, words: Words) -> Lookup:
    return Lookup(small, Dense(words, Vectors(words)))


def ask(strategy: Strategy, question: str, graph: ConceptGraph) -> Retrieved:
    asked = understand(question, graph=graph, intent=None, course_id="ds")
    return asyncio.run(strategy.retrieve(asked, course_id="ds", domains=("computer science",)))


def keys(retrieved: Retrieved) -> list[str]:
    return [one.entry.entry_id for one in retrieved.ranked]


def test_a_paraphrase_without_a_common_word_is_found_by_its_meaning(lookup: Lookup, graph: ConceptGraph) -> None:
    assert keys(ask(Hybrid(lookup, 3), "what does it cost", graph))[0] == "fee"
    assert "fee" not in keys(ask(ConceptAware(lookup.index, 3), "what does it cost", graph))


def test_the_sum_of_hybrid_worked_by_hand() -> None:
    found = QueryHits({}, {"a": 1.0, "b": 0.5}, {"a": 2.0, "b": 8.0}, {"a": 0.9, "b": 0.1})
    summed = combine_scores(found, 0.25, {"a": 0.5, "b": 1.0})
    words_a, words_b = 0.7 * 2 / 8 + 0.3 * 0.5, 0.7 * 1 + 0.3 * 1
    assert summed == pytest.approx({"a": 0.75 * words_a + 0.25 * 1.0, "b": 0.5 * 0.75 * words_b})


def test_one_half_alone_has_the_whole_weight() -> None:
    assert combine_scores(QueryHits({}, {"a": 1.0}, {"a": 2.0}, {}), 0.25, {"a": 1.0}) == {"a": 1.0}
    assert combine_scores(QueryHits({}, {"a": 1.0, "b": 1.0}, {}, {"a": 0.5, "b": 0.1}), 0.25, {}) == {"a": 1.0}


shares = st.floats(0, 1, allow_nan=False)


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.tuples(shares, shares, shares, shares), min_size=1),
    st.integers(1, 5),
)
def test_the_best_are_the_same_whoever_is_left_out_before_support_is_worked_out(
    each: dict[str, tuple[float, float, float, float]], k: int
) -> None:
    factors, bm25, cosine, support = ({key: row[place] for key, row in each.items()} for place in range(4))
    found = QueryHits({}, factors, bm25, cosine, support.__getitem__)
    whole = combine_scores(found, 0.4, support)
    pruned = combine_scores(found, 0.4, supports(found, contenders(found, 0.4, k)))
    best = in_order(whole)[:k]
    assert in_order(pruned)[:k] == best
    assert [pruned[key] for key in best] == [whole[key] for key in best]


def test_each_half_of_hybrid_can_be_switched_off(small: SearchIndex, lookup: Lookup, graph: ConceptGraph) -> None:
    by_words = ask(Hybrid(Lookup(small), 3), "exam", graph)
    by_meaning = ask(Hybrid(Lookup(small, lookup.dense, lexical=False), 3), "exam", graph)
    assert all("cosine" not in one.parts for one in by_words.ranked)
    assert all("bm25" not in one.parts for one in by_meaning.ranked)


def test_every_strategy_leaves_out_definitions_of_unrelated_courses(lookup: Lookup, graph: ConceptGraph) -> None:
    for name in STRATEGIES:
        parts = Parts(lookup.index, lookup.dense, 5, 1000, len)
        found = ask(make_strategy(name, parts), "exam", graph)
        assert found.strategy == name
        assert found.queries == ("exam",)
        assert "foreign" not in keys(found)
        assert "exam" in keys(found)


def test_every_strategy_makes_the_same_direct_decision(lookup: Lookup, graph: ConceptGraph) -> None:
    parts = Parts(lookup.index, lookup.dense, 5, 1000, len)
    best = [ask(make_strategy(name, parts), "is there a fee", graph).best for name in STRATEGIES]
    assert {(one.entry.entry_id, one.match) for one in best if one is not None} == {("fee", 1.0)}
    assert None not in best


def test_what_only_words_find_is_compared_by_meaning_too(small: SearchIndex, words: Words, graph: ConceptGraph) -> None:
    vectors = Vectors(words)
    found = ask(Hybrid(Lookup(small, Dense(words, vectors), depth=1), 3), "what does it cost to list", graph)
    assert set(vectors.compared) == {"sorting"}
    assert all("cosine" in one.parts for one in found.ranked)


def test_what_words_find_in_another_language_is_not_compared(
    small: SearchIndex, words: Words, graph: ConceptGraph
) -> None:
    vectors = Vectors(words)
    words.languages = ("en", "zh")
    asked = understand("what does it cost to list", graph=graph, intent=None, course_id="ds")
    search = Hybrid(Lookup(small, Dense(words, vectors), depth=1), 3)
    asyncio.run(search.retrieve(replace(asked, lang="zh"), course_id="ds", domains=("computer science",)))
    assert vectors.compared == []


def test_parts_explain_every_score(lookup: Lookup, graph: ConceptGraph) -> None:
    parts = Parts(lookup.index, lookup.dense, 5, 1000, len)
    named = {name: set(ask(make_strategy(name, parts), "exam", graph).ranked[0].parts) for name in STRATEGIES}
    assert named == {
        "concept_aware": {"bm25", "factor"},
        "hybrid": {"bm25", "support", "cosine", "factor"},
        "catalog_expert": {"cosine", "title", "factor"},
        "fused": {"bm25", "cosine", "rrf", "mmr", "factor"},
    }


def test_a_question_in_a_language_of_no_embedder_is_searched_by_words_alone(
    lookup: Lookup, words: Words, graph: ConceptGraph
) -> None:
    ask(Hybrid(lookup, 3), "考试是什么时候？", graph)
    assert words.asked == []


@pytest.mark.parametrize("name", ["hybrid", "fused"])
def test_an_embedder_that_fails_leaves_words_and_a_note(name: str, lookup: Lookup, words: Words,
                                                        graph: ConceptGraph) -> None:  # fmt: skip
    words.fails = True
    found = ask(make_strategy(name, Parts(lookup.index, lookup.dense, 5, 1000, len)), "exam", graph)  # type: ignore[arg-type]
    assert "exam" in keys(found)
    assert "no vectors today" in found.notes[0]


def test_other_wordings_find_what_the_question_does_not(small: SearchIndex, graph: ConceptGraph) -> None:
    llm = ScriptedModel(lambda _: "1. Is there a fee?\n2. Is it free?")
    found = ask(Fused(Lookup(small), 3, rewording_by(llm, reword_as_asked)), "what does it cost", graph)
    assert found.queries == ("what does it cost", "Is there a fee?", "Is it free?")
    assert keys(found)[0] == "fee"


def test_a_model_that_fails_leaves_the_question_alone_and_a_note(lookup: Lookup, graph: ConceptGraph) -> None:
    llm = ScriptedModel(lambda _: LlmUnavailable("gone"))
    found = ask(Fused(lookup, 3, rewording_by(llm, reword_as_asked)), "exam", graph)
    assert found.queries == ("exam",)
    assert "exam" in keys(found)
    assert found.notes == ("No other wordings: LlmUnavailable: gone",)


def test_diversity_puts_something_new_before_the_same_again(lookup: Lookup, graph: ConceptGraph) -> None:
    question = "which day is the exam"
    assert set(keys(ask(Fused(lookup, 2, mmr_weight=1.0), question, graph))) == {"exam", "exam2"}
    first, second = keys(ask(Fused(lookup, 2, mmr_weight=0.3), question, graph))
    assert first in {"exam", "exam2"}
    assert second not in {"exam", "exam2"}


def test_a_reranker_has_the_last_word(lookup: Lookup, graph: ConceptGraph) -> None:
    class Shortest:
        async def score(self, question: str, texts: Sequence[str]) -> list[float]:
            return [-float(len(text)) for text in texts]

    found = ask(Fused(lookup, 5, reranker=Shortest()), "exam", graph)
    lengths = [len(f"{one.entry.title}\n{one.entry.text}") for one in found.ranked]
    assert lengths == sorted(lengths)
    assert found.ranked[0].parts["rerank"] == found.ranked[0].score == -lengths[0]


def test_the_nearest_pairs_are_examples_and_the_excluded_are_not(lookup: Lookup, graph: ConceptGraph) -> None:
    asked = understand("what does it cost", graph=graph, intent=None, course_id="ds")

    def examples(exclude: Collection[str] = ()) -> list[str]:
        (vector,), _ = asyncio.run(lookup.encode(asked, [asked.question]))
        found = FewShot(lookup).nearest(asked, vector, course_id="ds", count=2, exclude=exclude)
        return [one.entry_id for one in found]

    assert examples()[0] == "fee"
    assert "sorting" not in examples()  # only pairs that people wrote
    assert "fee" not in examples(exclude=["fee-origin"])
    assert "fee" not in examples(exclude=["fee"])


def test_an_example_shares_the_meaning_of_a_question_where_it_shares_no_word(
    lookup: Lookup, graph: ConceptGraph
) -> None:
    settings = Settings(home=Path("home")).model_copy(update={"few_shot": 1, "max_snippets": 1})
    chooser = ReferenceChooser(lookup.index)
    planner = Planner(
        graph, lookup.index, settings, beta=1.0, count=estimate_tokens, chooser=chooser, dense=lookup.dense
    )
    asked = understand("sort a list by cost", graph=graph, intent=None, course_id="ds")
    turn = Turn(asked.question, "ds", (), None, live=False, deadline_s=60, resolved=Resolved(asked.question))
    found = asyncio.run(ConceptAware(lookup.index, 3).retrieve(asked, course_id="ds", domains=()))
    assert planner.plan(asked, found, turn).examples == ()
    turn.vector = ask(Fused(lookup, 3), asked.question, graph).vector
    made = planner.plan(asked, found, turn)
    assert made.examples == ("The course is free.",)


def test_the_prompts_hold_the_question_and_the_text() -> None:
    assert "What is a heap?" in reword_as_asked("What is a heap?")[-1].content
    assert "a pile" in judge_prompt("What is a heap?", "a pile")[-1].content


def test_a_home_without_vectors_is_searched_by_words_and_says_why(home: str) -> None:
    dense, why = find_dense(DataDir(home))  # type: ignore[arg-type]
    assert dense is None
    assert why
