"""Questions that take something for granted which the material denies. Pure."""

from serving.assistant.composing.composed import Composed
from serving.assistant.composing.material import Line
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import coverage
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.assistant.composing.yes_no import settles
from serving.grounding.negation import is_negated
from serving.index.analysis import terms


def deny_premise(request: Request) -> Composed | None:
    """The sentence that says the opposite of what a why or how question claims; `None` when none does."""
    if request.kind not in ("why", "how", "other") or len(request.units) < 2:
        return None
    for window in best_windows(request.pieces, request.units, kind="other", most=4):
        line = window.piece.lines[window.anchor]
        if settles(request, line.text) is False or _denies(request, line):
            statements = (window.statement,)
            return Composed(request.kind, "full", statements, note=wording(request.spoken).premise, score=0.8)
    return None


MEANS, NAMES = 0.7, 0.6
"""How near in meaning, and what share of the question in words, a negated sentence must be to deny it. Choices."""


def _denies(request: Request, line: Line) -> bool:
    """Whether a sentence near to the question in words and meaning is negated where the question is not."""
    if line.meaning < MEANS or is_negated(line.text) == is_negated(request.question):
        return False
    said = frozenset(terms(line.text))
    concepts = [unit for unit in request.units if unit.concept_id is not None]
    return coverage(request.units, said) >= NAMES and coverage(concepts, said) >= 0.99
