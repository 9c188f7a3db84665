"""Cuts with a promise: a score above which at most a stated share is wrong, with a stated confidence.

Belongs here: mathematics over scores and labels, whatever they are of. A score above a cut is *accepted* (called chat,
answered directly) and every accepted item is right or *wrong*; the risk of a cut is the share of wrong ones among those
it accepts. What is accepted and what is wrong is the caller's to say, and what is done with a cut too. Probabilities
that mean what they say are temperature.py's.

A promise is about new questions of the same kind as the labelled ones. These have to be independent of each other: the
same text twice is one observation, not two. Callers drop repeats first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]

CUTS: Floats = np.arange(100) / 100
"""The cuts that are tried. Fixed beforehand, as the tests below need it; the step is a choice."""

STARTS = (1, 4, 16)
"""Testing begins at the highest cut that accepts this many times the fewest questions that could keep the promise: the
first start serves few labels, the others give many labels their power. A choice, made on simulated labels."""

ENOUGH = 4
"""A part gets a cut of its own when this many times the fewest questions that could keep the promise lie above the
lowest cut. A choice."""


@dataclass(frozen=True)
class RiskPromise:
    """A score above `cut` is accepted, and with confidence `1 - delta` at most the share `risk` of those is wrong.

    `cut` is None when no cut keeps the promise: then nothing may be accepted.
    """

    cut: float | None
    risk: float
    delta: float
    questions: int
    """Labelled questions the cut was chosen on."""
    accepted: int
    """How many of them the cut accepts."""
    errors: int
    """How many of those are wrong."""
    upper_bound: float
    """Exact bound of the risk at the level of the test, 0..1; 1 without a cut."""

    @property
    def coverage(self) -> float:
        """Share of the labelled questions that the cut accepts, 0..1."""
        return self.accepted / self.questions if self.questions else 0.0


@dataclass(frozen=True)
class QuestionPart:
    """Some of the questions, by the names of their kinds, with a promise of their own."""

    names: tuple[str, ...]
    promise: RiskPromise


@dataclass(frozen=True)
class Cuts:
    """One cut for all and, where `parts` is not empty, a cut for each part, which then take its place.

    All promises hold together with confidence `1 - delta`. When every part keeps its own, so does the whole.
    """

    overall: RiskPromise
    parts: tuple[QuestionPart, ...]


@dataclass(frozen=True)
class PromiseVerdict:
    """What later labels say of a promise."""

    risk: float
    confidence: float
    accepted: int
    errors: int
    lower_bound: float
    """With this confidence the risk is at least this high, 0..1."""

    @property
    def is_broken(self) -> bool:
        """The promise is refuted, not merely missed by chance."""
        return self.lower_bound > self.risk


def choose_cut(scores: Floats, wrong: Bools, *, risk: float, delta: float, lowest: float = 0.0) -> RiskPromise:
    """The cut of `CUTS`, from `lowest` up, that accepts most at a risk of at most `risk`, save with chance `delta`.

    `scores`: (n,), finite. `wrong`: (n,), whether accepting the item would be an error. Fixed-sequence testing
    (Angelopoulos et al. 2021, Learn then Test, algorithm 1) with the exact binomial tail as p-value: from a high cut
    downwards as long as the hypothesis "the risk is higher" is rejected, from each of `STARTS` at an equal share of
    `delta`. As the starts depend on how many scores lie above a cut, `delta` is exact when lower scores are wrong no
    less often than higher ones; cuts that only few scores reach are the only ones concerned.
    Geifman & El-Yaniv 2017 (SGR) bound the same risk for a cut found by bisection.

    Equally many accepted: the higher cut. No labels, too few, or all wrong: no cut. Raises `ValueError` for lengths
    that differ, scores that are not finite, and a risk or delta outside (0, 1).
    """
    _require(scores, wrong, risk=risk, delta=delta)
    cuts = CUTS[lowest <= CUTS]
    accepted, errors = _above(scores, cuts), _above(scores[wrong], cuts)
    starts = _starts(accepted, fewest_accepted(risk, delta))
    level = delta / len(starts)
    bounds = upper_bound(errors, accepted, level)
    place = _lowest_kept(accepted, bounds <= risk, [start * fewest_accepted(risk, level) for start in starts])
    if place is None:
        return RiskPromise(None, risk, delta, len(scores), 0, 0, 1.0)
    return RiskPromise(
        cut=float(cuts[place]),
        risk=risk,
        delta=delta,
        questions=len(scores),
        accepted=int(accepted[place]),
        errors=int(errors[place]),
        upper_bound=float(bounds[place]),
    )


def choose_cuts(
    scores: Floats,
    wrong: Bools,
    names: Sequence[str],
    *,
    order: Sequence[str],
    risk: float,
    delta: float,
    lowest: float = 0.0,
) -> Cuts:
    """A cut for each part when every part keeps the promise by itself, else one cut for all.

    `names` says of what kind each score is, `order` which kinds are neighbours: from the last to the first, kinds
    are joined until a part has `ENOUGH` scores above `lowest`. That looks at no label, so it costs no confidence. Half
    of `delta` goes to the one cut, half to the parts in equal shares; all of it to the one cut if there is one part.
    """
    _require(scores, wrong, risk=risk, delta=delta)
    if len(names) != len(scores):
        raise ValueError(f"Expected one name per score; found {len(names)} names for {len(scores)} scores.")
    kinds = np.array(names, dtype=object)
    candidates = {name: int((scores[kinds == name] > lowest).sum()) for name in order}
    enough = ENOUGH * fewest_accepted(risk, delta / 2 / len(order))
    joined = _join(order, candidates, enough)
    if len(joined) < 2:
        return Cuts(choose_cut(scores, wrong, risk=risk, delta=delta, lowest=lowest), ())
    parts = []
    for some in joined:
        inside = np.isin(kinds, some)
        own = choose_cut(scores[inside], wrong[inside], risk=risk, delta=delta / 2 / len(joined), lowest=lowest)
        parts.append(QuestionPart(some, own))
    overall = choose_cut(scores, wrong, risk=risk, delta=delta / 2, lowest=lowest)
    kept = all(part.promise.cut is not None for part in parts)
    return Cuts(overall, tuple(parts) if kept else ())


def judge(wrong: Bools, *, risk: float, confidence: float) -> PromiseVerdict:
    """Whether later labels refute a promise. `wrong`: (accepted,), one for each question the cut accepted.

    The bound is the exact binomial one from below (Clopper & Pearson 1934), one-sided. Nothing accepted refutes
    nothing. Raises `ValueError` for a risk or confidence outside (0, 1).
    """
    _require_shares(risk=risk, confidence=confidence)
    errors, accepted = int(wrong.sum()), len(wrong)
    bound = float(betaincinv(errors, accepted - errors + 1, 1 - confidence)) if errors else 0.0
    return PromiseVerdict(risk, confidence, accepted, errors, bound)


def upper_bound(errors: Counts, accepted: Counts, delta: float) -> Floats:
    """One-sided exact binomial bound (Clopper & Pearson 1934): the share is at most this with confidence `1 - delta`.

    1 where nothing was accepted or all of it was wrong.
    """
    right = accepted - errors
    bounds: Floats = np.where(right > 0, betaincinv(errors + 1, np.maximum(right, 1), 1 - delta), 1.0)
    return bounds


def fewest_accepted(risk: float, delta: float) -> int:
    """How many must be accepted, none of them wrong, before any promise can be kept: (1 - risk)^n <= delta."""
    return math.ceil(math.log(delta) / math.log1p(-risk))


def _starts(accepted: Counts, fewest: int) -> list[int]:
    """Those of `STARTS` that the lowest cut accepts questions enough for; the first in any case."""
    most = int(accepted.max(initial=0))
    return [start for start in STARTS if start == STARTS[0] or start * fewest <= most]


def _lowest_kept(accepted: Counts, kept: Bools, starts: Sequence[int]) -> int | None:
    """The place of the cut that accepts most of those a sequence reaches; None when every sequence ends at once."""
    found = None
    for start in starts:
        enough = np.flatnonzero(accepted >= start)
        first = int(enough[-1]) if len(enough) else -1
        failed = np.flatnonzero(~kept[: first + 1])
        reached = int(failed[-1]) + 1 if len(failed) else 0
        if reached <= first:
            same = int(np.flatnonzero(accepted[: first + 1] == accepted[reached])[-1])
            found = same if found is None else min(found, same)
    return found


def _join(order: Sequence[str], candidates: dict[str, int], enough: int) -> list[tuple[str, ...]]:
    parts: list[tuple[str, ...]] = []
    gathered: tuple[str, ...] = ()
    for name in reversed(order):
        gathered = (name, *gathered)
        if sum(candidates[one] for one in gathered) >= enough:
            parts.insert(0, gathered)
            gathered = ()
    if gathered and parts:
        parts[0] = (*gathered, *parts[0])
    return parts


def _above(scores: Floats, cuts: Floats) -> Counts:
    counts: Counts = len(scores) - np.searchsorted(np.sort(scores), cuts, side="right")
    return counts


def _require(scores: Floats, wrong: Bools, **shares: float) -> None:
    _require_shares(**shares)
    if scores.shape != wrong.shape or scores.ndim != 1:
        raise ValueError(f"Expected one label per score; found {wrong.shape} labels for {scores.shape} scores.")
    if not np.isfinite(scores).all():
        raise ValueError(f"Scores must be finite; found {int((~np.isfinite(scores)).sum())} NaN or infinite.")


def _require_shares(**shares: float) -> None:
    for name, share in shares.items():
        if not 0 < share < 1:
            raise ValueError(f"The {name} must lie between 0 and 1, both excluded; found {share}.")
