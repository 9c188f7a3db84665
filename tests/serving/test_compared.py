"""Which two things a question compares, by its wording."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.understanding.comparison_terms import find_compared, with_shared_head


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("quick-find vs quick-union - where's the difference?", ("quick-find", "quick-union")),
        ("hash table or red black tree?? which do I take when", ("hash table", "red black tree")),
        ("COMP 3400 vs COMP 5400?? they sound the same to me", ("COMP 3400", "COMP 5400")),
        ("what is the difference between a stack and a queue?", ("stack", "queue")),
        ("when should I use a heap instead of a sorted array?", ("heap", "sorted array")),
        ("What separates the base case from the recursive case?", ("base case", "recursive case")),
        ("what sets a heap apart from a bst", ("heap", "bst")),
        ("how is bagging different from boosting", ("bagging", "boosting")),
        ("How is a tree different than a graph?", ("tree", "graph")),
        ("Compare and contrast mitosis and meiosis", ("mitosis", "meiosis")),
        ("Is recursion slower than iteration?", ("recursion", "iteration")),
        ("栈和队列有什么区别", ("栈", "队列")),
        ("快速排序比归并排序快吗", ("快速排序", "归并排序")),
        ("链表相比数组有什么优点", ("链表", "数组")),
        ("固态硬盘相对于机械硬盘的优点", ("固态硬盘", "机械硬盘")),
        ("选排 vs 归并，复杂度差在哪，哪个更划算", ("选排", "归并")),
        ("动脉和静脉在管壁和流向上有什么不同？", ("动脉", "静脉")),
        ("过失和故意在主观方面的区别", ("过失", "故意")),
        ("过失和故意怎么区分？", ("过失", "故意")),
        ("怎样才能分辨过失和故意", ("过失", "故意")),
        ("短期与长期有区别吗", ("短期", "长期")),
    ],
)
def test_the_two_things_are_told(question: str, sides: tuple[str, str]) -> None:
    assert find_compared(question) == sides


@pytest.mark.parametrize(
    "question",
    ["What is a stack?", "什么是栈？", "why does it fail", "", "does a big heap sink faster than a small one?"],
)
def test_a_question_that_compares_nothing_has_no_sides(question: str) -> None:
    assert find_compared(question) == ()


def test_a_head_that_both_share_stands_with_each() -> None:
    sides = find_compared("batch vs stochastic gradient descent")
    assert with_shared_head(sides) == ("batch gradient descent", "stochastic gradient descent")


@given(st.text(max_size=200))
def test_any_text_has_no_sides_or_two_that_differ(text: str) -> None:
    sides = find_compared(text)
    assert len(sides) in (0, 2)
    assert len(set(sides)) == len(sides)
    assert all(sides)


def test_a_long_question_is_read_in_time() -> None:
    assert find_compared("is a or b better than c and " * 400) is not None
