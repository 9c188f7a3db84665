"""Questions of programs, answered by their pages: what one asks for, what is left of it, which there are."""

import re

import pytest
from asker import Asker
from catalog_rows import SAMPLE

from serving.assistant.composing.catalogue_fields import EXAMS


@pytest.mark.parametrize(
    "question",
    [
        "do i need both databases and operating systems for the computing degree",
        "Are Databases and Operating Systems both required for Computing (BS)?",
    ],
)
def test_whether_a_program_wants_both_is_its_pages_to_say(ask: Asker, question: str) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert "One of COMP 3300 and COMP 3400" in answer.text
    assert "Harbour Hall" not in answer.text


@pytest.mark.parametrize("question", ["is there a program in the evening", "is there an evening program?"])
def test_a_program_is_known_by_what_its_page_says(ask: Asker, question: str) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert answer.text.startswith("**Data Ethics Certificate")
    assert "All meetings are in the evening." in answer.text


def test_a_program_that_there_is_not_is_told_so(ask: Asker) -> None:
    assert ask("do you have a law degree", course_id=SAMPLE).text.startswith("The catalogue has no page of such")


def test_who_wants_a_program_and_has_classes_has_passed_them(ask: Asker) -> None:
    question = "I want the mathematics minor and have MATH 1210, MATH 1220 and MATH 1300. How many classes are left?"
    assert "5 − 3 = 2 are left" in ask(question, course_id=SAMPLE).text


def test_what_a_degree_needs_is_no_background_of_any_class(ask: Asker) -> None:
    assert not ask("what do i need for a cs degree", course_id=SAMPLE).text.startswith("**History")


def test_a_program_that_no_page_is_about_is_declined_with_those_that_there_are(ask: Asker) -> None:
    for question in ("is there a nursing program", "do you offer a degree in chemistry"):
        answer = ask(question, course_id=SAMPLE)
        assert answer.text.startswith("The catalogue has no page of such a program.")
        assert "**Computing (BS)**" in answer.text
    assert "no page of such" not in ask("do you offer a minor in mathematics", course_id=SAMPLE).text
    for question in ("what majors are there?", "what can i major in here", "what can I study here?"):
        assert "**History (BA)**" in ask(question, course_id=SAMPLE).text


def test_what_a_program_needs_and_how_to_apply_are_told_without_doubt(ask: Asker) -> None:
    for question in ("how many credits is the computing major", "how do i apply"):
        assert not ask(question, course_id=SAMPLE).text.startswith("I am not sure")


@pytest.mark.parametrize(
    ("question", "sums"),
    [
        ("i have 22 of the cs majors comp credits, how many are missing", ["36 − 22 = 14"]),
        ("i have 5 credits in math already, how many more do i need for the computing major", ["12 − 5 = 7"]),
        ("got 19 credits in music & sound, how many to go", ["30 − 19 = 11"]),
        (
            "I have passed four history classes, one of them at the 3000 level. How many do I still need for the "
            "History BA?",
            ["10 − 4 = 6", "4 − 1 = 3"],
        ),
    ],
)
def test_what_is_left_of_a_program_is_worked_out_from_its_page(ask: Asker, question: str, sums: list[str]) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert re.findall(r"\d+ − \d+ = \d+", answer.text) == sums
    assert answer.references[0].title.endswith("requirements")


def test_what_is_left_counts_passed_classes_of_the_subject_alone_and_ends_at_none(ask: Asker) -> None:
    minor = "I want the mathematics minor. How many classes are left? "
    assert "5 − 2 = 3" in ask(f"{minor}I have MATH 1210, MATH 1220 and COMP 1100.", course_id=SAMPLE).text
    assert "−" not in ask(f"{minor}Must I take MATH 2100?", course_id=SAMPLE).text
    enough = ask("i have 40 of the cs majors comp credits, how many are missing", course_id=SAMPLE).text
    assert enough.startswith("Computing (BS) asks for 36 credits in computing; by what you told me none are left.")


@pytest.mark.parametrize(
    "question",
    [
        "is there a night class i can take for the data ethics certificate?",
        "which evening classes count for the data ethics certificate",
    ],
)
def test_of_the_classes_in_the_evening_those_of_the_program_are_listed_with_its_pages(
    ask: Asker, question: str
) -> None:
    text = ask(question, course_id=SAMPLE).text
    assert text.startswith("Of the classes that **Data Ethics Certificate** names:")
    assert "COMP 2050 Data & Society" in text
    assert "COMP 5400" not in text, "a class of another program"
    assert "one class in philosophy" in text


def test_a_class_before_one_of_the_program_is_told_with_both_records(ask: Asker) -> None:
    text = ask("do i need calculus for the computing major", course_id=SAMPLE).text
    assert text.startswith("**Computing (BS) — requirements**")
    assert "Prerequisite:\nMATH 1210." in text
    assert "**MATH 1210 Calculus I**" in text


def test_a_program_is_known_by_one_word_of_its_name_before_its_degree(ask: Asker) -> None:
    assert "A public recital or an installation" in ask("can a music major skip the recital?", course_id=SAMPLE).text
    answer = ask("what about the data science major?", course_id=SAMPLE)
    assert answer.text.startswith("The catalogue has no page of such a program."), "no data ethics"


@pytest.mark.parametrize(
    ("question", "is_exam"),
    [
        ("does COMP 3300 have a final?", True),
        ("when is the final exam", True),
        ("how much is the final worth", True),
        ("when are finals", True),
        ("can a music major skip the final recital?", False),
        ("who reads the final report", False),
    ],
)
def test_what_is_final_is_an_exam_unless_it_is_of_something_else(question: str, *, is_exam: bool) -> None:
    assert (EXAMS.asked.search(question) is not None) is is_exam
