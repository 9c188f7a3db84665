"""Names that are written one way and said another: NAD+ and "NAD plus", Km and "K m", complex IV and "complex four", 5'
and "five prime", CO2 and carbon dioxide; and words of one family that no stem joins: prescribe, prescription. Pure.

A question's form gives way to another one where the material has that and never the question's own.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from re import Match, Pattern

from serving.assistant.understanding.closed_words import CLOSED_EN, NUMBER_WORDS
from serving.index.analysis import content_terms

_WORDS = {number: word for word, number in NUMBER_WORDS.items()}
_ROMAN = dict(zip("I II III IV V VI VII VIII IX X XI XII".split(), range(1, 13), strict=True))
_NUMERALS = {_WORDS[number]: roman for roman, number in _ROMAN.items()}

_LETTER = r"[B-HJ-Zb-hj-z]"
"""The letter of a quantity: "a" and "I" are words."""
_SUBSCRIPT = r"(?:max|min|cat|eq|[b-z])"
"""What stands low beside a quantity's letter, as far as it is common."""


def _behind_word(found: Match[str], *others: str) -> tuple[str, ...]:
    """A name with its number in other forms; none where the word before it names nothing: "can I"."""
    return () if found[1].lower() in CLOSED_EN else tuple(f"{found[1]} {one}" for one in others)


def _with_subscript_apart(found: Match[str]) -> tuple[str, ...]:
    """A quantity with what stands low beside its letter as another word; none of a word of two letters."""
    is_word = found.group().lower() in _WORDS_OF_TWO or not content_terms(found.group(), strict=True)
    return () if is_word else (f"{found[1]} {found[2]}",)


_WORDS_OF_TWO = frozenset("go he me my no oh ok up us vs".split())


_UNITS = {
    "kWh": "kilowatt hour",
    "km/h": "kilometres per hour|kilometers per hour",
    "m/s": "metres per second|meters per second",
    "m/s2": "metres per second squared|meters per second squared|metres per second per second",
    "m/s^2": "metres per second squared|meters per second squared|metres per second per second",
    "Hz": "hertz",
    "kHz": "kilohertz",
    "MHz": "megahertz",
    "GHz": "gigahertz",
    "kJ": "kilojoule",
    "kcal": "kilocalorie|calorie",
    "mcg": "microgram",
    "mg": "milligram",
    "kW": "kilowatt",
    "MW": "megawatt",
    "kPa": "kilopascal",
    "mol": "mole",
    "mL": "millilitre|milliliter",
    "kg": "kilogram|kilo",
    "km": "kilometre|kilometer",
    "cm": "centimetre|centimeter",
    "mm": "millimetre|millimeter",
    "nm": "nanometre|nanometer",
}
"""The commonest signs of units with what is said for them."""
_FRACTIONS = {
    "1/2": "one half",
    "½": "one half",
    "1/3": "one third",
    "⅓": "one third",
    "2/3": "two thirds",
    "1/4": "one quarter|one fourth",
    "¼": "one quarter|one fourth",
    "3/4": "three quarters|three fourths",
}
_SIGNS = _UNITS | _FRACTIONS
_SIGN = re.compile(rf"(?<![\w/^.])(?:{'|'.join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))})(?![\w/^]|\.\d)")
_POWER = re.compile(r"(?<![\w/])([A-Za-z])(?:(?:\^ ?|\*\*)([23])|([²³]))(?!\w)")
"""A letter to a power that has a name."""


_NOUN_OF = dict(
    one.split("|")
    for one in (
        "ceiv|ception cid|cision clud|clusion mit|mission pel|pulsion scrib|scription solv|solution sum|sumption"
        " tend|tension vad|vasion vert|version vid|vision"
    ).split()
)
"""How the noun ends of a verb with one of these Latin roots."""
_ROOT_OF = {noun: root for root, noun in _NOUN_OF.items()}
_ENDINGS = ("", "e", "s", "es", "ed", "ted", "led", "ing", "ting", "ling")


def _inflect(found: Match[str]) -> tuple[str, ...]:
    """A verb of a Latin root in its other forms, and its noun: proscribed, proscribe, proscription."""
    return (
        *(f"{found[1]}{one}" for one in _ENDINGS),
        *(f"{found[1][: -len(found[2])]}{_NOUN_OF[found[2].lower()]}{s}" for s in ("", "s")),
    )


def _verbs_of(found: Match[str]) -> tuple[str, ...]:
    """A noun of a Latin root in its other number, and its verb's forms."""
    noun, verb = f"{found[1]}{found[2]}", f"{found[1]}{_ROOT_OF[found[2].lower()]}"
    return (noun, f"{noun}s", *(f"{verb}{one}" for one in _ENDINGS))


_OF_DUTY = (
    (re.compile(r"\b(?:mandatory|obligatory|compulsory)\b", re.IGNORECASE), ("compulsory", "mandatory", "obligatory")),
    (re.compile(r"\b(?:optional|voluntary)\b", re.IGNORECASE), ("optional", "voluntary")),
    (re.compile(r"强制性?(?=[的吗])"), ("强制", "必须")),
)
"""What rules call what one has to do, and what not."""


_FORMS: tuple[tuple[Pattern[str], Callable[[Match[str]], tuple[str, ...]]], ...] = (
    (re.compile(r"(?<!\w)([A-Z][A-Za-z]{1,5})\+(?![\w+])"), lambda found: (f"{found[1]} plus",)),
    (_SIGN, lambda found: tuple(f"{one}{s}" for one in _SIGNS[found.group()].split("|") for s in ("", "s"))),
    (_POWER, lambda found: (f"{found[1]} {'squared' if (found[2] or found[3]) in '2²' else 'cubed'}",)),
    (re.compile(r"\b([A-Z]{2,6}) plus\b"), lambda found: (f"{found[1]}+",)),
    (re.compile(rf"(?<![\w'’])({_LETTER})_?({_SUBSCRIPT})(?![\w'’])"), _with_subscript_apart),
    (re.compile(rf"(?<![\w'’])({_LETTER}) ({_SUBSCRIPT})(?![\w'’])"), lambda found: (f"{found[1]}{found[2]}",)),
    (
        re.compile(rf"\b([A-Za-z]{{3,}}) ({'|'.join(sorted(_ROMAN, key=len, reverse=True))})\b(?!['’])"),
        lambda found: _behind_word(found, _WORDS[_ROMAN[found[2]]], str(_ROMAN[found[2]])),
    ),
    (
        re.compile(r"\b([A-Za-z]{3,}) (1[0-2]|[1-9])\b(?![.,:/%]?\w)"),
        lambda found: _behind_word(found, _NUMERALS[_WORDS[int(found[2])]]),
    ),
    (
        re.compile(rf"\b([A-Za-z]{{3,}}) ({'|'.join(_NUMERALS)})\b(?! \w+s\b)", re.IGNORECASE),
        lambda found: _behind_word(found, _NUMERALS[found[2].lower()]),
    ),
    (re.compile(rf"\b([a-z]{{1,6}}({'|'.join(_NOUN_OF)}))(?:{'|'.join(_ENDINGS)})\b", re.IGNORECASE), _inflect),
    (re.compile(rf"\b([a-z]{{1,6}})({'|'.join(_ROOT_OF)})s?\b", re.IGNORECASE), _verbs_of),
    *((duty, lambda _, words=words: words) for duty, words in _OF_DUTY),
)
"""How a name may be written, and its other forms."""

_PRIME = re.compile(r"(?<![\w.])([1-9])['′’](?![\w'′’])")

_FORMULAS = (
    "CO2|carbon dioxide|二氧化碳",
    "H2O|water|水",
    "O2|oxygen|氧气|氧",
    "O3|ozone|臭氧",
    "N2|nitrogen|氮气|氮",
    "H2|hydrogen|氢气|氢",
    "NH3|ammonia|氨",
    "CH4|methane|甲烷",
    "SO2|sulfur dioxide|sulphur dioxide|二氧化硫",
    "NO2|nitrogen dioxide|二氧化氮",
    "SiO2|silicon dioxide|silica|二氧化硅",
    "H2O2|hydrogen peroxide|过氧化氢",
    "HCl|hydrochloric acid|hydrogen chloride|盐酸|氯化氢",
    "H2SO4|sulfuric acid|sulphuric acid|硫酸",
    "HNO3|nitric acid|硝酸",
    "NaCl|sodium chloride|table salt|氯化钠|食盐",
    "NaOH|sodium hydroxide|氢氧化钠",
    "CaCO3|calcium carbonate|碳酸钙",
    "C6H12O6|glucose|葡萄糖",
    "H+|proton|hydrogen ion|氢离子|质子",
    "Na+|sodium ion|sodium|钠离子|钠",
    "K+|potassium ion|potassium|钾离子|钾",
    "Ca2+|calcium ion|calcium|钙离子|钙",
    "Cl-|chloride ion|chloride|氯离子",
)
"""The commonest formulas of chemistry with the names of what they stand for."""
_NAMES = {name.lower(): row.split("|") for row in _FORMULAS for name in row.split("|") if name.isascii()}
_FORMULA = re.compile(
    rf"(?<![A-Za-z0-9+])(?:{'|'.join(map(re.escape, sorted(_NAMES, key=len, reverse=True)))})(?![A-Za-z0-9+])",
    re.IGNORECASE,
)


def write_as_said(question: str, says: Callable[[str], bool]) -> tuple[str, tuple[str, ...]]:
    """The question with each name in the form that the material has, and the names that were put for formulas or
    formulas for names. `says` tells whether the material has a text in lower case as words of its own."""
    text = _PRIME.sub(lambda found: _find_said((found.group(),), says) or f"{_WORDS[int(found[1])]} prime", question)
    for pattern, make in _FORMS:
        text = pattern.sub(partial(_write_found, make=make, says=says), text)
    told: list[str] = []

    def write_formula(found: Match[str]) -> str:
        typed = found.group()
        name = _write(typed, _NAMES[typed.lower()], says)
        told.extend(() if name == typed else (name,))
        return name

    return _FORMULA.sub(write_formula, _unfold_subscripts(text)), tuple(dict.fromkeys(told))


def _unfold_subscripts(text: str) -> str:
    """A text with the small digits of formulas as plain ones: CO₂ is CO2."""
    return "".join(unicodedata.normalize("NFKC", char) if "\u2080" <= char <= "\u2089" else char for char in text)


def _write_found(found: Match[str], make: Callable[[Match[str]], tuple[str, ...]], says: Callable[[str], bool]) -> str:
    """A name that was found in a question, or the first of the forms made of it that the material has in its place."""
    return _write(found.group(), make(found), says)


def _write(typed: str, others: Iterable[str], says: Callable[[str], bool]) -> str:
    """A name as it was typed, or the first of its other forms that the material has where it never has that."""
    forms = tuple(others)
    return (_find_said((typed, *forms), says) if forms else None) or typed


def _find_said(forms: Iterable[str], says: Callable[[str], bool]) -> str | None:
    """The first of several forms that the material has."""
    return next((one for one in forms if says(one.lower())), None)
