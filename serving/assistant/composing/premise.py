"""Questions that take something for granted which the material denies. Pure."""

from serving.assistant.composing.composed import Composed
from serving.assistant.composing.request import Request
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.assistant.composing.yes_no import settles


def deny_premise(request: Request) -> Composed | None:
    """The sentence that says the opposite of what a why or how question claims; `None` when none does."""
    if request.kind not in ("why", "how", "other") or len(request.units) < 2:
        return None
    for window in best_windows(request.pieces, request.units, kind="other", most=4):
        line = window.piece.lines[window.anchor]
        if settles(request, line.text) is False:
            statements = (window.statement,)
            return Composed(request.kind, "full", statements, note=wording(request.spoken).premise, score=0.8)
    return None
