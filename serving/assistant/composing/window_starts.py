"""Where a window begins so that what its first sentence ends or concludes stands before it. Pure."""

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
