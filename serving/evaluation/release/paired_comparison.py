"""Two systems on the same questions: what differs, by how much, and whether that is more than chance and noise.

Pure. The tests are `models.statistics.paired`'s; what is compared, and what a loss means, is `release_gate`'s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from scipy.stats import binom

from models.statistics.paired import LEVEL, RESAMPLES, SEED, Difference, Floats, difference, holm, mcnemar, resamples

Verdict = Literal["worse", "no difference shown", "better"]

SPLITS = 1000
"""Halvings of a set of questions. A choice: their 95th percentile then moves by less than a tenth of itself."""

POWER = 0.8
"""How often a loss must be seen that counts as one that can be seen, as in Cohen 1988."""

_SAME = 1e-12


@dataclass(frozen=True)
class PairedMeasure:
    """One measure, 0..1 for each question, before and after. `difference` is after minus before.

    `p` is two-sided and alone, `p_holm` after Holm's correction over all measures that were compared together. `floor`
    is the noise floor, 0..1. `only_before` and `only_after` count the questions that were right on one side only; they
    are `None` for measures with values between 0 and 1.
    """

    measure: str
    questions: int
    before: float
    after: float
    difference: Difference
    p: float
    p_holm: float
    floor: float
    only_before: int | None = None
    only_after: int | None = None

    @property
    def verdict(self) -> Verdict:
        """Worse or better only when that is beyond chance and beyond the noise floor."""
        if self.p_holm > LEVEL or abs(self.difference.value) <= self.floor:
            return "no difference shown"
        return "worse" if self.difference.value < 0 else "better"


def compare(
    before: Mapping[str, Sequence[float]],
    after: Mapping[str, Sequence[float]],
    *,
    floors: Mapping[str, float],
    seed: int = SEED,
) -> tuple[PairedMeasure, ...]:
    """Every measure of two systems, in the order of `before`; values of a measure belong to the same questions.

    Where every value is 0 or 1: McNemar's exact test. Else a permutation test that flips the signs of the differences
    (Fisher 1935; Edgington 1987), `RESAMPLES` times, seeded. Then Holm's correction (Scand. J. Statistics 6:65, 1979).
    A measure without a floor has the floor 0. Raises `ValueError` for measures without questions or of unequal length.
    """
    if set(before) != set(after):
        raise ValueError(f"Other measures before ({', '.join(before)}) than after ({', '.join(after)}).")
    alone = [_compare_measure(name, before[name], after[name], floors.get(name, 0.0), seed) for name in before]
    return tuple(replace(one, p_holm=p) for one, p in zip(alone, holm([each.p for each in alone]), strict=True))


def sign_flips(differences: Sequence[float], *, seed: int = SEED) -> float:
    """Two-sided p: how often a mean as far from 0 comes from differences whose signs are drawn by lot."""
    values = np.asarray(differences, dtype=np.float64)
    signs = np.random.default_rng(seed).choice(np.array([-1.0, 1.0]), size=(RESAMPLES, len(values)))
    as_far = np.abs(signs @ values) >= abs(values.sum()) - _SAME
    return float((1 + as_far.sum()) / (1 + RESAMPLES))


def floor_of_equals(figures: Sequence[float]) -> float:
    """The noise floor from one system's figure on equally good sets of questions: the 95th percentile of how far two
    of them are apart. Raises `ValueError` for fewer than two."""
    if len(figures) < 2:
        raise ValueError("A noise floor needs figures of two sets of questions or more.")
    return float(np.percentile([abs(one - other) for one, other in combinations(figures, 2)], 95))


def floor_of_halves(values: Sequence[float], *, seed: int = SEED) -> float:
    """The noise floor where there is one set alone: how far the means of its random halves are apart, 95th percentile.

    Halves hold half the questions, so this is on the careful side. Raises `ValueError` for fewer than two values.
    """
    if len(values) < 2:
        raise ValueError("Halves need two questions or more.")
    listed, half = np.asarray(values, dtype=np.float64), len(values) // 2
    drawn = np.random.default_rng(seed).permuted(np.tile(listed, (SPLITS, 1)), axis=1)
    apart = drawn[:, :half].mean(axis=1) - drawn[:, half : 2 * half].mean(axis=1)
    return float(np.percentile(np.abs(apart), 95))


def smallest_loss(questions: int, measures: int, floor: float) -> float:
    """The smallest share of questions that a change must spoil to be seen with probability `POWER`, by a 0/1 measure.

    As if nothing else got better, and each question were spoilt independently; all `measures` are corrected for. 1.0
    where no loss could be seen.
    """
    needed = next((lost for lost in range(1, questions + 1) if _is_seen(lost, questions, measures, floor)), None)
    if needed is None:
        return 1.0
    shares = np.arange(1, 1001) / 1000
    seen = binom.sf(needed - 1, questions, shares)
    return float(shares[int(np.argmax(seen >= POWER))])


def _is_seen(lost: int, questions: int, measures: int, floor: float) -> bool:
    return mcnemar(0, lost) * measures <= LEVEL and lost / questions > floor


def _compare_measure(
    name: str, before: Sequence[float], after: Sequence[float], floor: float, seed: int
) -> PairedMeasure:
    if not before or len(before) != len(after):
        raise ValueError(f"{name}: expected as many values after as before, found {len(after)} and {len(before)}.")
    first, second = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    apart: Floats = second - first
    means: Floats = (resamples(len(apart), seed) @ apart) / len(apart)
    is_binary = bool(np.isin(np.concatenate([first, second]), (0.0, 1.0)).all())
    lost, gained = int((apart < 0).sum()), int((apart > 0).sum())
    p = mcnemar(gained, lost) if is_binary else sign_flips(apart.tolist(), seed=seed)
    sides = (lost, gained) if is_binary else (None, None)
    return PairedMeasure(
        name, len(apart), float(first.mean()), float(second.mean()), difference(means), p, p, floor, *sides
    )
