"""Rounds of conversations (LittleMu, Figure 3b). Pure. A round is a question with its answer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SessionCell:
    """So many sessions that began on a day and had so many rounds."""

    day: str
    rounds: int
    n: int


@dataclass(frozen=True)
class Sessions:
    """`mean_rounds` is `None` without a session; `by_rounds` are (rounds, sessions), `by_day` (day, mean rounds)."""

    n: int
    mean_rounds: float | None
    by_rounds: tuple[tuple[int, int], ...]
    by_day: tuple[tuple[str, float], ...]


def sessions_of(cells: Sequence[SessionCell]) -> Sessions:
    lengths: Counter[int] = Counter()
    begun: Counter[str] = Counter()
    rounds: Counter[str] = Counter()
    for cell in cells:
        lengths[cell.rounds] += cell.n
        begun[cell.day] += cell.n
        rounds[cell.day] += cell.n * cell.rounds
    n = begun.total()
    return Sessions(
        n=n,
        mean_rounds=rounds.total() / n if n else None,
        by_rounds=tuple(sorted(lengths.items())),
        by_day=tuple((day, rounds[day] / begun[day]) for day in sorted(begun)),
    )
