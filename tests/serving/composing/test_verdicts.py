"""A yes, a no or a denied premise stands only before a sentence that says just that of just these things."""

from types import SimpleNamespace
from typing import cast

import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.cues import AMOUNT, HOW_MANY
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.premise import deny_premise
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import _lacks_what_is_doubted
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.yes_no import _denies_the_same, _settle, settles
from serving.index.analysis import terms

GRAPH = ConceptGraph.from_rows([concept("en:merge sort", "merge sort", None), concept("en:heap", "heap", None)], [], [])
HEAP = QuestionUnit("heap", (frozenset({"heap"}),), 1.0, "en:heap")
IMPORTANT = QuestionUnit("important", (frozenset({"import"}),), 1.0)


def premise_of(question: str, said: str, *units: QuestionUnit, near: float = 0.95) -> bool:
    """Whether a passage of one near sentence denies what a question takes for granted."""
    request = asking(
        question,
        *units,
        kind="why",
        spoken="en",
        graph=GRAPH,
        pieces=(spoken((said, near)),),
        material=SimpleNamespace(lectures=CourseLectures()),
    )
    return deny_premise(request) is not None


@pytest.mark.parametrize(
    ("question", "said", "units"),
    [
        ("why do we shuffle before merge sort", "Merge sort is not stable.", (MERGE_SORT, IMPORTANT)),
        ("why is merge sort important", "I don't think that merge sort belongs here.", (MERGE_SORT, IMPORTANT)),
    ],
)
def test_a_sentence_that_denies_something_else_of_the_one_thing_denies_no_premise(
    question: str, said: str, units: tuple[QuestionUnit, ...]
) -> None:
    assert not premise_of(question, said, *units)


def test_one_that_denies_what_is_claimed_still_does() -> None:
    assert premise_of("why does merge sort work in place", "Merge sort does not work in place.", MERGE_SORT, IN_PLACE)


@pytest.mark.parametrize(("near", "is_denied"), [(0.95, True), (0.75, False)])
def test_of_concepts_alone_only_what_means_the_same_denies_a_premise(near: float, is_denied: bool) -> None:
    said = "Merge sort does not have any heap at all."
    assert premise_of("why does merge sort use a heap", said, MERGE_SORT, HEAP, near=near) is is_denied


def test_how_two_things_are_related_takes_nothing_for_granted() -> None:
    request = asking("relationship between merge sort and place", MERGE_SORT, IN_PLACE, kind="other")
    assert deny_premise(request) is None


@pytest.mark.parametrize(
    ("question", "said", "verdict"),
    [
        ("does a merge sort use a heap", "In merge sort there is no heap.", None),
        ("does merge sort need a heap", "Merge sort makes a heap of small things.", None),
        ("is a merge sort a heap", "A merge sort is not a heap.", False),
        ("is merge sort a heap", "Merge sort is a heap.", True),
        ("is a merge sort a heap", "A merge sort goes through the heap.", None),
    ],
)
def test_of_concepts_alone_a_sentence_says_only_whether_one_is_the_other(
    question: str, said: str, verdict: bool | None
) -> None:
    assert settles(asking(question, MERGE_SORT, HEAP), said) is verdict


def test_an_example_denies_what_is_asked_of_all() -> None:
    request = asking("does every merge sort have a heap", MERGE_SORT, HEAP)
    assert _denies_the_same(request, MaterialLine("A merge sort doesn't have a heap at all.", meaning=0.95))


@pytest.mark.parametrize("question", ["do we need merge sort", "can we avoid merge sort"])
def test_a_question_for_one_thing_alone_is_told_no_by_no_sentence(question: str) -> None:
    line = MaterialLine("By thinking in sizes there is no merge sort necessary.", meaning=1.0)
    assert not _denies_the_same(asking(question, MERGE_SORT), line)


@pytest.mark.parametrize("question", ["is merge sort important in place", "is merge sort hard in place"])
def test_how_good_or_hard_a_thing_is_is_told_neither_yes_nor_no(question: str) -> None:
    request = asking(question, MERGE_SORT, IN_PLACE)
    piece = spoken(("Merge sort does not work in place at all.", 1.0))
    assert _settle(request, best_windows([piece], [MERGE_SORT, IN_PLACE], kind="yes_no")) is None


def test_a_term_that_the_course_does_not_have_is_said_by_no_sentence_whatever_it_means() -> None:
    window = cast(
        "Window",
        SimpleNamespace(text="Merge sort is stable.", lines=[MaterialLine("Merge sort is stable.", meaning=1.0)]),
    )
    for is_known in (True, False):
        doubted = QuestionUnit("commutative", (frozenset({"commut"}),), 1.0, is_known=is_known)
        request = cast("Request", asking("is merge sort commutative", MERGE_SORT, doubted))
        assert _lacks_what_is_doubted(window, request) is not is_known


@pytest.mark.parametrize(
    ("question", "is_of_amount"),
    [
        ("how many compares does merge sort use", True),
        ("and how much memory does it take", False),
        ("how many clusters should I choose", False),
        ("how do I decide how many to keep", False),
        ("归并排序要比较多少次", True),
    ],
)
def test_an_amount_that_somebody_says_is_asked_for_and_not_how_to_choose_one(question: str, is_of_amount: bool) -> None:
    assert (HOW_MANY.search(question) is not None) is is_of_amount


@pytest.mark.parametrize(
    ("text", "has_one"),
    [
        ("It uses at most N lg N compares.", True),
        ("It takes 14 steps.", True),
        ("It is optimal with respect to compares.", False),
        ("一共有三种方法。", True),
        ("万维网是一张网。", False),
    ],
)
def test_what_gives_an_amount_has_a_number_or_its_growth(text: str, has_one: bool) -> None:
    assert (AMOUNT.search(text) is not None) is has_one


@pytest.mark.parametrize(
    ("question", "is_denied"),
    [
        ("why is merge sort called in place", False),
        ("why do they call that merge sort in place", False),
        ("why does merge sort work in place", True),
    ],
)
def test_why_a_thing_is_called_so_takes_nothing_for_granted(question: str, is_denied: bool) -> None:
    said = "Merge sort does not work in place."
    assert premise_of(question, said, MERGE_SORT, IN_PLACE) is is_denied


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("千字节不就是1000字节吗", True), ("千字节难道不是1000字节吗", True), ("千字节是1000字节吗", True)],
)
def test_a_chinese_question_that_expects_a_yes_is_not_negated(question: str, verdict: bool) -> None:
    units = [QuestionUnit(name, (frozenset(terms(name)),), 1.0) for name in ("千字节", "1000字节")]
    assert settles(asking(question, *units, lang="zh"), "1千字节是1000字节。") is verdict
