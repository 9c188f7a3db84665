"""What is to be worked out: its exact value and what the material says of it; formulas and code as the material gives
them. Pure."""

from dataclasses import replace

from serving.assistant.composing.arithmetic import work_out
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import compose_explanation, find_windows
from serving.assistant.composing.formulas import apply_formula
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import coverage, terms_of
from serving.assistant.composing.windows import Window
from serving.assistant.composing.wording import wording

NEAR = 0.5
"""Share of the question that a passage speaks of which is shown under the value. A choice."""


def compose_calculation(request: Request) -> Composed | None:
    """The value of what can be worked out, with the passage on it; else what the material says."""
    worked = work_out(request.question) or formula_for(request)
    if worked is None:
        return compose_explanation(request)
    expression, value = worked
    text = wording(request.spoken).arithmetic.format(expression=expression, value=value) if value else expression
    text = text.replace("= ≈", "≈")
    subject = replace(request, units=tuple(one for one in request.units if not one.label[:1].isdigit()))
    windows = find_windows(subject, most=1) if request.pieces else []
    shown = [one.statement for one in windows if subject.units and _is_near(one, subject)]
    return Composed("calculation", "full", (ComposedStatement(text), *shown), score=1.0)


def _is_near(window: Window, subject: Request) -> bool:
    said = terms_of(f"{window.piece.entry.title} {window.text}")
    return coverage(subject.units, said) >= NEAR or window.piece.meaning >= NEAR


def formula_for(request: Request) -> tuple[str, str] | None:
    """A formula with the question's numbers put in, where a passage near to the question speaks of it."""
    if not any(one.isdigit() for one in request.question):
        return None
    said = (f"{piece.entry.title}\n" + "\n".join(line.text for line in piece.lines) for piece in request.pieces)
    return apply_formula(request.question, "\n".join(said))
