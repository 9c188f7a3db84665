"""An overall grade is worked out of a student's marks by the weights that the course gives, or not at all."""

from fractions import Fraction
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.lake.records import Locator
from serving.assistant.composing.grades import compose_grade, marks_in, weights_in
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.request import Request
from serving.index.evidence import Evidence

TABLE = "Part | Weight\nQuizzes, the best eight of ten | 20%\nFive assignments | 40%\nMidterm | 15%\nFinal exam | 25%"
RULE = "You pass with at least 60% overall and at least 50% in the final exam."
SENTENCE = "The quizzes count 20%, the five assignments 40%, the midterm 15% and the final exam 25%."


@pytest.mark.parametrize("text", [TABLE, SENTENCE])
def test_weights_are_read_from_a_table_and_from_a_sentence(text: str) -> None:
    percent = {name: int(value * 100) for name, value in weights_in(text).items()}
    assert percent == {"quizzes": 20, "assignments": 40, "midterm": 15, "final": 25}


def test_weights_are_read_in_chinese() -> None:
    text = "随堂测验占百分之二十，编程作业占百分之四十，期末考试占40%。"
    assert weights_in(text) == {"quizzes": Fraction(1, 5), "assignments": Fraction(2, 5), "final": Fraction(2, 5)}


@pytest.mark.parametrize(
    "question",
    [
        "got 90 on quizzes, 80 on the assignments, 70 midterm and 60 in the final",
        "quizzes 90, assignments 80, midterm 70, final 60 - overall?",
        "90% in the quizzes, 80% in the assignments, 70 in the midterm and then the final went badly, 60",
        "测验90分，作业80分，期中70分，期末考了60分",
    ],
)
def test_marks_are_read_before_or_behind_their_parts(question: str) -> None:
    assert marks_in(question) == {"quizzes": 90, "assignments": 80, "midterm": 70, "final": 60}


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    assert all(0 <= one <= 100 for one in marks_in(text).values())
    assert all(one >= 0 for one in weights_in(text).values())


def ask(question: str, text: str) -> list[str]:
    lines = tuple(MaterialLine(one) for one in text.split("\n"))
    evidence = Evidence(0, "syllabus", "document", "ds", "Syllabus", text, Locator(document="syllabus.md"))
    piece = SimpleNamespace(lines=lines, lang="en", evidence=lambda _: evidence)
    request = SimpleNamespace(asked=question, spoken="en", pieces=(piece,))
    found = compose_grade(cast(Request, request))
    return [] if found is None else [found.coverage, *(one.text for one in found.statements)]


def test_the_sum_and_the_rule_are_shown() -> None:
    said = ask("90 in the quizzes, 80 in the assignments, 70 midterm, 60 final, overall grade?", f"{TABLE}\n{RULE}")
    assert said[:2] == ["full", "20 % · 90 + 40 % · 80 + 15 % · 70 + 25 % · 60 = 75.5"]
    assert RULE in said[2]


def test_whether_it_is_a_pass_is_told_by_the_conditions_of_the_rule() -> None:
    question = "90 in the quizzes, 80 in the assignments, 70 midterm, 48 final, do i pass?"
    said = ask(question, f"{TABLE}\n{RULE}")
    assert said[0] == "partial"
    assert said[1] == "By the rule below this is not enough to pass: 50 % are needed where you have 48."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("90 in the quizzes and 80 in the assignments, overall?", TABLE),
        ("90 in the quizzes, 80 in the assignments, 70 midterm, 60 final, overall?", "Quizzes | 20%\nFinal | 30%"),
        ("when is the final?", TABLE),
    ],
)
def test_nothing_is_worked_out_without_all_marks_and_weights(question: str, text: str) -> None:
    assert ask(question, text) == []


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("I got 48% in the final but 75% overall, do I pass?", "50 % are needed where you have 48"),
        ("did i fail with 45 in the final", "50 % are needed where you have 45"),
        ("is an overall of 55 enough to pass", "60 % are needed where you have 55"),
        ("do I pass with 70% overall and 52% in the final?", ""),
        ("did i fail? 49% final, 80% quizzes", "50 % are needed where you have 49"),
    ],
)
def test_what_a_pass_needs_is_told_of_the_marks_that_are_named(question: str, lead: str) -> None:
    shown = ask(question, f"{TABLE}\n{RULE}")
    assert shown[0] == "partial"
    assert shown[-1] == RULE
    assert (lead in shown[1]) if lead else len(shown) == 2


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("I got 48% in the final, when is the resit?", RULE),
        ("how do i pass the final", RULE),
        ("do I pass with 75% overall", "A certificate with distinction needs at least 85% overall."),
        ("do I pass with 48% in the midterm", RULE),
        ("I failed the final with 30%, what now", RULE),
    ],
)
def test_no_condition_is_told_that_is_not_on_the_marks_or_on_passing(question: str, text: str) -> None:
    assert ask(question, text) == []
