"""Why, how, which kinds, an aspect, or anything else: the best sentences of the material for the question. Pure."""

from dataclasses import replace

from serving.assistant.composing.composed import Composed, Coverage
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import sufficient
from serving.assistant.composing.terms import uncovered
from serving.assistant.composing.windows import Window, best_windows
from serving.assistant.composing.wording import wording
from serving.index.analysis import terms
from serving.understanding.question_kind import QuestionKind

SECOND = 0.75
"""Another window is shown when it scores this share of the first. A choice."""
SURE, SHOWN = 2, 3
"""Windows of an answer that covers the question, and of one that is only the nearest. Choices."""

LENGTHS: dict[QuestionKind, float] = {"how": 1.6, "list": 1.5, "why": 1.2, "definition": 1.0, "yes_no": 1.0}
"""How much longer than usual an answer of a kind is: steps and lists need room. Choices."""


def compose_explanation(request: Request) -> Composed | None:
    """The best window, and others from elsewhere where they are nearly as good; `None` when nothing is near."""
    windows = find_windows(request, most=SHOWN)
    if not windows:
        return None
    covers = sufficient(windows[0], request)
    if covers == "none":
        return None
    shown = windows[:SURE] if covers == "full" else windows
    return Composed(
        request.kind,
        covers,
        tuple(window.statement for window in shown),
        note="" if covers == "full" else doubt(request, windows[0]),
        after="" if covers == "full" else wording(request.spoken).hand_off,
        score=min(1.0, windows[0].score / 4.0),
    )


def find_windows(request: Request, *, most: int = 2) -> list[Window]:
    """The windows that are shown, best first."""
    found = best_windows(
        request.pieces,
        request.units,
        kind=request.kind,
        aspects=request.aspects,
        most=most,
        length=LENGTHS.get(request.kind, 1.0),
        seen=request.seen,
    )
    return [window for window in found if window.score >= SECOND * found[0].score]


def doubt(request: Request, window: Window) -> str:
    """What is missing of the question, as far as it can be named; else that the answer is only the nearest."""
    said = wording(request.spoken)
    if request.aspects and not window.has_aspect and request.names:
        aspect = request.aspects[0]
        return said.no_aspect.format(names=request.names, aspect=aspect.zh if request.spoken == "zh" else aspect.en)
    return said.not_direct


def as_partial(composed: Composed, note: str) -> Composed:
    """The same, doubted."""
    coverage: Coverage = "partial"
    return replace(composed, coverage=coverage, note=note)


def missing_labels(request: Request, texts: str) -> list[str]:
    """The parts of the question that a text does not speak of, as the question puts them."""
    return [unit.label for unit in uncovered(request.units, frozenset(terms(texts)))]
