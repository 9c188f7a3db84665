"""Intervals around what was counted, all at 95%. Pure; each names its paper. Counts may be fractions, after widening.

`scipy.special` has the distributions that `scipy.stats` uses, and imports in a tenth of its time: 0.2 s, which only who
needs a distribution takes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_TAIL = 0.975
Z = 1.959963984540054
"""`ndtri(0.975)`: 95% of a normal distribution lie within so many deviations."""


@dataclass(frozen=True)
class Interval:
    """A figure with its 95% interval. `n` is how many it was counted over; without any, the figures are `None`."""

    value: float | None
    low: float | None
    high: float | None
    n: float


def wilson(hits: float, n: float) -> Interval:
    """A proportion, 0..1, by the score method (Wilson 1927; method 3 of Newcombe, Statistics in Medicine 17:857)."""
    if n <= 0:
        return Interval(None, None, None, 0)
    share, width = hits / n, Z * Z / n
    centre = (share + width / 2) / (1 + width)
    half = math.sqrt(max(share * (1 - share), 0) * width + width * width / 4) / (1 + width)
    low = 0.0 if hits <= 0 else centre - half
    high = 1.0 if hits >= n else centre + half
    return Interval(share, low, high, n)


def difference(first: Interval, second: Interval) -> Interval:
    """`first` - `second`, two independent proportions, from their Wilson intervals.

    Method 10 of Newcombe, Statistics in Medicine 17:873 (1998). Nothing where one of them was not counted.
    """
    n = first.n + second.n
    if first.value is None or second.value is None:
        return Interval(None, None, None, n)
    apart = first.value - second.value
    below = math.hypot(first.value - (first.low or 0), (second.high or 0) - second.value)
    above = math.hypot((first.high or 0) - first.value, second.value - (second.low or 0))
    return Interval(apart, apart - below, apart + above, n)


def lift(first: Interval, second: Interval) -> Interval:
    """`first` / `second` - 1, two independent proportions: the interval of the ratio's logarithm.

    Katz, Baptista, Azen and Pike, Biometrics 34:469 (1978). Nothing where either is 0.
    """
    n = first.n + second.n
    if not first.value or not second.value:
        return Interval(None, None, None, n)
    ratio = first.value / second.value
    error = math.sqrt((1 - first.value) / (first.value * first.n) + (1 - second.value) / (second.value * second.n))
    return Interval(ratio - 1, ratio * math.exp(-Z * error) - 1, ratio * math.exp(Z * error) - 1, n)


def mean(values: Sequence[float]) -> Interval:
    """A mean by Student's t; with many values this is the mean ± 1.96 sd / sqrt(n) of LittleMu, Table 3.

    One value has a mean and no interval.
    """
    from scipy.special import stdtrit  # noqa: PLC0415

    n = len(values)
    if not n:
        return Interval(None, None, None, 0)
    middle = math.fsum(values) / n
    if n == 1:
        return Interval(middle, None, None, 1)
    spread = math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (n - 1))
    half = float(stdtrit(n - 1, _TAIL)) * spread / math.sqrt(n)
    return Interval(middle, middle - half, middle + half, n)


def chi_square(observed: Sequence[float], expected: Sequence[float], *, freedom: int | None = None) -> float:
    """The p value of Pearson's test that counts come from `expected`, whose sum is theirs (scipy.stats.chisquare).

    `freedom` is one less than the counts where it is not given.
    """
    from scipy.special import chdtrc  # noqa: PLC0415

    apart = math.fsum((seen - hoped) ** 2 / hoped for seen, hoped in zip(observed, expected, strict=True))
    return float(chdtrc(len(observed) - 1 if freedom is None else freedom, apart))


def count_needed(share: float, relative: float) -> int | None:
    """How many per bucket show a rise of `share` by `relative` of itself in 80 of 100 experiments, at 5% two-sided.

    Fleiss, Statistical Methods for Rates and Proportions, 3.14, as R's `power.prop.test`; `None` where no such rise
    exists.
    """
    from scipy.special import ndtri  # noqa: PLC0415

    other = share * (1 + relative)
    if not (0 < share < 1 and 0 < other < 1) or not relative:
        return None
    middle = (share + other) / 2
    alone = Z * math.sqrt(2 * middle * (1 - middle))
    power = float(ndtri(0.8)) * math.sqrt(share * (1 - share) + other * (1 - other))
    return math.ceil(((alone + power) / (other - share)) ** 2)


def exact_low(hits: int, n: int, confidence: float) -> float:
    """The least share, 0..1, that `hits` of `n` are still likely with: the one-sided exact bound.

    Clopper and Pearson, Biometrika 26:404 (1934). 0 where nothing was counted.
    """
    from scipy.special import betaincinv  # noqa: PLC0415

    return float(betaincinv(hits, n - hits + 1, 1 - confidence)) if hits > 0 else 0.0
