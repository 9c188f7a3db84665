"""`Quantity`: what "how fast", "how long", "how thick" ask for, and the amounts with a unit by which a sentence tells
it, of any science, in English and Chinese. Pure.
"""

import re
from dataclasses import dataclass
from functools import cache
from re import Pattern

_SCALES = r"(?:dozen|hundred|thousand|million|billion|trillion)s?"
_ONES = "(?:one|two|three|four|five|six|seven|eight|nine)"
_NUMBER = (
    rf"(?:(?<![\d.,])\d[\d.,]{{0,20}}|\b(?=[abdefhmnost])(?:(?:an?|half an?|a few) (?!second\b)|half |{_SCALES}\b"
    rf"|(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]{_ONES})?|(?:thir|four|fif|six|seven|eigh|nine)teen|ten"
    rf"|eleven|twelve|{_ONES})\b))"
)
_SCALE = rf"(?:[ -](?:a|of|and|half|{_SCALES})){{0,3}}"
_PREFIX = r"(?:nano|micro|milli|centi|deci|kilo|mega|giga|tera)?"
_TIMES = rf"(?:{_PREFIX}seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies)|ms)\b"
_LENGTHS = (
    rf"(?:{_PREFIX}met(?:er|re)s?|microns?|[aå]ngstr[oö]ms?|inch(?:es)?|foot|feet|yards?|miles?|light[- ]years?"
    r"|nm|µm|μm|mm|cm|km)\b"
)
_MASSES = rf"(?:{_PREFIX}(?:grams?|daltons?|tonnes?|tons?)|pounds?|ounces?|kilos?|mg|kg)\b"
_OTHERS = (
    rf"(?:{_PREFIX}(?:lit(?:er|re)s?|joules?|watts?|volts?|amperes?|newtons?|pascals?|hertz|calories|bytes?|bits?)"
    r"|degrees?|kelvin|gallons?|acres?|hectares?|dollars?|euros?|atmospheres?|base pairs?|pages?|words)\b"
)
_ZH_NUMBER = r"[\d一二三四五六七八九十百千万亿两几]"


def _amount(units: str, zh: str = "") -> str:
    """An amount of one of some units, the number right before it: "a hundred and fifty turns per second" has none."""
    chinese = rf"|{_ZH_NUMBER} ?个?(?:多|来)?(?:{zh})" if zh else ""
    return rf"{_NUMBER}{_SCALE}[- ]?(?:{units}){chinese}"


@dataclass(frozen=True)
class Quantity:
    """`en` and `zh` are its names; `asked` finds it in a question, `said` an amount of it in a sentence."""

    en: str
    zh: str
    asked: Pattern[str]
    said: str


def _quantity(en: str, zh: str, asked: str, said: str) -> Quantity:
    return Quantity(en, zh, re.compile(asked, re.IGNORECASE), said)


_SHARE = rf"{_NUMBER}{_SCALE}[- ]?(?:%|percent\b|per cent\b)|百分之|[%％]"
_SHARE_OF_TIME = (
    rf"{_NUMBER}{_SCALE}[- ]?(?:%|percent|per cent) of (?:the|their|your|our|its|his|her) (?:\w+ )?"
    r"(?:time|day|year|life)\b"
    r"|\d ?[%％](?:的|左右的)? ?(?:时间|生命)"
)
_DURATION = _amount(_TIMES, "秒|分钟|小时|天|周|个月|年|世纪")
_RATE = (
    rf"\b(?:per|each|every|an?(?! second)) (?:{_PREFIX}second|minute|hour|day|week|month|year|generation)\b"
    rf"|\bevery {_DURATION}|\b\w+ times (?:as|more|faster|slower)\b|每(?:秒|分钟|小时|天|年)"
)
_SIZE = _amount(
    f"{_LENGTHS}|{_MASSES}|{_OTHERS}|%|percent",
    "纳米|微米|毫米|厘米|公里|千米|米|光年|微克|毫克|克|公斤|千克|吨|毫升|升|度|平方|立方|字节|比特|页|字",
)

QUANTITIES = (
    _quantity("the speed", "速度", r"\bhow (?:fast|slow|quick|rapid)(?:ly)?\b|多快|多慢", f"{_RATE}|{_DURATION}"),
    _quantity(
        "the duration", "时长", r"\bhow (?:long|much time)\b|多久|多长时间|多少时间", f"{_DURATION}|{_SHARE_OF_TIME}"
    ),
    _quantity(
        "the efficiency", "效率", r"\bhow efficient(?:ly)?\b|\befficien(?:cy|t)\b|效率", rf"{_SHARE}|\befficien\w+"
    ),
    _quantity(
        "the number of steps",
        "步数",
        r"\bhow many (?:steps|operations|stages)\b|多少步|几步",
        rf"{_NUMBER} (?:\w+ )?steps\b",
    ),
)
"""What is asked of how something runs. `said` is a pattern's text, to be joined with others."""

SIZE = _quantity(
    "the size",
    "大小",
    r"\bhow (?:big|large|small|tiny|tall|high|deep|wide|broad|thick|thin|heavy|dense|hot|cold|old|far|strong)\b"
    r"(?! (?:should|do i|must|can|could)\b)|多(?:大|高|深|宽|厚|重|远)(?!的)",
    f"{_SIZE}|{_DURATION}",
)


@cache
def _find_amount(quantity: Quantity) -> Pattern[str]:
    return re.compile(quantity.said, re.IGNORECASE)


def tells_amount(question: str, text: str) -> bool:
    """Whether a text has an amount, with its unit, of what a question asks: "how thick", and so many nanometres."""
    asked = (one for one in (*QUANTITIES, SIZE) if one.asked.search(question))
    return any(_find_amount(one).search(text) for one in asked)


_MEASURE = re.compile(_SIZE, re.IGNORECASE)


def gives_measure(text: str) -> bool:
    """Whether a text has a number of a unit that is no time."""
    return _MEASURE.search(text) is not None
