"""What helps against what the answer before told, "how do we fix that": what the lecturer says of it behind the passage
that was shown. Pure."""

import re
from collections.abc import Sequence
from itertools import accumulate

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LENGTHS, LIKELY
from serving.assistant.composing.lectures import SpokenLecture
from serving.assistant.composing.material import MaterialLine, MaterialPiece, join_material_lines
from serving.assistant.composing.request import Request
from serving.assistant.composing.window import LENGTH

SHORTEST = 10
"""Characters of a sentence that is known again in an answer. A choice."""

READ_ON = 12
"""Sentences behind those that were shown among which the lecturer comes to the remedy. A choice."""

_MARK = re.compile(r"\[\d+\]")
_REMEDY = re.compile(
    r"\bhow (?:do|can|could|should|would) (?:we|you|i) (?:fix|solve|avoid|prevent|deal|handle|do better)\b"
    r"|\bwhat (?:do|can|could|should) (?:we|you|i) do\b(?=[^?]{0,30}\?)"
    r"|\bso what(?:'s| is) the (?:solution|fix|remedy|trick)\b"
    r"|\b(?:the|one|a) (?:solution|fix|remedy|way out|way around (?:it|this|that)) (?:is|to)\b"
    r"|\bto (?:fix|avoid|solve|prevent) (?:this|that|it)\b"
    r"|怎么(?:办|解决|避免)|(?:如何|怎样)(?:解决|避免)|(?:解决|处理)[^，。？]{0,8}(?:办法|方法)|办法(?:是|有)|为了(?:解决|避免)",
    re.IGNORECASE,
)
"""How a lecturer comes to what helps."""


def compose_remedy(request: Request, answer: str) -> Composed | None:
    """What is said of a remedy from the passage on that leads the last answer, beginning where the lecturer comes to
    it; `None` where they do not soon."""
    leading = _MARK.split(answer.replace("**", ""), maxsplit=1)[0]
    for lecture in request.material.lectures.lectures:
        if (place := _find_remedy(lecture, leading)) is not None:
            return _quote(lecture, place, request)
    return None


def _find_remedy(lecture: SpokenLecture, shown: str) -> int | None:
    """Where a lecture comes to a remedy, in what was shown of it or soon behind."""
    said = [one.text for one in lecture.sentences]
    places = [place for place, text in enumerate(said) if len(text) >= SHORTEST and text in shown]
    if not places:
        return None
    reach = range(places[0], min(len(said), places[-1] + READ_ON))
    return next((place for place in reach if _REMEDY.search(said[place])), None)


def _quote(lecture: SpokenLecture, place: int, request: Request) -> Composed | None:
    """What a lecture says from a sentence on, with the passage that it is of."""
    text = lecture.sentences[place].text
    found = request.material.pieces(text, None, lang=request.lang)
    for piece in found:
        at = piece.entry.locator
        if at is None or at.video_id != lecture.video_id:
            continue
        first = next((number for number, line in enumerate(piece.lines) if line.text == text), None)
        if first is not None:
            lines = _within_length(piece, first)
            said = ComposedStatement(join_material_lines(lines, piece.lang), piece.evidence(lines))
            return Composed(request.kind, "partial", (said,), score=LIKELY)
    return None


def _within_length(piece: MaterialPiece, first: int) -> Sequence[MaterialLine]:
    """The lines of a piece from one on that are as long together as a way of doing something is shown."""
    lines = piece.lines[first:]
    sizes = accumulate(len(line.text) for line in lines)
    return [
        line for line, size in zip(lines, sizes, strict=True) if size <= LENGTHS["how"] * LENGTH[piece.lang]
    ] or lines[:1]
