"""Wordings in which a student speaks of harming themselves. No model answers them.

Rules in the first person, so that a course on suicide prevention or a killed process is not meant. They know some
wordings, not all: what they miss is still answered as distress, with a way to a person.
"""

import re

_ENGLISH = (
    r"kill(?:ing)? myself",
    r"end(?:ing)? my (?:own )?life(?! insurance)",
    r"tak(?:e|ing) my (?:own )?life",
    r"suicidal",
    r"(?:want|wanted|ready) to die",
    r"(?:rather|better off) (?:die|be dead|dead)",
    r"(?:hurt|harm|cut)(?:ting|ing)? myself",
    r"(?:don't|do not) want to (?:live|be alive)",
    r"(?:can't|cannot) go on living",
)
_CHINESE = (r"想死(?![锁循机记区你您他她])", "自杀", "轻生", "自残", "不想活", "活不下去", "结束(?:自己的|我的)?生命")

_CRISIS = re.compile(
    rf"\bi(?:'m|'ll|'ve|'d)?\b[^.?!\n]{{0,60}}\b(?:{'|'.join(_ENGLISH)})\b"
    rf"|(?:我|真的?)[^。？！\n]{{0,20}}(?:{'|'.join(_CHINESE)})"
    r"|^\W*(?:不想活|活不下去)",
    re.IGNORECASE,
)


def in_crisis(text: str) -> bool:
    """Whether the student speaks of harming themselves."""
    return _CRISIS.search(text.replace("’", "'")) is not None
