"""Formulas of linear algebra that need more than the numbers of one expression: where a transformation takes a vector,
another basis, two equations with two unknowns, what a determinant does to an area. Pure."""

import re
from fractions import Fraction

from serving.assistant.composing.formulas.formula import (
    NUMBER,
    Formula,
    Values,
    Worked,
    bracket,
    format_number,
    formula,
    points_of,
    read_number,
)

Vector = tuple[Fraction, Fraction]


def _area(values: Values) -> Worked:
    det, area = values["det"], values["area"]
    return f"|det| · area = {format_number(abs(det))} · {format_number(area)}", format_number(abs(det) * area)


def _quarter_turn(values: Values) -> Worked:
    x, y = values["x"], values["y"]
    return f"({format_number(x)}, {format_number(y)}) ↦ (−y, x)", f"({format_number(-y)}, {format_number(x)})"


def _vector(one: Vector) -> str:
    return f"({format_number(one[0])}, {format_number(one[1])})"


def _combine_vectors(question: str) -> Worked:
    """x times where the first basis vector lands plus y times where the second does: of three vectors the two of the
    basis come first, unless the wording puts the vector in front."""
    vectors = points_of(question)
    if len(vectors) != 3:
        return None
    first = _VECTOR_FIRST.match(question) is not None
    (x, y), left, right = vectors if first else (vectors[2], vectors[0], vectors[1])
    value = (x * left[0] + y * right[0], x * left[1] + y * right[1])
    return f"{format_number(x)} · {_vector(left)} + {bracket(y)} · {_vector(right)}", _vector(value)


def _area_factor(question: str) -> Worked:
    """The determinant of the matrix whose columns are where the two basis vectors land."""
    vectors = points_of(question)
    if len(vectors) != 2:
        return None
    (a, c), (b, d) = vectors
    return f"det = {bracket(a)} · {bracket(d)} − {bracket(b)} · {bracket(c)}", format_number(a * d - b * c)


_VECTOR_FIRST = re.compile(r"[^(]*\bvector\b[^(]{0,12}\((?=.*\b(?:basis|i[- ]?hat|lands?)\b)", re.IGNORECASE)


def _in_other_basis(question: str) -> Worked:
    """The coordinates of a vector of ours in another basis: the solution of a · first + b · second = vector."""
    vectors = points_of(question)
    if len(vectors) != 3:
        return None
    first = _VECTOR_FIRST.match(question) is not None
    goal, left, right = vectors if first else (vectors[2], vectors[0], vectors[1])
    solved = _solve(left[0], right[0], goal[0], left[1], right[1], goal[1])
    if solved is None:
        return None
    return f"a · {_vector(left)} + b · {_vector(right)} = {_vector(goal)}: (a, b)", _vector(solved)


def _solve(a: Fraction, b: Fraction, e: Fraction, c: Fraction, d: Fraction, f: Fraction) -> Vector | None:
    """x and y of a x + b y = e, c x + d y = f by Cramer's rule; `None` where there is no one solution."""
    det = a * d - b * c
    return None if det == 0 else ((e * d - b * f) / det, (a * f - e * c) / det)


_EQUATION = re.compile(
    rf"(?<![\w.])(?P<x>[-−]?\s?(?:\d{{1,6}}(?:\.\d{{1,4}})?)?)\s?[*·]?\s?x\s*(?P<sign>[-−+])\s*"
    rf"(?P<y>(?:\d{{1,6}}(?:\.\d{{1,4}})?)?)\s?[*·]?\s?y\s*=\s*(?P<value>{NUMBER})(?![\w.]*\d)",
    re.IGNORECASE,
)


def _system(question: str) -> Worked:
    """Two equations with two unknowns."""
    rows = []
    for one in _EQUATION.finditer(question):
        x, y = _factor(one["x"]), _factor(one["y"])
        rows.append((x, -y if one["sign"] != "+" else y, read_number(one["value"])))
    if len(rows) != 2:
        return None
    (a, b, e), (c, d, f) = rows
    solved = _solve(a, b, e, c, d, f)
    det = f"{bracket(a)} · {bracket(d)} − {bracket(b)} · {bracket(c)}"
    if solved is None:
        return f"det = {det} = 0", "no single solution"
    over = bracket(a * d - b * c)
    by_x = f"({bracket(e)} · {bracket(d)} − {bracket(b)} · {bracket(f)}) / {over}"
    by_y = f"({bracket(a)} · {bracket(f)} − {bracket(e)} · {bracket(c)}) / {over}"
    return f"det = {det} = {format_number(a * d - b * c)}, x = {by_x}, y = {by_y}: (x, y)", _vector(solved)


def _factor(text: str) -> Fraction:
    """The number before an unknown: none is 1, a sign alone −1."""
    plain = text.replace(" ", "").replace("−", "-")
    return Fraction(1) if plain in ("", "+") else Fraction(-1) if plain == "-" else Fraction(plain)


def _asks(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


LINEAR_ALGEBRA: tuple[Formula, ...] = (
    formula(
        r"^(?=.*\b90\b)(?=.*(?:counter-? ?clockwise|anti-?clockwise|逆时针)).*(?:\bvector\b|\bpoint\b|向量|点)",
        r"\brotat|旋转",
        {"x": r"\(\s*#\s*,", "y": r"\([^,()]{1,12},\s*#\s*\)"},
        _quarter_turn,
    ),
    formula(
        r"^(?=.*(?:\bdeterminant\b|行列式))(?=.*(?:\barea\b|面积)).*",
        r"\bdeterminant\b|行列式",
        {"det": r"\bdeterminant\b|行列式", "area": r"\barea\b|面积"},
        _area,
    ),
    Formula(
        _asks(r"^(?=.*(?:\b(?:i[- ]?hat|basis)\b|i ?帽|基向量))(?=.*(?:\bareas?\b|面积)).*"),
        _asks(r"\bdeterminant\b|行列式"),
        _area_factor,
    ),
    Formula(
        _asks(
            r"^(?=.*\bbasis\b)(?=.*(?:\b(?:describe|write|express|see|call)\w*\b.{0,30}\b(?:our|my|standard)\b"
            r"|\bour\b.{0,30}\b(?:in|to|into) (?:her|his|their|jennifer'?s?|the other|that|the new|this)\b"
            r"|\b(?:in|to|into) (?:her|jennifer'?s?|the new|that|this) (?:coordinates?|basis|system|language)\b)).*"
        ),
        _asks(r"\bbasis\b"),
        _in_other_basis,
    ),
    Formula(
        _asks(
            r"^(?=.*(?:\bi[- ]?hat\b|\bbasis\b|\bb_?1\b|i ?帽|基向量))(?=.*(?:\blands?\b|\bgoes?\b|\bend\w* up\b"
            r"|\bcoordinates?\b|\bour\b|\bus\b|\bmeans?\b|变[到成]|变换[到成]|落[到在]|跑到|坐标)).*"
        ),
        _asks(r"\bbasis\b|\bi[- ]hat\b|i ?帽|基向量"),
        _combine_vectors,
    ),
    Formula(
        _asks(r"(?<![a-z])x\s*[-−+][^=]{0,20}y\s*=[^=]{1,60}="),
        _asks(r"\blinear systems?\b|\bsystems? of (?:linear )?equations?\b|\bcramer"),
        _system,
    ),
)
"""In this order the first that fits is applied."""
