"""Below a sum stands where the lectures say its formula, so that whoever reads it can check it."""

from types import SimpleNamespace
from typing import cast

import pytest
from spoken_rows import one_lecture

from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.request import Request
from serving.assistant.composing.spoken_formula import find_spoken_formula
from serving.assistant.composing.terms import QuestionUnit, terms_of

LECTURES = CourseLectures(
    (
        one_lecture("We talk of determinants later.", "A vector has a length.", title="Vectors", index=0),
        one_lecture(
            "How do you compute it?",
            "For a matrix with entries a, b, c, d, the determinant is a times d minus b times c.",
            "Here is why.",
            title="The determinant",
            index=1,
        ),
        one_lecture(
            "The precision is what they care about.",
            "It is the number of true positives divided by the number that we predicted as positive.",
            title="Error metrics",
            index=2,
        ),
        one_lecture("A kernel is chosen.", "行列式等于 ad 减 bc。", title="最后一讲", index=3),
    )
)


def found(question: str, shown: str, *words: str) -> list[str]:
    units = tuple(QuestionUnit(one, (terms_of(one),), 1.0) for one in words)
    material = SimpleNamespace(lectures=LECTURES)
    request = cast(Request, SimpleNamespace(question=question, units=units, material=material))
    return [one.text for one in find_spoken_formula(request, shown)]


@pytest.mark.parametrize(
    ("question", "shown", "word", "said"),
    [
        ("determinant of [[4,1],[2,3]]?", "4 · 3 − 1 · 2 = 10", "determinant", "How do you compute it?"),
        ("30 TP and 10 FP, precision?", "precision = 30 / 40 = 0.75", "precision", "The precision is what they care"),
    ],
)
def test_the_place_is_where_the_formula_is_said(question: str, shown: str, word: str, said: str) -> None:
    assert found(question, shown, word)[0].startswith(said)


def test_what_only_names_the_thing_is_no_such_place() -> None:
    assert "We talk of determinants later." not in found("determinant of [[4,1],[2,3]]?", "= 10", "determinant")


def test_a_formula_that_no_lecture_says_has_no_place() -> None:
    assert found("what does the sigmoid give for z = 2", "g(2) = 1 / (1 + e^(−2))", "sigmoid") == []
    assert found("what is 17 * 23", "17 * 23 = 391") == []
