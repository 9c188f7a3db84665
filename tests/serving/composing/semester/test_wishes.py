"""What is read in a student's words before anything is planned: terms, wishes, amounts, classes, programs."""

from datetime import date

import pytest
from catalog_rows import COURSES, SAMPLE, sample_records
from semester_rows import TODAY

from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder
from serving.assistant.composing.semester.calendar import next_term, read_term, terms_in
from serving.assistant.composing.semester.names import find_classes, find_programs
from serving.assistant.composing.semester.offers import Catalogues, catalogue_of
from serving.assistant.composing.semester.progress import amounts_in
from serving.assistant.composing.semester.wishes import read_wishes

TITLES = {
    "COMP1100": "Foundations of Programming",
    "COMP1200": "Data Structures",
    "COMP3400": "Databases",
    "MATH1210": "Calculus I",
    "MATH1220": "Calculus II",
    "MATH1300": "Discrete Structures",
}


@pytest.mark.parametrize(
    ("today", "expected"),
    [(date(2026, 11, 24), "Spring 2027"), (date(2027, 2, 20), "Fall 2027"), (date(2030, 1, 1), "Fall 2027")],
)
def test_the_next_term_is_the_first_that_has_not_begun_or_the_last(today: date, expected: str) -> None:
    term = next_term(terms_in(["Fall 2027", "Spring 2027"]), today)
    assert term is not None
    assert term.label == expected


def test_the_next_of_terms_without_a_year_is_not_guessed() -> None:
    assert next_term(terms_in(["Fall", "Spring"]), TODAY) is None
    assert next_term(terms_in(["Fall"]), TODAY) == read_term("Fall")


@pytest.mark.parametrize(
    ("text", "month", "year"),
    [
        ("Spring 2027", 2, 2027),
        ("2026-2027学年第二学期", 2, 2027),
        ("2026-27 autumn", 9, 2026),
        ("2027年秋季", 9, 2027),
    ],
)
def test_terms_are_read(text: str, month: int, year: int) -> None:
    assert (read_term(text).month, read_term(text).year) == (month, year)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I passed COMP 1100 and want 12 credits", {"passed": ("COMP1100",), "least_credits": 12, "most_credits": 12}),
        ("after MATH 1300", {"passed": ("MATH1300",)}),
        (
            "I've completed COMP 1100, 1200 and Calculus II; I would like Databases and at most 15 credits",
            {
                "passed": ("COMP1100", "COMP1200", "MATH1220"),
                "wanted": ("COMP3400",),
                "most_credits": 15,
                "least_credits": None,
            },
        ),
        ("I haven't passed COMP 1200 yet but passed COMP 1100", {"missing": ("COMP1200",), "passed": ("COMP1100",)}),
        ("COMP 1100 已经修过了，不要周五的课", {"passed": ("COMP1100",), "free_days": (5,)}),
        (
            "我修过 COMP 1100，想选 COMP 1200，三门课",
            {"passed": ("COMP1100",), "wanted": ("COMP1200",), "most_classes": 3},
        ),
        ("I am a freshman, four classes", {"is_told": True, "most_classes": 4, "passed": ()}),
        ("I have 30 credits already, 12-15 credits please", {"least_credits": 12, "most_credits": 15}),
        ("I'm taking COMP 1100 now", {"taking": ("COMP1100",), "is_told": True}),
        ("anything without MATH 1210 please, not after 5 pm", {"avoided": ("MATH1210",), "not_after": 17 * 60}),
        ("I took COMP 1150", {"unknown": ("COMP 1150",), "is_told": False}),
        ("COMP 1100, MATH 1210", {"unclear": ("COMP1100", "MATH1210"), "is_told": False}),
        ("can I take only history classes before noon", {"subject": "history"}),
        ("at most 8 credits of mathematics", {"subject": "mathematics"}),
    ],
)
def test_what_a_student_says_is_read(text: str, expected: dict[str, object]) -> None:
    found = read_wishes(text, TITLES)
    assert {name: getattr(found, name) for name in expected} == expected


def test_what_a_class_must_have_needed_counts_as_passed() -> None:
    catalogue = catalogue_of(sample_records(), [], read_course_card(CourseFolder(SAMPLE, COURSES / SAMPLE))[0])
    assert catalogue.add_implied(frozenset({"COMP3300"})) == {"COMP3300", "COMP1200", "COMP1100", "MATH1300"}
    assert catalogue.add_implied(frozenset({"HIST3120"})) == {"HIST3120"}, "either of two may have been passed"


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("what do i need before calc 2?", ["MATH1220"]),
        ("when does Calculus I meet", ["MATH1210"]),
        ("can i take calculus in spring", []),  # "i" is no number
        ("cafe music, any seats?", ["MUSC1000"]),
        ("comp-3300 after data structures?", ["COMP3300", "COMP1200"]),
        ("data & society", ["COMP2050"]),
        ("what is data", []),
    ],
)
def test_classes_are_known_by_code_title_and_title_cut_short(home: DataDir, question: str, keys: list[str]) -> None:
    catalogue = Catalogues(home).of(SAMPLE)
    assert [one.key for one in find_classes(question, catalogue)] == keys


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("36 credits in computing and 12 in mathematics", [(36, "credit", "computing"), (12, "credit", "mathematics")]),
        ("Thirty credits, among them two recitals", [(30, "credit", "")]),
        ("i have 22 of the cs majors comp credits", [(22, "credit", "cs majors comp")]),
        ("Twenty-four credits", [(24, "credit", "")]),
        ("COMP 1100 in 2027", []),
    ],
)
def test_amounts_are_read_with_what_they_are_of(text: str, found: list[tuple[int, str, str]]) -> None:
    assert [(one.number, one.unit, one.of) for one in amounts_in(text)] == found


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("what does the cs degree want", ["Computing (BS)"]),
        ("is the marine bio major hard", ["Marine Biology (BS)"]),
        ("compare the math minor and the data ethics cert", ["Mathematics Minor", "Data Ethics Certificate"]),
        ("which classes are about history", []),
        ("a class in computing", []),
        ("how do the history degree and the music degree differ", ["History (BA)", "Music & Sound (BA)"]),
        ("computing vs marine bio, what do i have to take", ["Computing (BS)", "Marine Biology (BS)"]),
    ],
)
def test_programs_are_known_by_the_beginnings_of_their_words(home: DataDir, question: str, titles: list[str]) -> None:
    assert find_programs(question, Catalogues(home).of(SAMPLE)) == titles
