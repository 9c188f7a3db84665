"""Days and hours in a question, and the classes that meet then."""

import pytest

from knowledge_graph.lake.records import Meeting
from serving.assistant.composing.semester.hours import _OFFERED, read_hours


@pytest.mark.parametrize(
    ("question", "held", "passed_over"),
    [
        ("which classes meet in the evening", [(2, 1080), (5, 1200)], [(2, 1070)]),
        ("any classes on Fridays?", [(5, 600)], [(4, 600)]),
        ("what classes are there on tuesday and thursday mornings", [(2, 540), (4, 719)], [(2, 720), (3, 540)]),
        ("which courses start after 5pm", [(1, 1020)], [(1, 1019)]),
        ("which courses start after 17:30 in spring", [(1, 1050)], [(1, 1049)]),
        ("which classes begin before noon", [(1, 719)], [(1, 720)]),
        ("哪些课在晚上", [(1, 1080)], [(1, 1000)]),
        ("周五有哪些课", [(5, 600)], [(4, 600)]),
        ("哪些课是下午2点以后的", [(1, 840)], [(1, 839)]),
    ],
)
def test_hours_are_read(question: str, held: list[tuple[int, int]], passed_over: list[tuple[int, int]]) -> None:
    hours = read_hours(question)
    assert hours is not None
    assert [one for one in held if hours.hold(Meeting(one[0], one[1], one[1] + 50))] == held
    assert [one for one in passed_over if hours.hold(Meeting(one[0], one[1], one[1] + 50))] == []


@pytest.mark.parametrize(
    "question",
    [
        "which classes need COMP 1100",
        "what is a stack",
        "哪些课没有先修要求",
        "which classes can i take after 3 semesters",
        "which classes are there after 2027",
    ],
)
def test_no_hours_are_none(question: str) -> None:
    assert read_hours(question) is None


@pytest.mark.parametrize("question", ["which comp classes are offered in spring", "春季开哪些课"])
def test_what_a_term_offers_names_no_hours(question: str) -> None:
    assert read_hours(question) is None
    assert _OFFERED.search(question)
