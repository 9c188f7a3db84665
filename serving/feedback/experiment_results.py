"""What an experiment showed, by variant: coverage and thumbs up, and how far they are apart. Pure.

People are put into buckets, answers are counted; one person's answers are alike. So the counts behind each interval
are divided by the design effect of the cluster "person" (Rao and Scott, Biometrics 48:577, 1992) before Wilson's
interval, Newcombe's difference and Katz's lift are taken: an interval from 1,000 answers of ten people is that of a
few answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.statistics.intervals import Interval, count_needed, difference, lift, wilson
from serving.feedback.experiments import MISMATCH, Variant, sample_ratio

NOTICEABLE = 0.1
"""The relative rise over the first variant that the needed sample is computed for. A choice; the paper's: .12-.75."""


@dataclass(frozen=True)
class Sums:
    """Over the `people` of a variant with at least one trial: x trials and y successes each.

    A trial is a question and its success an answer, or a thumb and its success a thumb up.
    """

    people: int = 0
    x: int = 0
    y: int = 0
    xx: int = 0
    xy: int = 0
    yy: int = 0


@dataclass(frozen=True)
class VariantRate:
    """The rate of a variant, and against the first variant its difference and lift (0.12 is 12% higher).

    `needed` is how many trials per variant would show a rise by `NOTICEABLE`, the design effect counted in.
    """

    trials: int
    successes: int
    people: int
    design_effect: float
    rate: Interval
    difference: Interval | None
    lift: Interval | None
    needed: int | None


@dataclass(frozen=True)
class VariantResult:
    name: str
    weight: float
    people: int
    coverage: VariantRate
    thumbs_up: VariantRate


@dataclass(frozen=True)
class ExperimentOutcome:
    """`sample_ratio` is a p value, `None` before anybody took part. `warnings` are sentences."""

    variants: tuple[VariantResult, ...]
    sample_ratio: float | None
    warnings: tuple[str, ...]


def results_of(
    variants: Sequence[Variant],
    exposed: Mapping[str, int],
    coverage: Mapping[str, Sums],
    thumbs_up: Mapping[str, Sums],
) -> ExperimentOutcome:
    """`exposed` are the people of each variant, the sums what their answers came to; a variant may be missing."""
    covered = _rates_of([coverage.get(one.name, Sums()) for one in variants])
    liked = _rates_of([thumbs_up.get(one.name, Sums()) for one in variants])
    p = sample_ratio(exposed, {one.name: one.weight for one in variants})
    results = tuple(
        VariantResult(one.name, one.weight, exposed.get(one.name, 0), *pair)
        for one, *pair in zip(variants, covered, liked, strict=True)
    )
    return ExperimentOutcome(results, p, tuple(_warnings(results, p)))


def design_effect(sums: Sums) -> float:
    """The variance of the rate over people by that over independent trials; at least 1.

    The variance is that of a ratio of sums by linearisation (Cochran, Sampling Techniques, 6.4).
    """
    if sums.people < 2 or not 0 < sums.y < sums.x:
        return 1.0
    rate = sums.y / sums.x
    squares = sums.yy - 2 * rate * sums.xy + rate * rate * sums.xx
    clustered = squares * sums.people / (sums.people - 1) / sums.x**2
    return max(clustered / (rate * (1 - rate) / sums.x), 1.0)


def _rates_of(listed: Sequence[Sums]) -> list[VariantRate]:
    effects = [design_effect(sums) for sums in listed]
    rates = [wilson(sums.y / effect, sums.x / effect) for sums, effect in zip(listed, effects, strict=True)]
    first = rates[0].value
    wanted = None if first is None else count_needed(first, NOTICEABLE)
    return [
        VariantRate(
            trials=sums.x,
            successes=sums.y,
            people=sums.people,
            design_effect=effect,
            rate=rate,
            difference=difference(rate, rates[0]) if place else None,
            lift=lift(rate, rates[0]) if place else None,
            needed=None if wanted is None else round(wanted * effects[0]),
        )
        for place, (sums, effect, rate) in enumerate(zip(listed, effects, rates, strict=True))
    ]


def _warnings(results: Sequence[VariantResult], p: float | None) -> list[str]:
    warnings = []
    if p is not None and p < MISMATCH:
        seen = ", ".join(f"{one.name} {one.people}" for one in results)
        warnings.append(
            f"Sample ratio mismatch (p = {p:.2g}): people did not fall into the buckets by their weights ({seen}). "
            "Do not use these results; look for what keeps people out of a bucket."
        )
    for what in ("coverage", "thumbs_up"):
        measured: list[VariantRate] = [getattr(one, what) for one in results]
        short = [one.name for one, found in zip(results, measured, strict=True) if found.trials < (found.needed or 0)]
        if short:
            named = what.replace("_", " ")
            warnings.append(
                f"Too few yet for a rise in {named} by {NOTICEABLE:.0%} to show (80% power): {', '.join(short)} of "
                f"{measured[0].needed} each."
            )
    return warnings
