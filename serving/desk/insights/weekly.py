"""The report for the review meeting (LittleMu 4.2.3): one week beside the week before. Pure.

What got better or worse with the interval of the difference, what students asked in vain, which answers were liked
least, and whether the mix of routes has shifted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from models.statistics.intervals import Interval, chi_square, difference
from serving.desk.insights.opinions import Disliked
from serving.desk.insights.page import Insights
from serving.desk.insights.unanswered import Cluster

FEWEST = 5
"""Expected turns of a route below which the chi-square approximation is not used, after Cochran (1954)."""


@dataclass(frozen=True)
class WeeklyChange:
    """A figure now and the week before; `difference` is now less before, with Newcombe's interval."""

    name: str
    now: Interval
    before: Interval
    difference: Interval


@dataclass(frozen=True)
class Weekly:
    """`drift` is the p value that routes were taken in the shares of the week before, `None` where nothing is known."""

    changes: tuple[WeeklyChange, ...]
    mean_rounds: tuple[float | None, float | None]
    drift: float | None
    unanswered: tuple[Cluster, ...]
    disliked: tuple[Disliked, ...]


def weekly(now: Insights, before: Insights, disliked: Sequence[Disliked]) -> Weekly:
    """The report over two weeks that follow each other."""
    figures = (
        ("coverage", now.coverage, before.coverage),
        ("thumbs_up", now.thumbs.rate, before.thumbs.rate),
        ("satisfaction", now.satisfaction, before.satisfaction),
    )
    return Weekly(
        changes=tuple(WeeklyChange(name, one, other, difference(one, other)) for name, one, other in figures),
        mean_rounds=(now.sessions.mean_rounds, before.sessions.mean_rounds),
        drift=drift(dict(now.routes), dict(before.routes)),
        unanswered=tuple(now.unanswered),
        disliked=tuple(disliked),
    )


def drift(now: dict[str, int], before: dict[str, int]) -> float | None:
    """Pearson's chi-square test that two weeks share their routes (two samples); rare routes are left out."""
    total_now, total_before = sum(now.values()), sum(before.values())
    whole = total_now + total_before
    if not total_now or not total_before:
        return None
    smaller = min(total_now, total_before)
    kept = [
        route
        for route in sorted(now.keys() | before.keys())
        if (now.get(route, 0) + before.get(route, 0)) * smaller / whole >= FEWEST
    ]
    if len(kept) < 2:
        return None
    counts = [[week.get(route, 0) for route in kept] for week in (now, before)]
    sums = [sum(pair) for pair in zip(*counts, strict=True)]
    expected = [[sum(week) * column / sum(sums) for column in sums] for week in counts]
    return chi_square([*counts[0], *counts[1]], [*expected[0], *expected[1]], freedom=len(kept) - 1)
