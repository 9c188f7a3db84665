"""What is to be worked out: its exact value and what the material says of it; formulas and code as the material gives
them. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.arithmetic import work_out
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import compose_explanation, find_windows
from serving.assistant.composing.formulas.data_structures import DATA_STRUCTURES
from serving.assistant.composing.formulas.formula import Formula, apply_formula, in_figures
from serving.assistant.composing.formulas.linear_algebra import LINEAR_ALGEBRA
from serving.assistant.composing.formulas.machine_learning import MACHINE_LEARNING
from serving.assistant.composing.lecture_places import lecture_evidence
from serving.assistant.composing.material import MaterialPiece, join_material_lines, line_of
from serving.assistant.composing.request import Request
from serving.assistant.composing.spoken_formula import find_spoken_formula
from serving.assistant.composing.terms import QuestionUnit, coverage, terms_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording

FORMULAS = (*MACHINE_LEARNING, *LINEAR_ALGEBRA, *DATA_STRUCTURES)
"""In this order the first that fits a question is applied."""

NEAR = 0.5
"""Share of the question that a passage speaks of which is shown under the value. A choice."""


_STATES = re.compile(
    r"\b(?:formula|equation|equals?|is given by|comput\w+|calculat\w+|divided by|over|times|plus|minus|squared|log)\b"
    r"|公式|等于|除以|乘以?|次方|平方|加|减",
    re.IGNORECASE,
)
"""How material says a formula aloud."""


def compose_calculation(request: Request) -> Composed | None:
    """The value of what can be worked out, with the passage that states its formula; else what the material says."""
    worked, applied = work_out(request.question), None
    if worked is None and (applied := formula_for(request)) is not None:
        worked = applied[1]
    if worked is None:
        return compose_explanation(request)
    expression, value = worked
    text = wording(request.spoken).arithmetic.format(expression=expression, value=value) if value else expression
    text = text.replace("= ≈", "≈")
    stated = _state_formula(request, applied[0] if applied is not None else None, text)
    return Composed("calculation", "full", (ComposedStatement(text), *stated), score=1.0)


def _state_formula(request: Request, formula: Formula | None, shown: str) -> list[ComposedStatement]:
    """Where a lecture says the formula aloud; else the passage nearest to the question's words beside its numbers that
    states a formula of the kind, or one that does."""
    subject = replace(request, units=tuple(one for one in request.units if not one.label[:1].isdigit()))
    if not subject.units:
        return []
    if said := find_spoken_formula(subject, shown):
        text = join_material_lines([line_of(one) for one in said], said[0].lang)
        return [ComposedStatement(text, lecture_evidence(said[0], request.course_id, text))]
    states = formula.spoken_of if formula is not None else _STATES
    nearest = [one for one in find_windows(subject, most=1) if states.search(one.text)] if request.pieces else []
    if not nearest:
        pieces = [one for one in request.pieces if formula is None or formula.spoken_of.search(_text_of(one))]
        nearest = best_windows(pieces, subject.units, kind=request.kind, aspects=request.aspects, cue=_STATES)
    near = (one for one in nearest if formula is not None or _is_near(one, subject.units))
    return [replace(one, marked=False).statement for one in near]  # what answers stands above it


def _text_of(piece: MaterialPiece) -> str:
    return "\n".join([piece.entry.title, *(line.text for line in piece.lines)])


def _is_near(window: Window, units: Sequence[QuestionUnit]) -> bool:
    said = terms_of(f"{window.piece.entry.title} {window.text}")
    return coverage(units, said) >= NEAR or window.piece.meaning >= NEAR


def formula_for(request: Request) -> tuple[Formula, tuple[str, str]] | None:
    """The formula with the question's numbers put in, where a passage near to the question speaks of it."""
    if not any(one.isdigit() for one in in_figures(request.question)):
        return None
    return apply_formula(request.question, "\n".join(map(_text_of, request.pieces)), FORMULAS)
