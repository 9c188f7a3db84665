"""A sentence that gives the formula needs no doubt; of a thing that no text has nothing tells why."""

import pytest
from asked_rows import asking, spoken

from serving.assistant.composing.explain import _asks_of_the_unknown
from serving.assistant.composing.sufficiency import _gives_the_formula
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.window import Window
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.question_kind import QuestionKind


def unit(label: str, *, is_known: bool = True) -> QuestionUnit:
    return QuestionUnit(label, (terms_of(label),), 1.0, is_known=is_known)


@pytest.mark.parametrize(
    ("question", "name", "said", "is_given"),
    [
        ("密度怎么算？", "密度", "密度等于质量除以体积。", True),
        ("密度的公式是什么", "密度", "所以密度就是质量和体积之比。", True),
        ("what is the formula for density", "density", "The density is mass divided by volume.", True),
        ("密度怎么算？", "密度", "密度是8除以4，等于2。", False),
        ("密度怎么算？", "密度", "重力等于密度乘以体积再乘以常数。", False),
        ("密度怎么算？", "密度", "密度是一个重要的量。", False),
        ("什么是密度？", "密度", "密度等于质量除以体积。", False),
    ],
)
def test_what_a_thing_equals_is_its_formula(question: str, name: str, said: str, *, is_given: bool) -> None:
    piece = spoken((said, 0.5))
    window = Window(piece, 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=False)
    request = asking(question, unit(name), aspects=tuple(find_aspects(question)))
    assert _gives_the_formula(window, request) is is_given


@pytest.mark.parametrize(
    ("kind", "units", "is_unknown"),
    [
        ("why", [unit("期权", is_known=False)], True),
        ("how", [unit("期权", is_known=False), unit("黄金", is_known=False)], True),
        ("why", [unit("期权", is_known=False), unit("黄金")], False),
        ("why", [unit("倒霉", is_known=False)], False),
        ("why", [unit("option", is_known=False)], False),
        ("yes_no", [unit("期权", is_known=False)], False),
        ("why", [], False),
    ],
)
def test_why_is_not_told_of_what_no_text_has(
    kind: QuestionKind, units: list[QuestionUnit], *, is_unknown: bool
) -> None:
    assert _asks_of_the_unknown(asking("?", *units, kind=kind)) is is_unknown
