"""`work_out_expression`: an expression of numbers and vectors that stands in a question, worked out exactly. Pure.

Belongs here: reading + - * / ^ and brackets, also where they are said in words, and putting a number in for n. What is
asked for by name (a determinant, a remainder) is in `arithmetic`.
"""

import ast
import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction

Value = Fraction | tuple["Value", ...]
"""A number; a vector as its numbers; a matrix as its rows."""

_LARGEST = 10**12
_MOST_POWER = 64

_EXPRESSION = re.compile(r"(?<![\w.])[-−(\[]{0,6}\d[\d\s.,()\[\]+\-−*/×÷·^%]*[\d)\]](?!\w)")
_SIGN = re.compile(r"[\d)\]]\s*[-−+*/×÷·^(]\s*[-−\d(\[]")
_AFTER = re.compile(r"equals?|please|worth|thanks?", re.IGNORECASE)
_LIST = re.compile(r"[(\[]\s*[-−]?\d[\d.]*\s*,")

_SAID: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?<=[\d)\]])\s*{words}\s*(?=[-−(\[\d])", re.IGNORECASE), sign)
    for words, sign in (
        (r"(?:plus|加上?)", " + "),
        (r"(?:minus|减去?)", " - "),
        (r"(?:times|multiplied (?:by|with)|乘以?)", " * "),
        (r"(?:divided by|除以)", " / "),
        (r"(?:to the power(?: of)?|的幂)", " ^ "),
    )
)
"""Signs as they are said between two numbers or vectors."""

_OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def work_out_expression(question: str) -> tuple[str, str] | None:
    """The expression and its exact value; `None` where a question has none, or one that is not worked out."""
    said = re.sub(r"(\d) ?% (?:of|percent of) (?=\d)", r"\1 / 100 * ", question)
    for pattern, sign in _SAID:
        said = pattern.sub(sign, said)
    found = _EXPRESSION.search(said)
    if found is None or not _SIGN.search(found.group()):
        return _of_n(question)
    if re.search(r"[a-zA-Z]", _AFTER.sub("", said[found.end() :])):
        return None  # "a 2-3 tree" names something
    expression = found.group().strip()
    is_of_vectors = _LIST.search(expression) is not None
    try:
        tree = ast.parse(_in_python(expression, is_of_vectors=is_of_vectors), mode="eval").body
        value = _value(tree)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None
    if not is_of_vectors:
        return expression.replace(",", ""), show(value)
    return ast.unparse(tree).replace("*", "·"), show(value)


def _in_python(expression: str, *, is_of_vectors: bool) -> str:
    python = expression.replace("×", "*").replace("÷", "/").replace("·", "*").replace("^", "**").replace("−", "-")
    return python if is_of_vectors else python.replace(",", "")


def _value(node: ast.expr) -> Value:
    """Raises `ValueError` for anything but small sums, products, quotients and powers of numbers, and sums and
    multiples of vectors."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return _small(Fraction(str(node.value)))
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_value(one) for one in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _scale(Fraction(-1), _value(node.operand))
    if isinstance(node, ast.BinOp):
        return _calculate(node.op, _value(node.left), _value(node.right))
    raise ValueError("not plain arithmetic")


def _calculate(sign: ast.operator, left: Value, right: Value) -> Value:
    work = _OPERATIONS.get(type(sign))
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        if isinstance(sign, ast.Pow):
            if right.denominator != 1 or abs(right) > _MOST_POWER:
                raise ValueError("a power that is not worked out")
            return _small(left ** int(right))
        if work is None:
            raise ValueError("not plain arithmetic")
        return work(left, right)
    if isinstance(sign, ast.Mult) and isinstance(left, Fraction):
        return _scale(left, right)
    if isinstance(sign, ast.Div) and isinstance(right, Fraction):
        return _scale(1 / right, left)
    if isinstance(sign, ast.Add | ast.Sub) and isinstance(left, tuple) and isinstance(right, tuple):
        return tuple(_calculate(sign, *pair) for pair in zip(left, right, strict=True))
    raise ValueError("no sum or multiple of vectors")


def _scale(factor: Fraction, value: Value) -> Value:
    return factor * value if isinstance(value, Fraction) else tuple(_scale(factor, one) for one in value)


def _small(value: Fraction) -> Fraction:
    if abs(value) > _LARGEST:
        raise ValueError("too large")
    return value


def show(value: Value) -> str:
    """A number as a whole one or a decimal, beside its fraction where that is not exact; a vector in round brackets, a
    matrix as its rows in square ones."""
    if isinstance(value, tuple):
        listed = ", ".join(map(show, value))
        return f"[{listed}]" if any(isinstance(one, tuple) for one in value) else f"({listed})"
    if value.denominator == 1:
        return str(value.numerator)
    decimal = f"{float(value):.6g}"
    return decimal if Fraction(decimal) == value else f"{value.numerator}/{value.denominator} ≈ {decimal}"


_COUNT = r"(\d{1,9})(?![\d.]{0,12}\d)"
_N_IS = re.compile(
    rf"(?<![a-z])n\s?(?:=|is|equals|为|等于)\s?{_COUNT}|\b(?:for|with|of|on|to sort)\s{_COUNT}\s(?:elements?|items?"
    rf"|numbers?|nodes?|keys?|entries|records?|values?)\b|(?<!\d){_COUNT}\s?个(?:元素|数|结点|节点|数据)",
    re.IGNORECASE,
)
_ASKS_FOR_NUMBER = re.compile(
    r"\bhow (?:many|much|big|large|often)\b|\bwhat(?:'?s| is)\b|^\W*\d*n\b|多少|几", re.IGNORECASE
)
_OF_N: tuple[tuple[re.Pattern[str], str, Callable[[int], float | int]], ...] = (
    (
        re.compile(r"(?<![a-z])n\s?[*·]?\s?log_?2?\s?\(?n\b", re.IGNORECASE),
        "{n} · log2({n})",
        lambda n: n * math.log2(n),
    ),
    (re.compile(r"(?<![a-z])n(?:\s?(?:\^|\*\*)\s?2|²|[ -]squared|平方|的平方)", re.IGNORECASE), "{n}²", lambda n: n**2),
    (re.compile(r"(?<![a-z])n(?:\s?(?:\^|\*\*)\s?3|³|[ -]cubed|立方|的立方)", re.IGNORECASE), "{n}³", lambda n: n**3),
    (re.compile(r"(?<![\w.])2\s?(?:\^|\*\*)\s?n\b", re.IGNORECASE), "2^{n}", lambda n: 2 ** min(n, _MOST_POWER + 1)),
    (re.compile(r"(?<![a-z])log_?2?\s?\(?n\b", re.IGNORECASE), "log2({n})", math.log2),
)
"""Counts of steps as they are written, with what they are for a number; the first that stands there is meant."""


def _of_n(question: str) -> tuple[str, str] | None:
    """A count of steps over n, for the n that the question gives: "n^2 steps, how many for 100 elements"."""
    given = _N_IS.search(question)
    if given is None or not _ASKS_FOR_NUMBER.search(question) or len(re.findall(r"\d{2,}", question)) > 1:
        return None
    n = int(next(one for one in given.groups() if one is not None))
    found = next((one for one in _OF_N if one[0].search(question)), None)
    if found is None or n < 1:
        return None
    value = found[2](n)
    if value > _LARGEST:
        return None
    return found[1].format(n=n), str(int(value)) if float(value).is_integer() else f"≈ {value:.6g}"
