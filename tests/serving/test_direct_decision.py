"""Eq. 5-7 worked by hand, the match they are asked of, and beta by leave-one-out."""

import math
from pathlib import Path

import course_rows as rows
import pytest

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved, rank
from serving.assistant.retrieval.concept_aware import concept_query, course_similarity, factor, jaccard, retrieve
from serving.assistant.retrieval.direct import direct_answer, may_answer
from serving.assistant.understanding.understand import Understanding, understand
from serving.index import confidence
from serving.index.build import build_index
from serving.index.calibration import LOWEST_BETA, UNCALIBRATED_BETA, calibrate_beta
from serving.index.schema import Entry
from serving.index.search import SearchIndex


def entry(entry_id: str = "e", source: str = "faq", title: str = "", text: str = "", **more: object) -> Entry:
    return Entry(entry_id=entry_id, kind="qa", source=source, course_id="a", lang="en", title=title, text=text, **more)  # type: ignore[arg-type]


def candidate(entry_id: str, score: float, match: float = 0.0) -> PairCandidate:
    return PairCandidate(entry(entry_id), score, match)


def test_equation_5_is_the_shared_share_of_the_domains() -> None:
    assert jaccard({"math", "computing"}, {"computing", "physics", "biology"}) == 1 / 4
    assert jaccard({"math"}, {"math"}) == 1.0
    assert jaccard((), ()) == 0.0


def test_a_course_is_wholly_similar_to_itself_even_without_domains() -> None:
    assert course_similarity(entry(), "a", ()) == 1.0
    assert course_similarity(entry(), "b", ()) == 0.0
    assert course_similarity(entry(), None, ()) == 1.0


@pytest.mark.parametrize(
    ("source", "weight", "expected"),
    [
        ("concept", "h", 0.25),
        ("search", "h", 0.1),
        ("search", "openness", 0.9),
        ("faq", "h", 1.0),
        ("document", "h", 1.0),
    ],
)
def test_equation_6_takes_g_for_concepts_h_for_search_and_one_otherwise(
    source: str, weight: str, expected: float
) -> None:
    assert factor(source, g=0.25, h=0.1, search_weight=weight) == pytest.approx(expected)  # type: ignore[arg-type]


def test_the_rank_is_by_s_then_id_and_leaves_out_what_scores_nothing() -> None:
    ranked = rank([candidate("b", 2.0), candidate("a", 2.0), candidate("c", 3.0), candidate("d", 0.0)], top_k=3)
    assert [one.entry.entry_id for one in ranked] == ["c", "a", "b"]


def test_equation_7_asks_for_more_than_beta() -> None:
    exactly = Retrieved((), candidate("a", 1.0, match=0.75), by_concepts=False)
    assert direct_answer(exactly, beta=0.75) is None
    assert direct_answer(exactly, beta=0.7499) is exactly.best
    assert direct_answer(Retrieved((), None, by_concepts=False), beta=0.0) is None


def test_the_overlap_weighs_both_sides() -> None:
    weights = {"deadline": 3.0, "homework": 1.0, "exam": 2.0}
    assert confidence.overlap(["deadline", "homework"], ["deadline", "exam"], weights.__getitem__) == 2 * 3 / (4 + 5)
    assert confidence.overlap([], ["exam"], weights.__getitem__) == 0.0


def test_inverse_document_frequency_is_that_of_bm25() -> None:
    assert confidence.idf(10, 2) == pytest.approx(math.log(1 + 8.5 / 2.5))


def test_the_concept_query_is_names_and_aliases(graph: ConceptGraph) -> None:
    assert concept_query([graph.concept("en:stack")]) == ["stack", "lifo", "list"]


def ask(
    question: str, graph: ConceptGraph, index: SearchIndex, course_id: str | None = "ds", top_k: int = 5
) -> Retrieved:
    asked = understand(question, graph=graph, intent=None, course_id=course_id)
    domains = graph.course(course_id).domains if course_id else ()
    return retrieve(asked, index, course_id=course_id, domains=domains, top_k=top_k)


def test_a_bare_concept_and_its_definition_question_match_the_concept_pair(
    graph: ConceptGraph, index: SearchIndex
) -> None:
    for question in ("stack", "What is a stack?", "define stack", "what does stack mean"):
        best = ask(question, graph, index).best
        assert best is not None
        assert (best.entry.entry_id, best.match) == ("c1", 1.0), question


def test_a_chinese_definition_question_matches_the_concept_pair(graph: ConceptGraph, index: SearchIndex) -> None:
    best = ask("什么是栈？", graph, index, course_id="sjjg").best
    assert best is not None
    assert (best.entry.entry_id, best.match) == ("z1", 1.0)


def test_a_question_about_a_concept_is_not_its_definition_question(graph: ConceptGraph, index: SearchIndex) -> None:
    best = ask("why does a stack overflow", graph, index).best
    assert best is None or best.match < 1.0


def test_a_concept_of_an_unrelated_course_is_no_candidate(graph: ConceptGraph, index: SearchIndex) -> None:
    found = ask("what is a stack", graph, index, course_id="sjjg")
    assert "c1" not in [one.entry.entry_id for one in found.ranked]
    assert found.best is None or found.best.match == 0.0


def test_a_faq_without_concepts_is_found_by_its_content_words(graph: ConceptGraph, index: SearchIndex) -> None:
    found = ask("when is the homework 3 deadline", graph, index)
    assert not found.by_concepts
    assert found.best is not None
    assert (found.best.entry.entry_id, found.best.match) == ("f1", pytest.approx(1.0))


def test_when_and_where_are_different_questions(graph: ConceptGraph, index: SearchIndex) -> None:
    best = ask("where is the deadline of homework 3", graph, index).best
    assert best is not None
    assert best.match < 0.95


def test_a_faq_that_names_a_concept_is_still_matched_as_a_whole(graph: ConceptGraph, tmp_path: Path) -> None:
    many = [rows.pair(f"x{number}", "document", "stack", "stack stack") for number in range(9)]
    asked = rows.pair("f", "faq", "Which chapter covers the stack and who reads it?", "Chapter two.")
    build_index(rows.tables(tmp_path / "t", [*many, asked], []), tmp_path / "index")
    found = ask("which chapter covers the stack and who reads it", graph, SearchIndex.open(tmp_path / "index"), top_k=3)
    assert "f" not in [one.entry.entry_id for one in found.ranked]
    assert found.best is not None
    assert found.best.entry.entry_id == "f"


def test_beta_is_the_smallest_that_keeps_wrong_answers_within_the_bound() -> None:
    faq = [entry(f"q{number:02}", text=f"q{number:02}") for number in range(40)]
    table = {
        one.entry_id: [(one.text, 1.0), ("other", 0.5 + place / 100)] for place, one in enumerate(faq)
    }  # others match at 0.50 .. 0.89; two of forty may be wrong
    nearest = [[(entry(key, text=key), match) for key, match in table[one.entry_id]] for one in faq]
    beta = calibrate_beta(faq, nearest)
    assert beta.value == pytest.approx(0.87)
    assert (beta.error_rate, beta.coverage, beta.n) == (2 / 40, 1.0, 40)


def test_with_enough_questions_beta_keeps_the_bound_with_confidence() -> None:
    faq = [entry(f"q{number:03}", text=f"q{number:03}") for number in range(200)]
    nearest = [
        [(one, 1.0), (entry("other", text="other"), 0.6 + place / 1000)] for place, one in enumerate(faq)
    ]  # ten of two hundred are five in a hundred; with confidence .9 only five may be wrong
    beta = calibrate_beta(faq, nearest)
    assert beta.error_rate == 5 / 200
    assert beta.upper_bound is not None
    assert 0.04 < beta.upper_bound <= 0.05


def test_entries_with_the_same_answer_are_not_wrong_for_each_other() -> None:
    faq = [entry("a", text="same"), entry("b", text="same")]
    beta = calibrate_beta(faq, [[(one, 1.0) for one in faq]] * 2)
    assert (beta.value, beta.error_rate) == (LOWEST_BETA, 0.0)


def test_without_a_faq_beta_is_careful_and_says_that_nothing_was_measured() -> None:
    beta = calibrate_beta([], [])
    assert (beta.value, beta.error_rate, beta.n) == (UNCALIBRATED_BETA, None, 0)


def test_the_beta_of_a_build_is_stored_with_its_version(index: SearchIndex) -> None:
    assert (index.folder / "thresholds.json").is_file()
    assert index.beta.n == 4


def test_a_complex_question_is_only_answered_by_a_pair_that_speaks_of_all_its_concepts() -> None:
    tree = GraphConcept(
        concept_id="en:binary tree", name="binary tree", aliases=(), lang="en", score=1.0, definition=None,
        definition_kind="none", definition_locator=None, definition_course_id=None, domains=(), course_ids=("a",),
    )  # fmt: skip
    asked = Understanding(
        "Compare them", "en", h=0.0, alpha=0.5, category="complex", kind="comparison", concepts=(tree,)
    )
    other = PairCandidate(entry(title="How do a heap and a binary search tree differ?"), 1.0, 0.9)
    same = PairCandidate(entry(title="How do heaps differ from binary trees?"), 1.0, 0.9)
    assert not may_answer(asked, other)
    assert may_answer(asked, same)
    assert not may_answer(asked, PairCandidate(entry(source="concept", title="binary tree"), 1.0, 1.0))
