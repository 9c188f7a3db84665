"""The overall grade worked out of the marks that a student names, by the weights that the course's own texts give.
Pure."""

import re
from collections.abc import Mapping
from fractions import Fraction

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.formulas.formula import bracket, format_number
from serving.assistant.composing.material import join_material_lines
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.closed_words import read_number

_PARTS: Mapping[str, str] = {
    "quizzes": r"quiz(?:zes)?|随堂测验|小?测验",
    "assignments": r"assignments?|homeworks?|problem sets?|psets?|编程作业|作业",
    "midterm": r"mid-?terms?(?: exam)?|期中(?:考试)?",
    "final": r"finals?(?: exam)?|期末(?:考试)?",
    "project": r"projects?|项目|大作业",
    "labs": r"labs?|实验",
    "participation": r"participation|attendance|平时|出勤",
}
"""Parts of a grade by how students and rules name them."""
_PART = "|".join(f"(?P<{name}>{words})" for name, words in _PARTS.items())
_ASKS = re.compile(
    r"\b(?:overall|final (?:grade|mark|score|result)|total|altogether|come out|in the end|end up|grade|pass|fail"
    r"|average)\b"
    r"|总评|总成绩|总分"
    r"|及格|最后(?:是|得)?多少",
    re.IGNORECASE,
)
_PASSES = re.compile(r"\bpass\w*\b|\bfail\w*\b|及格|挂", re.IGNORECASE)
_PERCENT = r"(?P<digits>\d{1,2}(?:\.\d)?) ?%|百分之(?P<words>[一二三四五六七八九十]{1,3})"
_WEIGHT = re.compile(rf"(?:{_PART})[^.。;；%,，|\n\d]{{0,40}}?(?:{_PERCENT})", re.IGNORECASE)
_ROW = re.compile(rf"(?:{_PART})[^%|\n]{{0,60}}\| ?(?:{_PERCENT})", re.IGNORECASE)
_MARK_FIRST = re.compile(
    rf"(?<![\d.])(?P<mark>\d{{1,3}}(?:\.\d{{1,2}})?) ?(?:%|points?|percent|分)?(?: (?:in|on|for|from|at))?"
    rf"(?: (?:the|my|all))? ?(?:{_PART})",
    re.IGNORECASE,
)
_PART_FIRST = re.compile(
    rf"(?:{_PART})[^\d;；.。]{{0,24}}?(?<![\d.])(?P<mark>\d{{1,3}}(?:\.\d{{1,2}})?)(?!\d)", re.IGNORECASE
)
LEAST_PARTS = 2
"""Marks that a student must name before anything is worked out."""


def compose_grade(request: Request) -> Composed | None:
    """The sum of a student's marks by the weights of the nearest text that gives them all; `None` where fewer than
    `LEAST_PARTS` marks are named, where no text weighs all of them, and where a part is left out. Whether it is a pass
    is told of fewer marks too, where a rule has a condition on them."""
    if not _ASKS.search(request.asked):
        return None
    marks = marks_in(request.asked)
    if len(marks) < LEAST_PARTS:
        return _condition_of_passing(request, marks)
    for piece in request.pieces:
        weights = weights_in("\n".join(line.text for line in piece.lines))
        if weights.keys() == marks.keys() and sum(weights.values()) == 1:
            total = sum((weights[name] * marks[name] for name in weights), Fraction(0))
            products = " + ".join(
                f"{format_number(weights[name] * 100)} % · {bracket(marks[name])}" for name in weights
            )
            text = wording(request.spoken).arithmetic.format(expression=products, value=format_number(total))
            said = ComposedStatement(join_material_lines(piece.lines, piece.lang), piece.evidence(piece.lines))
            whether = _PASSES.search(request.asked) is not None  # which may have more conditions than are read here
            short = _short_of(said.text, {**marks, "overall": total}) if whether else None
            lead = [] if short is None else [wording(request.spoken).not_passed.format(least=short[0], mark=short[1])]
            told = tuple(ComposedStatement(one) for one in (*lead, text))
            return Composed("calculation", "partial" if whether else "full", (*told, said), score=1.0)
    return _condition_of_passing(request, marks)


def _condition_of_passing(request: Request, marks: Mapping[str, Fraction]) -> Composed | None:
    """The sentence that says what a pass needs of the marks that are named, and that they fall short of it; that they
    are enough is not said, for there may be more conditions."""
    if not _ASKS_WHETHER.search(request.asked):
        return None
    if (overall := _OVERALL.search(request.asked)) is not None:
        marks = {**marks, "overall": Fraction(overall["before"] or overall["behind"])}
    for piece in request.pieces:
        for line in piece.lines:
            on = [_mark_name(one) for one in _LEAST.finditer(line.text)] if _PASSES.search(line.text) else []
            if not set(on) & marks.keys():
                continue
            short = _short_of(line.text, marks)
            lead = [] if short is None else [wording(request.spoken).not_passed.format(least=short[0], mark=short[1])]
            said = ComposedStatement(line.text, piece.evidence((line,)))
            told = (*(ComposedStatement(one) for one in lead), said)
            return Composed("calculation", "partial", told, score=1.0)
    return None


_ASKS_WHETHER = re.compile(
    r"\b(?:do|did|will|would|can|have|am|could) i (?:\w+ ){0,2}(?:pass|fail)\w*"
    r"|\b(?:enough|sufficient) (?:to|for a) pass|\b(?:is|was) (?:that|it|this) (?:\w+ )?(?:pass|fail)\w*"
    r"|(?:及格|合格|过|挂)了?(?:吗|没)|能不能(?:及格|过)|算不算",
    re.IGNORECASE,
)
"""What asks whether marks are a pass; that somebody has failed asks what comes now."""

_OVERALL = re.compile(
    r"(?<![\d.])(?P<before>\d{1,2}(?:\.\d)?) ?%? (?:overall|(?:in|as) total|on average|final grade)"
    r"|(?:\b(?:overall|total|average|final grade)(?: [a-z]+){0,2}|总评|总分) ?(?P<behind>\d{1,2}(?:\.\d)?)(?!\d)",
    re.IGNORECASE,
)
"""An overall mark that a student names."""

_LEAST = re.compile(
    rf"(?:at least|minimum of|no less than|至少|不低于) ?(?P<least>\d{{1,2}}) ?%[^.。;；%]{{0,24}}?"
    rf"(?:(?P<overall>overall|total|总评)|{_PART})",
    re.IGNORECASE,
)


def _short_of(text: str, marks: Mapping[str, Fraction]) -> tuple[str, str] | None:
    """The first percentage that a text asks for at least and that the marks fall short of, with the mark."""
    for one in _LEAST.finditer(text):
        mark = marks.get(_mark_name(one))
        if mark is not None and mark < int(one["least"]):
            return one["least"], format_number(mark)
    return None


def _mark_name(condition: re.Match[str]) -> str:
    return "overall" if condition["overall"] else _part(condition)


def weights_in(text: str) -> dict[str, Fraction]:
    """The weights, 0..1, of the parts of a grade that a text gives, each by its first."""
    found: dict[str, Fraction] = {}
    for one in (*_ROW.finditer(text), *_WEIGHT.finditer(text)):
        value = Fraction(one["digits"]) if one["digits"] else Fraction(read_number(one["words"]))
        found.setdefault(_part(one), value / 100)
    return found


def marks_in(question: str) -> dict[str, Fraction]:
    """A student's marks, 0..100, by part of the grade: "90 on quizzes", "quizzes 90"."""
    first = list(_MARK_FIRST.finditer(question))
    behind = list(_PART_FIRST.finditer(question))
    if len(first) >= len(behind):  # what is named last may be told otherwise: "and the final went badly, 48"
        behind = list(_PART_FIRST.finditer(question, first[-1].end())) if first else []
    else:
        first = []
    found = {_part(one): Fraction(one["mark"]) for one in (*behind, *first)}
    return found if all(0 <= one <= 100 for one in found.values()) else {}


def _part(found: re.Match[str]) -> str:
    return next(name for name in _PARTS if found[name])
