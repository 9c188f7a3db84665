"""What a class's record asks of a student, and where it is not guessed."""

import pytest

from knowledge_graph.sources.catalog.needs import code_key, credits_of, needs_of

TITLES = {"MATH1300": "Discrete Structures", "COMP1200": "Data Structures"}


def ways(text: str) -> list[list[str]]:
    return [sorted(way) for way in needs_of(text, TITLES).before]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prerequisite: none.", [[]]),
        ("Nothing is said.", [[]]),
        ("Prerequisite: COMP 1100.", [["COMP1100"]]),
        (
            "Loops.\nCredits: 4\nPrerequisites:\nCOMP 1200 and\nMATH 1300 Discrete Structures.",
            [["COMP1200", "MATH1300"]],
        ),
        ("Prerequisite: MATH 1210 or equivalent.", [["MATH1210"]]),
        ("Prereq: HIST 1010 or HIST 2040.", [["HIST1010"], ["HIST2040"]]),
        ("Prerequisite: COMP 1100, MATH 1210 and MATH 1300", [["COMP1100", "MATH1210", "MATH1300"]]),
        ("Prerequisite: COMP 1100, COMP 1150, or MATH 1210", [["COMP1100"], ["COMP1150"], ["MATH1210"]]),
        ("Prerequisite: COMP 1100 or COMP 1150, and MATH 1210", [["COMP1100", "MATH1210"], ["COMP1150", "MATH1210"]]),
        ("Prerequisite: (COMP 1100 or COMP 1150) and MATH 1210", [["COMP1100", "MATH1210"], ["COMP1150", "MATH1210"]]),
        ("Prerequisite: one of COMP 1100, COMP 1150 or MATH 1210", [["COMP1100"], ["COMP1150"], ["MATH1210"]]),
        ("Prerequisite: COMP 1100 with a grade of C or better.", [["COMP1100"]]),
        ("先修课程：COMP 1100 和 MATH 1210。学分：3", [["COMP1100", "MATH1210"]]),
    ],
)
def test_prerequisites_that_have_one_reading_are_read(text: str, expected: list[list[str]]) -> None:
    assert ways(text) == expected
    assert needs_of(text, TITLES).condition == ""


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("Prerequisite: consent of the department.", "consent of the department"),
        ("Prerequisite: COMP 1100 and senior standing.", "COMP 1100 and senior standing"),
        ("Prerequisite: COMP 2050 and one class in philosophy.", "COMP 2050 and one class in philosophy"),
        ("Prerequisite: COMP 1100 and MATH 1210 or MATH 1300.", "COMP 1100 and MATH 1210 or MATH 1300"),
        ("Open to those with the prereq COMP 1200.", "Open to those with the prereq COMP 1200"),
    ],
)
def test_anything_else_is_kept_in_the_records_words(text: str, condition: str) -> None:
    assert needs_of(text, TITLES).condition == condition


def test_a_way_is_met_by_what_was_passed_and_a_corequisite_by_what_is_taken_beside() -> None:
    needs = needs_of("Prerequisite: COMP 1100. Corequisite: MATH 1210.", TITLES)
    assert needs.met_by(frozenset({"COMP1100", "MATH1210"}))
    assert needs.met_by(frozenset({"COMP1100"}), frozenset({"MATH1210"}))
    assert not needs.met_by(frozenset({"COMP1100"}))
    assert not needs.met_by(frozenset({"MATH1210"}), frozenset({"COMP1100"}))
    assert needs.missing(frozenset({"COMP1100"})) == {"MATH1210"}


def test_classes_that_are_not_counted_together() -> None:
    assert needs_of("COMP 3400 and COMP 5400 may not both be counted.", TITLES).excludes == {"COMP3400", "COMP5400"}
    assert needs_of("Not open to students with credit for MATH 2300.", TITLES).excludes == {"MATH2300"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Credits: 4", 4), ("Credit Hours: 3.0", 3), ("学分：2", 2), ("Credits: 1-3", None), ("36 pages", None)],
)
def test_credits_of_a_record(text: str, expected: float | None) -> None:
    assert credits_of(text) == expected


def test_a_code_is_the_same_however_it_is_written() -> None:
    assert {code_key(code) for code in ("COMP 1200", "comp-1200", "COMP\u00a01200", "Comp1200")} == {"COMP1200"}
