"""`Formula`: one formula with the wording that asks for it, and how the numbers of a question are read. Pure.

A formula is applied only where the material speaks of what it is about. What is worked out shows the formula and the
numbers, so that whoever reads it can check both.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from re import Pattern

from serving.assistant.understanding.closed_words import NUMBER_WORDS

NUMBER = r"[-−]?\d{1,12}(?:\.\d{1,6})?(?:\s?%)?"
REST = ""
"""The wording of a number that has none of its own: the one number of the question that nothing else is."""

_LINK = (
    r"\s*(?:rate\s*)?(?:at (?:that|this) point\s*|there\s*|now\s*)?(?:is|was|are|=|equals?|of|at|:|：|是|为|等于|有)?"
    r"\s*(?:about |only |exactly )?"
)
_EQUALS = r"\s*(?:rate\s*)?(?:=|equals?|:|：|等于)\s*"
"""What says that a number is what stands before it, so that it is not one behind another number: "P = 0.8 R = 0.6"."""

Wording = str | tuple[str, ...]
Values = Mapping[str, Fraction]
Worked = tuple[str, str] | None
"""The sum as it is shown and its value; `None` where the numbers of a question do not fit."""


@dataclass(frozen=True)
class Formula:
    """`asked` finds the wording that asks for it, `spoken_of` what the material must say; `work` works it out for a
    question."""

    asked: Pattern[str]
    spoken_of: Pattern[str]
    work: Callable[[str], Worked]


def formula(asked: str, spoken_of: str, needs: Mapping[str, Wording], solve: Callable[[Values], Worked]) -> Formula:
    """A formula of numbers: `needs` are their names, each with the wording beside it, the first of several that is
    there, or `REST`."""

    def work(question: str) -> Worked:
        values = numbers_of(question, needs)
        return None if values is None else solve(values)

    return Formula(re.compile(asked, re.IGNORECASE), re.compile(spoken_of, re.IGNORECASE), work)


def apply_formula(question: str, material: str, formulas: Iterable[Formula]) -> tuple[Formula, tuple[str, str]] | None:
    """The first formula that a question asks for, whose numbers it gives and which the material speaks of, and what it
    comes to; none for a question with a power that is not worked out, whose exponent is no number of its own."""
    said = in_figures(question)
    if _ANY_POWER.search(said):
        return None
    for one in formulas:
        if one.asked.search(said) and one.spoken_of.search(material) and (worked := one.work(said)) is not None:
            return one, worked
    return None


def numbers_of(question: str, needs: Mapping[str, Wording]) -> dict[str, Fraction] | None:
    """The numbers of a question by name; `None` where one is missing, or stands for two things."""
    found = {name: _find_number(wording, question) for name, wording in needs.items() if wording != REST}
    places = [match.span(match.lastindex or 0) for match in found.values() if match is not None]
    if len(set(places)) < len(found):
        return None
    values = {name: _value_of(match) for name, match in found.items() if match is not None}
    rest = [one for one in _ALONE.finditer(question) if not any(a <= one.start() < b for a, b in places)]
    for name, wording in needs.items():
        if wording == REST:
            if len(rest) != 1:
                return None
            values[name] = _value_of(rest[0])
    return values


_ALONE = re.compile(rf"(?<![A-Za-z0-9._])({NUMBER})(?![A-Za-z]|[\d.]*\d)")


def _find_number(wording: Wording, question: str) -> re.Match[str] | None:
    each = (wording,) if isinstance(wording, str) else wording
    return next((found for one in each if (found := _number_beside(one, question)) is not None), None)


def _number_beside(wording: str, question: str) -> re.Match[str] | None:
    """Where the number beside a wording is: said to be it, else behind it or before it; `#` in the wording is where
    the number stands."""
    if "#" in wording:
        return re.search(wording.replace("#", f"({NUMBER})(?![\\d.]*\\d)"), question, re.IGNORECASE)
    equal = re.search(rf"(?:{wording}){_EQUALS}({NUMBER})(?![A-Za-z.]*\d)", question, re.IGNORECASE)
    return equal or re.search(
        rf"(?:{wording}){_LINK}({NUMBER})(?![A-Za-z.]*\d)|(?<![A-Za-z0-9.])({NUMBER})\s*(?:个"
        rf"|条)?\s*(?:{wording})",
        question,
        re.IGNORECASE,
    )


def _value_of(found: re.Match[str]) -> Fraction:
    return read_number(next(group for group in found.groups() if group))


def read_number(text: str) -> Fraction:
    """The value of what `NUMBER` matches: "−3", "0.5", "12 %" (0.12)."""
    plain = text.replace("−", "-").replace(" ", "")
    return Fraction(plain.rstrip("%")) / (100 if plain.endswith("%") else 1)


_SMALL = NUMBER_WORDS | {"hundred": 100}
_SAID = "|".join(sorted(_SMALL, key=len, reverse=True))
_CHINESE = {word: number for number, word in enumerate("一二三四五六七八九", 1)} | {"两": 2}
_POWERS = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_POWERS |= {"百": 10**2, "千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8}
_GROUPED = re.compile(r"(?<![\d(\[,.])\d{1,3}(?:,\d{3}){1,3}(?![\d,)\]])")
_MANY = re.compile(
    rf"(?<![\w.])(\d{{1,6}}(?:\.\d{{1,3}})?|an?|{_SAID}) (hundred|thousand|million|billion)\b"
    rf"|(?<![\d.])(\d{{1,6}}(?:\.\d{{1,3}})?|[{''.join(_CHINESE)}])(百万|千万|[百千万亿])(?=个|条|次|项|层|位|元素|数|$)",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"(?<![\w.])(\d{1,4})k(?= [a-z])", re.IGNORECASE)
_WORD = re.compile(rf"\b(?:{_SAID})\b", re.IGNORECASE)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_SUPERSCRIPT = re.compile(r"(?<=\d)⁻?[⁰¹²³⁴-⁹]{1,3}")
_POWER = re.compile(r"(?<![\w.^*])(\d{1,4})(?:\^|\*\*)(\d{1,2})(?: ?([-+−]) ?(\d{1,4})\b)?(?![\w.^*]|\.\d| ?[-+−] ?\d)")
_ANY_POWER = re.compile(r"\d\s?(?:\^|\*\*)\s?[-−(\d]|\de[-−+]?\d")


def in_figures(question: str) -> str:
    """A question with its large numbers in figures: "a million", "10k items", "5,000", "10^6", "2^10 − 1"; with every
    number where no figure stands in it: "a tree of height four"."""

    def times(found: re.Match[str]) -> str:
        count, power = (found[1], found[2]) if found[1] else (found[3], found[4])
        low = count.lower()
        value = Fraction((_SMALL | _CHINESE).get(low, 1) if not low[0].isdigit() else count)
        return str(int(value * _POWERS[power.lower()]))

    said = _GROUPED.sub(lambda found: found.group().replace(",", ""), question)
    said = _SUPERSCRIPT.sub(lambda found: "^" + found.group().translate(_RAISED), said)
    said = _POWER.sub(_raise_power, said)
    said = _MANY.sub(times, _THOUSANDS.sub(r"\g<1>000", said))
    if any(one.isdigit() for one in said):
        return said
    return _WORD.sub(lambda found: str(_SMALL[found.group().lower()]), said)


def _raise_power(found: re.Match[str]) -> str:
    """A power, and what is added to it or taken from it, as one number; as it stands where that is too large to be
    read."""
    value = int(found[1]) ** int(found[2])
    if found[4]:
        value += int(found[4]) if found[3] == "+" else -int(found[4])
    return str(value) if 0 <= value < 10**12 else found.group()


def format_number(value: Fraction) -> str:
    """A number as it is read: whole, as a short decimal, or rounded to four figures."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = f"{float(value):.6g}"
    return decimal if Fraction(decimal) == value else f"≈ {float(value):.4g}"


def format_rounded(value: float) -> str:
    """A number that is no fraction, to four figures."""
    return f"≈ {value:.4g}"


def whole(values: Values, most: int = 10**9) -> list[int] | None:
    """The numbers where all are whole, not negative and at most `most`."""
    listed = list(values.values())
    return [int(one) for one in listed] if all(one.denominator == 1 and 0 <= one <= most for one in listed) else None


POINT = re.compile(rf"\(\s*({NUMBER})\s*[,;]\s*({NUMBER})\s*\)")


def points_of(question: str) -> list[tuple[Fraction, Fraction]]:
    """The points, or vectors of two numbers, that stand in a question."""
    return [(read_number(one[1]), read_number(one[2])) for one in POINT.finditer(question)]


def bracket(value: Fraction) -> str:
    """A number as it stands behind a sign: "(−3)"."""
    return f"({format_number(value)})" if value < 0 else format_number(value)
