"""Schedules in each format, rows that cannot be planned by, and the sample's own."""

import json
from pathlib import Path

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.records import CatalogRecord, CourseCard, Meeting
from knowledge_graph.sources.catalog.reading import read_catalog
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.schedule import read_schedule

CARD = CourseCard("uni", "Catalogue", "en")
CSV = """\
code,term,section,days,times,credits,seats
COMP 1200,Spring 2027,1,Mon Wed,10:00-11:15,4,8
COMP 1200,Spring 2027,1,Fri,10:00-11:40,4,8
COMP 1200,Fall 2027,2,TuTh,2-3:15 pm,4,-3
"""
ROWS = [
    {"code": "COMP 1200", "term": "Spring 2027", "section": 1, "credits": 4, "seats": 8,
     "meetings": [{"days": "MW", "times": "10:00-11:15"}, {"days": "F", "start": "10:00", "end": "11:40"}]},
    {"class": "COMP 1200", "semester": "Fall 2027", "section": "2", "day": "T Th", "time": "14:00-15:15",
     "units": 4, "seats": -3},
]  # fmt: skip
RECORD = CatalogRecord("uni", "class", "class:COMP 1200", "COMP 1200", "Data Structures", None, "Credits: 4", "p.html",
                       None, None, "en")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("schedule.csv", CSV),
        ("schedule.tsv", CSV.replace(",", "\t")),
        ("schedule.csv", CSV.replace(",", ";")),
        ("schedule.json", json.dumps(ROWS)),
        ("schedule.json", json.dumps({"year": 2027, "classes": ROWS})),
        ("schedule.jsonl", "\n".join(map(json.dumps, ROWS))),
    ],
)
def test_each_format_gives_the_same_offerings(write_course: WriteCourse, name: str, text: str) -> None:
    offerings, problems = read_schedule(write_course({name: text}), CARD, [RECORD])
    assert problems == ()
    fall, spring = offerings
    assert (spring.offering_id, spring.credits, spring.seats) == ("Spring 2027/COMP1200/1", 4, 8)
    assert spring.meetings == (Meeting(1, 600, 675), Meeting(3, 600, 675), Meeting(5, 600, 700))
    assert (fall.term, fall.section, fall.seats) == ("Fall 2027", "2", 0), "a class that is over-full has no seat free"
    assert fall.meetings == (Meeting(2, 840, 915), Meeting(4, 840, 915))


@pytest.mark.parametrize(
    ("row", "message", "severity"),
    [
        (",Spring 2027,1,Mon,10:00-11:00,4,1", "schedule.csv:2: The row has no code; it was left out.", "error"),
        (
            "COMP 1200,,1,Mon,10:00-11:00,4,1",
            "The row of COMP 1200 has no term; it was left out.",
            "error",
        ),
        ("COMP 1200,Spring 2027,1,Mx,10:00-11:00,4,1", "'Mx' are no days of the week", "error"),
        ("COMP 1200,Spring 2027,1,Mon,11:00-10:00,4,1", "does not end after it begins", "error"),
        ("COMP 1200,Spring 2027,1,Mon,10:00-11:00,many,1", "'many', are no number; they were left empty", "warning"),
        ("COMP 1200,Spring 2027,1,Mon,10:00-11:00,4,few", "'few', are no whole number", "warning"),
        ("COMP 9,Spring 2027,1,Mon,10:00-11:00,4,1", "COMP 9 in Spring 2027 has no record in the catalogue", "warning"),
        ("COMP 1200,Spring 2027,1,Mon,10:00-11:00,3,1", "has 3 credits here and 4 in the catalogue", "warning"),
    ],
)
def test_a_row_that_is_wrong_is_told_with_its_place(
    write_course: WriteCourse, row: str, message: str, severity: str
) -> None:
    header = "code,term,section,days,times,credits,seats\n"
    offerings, problems = read_schedule(write_course({"schedule.csv": f"{header}{row}\n"}), CARD, [RECORD])
    (problem,) = problems
    assert message in str(problem)
    assert (problem.file, problem.line, problem.severity) == ("schedule.csv", 2, severity)
    assert len(offerings) == (0 if severity == "error" else 1)


@pytest.mark.parametrize(
    ("days", "times", "rooms"),
    [("Fri", "10:00-11:40", "Hall 12 (Mon Wed), Lab (Fri)"), ("", "", "Hall 12 (Mon Wed), Lab")],
)
def test_a_section_that_meets_in_two_rooms_keeps_both_with_their_days(
    write_course: WriteCourse, days: str, times: str, rooms: str
) -> None:
    text = (
        "code,term,section,days,times,credits,seats,room\n"
        "COMP 1200,Spring 2027,1,Mon Wed,10:00-11:15,4,8,Hall 12\n"
        f"COMP 1200,Spring 2027,1,{days},{times},4,8,Lab\n"
    )
    offerings, problems = read_schedule(write_course({"schedule.csv": text}), CARD, [RECORD])
    assert problems == ()
    assert [one.room for one in offerings] == [rooms]


def test_two_rows_without_a_section_are_not_taken_for_one_class(write_course: WriteCourse) -> None:
    text = "code,term,days,times\nCOMP 1200,Spring,Mon,9:00-10:00\nCOMP 1200,Spring,Tue,9:00-10:00\n"
    offerings, (problem,) = read_schedule(write_course({"schedule.csv": text}), CARD, [RECORD])
    assert [one.meetings for one in offerings] == [(Meeting(1, 540, 600),)]
    assert problem.line == 3
    assert "neither has a section" in problem.message


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("schedule.csv", "  \n", "The file is empty."),
        ("schedule.csv", "class,days\nCOMP 1200,Mon\n", "No column for the term: found class, days."),
        ("schedule.csv", "code,term\n", "The file names no class."),
        ("schedule.json", '{"code": "COMP 1200"}', "Expected a JSON list of classes."),
        ("schedule.json", '[{"code": "COMP 1200", "term": "Spring"}, {', "Not valid JSON from here on"),
    ],
)
def test_a_file_that_is_no_schedule_is_told(write_course: WriteCourse, name: str, text: str, message: str) -> None:
    _, (problem,) = read_schedule(write_course({name: text}), CARD, [RECORD])
    assert message in problem.message
    assert problem.remedy


def test_the_samples_schedule_fits_its_catalogue() -> None:
    folder = CourseFolder(
        "university-catalog", Path(__file__).parents[2] / "examples" / "courses" / "university-catalog"
    )
    card = read_course_card(folder)[0]
    offerings, problems = read_schedule(folder, card, read_catalog(folder, card, client=None).records)
    assert problems == ()
    assert {one.term for one in offerings} == {"Spring 2027", "Fall 2027"}
