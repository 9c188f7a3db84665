"""Numbers of a text, in digits or written out, in English and Chinese, by value and unit.

`6,960` and `6960`; `50%`, `50 percent` and `百分之五十`; `2nd`, `second` and `第二`; `3 million` and `300万`. A number
inside a name (`UH-1B`, `x86`), a list mark (`1.`) and a citation (`[2]`) are none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_WORDS = {
    **{word: value for value, word in enumerate(_ONES.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), 2)},
    **{word: value for value, word in enumerate(_ORDINALS.split(), 1)},
}
_SCALES = {
    "hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "百": 10**2, "千": 10**3, "万": 10**4, "亿": 10**8, "万亿": 10**12,
}  # fmt: skip
_HAN_DIGITS = {**{sign: value for value, sign in enumerate("零一二三四五六七八九")}, "〇": 0, "两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_SAME_UNIT = (
    "% percent ％", "km kilometre kilometres kilometer kilometers 公里 千米", "mi mile miles 英里",
    "m metre metres meter meters 米", "cm 厘米", "mm 毫米", "ft foot feet 英尺", "kg kilogram kilograms 公斤 千克",
    "g gram grams 克", "ms millisecond milliseconds 毫秒", "s sec second seconds 秒", "min minute minutes 分钟",
    "h hour hours 小时", "day days 天", "week weeks 周", "month months 个月", "year years", "kb", "mb", "gb", "tb",
    "bit bits 比特", "byte bytes 字节", "hz", "khz", "mhz", "ghz",
)  # fmt: skip
_UNITS = {name: each.split()[0] for each in _SAME_UNIT for name in each.split()}


def _any(words: Iterator[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_LATIN_UNIT = _any(unit for unit in _UNITS if unit.isascii() and unit != "%")
_HAN_UNIT = _any(unit for unit in _UNITS if not unit.isascii())
_UNIT = rf"(?:[ -]?(?P<unit>%|{_HAN_UNIT}|(?:{_LATIN_UNIT})(?![A-Za-z])))?"
_SCALE = r"(?:[ -]?(?P<scale>(?:hundred|thousand|million|billion|trillion)(?![a-z])|万亿|[百千万亿]))?"
_DIGITS = re.compile(
    r"(?<![A-Za-z_\d.])(?<![A-Za-z]-)(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?!\d)"
    rf"(?:(?:st|nd|rd|th|[ap]m|(?<=\d{{3}})s)(?![A-Za-z]))?{_SCALE}{_UNIT}(?![A-Za-z_])",
    re.IGNORECASE,
)
_NUMBER_WORD = _any(iter([*_WORDS, *(scale for scale in _SCALES if scale.isascii())]))
_WRITTEN = re.compile(
    rf"(?<![\w-])(?P<value>(?:{_any(iter(_WORDS))})(?:(?:[ -]| and )(?:{_NUMBER_WORD})(?![a-z])){{0,12}}){_UNIT}(?!\w)",
    re.IGNORECASE,
)
_HAN = "零〇一二两三四五六七八九十百千万亿"
_MEASURE = "个位名种类次条件本部台辆项章节年月日号岁届层步行列倍元度维阶张期"
_HAN_NUMBER = re.compile(
    rf"(?P<percent>百分之)?(?P<ordinal>第)?(?P<value>[{_HAN}]+(?:点[零〇一二三四五六七八九]+)?)(?:(?P<unit>{_HAN_UNIT})|(?P<measure>[{_MEASURE}]))?"
)
_NO_CLAIM = re.compile(r"\[\d{1,3}\]|^[^\S\n]*+\d{1,2}[.)、](?!\d)", re.MULTILINE)
_HAN_WORDS = frozenset({"万一", "千万", "万万", "百十"})
_WEAK = frozenset({"one", "first", "second", "zero"})


_LONGEST = 40
"""Digits of the longest number: what is longer is no count of anything."""


@dataclass(frozen=True)
class SpokenNumber:
    """A number said in a text. `value` is exact; `unit` is one name for all its spellings, empty when none is said."""

    start: int
    end: int
    text: str
    value: Decimal
    unit: str = ""

    def agrees(self, other: "SpokenNumber") -> bool:
        """Whether both say the same: equal values, and no two different units. `50%` is never a plain 50."""
        same = self.unit == other.unit or (not (self.unit and other.unit) and "%" not in (self.unit, other.unit))
        return self.value == other.value and same


def numbers(text: str) -> list[SpokenNumber]:
    """The numbers of a text, in order, none inside another.

    Left out, because they rarely count: `one`, `first`, `second` and 一 on their own.
    """
    free = _blank(_NO_CLAIM, text)
    in_digits, free = _in_digits(free), _blank(_DIGITS, free)
    found = [*in_digits, *_in_words(free), *_in_chinese(free)]
    return sorted(found, key=lambda number: number.start)


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: " " * len(found.group()), text)


def _in_digits(text: str) -> list[SpokenNumber]:
    return [
        _number(match, Decimal(match["value"].replace(",", "")) * _SCALES.get((match["scale"] or "").lower(), 1))
        for match in _DIGITS.finditer(text)
        if len(match["value"]) <= _LONGEST
    ]


def _in_words(text: str) -> list[SpokenNumber]:
    return [
        _number(match, Decimal(_value_of_words(match["value"].lower())))
        for match in _WRITTEN.finditer(text)
        if match["value"].lower() not in _WEAK
    ]


def _in_chinese(text: str) -> list[SpokenNumber]:
    found = []
    for match in _HAN_NUMBER.finditer(text):
        value, said = match["value"], match["percent"] or match["ordinal"] or match["measure"] or match["unit"]
        counts = said and value != "一"
        spelt = len(value) > 1 and any(sign in _HAN_UNITS or sign in _SCALES for sign in value)
        if (counts or spelt) and value not in _HAN_WORDS and len(value) <= _LONGEST:
            found.append(_number(match, _value_of_han(value), "%" if match["percent"] else None))
    return found


def _number(match: re.Match[str], value: Decimal, unit: str | None = None) -> SpokenNumber:
    named = _UNITS.get((match["unit"] or "").lower(), "") if unit is None else unit
    return SpokenNumber(match.start(), match.end(), match.group(), value, named)


def _value_of_words(said: str) -> int:
    total = part = 0
    for word in re.split(r"[ ,-]+", said):
        if word in _SCALES and _SCALES[word] > 100:
            total, part = total + max(part, 1) * _SCALES[word], 0
        elif word in _SCALES:
            part = max(part, 1) * 100
        else:
            part += _WORDS.get(word, 0)
    return total + part


def _value_of_han(said: str) -> Decimal:
    whole, _, decimals = said.partition("点")
    if not any(sign in whole for sign in "十百千万亿"):
        digits = "".join(str(_HAN_DIGITS[sign]) for sign in whole)
    else:
        digits = str(_chinese_number(whole))
    return Decimal(digits + ("." + "".join(str(_HAN_DIGITS[sign]) for sign in decimals) if decimals else ""))


def _chinese_number(said: str) -> int:
    """三百二十万 = 3,200,000: digits times units, summed up to each 万 or 亿."""
    total = part = digit = 0
    for sign in said:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS[sign]
        elif sign in _HAN_UNITS:
            part, digit = part + (digit or 1) * _HAN_UNITS[sign], 0
        else:
            total, part, digit = (total + part + digit or 1) * _SCALES[sign], 0, 0
    return total + part + digit
