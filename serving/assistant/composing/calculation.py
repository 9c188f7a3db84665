"""A little arithmetic, worked out exactly, and formulas and code as the material gives them. Pure."""

import ast
import operator
import re
from collections.abc import Callable
from fractions import Fraction

from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.explain import compose_explanation
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording

_EXPRESSION = re.compile(r"(?<![\w.])[-(]?\d[\d\s.,()+\-*/×÷^%]*[\d)](?![\w])")
_EQUALS = re.compile(r"equals?|please|worth|thanks?", re.IGNORECASE)
_LARGEST = 10**12
_MOST_POWER = 64

_OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def compose_calculation(request: Request) -> Composed | None:
    """The value of an expression of plain numbers; else what the material says of it."""
    worked = work_out(request.question)
    if worked is not None:
        expression, value = worked
        text = wording(request.spoken).arithmetic.format(expression=expression, value=value)
        return Composed("calculation", "full", (Statement(text),), score=1.0)
    return compose_explanation(request)


_ALONE, _ENDS = r"(?<![A-Za-z0-9.])", r"(?![A-Za-z0-9.]*\d)(?![A-Za-z])"
_BINARY = r"(?:binary|base[- ]?2|二进制)(?! (?:search|tree|heap)s?)"
_FROM_BINARY = re.compile(
    rf"{_BINARY}[^\d]{{0,14}}{_ALONE}([01]{{2,40}}){_ENDS}|{_ALONE}([01]{{2,40}}){_ENDS}[^\d]{{0,14}}{_BINARY}",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"decimal|base[- ]?10|十进制", re.IGNORECASE)
_TO_BINARY = re.compile(
    rf"{_ALONE}(\d{{1,12}}){_ENDS}[^\d]{{0,14}}(?:\b(?:to|into|in|as)|成|为|用|的)\s*(?:a )?{_BINARY}", re.IGNORECASE
)
_LOG = re.compile(r"\blog(?: base)?[ _-]?2 ?(?:of|\()? ?(\d{1,12})\b", re.IGNORECASE)


def convert(question: str) -> tuple[str, str] | None:
    """A number put from binary into decimal, from decimal into binary, or the whole logarithm to base 2 of one that is
    asked for, with its value; `None` where none is."""
    if (found := _FROM_BINARY.search(question)) is not None and _DECIMAL.search(question):
        digits = found[1] or found[2]
        return f"{digits} (base 2)", f"{int(digits, 2)} (base 10)"
    if (found := _TO_BINARY.search(question)) is not None:
        return f"{int(found[1])} (base 10)", f"{int(found[1]):b} (base 2)"
    if (found := _LOG.search(question)) is not None and (number := int(found[1])).bit_count() == 1:
        return f"log2({number})", str(number.bit_length() - 1)
    return None


def work_out(question: str) -> tuple[str, str] | None:
    """An expression of numbers, brackets and + - * / ^ in a question, or a number in another base, and its exact value;
    `None` without one."""
    if (converted := convert(question)) is not None:
        return converted
    question = re.sub(r"(\d) ?% of (?=\d)", r"\1 / 100 * ", question)
    found = _EXPRESSION.search(question)
    if found is None or not re.search(r"\d\s*[-+*/×÷^(]\s*[-\d(]", found.group()):
        return None
    if re.search(r"[a-zA-Z]", _EQUALS.sub("", question[found.end() :])):
        return None  # "a 2-3 tree" names something
    expression = found.group().strip().replace(",", "")
    try:
        value = _value(ast.parse(_in_python(expression), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None
    return expression, _shown(value)


def _in_python(expression: str) -> str:
    return expression.replace("×", "*").replace("÷", "/").replace("^", "**")


def _value(node: ast.expr) -> Fraction:
    """Raises `ValueError` for anything but small sums, products, quotients and powers of numbers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return _small(Fraction(str(node.value)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow):
            if right.denominator != 1 or abs(right) > _MOST_POWER:
                raise ValueError("a power that is not worked out")
            return _small(left ** int(right))
        if type(node.op) in _OPERATIONS:
            return _small(_OPERATIONS[type(node.op)](left, right))
    raise ValueError("not plain arithmetic")


def _small(value: Fraction) -> Fraction:
    if abs(value) > _LARGEST:
        raise ValueError("too large")
    return value


def _shown(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    decimal = f"{float(value):.6g}"
    return decimal if Fraction(decimal) == value else f"{value.numerator}/{value.denominator} ≈ {decimal}"
