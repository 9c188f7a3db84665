"""Where a window begins so that what its first sentence ends, concludes or goes on listing stands before it. Pure."""

import re

from serving.assistant.composing.cues import ANOTHER_REASON, concludes
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.window import LENGTH, begin_with_what_it_leans_on


def begin_with_premise(piece: MaterialPiece, start: int) -> int:
    """Where to begin so that what a first sentence concludes from stands before it, and what that leans on."""
    if start == 0 or not concludes(piece.lines[start].continued or ""):
        return start
    return begin_with_what_it_leans_on(piece, start)


def begin_before_other_reasons(piece: MaterialPiece, start: int) -> int:
    """Where to begin so that the first reason stands before "another reason": as far back as a quote is long."""
    if ANOTHER_REASON.search(piece.lines[start].text) is None:
        return start
    room = LENGTH[piece.lang]
    while start > 0 and (room := room - piece.sizes[start - 1]) >= 0:
        start -= 1
    return start


def begin_with_first(piece: MaterialPiece, start: int) -> int:
    """Where to begin with what is listed in sentences: with the first, where that stands near before the second."""
    if _FURTHER.match(piece.lines[start].text) is None:
        return start
    before = range(start - 1, max(-1, start - 1 - MOST_LISTED_BEFORE), -1)
    return next((place for place in before if _FIRST.match(piece.lines[place].text)), start)


_FIRST = re.compile(r"第一|首先|(?:the )?first(?:ly)?\b", re.IGNORECASE)
_FURTHER = re.compile(r"第[二三四五]|其次|(?:the )?(?:second|third)(?:ly)?\b", re.IGNORECASE)
MOST_LISTED_BEFORE = 4
"""Sentences before a further one of what is listed in which the first is looked for. A choice."""
