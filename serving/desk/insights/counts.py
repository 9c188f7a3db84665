"""Questions and answers counted: asked, answered, by day and route, and when models and indexes changed. Pure.

Small talk is no question. A question is answered when the course material was used to answer it (`ANSWERING`): asking
back, declining and handing over to a TA are not answers. One that the student stopped counts as asked only, since
stopping is also what people do when nothing comes. These are choices; Course Hero (2.2) says no more than "coverage".
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from models.statistics.intervals import Interval, wilson
from serving.store.answered_questions import ANSWERING

SMALL_TALK = "chat"


@dataclass(frozen=True)
class Cell:
    """So many turns that are alike. `day` is UTC, `YYYY-MM-DD`; `first` is when the first of them was asked."""

    day: str
    outcome: str
    route: str | None
    degraded: bool
    model: str | None
    index_version: str | None
    n: int
    first: datetime


@dataclass(frozen=True)
class AnswerCounts:
    """`asked` are questions, so without `small_talk`. Of those `answered`, `degraded` were without the model."""

    asked: int = 0
    answered: int = 0
    degraded: int = 0
    small_talk: int = 0
    stopped: int = 0
    failed: int = 0

    @property
    def coverage(self) -> Interval:
        """The share of questions that got an answer (Course Hero 2.2)."""
        return wilson(self.answered, self.asked)


@dataclass(frozen=True)
class ModelRelease:
    """The first answer by a model, or from an index, that had not answered before in the period."""

    at: datetime
    kind: str
    name: str


def count_answers(cells: Iterable[Cell]) -> AnswerCounts:
    found: Counter[str] = Counter()
    for cell in cells:
        for name in _kinds(cell):
            found[name] += cell.n
    return AnswerCounts(**found)


def by_day(cells: Iterable[Cell]) -> list[tuple[str, AnswerCounts]]:
    """Days with at least one turn, in order."""
    days: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        days[cell.day].append(cell)
    return [(day, count_answers(days[day])) for day in sorted(days)]


def by_route(cells: Iterable[Cell]) -> list[tuple[str, int]]:
    """How many turns took each route, most first; what ended before it had one is `none`."""
    found: Counter[str] = Counter()
    for cell in cells:
        found[cell.route or "none"] += cell.n
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def releases(cells: Sequence[Cell]) -> list[ModelRelease]:
    """When each model and index first answered, in order; what was there at the start is among them."""
    firsts: dict[tuple[str, str], datetime] = {}
    for cell in cells:
        for kind, name in (("model", cell.model), ("index", cell.index_version)):
            if name is not None:
                firsts[kind, name] = min(cell.first, firsts.get((kind, name), cell.first))
    found = [ModelRelease(at, kind, name) for (kind, name), at in firsts.items()]
    return sorted(found, key=lambda one: (one.at, one.kind, one.name))


def _kinds(cell: Cell) -> list[str]:
    if cell.route == SMALL_TALK and cell.outcome == "answered":
        return ["small_talk"]
    kinds = ["asked"]
    if cell.outcome in ("stopped", "failed"):
        kinds.append(cell.outcome)
    elif cell.route in ANSWERING:
        kinds.append("answered")
        kinds += ["degraded"] if cell.degraded else []
    return kinds
