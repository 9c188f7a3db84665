"""What a thing is, or does, is told by a sentence that it is the subject of."""

import pytest
from spoken_rows import one_lecture

from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.subject_sentences import (
    DEFINES,
    SAYS_WHAT,
    SAYS_WHAT_IT_DOES,
    _measure_telling,
    find_side_by_side,
    find_subject_sentence,
    tells,
)


@pytest.mark.parametrize(
    ("name", "text", "plain"),
    [
        ("queue", "A queue is a waiting line that is served in order.", DEFINES),
        ("stack", "We can use linked lists as stacks, which are last in, first out.", SAYS_WHAT),
        ("comparable", "That's what the Comparable interface is all about.", SAYS_WHAT),
        ("assembler", "This program is called -- you guessed it -- an Assembler.", SAYS_WHAT),
        ("RAM", "And then we made some RAM, a larger bank of memory that can store numbers.", SAYS_WHAT),
        ("queue", "A queue - like the line at your post office - goes in order of arrival.", SAYS_WHAT_IT_DOES),
        ("stack", "Then the stack keeps what was put on it last at its top.", SAYS_WHAT_IT_DOES),
        ("stack", "Data is pushed onto the stack and popped from it later.", 0),
        ("stack", "A stack does not keep the order of arrival at all.", 0),
        ("stack", "If we have a stack we can say - print all of it out.", 0),
        ("queue", "So how does a queue keep the order of its items?", 0),
        ("汇编器", "汇编器读取用汇编语言写的程序，然后转成机器码。", SAYS_WHAT_IT_DOES),
        ("汇编器", "这种程序叫 你可能猜到了 汇编器。", SAYS_WHAT),
        ("汇编器", "汇编器不用固定跳转地址，而是插入标签。", 0),
        ("队列", "想象有个指针叫邮局队列，指向链表第一个节点。", 0),
        ("无向图", "图分成两类 无向图是边没有方向的图 比如微信好友。", SAYS_WHAT),
        ("无向图", "无向图是对称的，没有起点和终点的分别。", 0),
        ("前推力", "前推力，旧的挡新的，你老是想不起新的。", SAYS_WHAT),
        ("前推力", "前推力，但是我们先不讲它。", 0),
        ("RAM", "之后我们增大做出了 RAM RAM 是一大块内存，能存大量数字。", SAYS_WHAT),
    ],
)
def test_how_plainly_a_sentence_says_what_a_thing_is(name: str, text: str, plain: int) -> None:
    assert _measure_telling(text, (name,)) == plain
    assert tells(text, (name,)) is (plain > 0)


def test_the_plainest_sentence_tells_a_thing_and_of_equals_the_first() -> None:
    said = (
        "A stack keeps what was put on it last at its top.",
        "A stack is a pile of things of which the last is taken first.",
        "A stack is a thing that we shall meet again much later.",
    )
    lectures = CourseLectures((one_lecture(*said),))
    for least in (SAYS_WHAT_IT_DOES, SAYS_WHAT):
        found = find_subject_sentence(("stack",), lectures, within=frozenset(), least=least)
        assert found is not None
        assert found.text == said[1]
    assert find_subject_sentence(("stack",), lectures, within=frozenset({"other"}), least=1) is None
    assert find_subject_sentence(("queue",), lectures, within=frozenset(), least=1) is None


def test_two_things_that_are_told_in_a_row_are_found_side_by_side() -> None:
    first = one_lecture("A register is one small piece of memory.", "It is far from here.", title="Parts")
    second = one_lecture(
        "We have made two kinds of memory.",
        "A register is a small piece of memory for one value.",
        "RAM is a large piece of memory for many values.",
        title="Processor",
        index=1,
    )
    found = find_side_by_side(("RAM",), ("register",), CourseLectures((first, second)))
    assert found is not None
    assert [one.text for one in found] == [one.text for one in second.sentences[1:]]
    assert find_side_by_side(("RAM",), ("register",), CourseLectures((first,))) is None
    one = one_lecture("Registers -- small, linear chunks of memory, and RAM, a large bank of memory that is slower.")
    assert find_side_by_side(("RAM",), ("register",), CourseLectures((one,))) == one.sentences


def test_a_thing_whose_name_ends_a_sentence_is_told_by_what_this_is() -> None:
    said = (
        "You've probably heard of beta software.",
        "This is a version that is mostly complete, but not fully tested.",
        "Companies release it to the public.",
        "What comes before the beta is the alpha version.",
        "This is so rough that it is tested by themselves alone.",
        "So that's the tip of the iceberg.",
    )
    found = find_side_by_side(("alpha",), ("beta software",), CourseLectures((one_lecture(*said),)))
    assert found is not None
    assert tuple(one.text for one in found) == said[:5]


def test_what_is_told_nearest_of_two_things_is_taken() -> None:
    said = (
        "A register is a small thing that we begin with.",
        "It is of four latches.",
        "A register is a small piece of memory for one value.",
        "RAM is a large piece of memory for many values.",
        "For example, a million of them.",
    )
    found = find_side_by_side(("register",), ("RAM",), CourseLectures((one_lecture(*said),)))
    assert found is not None
    assert tuple(one.text for one in found) == said[2:]


def test_what_the_next_sentence_takes_back_tells_nothing() -> None:
    said = ("A stack is a pile of plates and nothing else.", "That's too simple.", "A stack keeps the last at its top.")
    found = find_subject_sentence(("stack",), CourseLectures((one_lecture(*said),)), within=frozenset(), least=1)
    assert found is not None
    assert found.text == said[2]
