"""A sentence copied but for a denial, an opposite or a number says something else, whatever stands elsewhere."""

import pytest

from serving.assistant.grounding.alignment import find_alteration
from serving.assistant.grounding.attribution import check_sentence
from serving.index.evidence import Evidence

BOUND = "Big O gives an upper bound on growth, big Theta a lower and an upper bound."
SORTED = "Binary search finds a value in a sorted array by repeatedly halving the range."
LATE = "You have five late days and can use at most two of them on any one assignment."
TREE = "二叉搜索树是左子树的值都小于根结点、右子树的值都大于根结点的二叉树。"
HEAD = "头结点是为了操作方便而加在最前面的结点，可以没有。"


@pytest.mark.parametrize(
    ("sentence", "of", "reason"),
    [
        (BOUND.replace("an upper bound on", "a lower bound on"), BOUND, "direction"),
        (SORTED.replace("sorted", "unsorted"), SORTED, "direction"),
        (SORTED.replace("finds", "never finds"), SORTED, "denial"),
        (LATE.replace("five", "nine"), LATE, "number"),
        (LATE.replace("at most", "at least"), LATE, "direction"),
        ("This is not called random access.", "This is called random access.", "denial"),
        ("The list is unbalanced at every node.", "The list is balanced at every node.", "direction"),
        (TREE.replace("左子树的值都小于", "右子树的值都小于"), TREE, "direction"),
        (HEAD.replace("可以没有", "可以有"), HEAD, "denial"),
    ],
)
def test_one_word_turned_in_a_copy_is_found(sentence: str, of: str, reason: str) -> None:
    found = find_alteration(sentence, ["Something else is said here as well.", of])
    assert found is not None
    assert (found.reason, found.number) == (reason, 1)


@pytest.mark.parametrize(
    ("sentence", "of"),
    [
        (BOUND, BOUND),
        ("A list doesn't keep the order of its items.", "A list does not keep the order of its items."),
        ("You cannot submit a quiz twice in one week.", "You can not submit a quiz two times in one week."),
        ("A heap isn't sorted from front to back.", "A heap is unsorted from front to back."),
        (LATE.replace("five", "5").replace("use", "spend"), LATE),
        ("In short, binary search finds a value in a sorted array.", SORTED),
        ("Yes.", "No."),
    ],
)
def test_the_same_in_other_words_is_no_alteration(sentence: str, of: str) -> None:
    assert find_alteration(sentence, [of]) is None


def test_a_sentence_that_copies_another_one_just_as_much_is_left_alone() -> None:
    stack, queue = "A stack removes the item added last.", "A stack removes the item added first."
    assert find_alteration(stack, [queue]) is not None
    assert find_alteration(stack, [queue, stack]) is None
    assert find_alteration(stack, [stack, queue]) is None


def test_a_word_that_stands_elsewhere_in_the_evidence_excuses_no_copy() -> None:
    evidence = (Evidence(1, "e", "faq", None, "Growth", BOUND),)
    assert check_sentence(BOUND, evidence).may_stand
    turned = check_sentence("Big O gives a lower bound on growth.", evidence)
    assert (turned.ruling, turned.reason) == ("contradicted", "direction")
