"""Removes names and identifiers from a student's words, as far as their form gives them away. Pure.

Names that stand in a sentence like any other word are not found: whoever publishes the words reads them first.
"""

import re

_NAME = r"[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30}){0,2}"
_HAN = r"[\u4e00-\u9fff]"
_GAPS = (
    re.compile(r"(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}"),
    re.compile(r"(?<!\w)@\w[\w.-]{0,40}"),
    re.compile(r"(?<![\w.])\d{7,20}+(?<!000)(?![\w.])"),
)
"""Addresses, handles, numbers of students and telephones."""

_PHRASES = (
    re.compile(rf"\b[Mm]y name is {_NAME}(?: and\b)?[,.;!]? ?"),
    re.compile(rf"\b(?:[Tt]his is|I am|I'm|I’m) {_NAME}(?: here| (?:from|of|in) [^,.;!?]{{1,40}})?[,.;!] "),
    re.compile(rf"^(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear)(?: (?:[Pp]rof(?:essor)?\.?|[Dd]r\.?|TA))?(?: {_NAME})? ?[,!.:] ?"),
    re.compile(rf"[,.–—-]? ?\b(?:[Tt]hanks|[Tt]hank you)[,!.]? {_NAME}$"),
    re.compile(rf"(?<=[.!?]) ?(?:(?:[Rr]egards|[Cc]heers|[Bb]est)[,!.]|[–—-]) ?{_NAME}$"),
    re.compile(
        rf"(?:我叫|我的名字[叫是]|我是(?={_HAN}{{2,4}}同学)){_HAN}{{2,4}}?(?:同学)?(?=[，。,.！! ]|$)[，。,.！!]? ?"
    ),
    re.compile(rf"^{_HAN}{{1,3}}(?:老师|教授|助教)(?:您好|你好|好)?[，,！!。：:] ?"),
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
