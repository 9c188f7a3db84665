"""A yes, a no or a denied premise stands only before a sentence that says just that of just these things."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.cues import AMOUNT, HOW_MANY
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.premise import deny_premise
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import lacks_what_is_done, lacks_what_is_doubted
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.yes_no import _denies_the_same, _settle, settles
from serving.assistant.understanding.question_kind import QuestionKind
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
        ("why did heaps place merge sort first", "But merge sort has no placed parts at all.", (MERGE_SORT, IN_PLACE)),
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


@pytest.mark.parametrize(
    "said",
    [
        "With a heap as large as that of a merge sort I don't think so.",
        "A merge sort with a heap is what does not need to look at all of them.",
        "A merge sort takes time not of the lists, but of the heap.",
    ],
)
def test_what_is_asked_of_all_is_denied_by_no_sentence_that_denies_something_else(said: str) -> None:
    request = asking("does every merge sort have a heap", MERGE_SORT, HEAP)
    assert not _denies_the_same(request, MaterialLine(said, meaning=0.95))


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
        assert lacks_what_is_doubted(window, request) is not is_known


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


DRIVE, WEAR = (QuestionUnit(one, (frozenset({one}),), 1.0) for one in ("ssd", "wear"))


def test_of_a_thing_that_is_no_concept_a_yes_or_no_needs_what_is_doubted_of_it() -> None:
    request = asking("do ssd wear out", DRIVE, WEAR, graph=GRAPH)
    for said, lacks in (("An ssd has no moving parts.", True), ("An ssd will wear out.", False)):
        window = Window(spoken((said, 0.5)), 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
        assert lacks_what_is_doubted(window, request) is lacks


@pytest.mark.parametrize(
    ("question", "kind", "lacks"),
    [
        ("how do you delete a node", "how", True),
        ("怎么删除结点", "how", True),
        ("what is a deleted node", "definition", False),
        ("how do you search a node", "how", False),
    ],
)
def test_what_says_nothing_of_deleting_does_not_say_how_to(question: str, kind: QuestionKind, *, lacks: bool) -> None:
    units = [QuestionUnit(one, (frozenset(terms(one)),), 1.0) for one in (*question.split(), "删除") if one in question]
    window = Window(spoken(("A node has two links.", 0.9)), 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert lacks_what_is_done(window, asking(question, *units, kind=kind)) is lacks
    told = Window(spoken(("To remove a node, 删掉 it.", 0.9)), 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert not lacks_what_is_done(told, asking(question, *units, kind=kind))


GRID = QuestionUnit("网格", (frozenset(terms("网格")),), 1.0)
LATCH, BOLT = (
    QuestionUnit("存器", (frozenset(terms("存器")),), 1.0, "zh:存器"),
    QuestionUnit("锁", (frozenset("锁"),), 1.0),
)


@pytest.mark.parametrize(
    ("question", "said", "is_denied"),
    [
        ("锁存器为什么排成网格", "我们不并列排放锁存器 而是做成网格。", False),
        ("锁存器为什么排成网格", "锁存器不是排成网格 而是一个一个放。", True),
        ("锁存器为什么排成网格", "锁存器并没有排成网格。", True),
        ("锁存器为什么排成网格", "如果锁存器不排成网格，就要很多线。", False),
        ("怎么判断锁存器是不是网格", "锁存器并没有排成网格。", False),
    ],
)
def test_in_not_one_but_the_other_the_not_belongs_to_the_first(question: str, said: str, is_denied: bool) -> None:
    request = asking(
        question,
        LATCH,
        BOLT,
        GRID,
        kind="why",
        lang="zh",
        spoken="zh",
        graph=GRAPH,
        pieces=(spoken((said, 0.95)),),
        material=SimpleNamespace(lectures=CourseLectures()),
    )
    assert (deny_premise(request) is not None) is is_denied


@pytest.mark.parametrize(
    "said",
    [
        "If merge sort does not work in place, it takes another array.",
        "Merge sort works with a method that does not work in place.",
        "Merge sort does not take an array but works in place.",
    ],
)
def test_what_a_sentence_denies_in_a_part_of_its_own_denies_no_premise(said: str) -> None:
    assert not premise_of("why does merge sort work in place", said, MERGE_SORT, IN_PLACE)


@pytest.mark.parametrize(
    ("other", "is_denied"),
    [
        (("Merge sort works in place.", 0.97), False),
        (("Merge sort works in place.", 0.7), True),
        (("It takes more to make merge sort work in place.", 0.97), True),
        (("Many people think that merge sort works in place.", 0.97), True),
    ],
)
def test_of_two_sentences_on_the_same_thing_the_nearer_one_is_believed(
    other: tuple[str, float], is_denied: bool
) -> None:
    request = asking(
        "why does merge sort work in place",
        MERGE_SORT,
        IN_PLACE,
        kind="why",
        spoken="en",
        graph=GRAPH,
        pieces=(spoken(("Merge sort does not work in place.", 0.95), other),),
        material=SimpleNamespace(lectures=CourseLectures()),
    )
    assert (deny_premise(request) is not None) is is_denied


@pytest.mark.parametrize(
    ("question", "said", "is_denied"),
    [
        ("is a heap sorted", "Merge sort is a way to get a heap with unsorted entries.", False),
        ("is a heap sorted", "A heap is unsorted.", True),
        ("how can i tell whether a heap is sorted", "A heap is unsorted.", False),
        ("tell me if a heap is sorted or not so", "A heap is unsorted.", False),
        ("is a heap sorted", "A heap is a list, and merge sort is unsorted.", False),
    ],
)
def test_the_opposite_word_denies_a_claim_and_only_of_what_the_sentence_calls_so(
    question: str, said: str, is_denied: bool
) -> None:
    request = asking(
        question,
        HEAP,
        QuestionUnit("sorted", (frozenset({"sort"}),), 1.0),
        kind="yes_no" if question.startswith("is") else "how",
        spoken="en",
        graph=GRAPH,
        course_id="ml",
        pieces=(),
        material=SimpleNamespace(lectures=CourseLectures((one_lecture(said),))),
    )
    assert (deny_premise(request) is not None) is is_denied


SORTED = QuestionUnit("sorted", (frozenset({"sort"}),), 1.0)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("A heap is sorted.", True),
        ("A heap is sorted. Or not?", None),
        ("A heap is sorted. Is that so?", None),
        ("A heap is sorted. That's too simple.", None),
        ("A heap is sorted. She took it back a year later.", None),
        ("A heap is sorted. It isn't.", False),
        ("A heap is sorted. Wrong.", False),
        ("Many students believe that a heap is sorted.", None),
        ("Many students believe that a heap is sorted. It isn't.", False),
        ("A heap isn't sorted. It isn't.", None),
        ("Is a heap sorted? No.", False),
        ("Is a heap sorted? No, not always.", None),
        ("Is a heap sorted? Yes.", True),
        ("Is a heap sorted? Yes, if it is small.", None),
    ],
)
def test_what_a_few_words_take_back_settles_nothing_and_what_they_deny_is_not_so(
    said: str, verdict: bool | None
) -> None:
    assert settles(asking("is a heap sorted", HEAP, SORTED), said) is verdict


@pytest.mark.parametrize(
    ("question", "said", "verdict"),
    [
        ("is a heap sorted", "A heap is not sorted, please don't write that, a heap is a tree.", False),
        ("is a heap a tree", "A heap is not sorted, please don't write that, a heap is a tree.", True),
        ("is a heap a tree", "A heap is a tree that's not sorted.", True),
        ("is a heap sorted", "A heap is a tree that's not sorted.", False),
        ("is a heap sorted", "A heap that isn't small is sorted.", None),
        ("is a heap sorted", "A heap is not never sorted.", None),
    ],
)
def test_what_is_denied_is_told_by_the_clause_that_says_what_is_asked(
    question: str, said: str, verdict: bool | None
) -> None:
    named = {"sorted": SORTED, "tree": QuestionUnit("tree", (frozenset({"tree"}),), 1.0)}
    request = asking(question, replace(HEAP, concept_id=None), named[question.split()[-1]])
    assert settles(request, said) is verdict


@pytest.mark.parametrize(
    ("question", "said", "verdict"),
    [
        ("堆是树吗", "堆是一种不能排序的树。", True),
        ("堆是树吗", "堆不是能排序的树。", False),
        ("堆是树吗", "很多人以为堆是树。", None),
        ("堆是树吗", "很多人以为堆是树。其实不然。", False),
        ("堆是树吗", "堆是树。真的吗？", None),
    ],
)
def test_in_chinese_neither_a_part_of_a_name_nor_what_others_hold_settles_anything(
    question: str, said: str, verdict: bool | None
) -> None:
    units = [QuestionUnit(name, (frozenset(terms(name)),), 1.0) for name in ("堆", "树")]
    assert settles(asking(question, *units, lang="zh"), said) is verdict


@pytest.mark.parametrize(
    ("said", "is_denied"),
    [
        ("A heap is not sorted at all.", True),
        ("A heap is a tree with a heap of things that's not sorted.", False),
        ("You might think that a heap is not sorted.", False),
        ("And this students find hard to believe: a heap is not sorted.", True),
        ("A heap is not sorted at all. That's too simple.", False),
        ("Many believe that a heap is sorted. It isn't.", True),
    ],
)
def test_what_others_hold_and_what_is_said_of_a_part_denies_nothing(said: str, is_denied: bool) -> None:
    assert _denies_the_same(asking("is a heap sorted", HEAP, SORTED), MaterialLine(said, meaning=0.95)) is is_denied


@pytest.mark.parametrize(("other", "verdict"), [("A heap is not sorted.", None), ("A heap is often large.", True)])
def test_of_two_sentences_that_settle_it_differently_neither_is_believed(other: str, verdict: bool | None) -> None:
    pieces = (spoken(("A heap is sorted.", 1.0), ("It is large.", 0.1), ("It is old.", 0.1), (other, 0.9)),)
    request = asking(
        "is a heap sorted", HEAP, SORTED, pieces=pieces, spoken="en", graph=GRAPH, asked="is a heap sorted"
    )
    settled = _settle(request, best_windows(pieces, [HEAP, SORTED], kind="yes_no"))
    assert (settled and settled[0]) is verdict
