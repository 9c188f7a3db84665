"""What says yes or no to a question, what denies its premise, and what only sounds like it."""

from types import SimpleNamespace

import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.opposites import says_opposite
from serving.assistant.composing.premise import _HELPS_NOT, _HOW_TO, _denies_nothing, deny_premise
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.yes_no import ASKS_LEAVE, _denies_the_same, settles
from serving.index.analysis import terms


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("does merge sort work in place or not", False),
        ("does merge sort work in place or outside", None),
        ("is merge sort in place or does it need an array", None),
    ],
)
def test_a_choice_between_two_things_is_answered_by_neither_yes_nor_no(question: str, verdict: bool | None) -> None:
    request = asking(question, MERGE_SORT, IN_PLACE)
    assert settles(request, "Merge sort may not run in place.") is verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("满二叉树一定是完全二叉树，反过来就不一定。", True),
        ("满二叉树不是完全二叉树。", False),
        ("满二叉树一定是完全二叉树。", True),
    ],
)
def test_what_is_said_of_the_converse_denies_nothing(sentence: str, verdict: bool) -> None:
    full = QuestionUnit("满二叉树", (frozenset(terms("满二叉树")),), 1.0, "zh:满二叉树")
    complete = QuestionUnit("完全二叉树", (frozenset(terms("完全二叉树")),), 1.0, "zh:完全二叉树")
    assert settles(asking("满二叉树一定是完全二叉树吗？反过来呢？", full, complete), sentence) is verdict


@pytest.mark.parametrize(
    ("asked", "text", "is_opposite"),
    [
        ("alpha big", "If alpha's too small, it is slow.", True),
        ("alpha big", "If alpha is too large, it overshoots; a small one is slow.", False),
        ("advantages", "One disadvantage is that you need another array.", True),
        ("insert heap", "To delete the root, move the last item there.", True),
        ("heap", "To delete the root, move the last item there.", False),
        ("链表 插入", "删除结点要先找到前一个。", True),
        ("determinant zero", "In this non-zero case there is an inverse.", True),
        ("determinant zero", "If it is zero, there is no inverse.", False),
        ("is the wall elastic", "The gate is inelastic.", True),
        ("is it irreversible", "This one is reversible.", True),
        ("is it reversible", "It is either reversible or irreversible.", False),
        ("how is it formed", "They are well informed.", False),
        ("what is supervised learning", "That is unsupervised.", True),
        ("a hollow ball", "A solid ball rolls.", True),
    ],
)
def test_the_opposite_of_what_is_asked_is_known(asked: str, text: str, is_opposite: bool) -> None:
    assert says_opposite(asked, text) is is_opposite


@pytest.mark.parametrize(
    ("text", "near", "denies"),
    [
        ("Merge sort does not work in place at all.", 0.93, True),
        ("Merge sort does not work in place at all.", 0.7, False),
        ("If you start at zero, merge sort does not work.", 0.95, False),
        ("Does merge sort not work in place?", 0.95, False),
        ("Merge sort works in place.", 0.95, False),
        ("Heapsort is slower than merge sort, and it isn't in place.", 0.95, False),
        ("This does not let a merge sort work in place.", 0.95, False),
        ("That is why a merge sort does not work in place.", 0.95, True),
        ("Merge sort is a sort in place, because there are no other lists.", 0.95, False),
        ("That merge sort is fast does not mean that it is in place.", 0.95, False),
        ("Merge sort need not always imply a sort in place.", 0.95, False),
        ("Merge sort is not an unsorted sort in place.", 0.95, False),
    ],
)
def test_only_a_plain_denial_of_just_that_says_no(text: str, near: float, denies: bool) -> None:
    question = "is a sorted merge sort in place" if "unsorted" in text else "is merge sort in place"
    request = asking(question, MERGE_SORT, IN_PLACE)
    assert _denies_the_same(request, MaterialLine(text, meaning=near)) is denies


def test_a_sentence_on_another_thing_says_neither_yes_nor_no() -> None:
    request = asking("is a merge sort in place", MERGE_SORT, IN_PLACE)
    assert settles(request, "Heapify is a way to turn a merge sort into a place.") is None
    assert settles(request, "Merge sort may not run in place.") is False


def test_what_does_not_mean_another_thing_denies_only_that_it_means_it() -> None:
    said = "Merge sort does not mean sorting in place."
    assert settles(asking("can a merge sort be in place", MERGE_SORT, IN_PLACE), said) is None
    assert settles(asking("does merge sort mean sorting in place", MERGE_SORT, IN_PLACE), said) is False
    place = QuestionUnit("原地", (frozenset(terms("原地")),), 1.0)
    stable = QuestionUnit("稳定", (frozenset(terms("稳定")),), 1.0)
    assert settles(asking("原地能稳定吗", place, stable, lang="zh"), "原地不意味着不稳定。") is None


def test_leave_is_given_by_rules_and_the_faq_and_by_no_lecture() -> None:
    assert ASKS_LEAVE.search("can i use java")
    assert ASKS_LEAVE.search("is it ok to work in pairs")
    assert ASKS_LEAVE.search("我可以用Java吗")
    assert not ASKS_LEAVE.search("can k-means get stuck")
    assert not ASKS_LEAVE.search("二分查找可以用在链表上吗")


def test_who_does_not_understand_claims_nothing_that_could_be_denied() -> None:
    assert deny_premise(asking("i dont understand stacks and queues, explain", kind="other")) is None


@pytest.mark.parametrize(
    "question",
    [
        "why is there a 1/2m and not just 1/m",
        "why learn cramers rule if elimination is faster",
        "why is my merge sort in a strange place",
        "why does merge sort make little sense in place",
        "why is merge sort hardly ever in place",
        "归并排序都稳定了，还要快排干嘛",
        "有了归并排序为什么还要插入排序",
        "why do we still need merge sort in place",
        "why is a merge sort in place unlikely",
    ],
)
def test_a_why_that_grants_something_is_not_told_that_the_material_denies_it(question: str) -> None:
    assert deny_premise(asking(question, MERGE_SORT, IN_PLACE, kind="why")) is None


@pytest.mark.parametrize(
    ("said", "denies"),
    [
        ("Merge sort on a linked list makes no place.", False),
        ("Merge sort does not work in place.", True),
        ("归并排序不怎么需要原地。", False),
        ("Merge sort may not work in place.", False),
        ("Take a merge sort without place.", False),
        ("Merge sort isn't perfect - it is slow, it took the place of others.", False),
        ("Merge sort isn't what works in place - it is slow.", True),
        ("One advantage of merge sort in place is that it doesn't take space.", False),
        ("Merge sort works in place when the two do not meet.", False),
        ("Merge sort is or isn't in place.", False),
    ],
)
def test_what_is_said_of_a_case_or_of_something_else_denies_no_premise(said: str, denies: bool) -> None:
    listed = ConceptGraph.from_rows(
        [concept("en:merge sort", "merge sort", None), concept("en:linked list", "linked list", None)], [], []
    )
    piece = spoken((said, 0.95))
    request = asking(
        "why does merge sort work in place",
        MERGE_SORT,
        IN_PLACE,
        kind="why",
        spoken="en",
        graph=listed,
        pieces=(piece,),
        material=SimpleNamespace(lectures=CourseLectures()),
    )
    assert (deny_premise(request) is not None) is denies


def test_a_fragment_that_names_one_thing_denies_nothing() -> None:
    request = asking(
        "is a merge sort commutative", MERGE_SORT, QuestionUnit("commutative", (frozenset({"commut"}),), 1.0)
    )
    assert not _denies_the_same(request, MaterialLine("No merge sort necessary.", meaning=1.0))


@pytest.mark.parametrize(
    ("question", "kind"), [("what happens if merge sort is in place", "how"), ("merge sort stable or not", "other")]
)
def test_what_supposes_or_asks_for_either_claims_nothing(question: str, kind: str) -> None:
    assert deny_premise(asking(question, MERGE_SORT, IN_PLACE, kind=kind)) is None


def test_how_two_things_are_related_claims_nothing() -> None:
    assert _HOW_TO.search("how is the dot product related to projection")
    assert not _HOW_TO.search("how is PCA the best way to prevent overfitting")
    assert _HOW_TO.search("how were those machines programmed (plug board)?")


def test_what_does_not_matter_denies_nothing() -> None:
    assert _denies_nothing("It shouldn't matter which one is computed first.")
    assert _denies_nothing("Imagine that you don't already know that merge sort works in place.")
    assert not _denies_nothing("Merge sort does not work in place.")


def test_what_it_takes_to_make_it_so_is_no_yes() -> None:
    stable = QuestionUnit("stable", (frozenset({"stabl"}),), 1.0)
    asked = asking("is merge sort stable", MERGE_SORT, stable)
    assert settles(asked, "So it's a little more work to make merge sort stable.") is None
    assert settles(asked, "Merge sort is not stable because an exchange might put one over another.") is False
    assert settles(asked, "Equal items never move past each other so therefore merge sort is stable.") is True
    assert settles(asked, "Merge sort might not be stable.") is None


PIPE = QuestionUnit("second pipe", (frozenset({"second", "pipe"}),), 1.0, "en:second pipe")
PRESSURE = QuestionUnit("low pressure", (frozenset({"low", "pressur"}),), 1.0, "en:low pressure")


@pytest.mark.parametrize(
    ("question", "following", "denies"),
    [
        ("why does a second pipe fix low pressure", "That doesn't help you much.", True),
        ("does a second pipe help against low pressure", "But it won't really fix it.", True),
        ("why does a second pipe fix low pressure", "That helps you a lot.", False),
        ("why does a second pipe fix low pressure", "The pump doesn't help either.", False),
        ("why does a second pipe rust at low pressure", "That doesn't help you much.", False),
        ("why does a second pipe not fix low pressure", "That doesn't help you much.", False),
    ],
)
def test_a_cure_is_denied_by_the_sentence_behind_the_one_that_names_it(
    question: str, following: str, *, denies: bool
) -> None:
    named = "So if there is low pressure you may put in a second pipe."
    request = asking(
        question,
        PIPE,
        PRESSURE,
        kind="yes_no" if question.startswith("does") else "why",
        spoken="en",
        graph=ConceptGraph.from_rows([], [], []),
        pieces=(spoken((named, 0.6), (following, 0.6)),),
        material=SimpleNamespace(lectures=CourseLectures()),
    )
    found = deny_premise(request)
    assert (found is not None) is denies
    assert found is None or found.statements[0].text == f"{named} {following}"


@pytest.mark.parametrize(
    ("said", "denies"),
    [("但这样其实没有用。", True), ("这并不能解决。", True), ("这很有用。", False), ("It won't really help.", True)],
)
def test_that_something_does_no_good_is_said_of_what_stands_before(said: str, *, denies: bool) -> None:
    assert (_HELPS_NOT.match(said) is not None) is denies
