"""Days and times as schedules write them."""

import pytest

from knowledge_graph.lake.records import Meeting
from knowledge_graph.sources.meetings import MeetingUnreadable, days_of, meetings_of


@pytest.mark.parametrize(
    ("days", "times", "expected"),
    [
        ("MWF", "10:00-10:50", [(1, 600, 650), (3, 600, 650), (5, 600, 650)]),
        ("TuTh", "1-2:15 pm", [(2, 780, 855), (4, 780, 855)]),
        ("TTh", "9:30 am - 10:45 am", [(2, 570, 645), (4, 570, 645)]),
        ("TR", "0930-1045", [(2, 570, 645), (4, 570, 645)]),
        ("Tue/Thu", "11-12:15pm", [(2, 660, 735), (4, 660, 735)]),
        ("Monday", "12:30-1:45 p.m.", [(1, 750, 825)]),
        ("Thursday, Sunday", "18:00–20:30", [(4, 1080, 1230), (7, 1080, 1230)]),
        ("Mon-Wed", "8:00 to 8:50", [(1, 480, 530), (2, 480, 530), (3, 480, 530)]),
        ("周一、三", "8:00至9:40", [(1, 480, 580), (3, 480, 580)]),
        ("", "MW 10:00-11:15; F 14:00-15:50", [(1, 600, 675), (3, 600, 675), (5, 840, 950)]),
        ("", "TBA", []),
        ("", "", []),
        ("", "线上", []),
    ],
)
def test_days_and_times_are_read(days: str, times: str, expected: list[tuple[int, int, int]]) -> None:
    assert meetings_of(days, times) == tuple(Meeting(*one) for one in expected)


@pytest.mark.parametrize(
    ("days", "times", "told"),
    [
        ("Mx", "10:00-11:00", "'Mx' are no days of the week"),
        ("", "10:00-11:00", "it has times and no days"),
        ("MW", "", "it has days, 'MW', and no times"),
        ("M", "11:00-10:00", "'11:00-10:00' does not end after it begins"),
        ("M", "10:75-11:00", "no time of day"),
        ("M", "25:00-26:00", "does not end after it begins"),
        ("M", "noonish", "'noonish' is no time of day"),
        ("M", "10:00-11:00 maybe", "is no time of day"),
    ],
)
def test_what_cannot_be_read_is_named(days: str, times: str, told: str) -> None:
    with pytest.raises(MeetingUnreadable, match=told.replace("(", r"\(")):
        meetings_of(days, times)


def test_a_day_is_told_once() -> None:
    assert days_of("Fri Mon Friday") == (1, 5)
