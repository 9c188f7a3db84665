"""How long answers took, by route. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Percentile:
    """So many of a hundred answers of a route, of `n`, took at most so many milliseconds."""

    route: str
    percent: int
    n: int
    ms: float


@dataclass(frozen=True)
class Timing:
    """`ms` are (percent, milliseconds), ascending."""

    route: str
    n: int
    ms: tuple[tuple[int, float], ...]


def timing_of(percentiles: Iterable[Percentile]) -> list[Timing]:
    """By route, in the order of their names."""
    routes: dict[str, dict[int, Percentile]] = defaultdict(dict)
    for one in percentiles:
        routes[one.route][one.percent] = one
    return [
        Timing(route, max(one.n for one in found.values()), tuple((p, found[p].ms) for p in sorted(found)))
        for route, found in sorted(routes.items())
    ]
