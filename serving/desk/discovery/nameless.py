"""A student's words without what names somebody, as far as it can be told by its form. Pure.

Names that stand in a sentence like any other word are not found: whoever publishes the words reads them first.
"""

import re

_NAME = r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}"
_HAN = r"[\u4e00-\u9fff]"
_GAPS = (
    re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    re.compile(r"(?<!\w)@\w[\w.-]*"),
    re.compile(r"(?<![\w.])\d{7,}(?<!000)(?![\w.])"),
)
"""Addresses, handles, numbers of students and telephones."""

_PHRASES = (
    re.compile(rf"\b[Mm]y name is {_NAME}(?: and\b)?[,.;!]?\s*"),
    re.compile(rf"\b(?:[Tt]his is|I am|I'm|I’m) {_NAME}(?: here| (?:from|of|in) [^,.;!?]{{1,40}})?[,.;!]\s+"),
    re.compile(
        rf"^\s*(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear)(?: (?:[Pp]rof(?:essor)?\.?|[Dd]r\.?|TA))?(?: {_NAME})?\s*[,!.:]\s*"
    ),
    re.compile(rf"[\s,.–—-]*\b(?:[Tt]hanks|[Tt]hank you)[,!.]*\s+{_NAME}\s*$"),
    re.compile(rf"(?<=[.!?])\s*(?:(?:[Rr]egards|[Cc]heers|[Bb]est)[,!.]+|[–—-])\s*{_NAME}\s*$"),
    re.compile(
        rf"(?:我叫|我的名字[叫是]|我是(?={_HAN}{{2,4}}同学)){_HAN}{{2,4}}?(?:同学)?(?=[，。,.！!\s]|$)[，。,.！!\s]*"
    ),
    re.compile(rf"^\s*{_HAN}{{1,3}}(?:老师|教授|助教)(?:您好|你好|好)?[，,！!。：:]\s*"),
)
"""Greetings, introductions and farewells with a name in them."""


def without_names(text: str) -> str:
    """The text on one line; `…` stands where an address, a handle or a long number was."""
    kept = " ".join(text.split())
    for phrase in _PHRASES:
        kept = phrase.sub(" ", kept)
    for gap in _GAPS:
        kept = gap.sub("…", kept)
    return " ".join(kept.split())
