"""Orders of growth in a text, however they are written: `O(n^2)`, "O of n squared", "quadratic time", 平方时间."""

import re
from dataclasses import dataclass

_WORDS = {
    "1": "constant 常数 常量",
    "logn": "logarithmic 对数",
    "n": "linear 线性",
    "nlogn": "linearithmic 线性对数",
    "n2": "quadratic 平方",
    "n3": "cubic 立方",
    "2n": "exponential 指数",
}
_NAMED = {name: key for key, names in _WORDS.items() for name in names.split()}
_LATIN = "|".join(name for name in _NAMED if name.isascii())
_HAN = "|".join(sorted((name for name in _NAMED if not name.isascii()), key=len, reverse=True))
_SAID = r"(?:n|m|v|e|k|h|log|squared|cubed|one|two|1|2|times|plus|to the|of|\+)"
_FORM = re.compile(
    r"(?:big[- ])?(?<![a-z])(?:o|theta|omega|θ|ω)\s?\((?P<written>(?:[^()\n]|\([^()\n]*\)){1,40})\)"
    rf"|(?:(?:big[- ])?(?<![a-z])(?:o|theta|omega) of|order(?: of)?) (?P<spoken>{_SAID}(?:\s{_SAID})*)(?![a-z])"
    rf"|(?<![a-z])(?P<word>{_LATIN})(?=[ -](?:amortized |expected )?(?:time|space|memory|growth|cost|complexity))"
    rf"|(?<= (?:is|be) )(?P<bare>{_LATIN})(?![a-z]| (?!in\b))"
    rf"|(?P<han>{_HAN})(?=时间|级|阶|复杂度|空间)"
)
_SPOKEN = {
    "squared": "2",
    "cubed": "3",
    "one": "1",
    "two": "2",
    "times": "",
    "plus": "+",
    "to": "",
    "the": "",
    "of": "",
}


@dataclass(frozen=True, slots=True)
class Growth:
    """An order of growth: `text[start:end]`, and one key for all its spellings, such as `nlogn`."""

    start: int
    end: int
    key: str


def growths(text: str) -> list[Growth]:
    """The orders of growth of a text in lower case, in order."""
    return [Growth(found.start(), found.end(), _key(found)) for found in _FORM.finditer(text)]


def _key(found: re.Match[str]) -> str:
    if word := found["word"] or found["bare"] or found["han"]:
        return _NAMED[word]
    said = found["written"] or " ".join(_SPOKEN.get(each, each) for each in found["spoken"].split())
    plain = said.replace("²", "2").replace("³", "3").replace("ₙ", "n").replace("lg", "log")
    plain = re.sub(r"log_?2(?=\s*\(?[a-z])|log₂", "log", plain)
    return re.sub(r"[\s^*·×()|{}]", "", plain)
