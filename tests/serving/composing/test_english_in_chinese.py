"""Chinese students name things in English: the course's own Chinese name is looked up, and said to be."""

import pytest
from asker import Asker

from serving.assistant.composing.composer import _is_written_so
from serving.assistant.understanding.translation import english_names_in, translate


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("bst里怎么删", ["bst"]),
        ("dfs和BFS有什么区别", ["BFS", "dfs"]),
        ("什么是linked list", ["linked list"]),
        ("stacks和queues的区别", ["queues", "stacks"]),
        ("时间复杂度O(n log n)是什么意思", []),  # a formula stays
        ("TA什么时候答疑", []),  # the life of a course is no subject
        ("what is a bst", []),
        ("什么是二叉搜索树", []),
    ],
)
def test_the_english_names_of_a_chinese_question_are_found(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end, _ in english_names_in(text)] == names


def test_each_has_what_it_is_called_in_chinese() -> None:
    ((_, _, names),) = english_names_in("heap怎么插入元素")
    assert "堆" in names


def test_a_chinese_course_is_asked_by_its_own_name(composed_by: Asker) -> None:
    answer = composed_by("stack是什么", course_id="sjjg")
    assert answer.text.startswith("按“栈”理解。")
    assert "栈是只允许在一端插入和删除的线性表" in answer.text


@pytest.mark.parametrize(
    ("typed", "name", "is_same"), [("A* search", "a-star", True), ("sgd", "gradient descent", False)]
)
def test_a_name_with_its_signs_written_out_is_the_same(typed: str, name: str, is_same: bool) -> None:
    assert _is_written_so(typed, name) is is_same


def test_what_the_course_does_not_speak_of_is_named_as_it_was_typed(composed_by: Asker) -> None:
    assert "machine learning" in composed_by("什么是machine learning", course_id="sjjg").text


def test_a_chinese_name_in_an_english_question_is_looked_up_as_it_is() -> None:
    assert translate("what is 装填因子 in the hashing lecture", "zh") == "什么是 装填因子 哈希 讲座"


def test_where_a_latin_name_is_taught_is_told_of_the_name_and_not_of_the_word_beside_it(composed_by: Asker) -> None:
    answer = composed_by("哪讲有KMP栈", course_id="sjjg")
    assert answer.coverage == "none"
    assert "KMP" in answer.text
