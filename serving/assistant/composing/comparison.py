"""How two or more things differ: the sentence that contrasts them, then what is said of each. Pure."""

from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import Unit, coverage
from serving.assistant.composing.windows import Window, best_windows
from serving.assistant.composing.wording import wording
from serving.evidence import from_definition
from serving.index.analysis import terms

PLACES = 3
"""Places that are shown: as many as can be cited."""
BOTH = 0.95
"""Share of the things compared that one window must name to be a contrast of them."""


def compose_comparison(request: Request) -> Composed | None:
    """A contrast when one window names all, and a definition or the best sentences of each thing."""
    things = [unit for unit in request.units if unit.concept_id is not None]
    if len(things) < 2:
        return compose_explanation(request)
    rest = [unit for unit in request.units if unit.concept_id is None]
    contrast = _contrast(request, things)
    statements: list[Statement] = []
    if contrast is not None:
        statements.append(contrast.statement)
    each = [_of_one(request, unit, rest) for unit in things[:3]]
    known = [one for one in each if one is not None]
    if contrast is None and len(known) < len(things[:3]):
        return compose_explanation(request) if not known else _partly(request, things, each)
    for one in known:
        if not any(one.text in other.text or other.text in one.text for other in statements):
            statements.append(one)
    for window in best_windows(request.pieces, request.units, kind="comparison", aspects=request.aspects, most=PLACES):
        if len(statements) < PLACES and not any(window.text[:60] in one.text for one in statements):
            statements.append(window.statement)
    if contrast is not None and coverage(rest, frozenset(terms(contrast.text))) >= 0.5:
        return Composed("comparison", "partial", tuple(statements), score=LIKELY)
    is_whole = len(known) == len(things[:3]) and not rest
    note = "" if is_whole or contrast is not None else wording(request.spoken).not_direct
    return Composed(
        "comparison", "full" if is_whole or contrast else "partial", tuple(statements), note=note, score=0.6
    )


def _contrast(request: Request, things: list[Unit]) -> Window | None:
    windows = best_windows(request.pieces, request.units, kind="comparison", aspects=request.aspects, most=6)
    for window in windows:
        said = frozenset(terms(window.text))
        if coverage(things, said) >= BOTH:
            return window
    return None


def _of_one(request: Request, unit: Unit, rest: list[Unit]) -> Statement | None:
    """The definition of one thing, or the best it is said of it."""
    concept = request.graph.concept(unit.concept_id or "")
    if concept.definition and not rest and not request.aspects:
        return Statement(concept.definition, from_definition(0, concept))
    own = request.material.pieces(unit.label, None, lang=request.lang)
    pieces = list({piece.entry.entry_id: piece for piece in (*own, *request.pieces)}.values())
    windows = best_windows(pieces, [unit, *rest], kind="definition", aspects=request.aspects, most=1)
    if windows and unit.covered(frozenset(terms(windows[0].text))) == 1.0:
        return windows[0].statement
    return Statement(concept.definition, from_definition(0, concept)) if concept.definition else None


def _partly(request: Request, things: list[Unit], each: list[Statement | None]) -> Composed:
    missing = [unit.label for unit, one in zip(things, each, strict=False) if one is None]
    said = wording(request.spoken)
    note = said.partly.format(missing=said.and_.join(missing))
    known = tuple(one for one in each if one is not None)
    return Composed("comparison", "partial", known, note=note, after=said.hand_off, score=0.4)
