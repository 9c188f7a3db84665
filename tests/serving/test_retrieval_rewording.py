"""What is read of the wordings a model writes, however it writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.retrieval.rewording import LONGEST, queries, wordings

ASKED = "What is a stack?"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("How does a stack work?\nExplain stacks.\nWhat are stacks for?", 3),
        ("1. How does a stack work?\n2) Explain stacks.\n(3) What are stacks for?", 3),
        ("- How does a stack work?\n\n* Explain stacks.\n\n• What are stacks for?\n", 3),
        ('"How does a stack work?"\n“Explain stacks.”\n**What are stacks for?**', 3),
        ("Sure! Here are three versions:\n1. How does a stack work?\n2. Explain stacks.", 2),
        ("Version 1: How does a stack work?\nVersion 2: Explain stacks.", 2),
        ("how does a stack work\nHow does a stack work?\nWHAT IS A STACK\nExplain stacks.", 2),
        ("1.\n2.\n...\n---\n", 0),
        ("", 0),
    ],
)
def test_wordings_are_found_under_marks_and_talk(written: str, expected: int) -> None:
    found = queries(ASKED, written)
    assert found[0] == ASKED
    assert len(found) == 1 + expected
    bare = {"how does a stack work", "explain stacks", "what are stacks for"}
    assert {each.lower().rstrip("?.") for each in found[1:]} <= bare


def test_chinese_wordings_lose_their_numbers_and_the_line_before_them() -> None:
    written = "以下是三个改写的问题：\n1、栈是什么意思？\n2．如何理解栈\n（3）“栈的定义”"
    assert queries("什么是栈？", written) == ("什么是栈？", "栈是什么意思？", "如何理解栈", "栈的定义")


@pytest.mark.parametrize("line", ["3 ways to sort a list", "2-3 trees: what are they?", "1.5 is rounded to what"])
def test_a_number_that_belongs_to_the_wording_stays(line: str) -> None:
    assert wordings(line) == [line]


def test_no_more_are_taken_than_wanted_and_none_that_is_an_essay() -> None:
    assert len(queries(ASKED, "\n".join(f"wording {number}" for number in range(9)))) == 4
    assert queries(ASKED, "x" * (LONGEST + 1)) == (ASKED,)


LINES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=8).map("\n".join)


@given(LINES)
def test_whatever_is_written_the_question_stays_first_and_nothing_comes_twice(written: str) -> None:
    found = queries(ASKED, written)
    assert found[0] == ASKED
    assert 1 <= len(found) <= 4
    assert len(set(found)) == len(found)
    assert all(each.strip() == each and any(map(str.isalnum, each)) for each in found)


@given(st.lists(st.from_regex(r"[a-z]{2,8} [a-z]{2,8}", fullmatch=True), unique=True, min_size=1, max_size=3))
def test_clean_lines_come_back_as_they_are(lines: list[str]) -> None:
    assert wordings("\n".join(f"{place}. {line}" for place, line in enumerate(lines, start=1))) == lines
