"""When something is due is read out of the syllabus's table, with the headings of its columns."""

from types import SimpleNamespace
from typing import cast

import pytest

from serving.assistant.composing.request import Request
from serving.assistant.composing.timetable import (
    ASKS_WEEK,
    compose_reading,
    compose_timetable,
    compose_week_of,
    rows_about,
    week_rows_with,
)
from serving.index.schema import Entry

TABLE = """Week | Lectures | Quiz | Assignment due on Sunday
5 | 6 Recursion | Q5 | A2 A calculator with a stack
6 | 7 Sorting | midterm on lectures 1 to 6 |
12 | Review | | A12 Paths
13 | Final exam | |"""


def rows(question: str, text: str = TABLE) -> list[str]:
    return rows_about(question, cast(Entry, SimpleNamespace(text=text)))


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("When is the midterm?", "Week 6; Lectures: 7 Sorting; Quiz: midterm on lectures 1 to 6"),
        (
            "until when do I hand in assignment 2",
            "Week 5; Lectures: 6 Recursion; Quiz: Q5; Assignment due on Sunday: A2 A calculator with a stack",
        ),
        (
            "when is quiz 5",
            "Week 5; Lectures: 6 Recursion; Quiz: Q5; Assignment due on Sunday: A2 A calculator with a stack",
        ),
        ("which lectures does the midterm cover", "Week 6; Lectures: 7 Sorting; Quiz: midterm on lectures 1 to 6"),
        ("what will be asked in the midterm", "Week 6; Lectures: 7 Sorting; Quiz: midterm on lectures 1 to 6"),
        ("what is due in week 12", "Week 12; Lectures: Review; Assignment due on Sunday: A12 Paths"),
        ("when is the final exam", "Week 13; Lectures: Final exam"),
    ],
)
def test_the_row_is_that_of_what_is_asked(question: str, row: str) -> None:
    assert rows(question) == [row]


@pytest.mark.parametrize(
    "question", ["when is assignment 1 due", "when is quiz 12", "what is due in week 1", "who are you"]
)
def test_a_number_is_the_whole_number(question: str) -> None:
    assert rows(question) == []


def test_text_without_a_table_has_no_rows() -> None:
    assert rows("when is the midterm", "The midterm | is hard.\nThe midterm is in week 6.") == []


def test_a_chinese_table_is_read() -> None:
    table = "周次 | 内容 | 截止\n3 | 栈 | 作业 1\n4 | 队列 | 作业 2"
    assert rows("第2次作业什么时候截止", table) == ["周次 4; 内容: 队列; 截止: 作业 2"]


def test_an_exam_without_a_name_is_any_of_them() -> None:
    assert [one.partition(";")[0] for one in rows("when is the exam?")] == ["Week 6", "Week 13"]


@pytest.mark.parametrize(
    "question",
    [
        "what happens if i miss the midterm",
        "what if i'm late for quiz 5",
        "期中缺考了会怎样",
        "what is the length of the midterm",
        "期末考试的时长是什么",
    ],
)
def test_what_went_wrong_and_how_long_it_takes_is_told_by_no_row(question: str) -> None:
    assert compose_timetable(cast(Request, SimpleNamespace(question=question))) is None


@pytest.mark.parametrize(
    ("exam", "is_told"), [("Final exam, Hall B", True), ("Final exam on paper in the big room", False)]
)
def test_where_an_exam_is_held_is_told_by_a_row_with_a_room(exam: str, *, is_told: bool) -> None:
    entry = Entry(
        "t", "passage", "document", "ds", "en", "Weeks", f"Week | Lectures | Quiz\n13 | {exam} |\n14 | Rest |"
    )
    material = SimpleNamespace(pieces=lambda *_, **__: [SimpleNamespace(entry=entry)], vector_of=lambda _: None)
    asked = SimpleNamespace(question="where is the exam?", lang="en", spoken="en", material=material)
    assert (compose_timetable(cast(Request, asked)) is not None) is is_told


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("sorting", ["Week 6; Lectures: 7 Sorting; Quiz: midterm on lectures 1 to 6"]),
        ("sort", []),
        ("Recursion", [rows("when is quiz 5")[0]]),
        ("heaps", []),
    ],
)
def test_the_week_of_a_lecture_is_that_of_the_row_with_its_name(name: str, row: list[str]) -> None:
    assert week_rows_with(name, cast(Entry, SimpleNamespace(text=TABLE))) == row


def test_a_table_without_weeks_tells_no_week() -> None:
    table = "Part | Weight | Of\nSorting | 20% | all"
    assert week_rows_with("Sorting", cast(Entry, SimpleNamespace(text=table))) == []


def test_the_first_name_that_a_table_has_is_taken() -> None:
    entry = Entry("p", "passage", "document", "ds", "en", "Syllabus", TABLE)
    pieces = SimpleNamespace(pieces=lambda *_, **__: [SimpleNamespace(entry=entry)], vector_of=lambda _: None)
    request = cast(Request, SimpleNamespace(lang="en", spoken="en", material=pieces))
    found = compose_week_of(request, ["Heaps", "Sorting", "Recursion"])
    assert found is not None
    assert [one.text for one in found.statements[1:]] == [
        "Week 6; Lectures: 7 Sorting; Quiz: midterm on lectures 1 to 6"
    ]
    assert compose_week_of(request, ["Heaps"]) is None


@pytest.mark.parametrize(
    ("question", "table", "is_set"),
    [
        ("what should I read before sorting", "Week | Lecture | Reading\n6 | Sorting | Lund, part 2", True),
        ("what should I know before sorting", "Week | Lecture | Reading\n6 | Sorting | Lund, part 2", False),
        ("what should I read before sorting", "Week | Lecture | Quiz\n6 | Sorting | Lund, part 2", False),
        ("sorting之前要读什么", "周次 | 内容 | 阅读\n6 | Sorting | 第二章", True),
    ],
)
def test_what_to_read_for_a_lecture_stands_in_its_row(question: str, table: str, *, is_set: bool) -> None:
    entry = Entry("p", "passage", "document", "ds", "en", "Syllabus", table)
    pieces = SimpleNamespace(pieces=lambda *_, **__: [SimpleNamespace(entry=entry)], vector_of=lambda _: None)
    request = cast(Request, SimpleNamespace(lang="en", spoken="en", material=pieces, question=question, kind="before"))
    assert (compose_reading(request, ["Sorting"]) is not None) is is_set


@pytest.mark.parametrize(
    ("question", "is_week"),
    [("which week is the lecture on heaps in?", True), ("第几周讲图", True), ("which lecture is on heaps", False)],
)
def test_what_asks_for_the_week(question: str, *, is_week: bool) -> None:
    assert (ASKS_WEEK.search(question) is not None) is is_week
