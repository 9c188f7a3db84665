"""Opinions of students and experts on answers: thumbs, their reasons, satisfaction. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.statistics.intervals import Interval, wilson
from serving.feedback.reasons import DOWN_REASONS, UP_REASONS


@dataclass(frozen=True)
class ThumbCell:
    """So many thumbs that are alike; `reasons` are their codes."""

    day: str
    route: str | None
    form: str | None
    thumb: int
    reasons: tuple[str, ...]
    n: int


@dataclass(frozen=True)
class Thumbs:
    up: int
    down: int

    @property
    def rate(self) -> Interval:
        """Thumbs up of all thumbs."""
        return wilson(self.up, self.up + self.down)


@dataclass(frozen=True)
class ReasonShare:
    """How many thumbs of one kind gave a reason, of all thumbs of that kind, with a reason or without."""

    code: str
    n: int
    share: Interval


@dataclass(frozen=True)
class SatisfactionCell:
    """Rated answers of one day; `satisfying` is the sum of their ratings, each the mean of its experts', 0..1."""

    day: str
    answers: int
    satisfying: float


@dataclass(frozen=True)
class Disliked:
    """An answer with thumbs down, or one that an expert found not to satisfy. `down` and `unsatisfying` count them."""

    trace_id: str
    course_id: str | None
    question: str
    down: int
    unsatisfying: int


def thumbs(cells: Iterable[ThumbCell]) -> Thumbs:
    found: Counter[bool] = Counter()
    for cell in cells:
        found[cell.thumb > 0] += cell.n
    return Thumbs(found[True], found[False])


def thumbs_by(cells: Iterable[ThumbCell], what: str) -> list[tuple[str, Thumbs]]:
    """By `day`, `route` or `form`, in the order of their names."""
    groups: dict[str, list[ThumbCell]] = defaultdict(list)
    for cell in cells:
        groups[getattr(cell, what) or "none"].append(cell)
    return [(name, thumbs(groups[name])) for name in sorted(groups)]


def reason_shares(cells: Sequence[ThumbCell], *, up: bool) -> list[ReasonShare]:
    """Every reason that may be given, most given first (Course Hero: "thorough explanation", 20% of ups)."""
    alike = [cell for cell in cells if (cell.thumb > 0) == up]
    total = sum(cell.n for cell in alike)
    given: Counter[str] = Counter()
    for cell in alike:
        for code in cell.reasons:
            given[code] += cell.n
    codes = [reason.code for reason in (UP_REASONS if up else DOWN_REASONS)]
    shares = [ReasonShare(code, given[code], wilson(given[code], total)) for code in codes]
    return sorted(shares, key=lambda one: (-one.n, codes.index(one.code)))


def satisfaction(cells: Iterable[SatisfactionCell]) -> Interval:
    """The share of rated answers that satisfy (LittleMu 4.2.3)."""
    listed = list(cells)
    return wilson(sum(cell.satisfying for cell in listed), sum(cell.answers for cell in listed))
