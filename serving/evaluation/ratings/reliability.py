"""How far raters agree, before anything is concluded from their means.

Quadratic-weighted kappa (Cohen, Psychological Bulletin 70:213, 1968) and ordinal alpha (Krippendorff, Content
Analysis) with delete-one-conversation jackknife intervals (Efron and Stein, Annals of Statistics 9:586, 1981). Second
ratings that are copies of the first are no second ratings: they are named and left out. Pure.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

import krippendorff
import numpy as np
from numpy.typing import NDArray

from models.statistics.intervals import Interval
from serving.evaluation.ratings.human_ratings import ASPECTS, VALUES, RatedFile, RatedSystem
from serving.evaluation.ratings.joined_ratings import RatedAnswer, join

LEAST_KAPPA = 0.4
"""Below it a column is called unreliable. A choice: Landis and Koch (Biometrics 33:159, 1977) call less than 0.41 at
best fair; Krippendorff asks for more, an alpha of 0.667 for tentative conclusions."""

LEAST_COPIED = 50
"""Answers on which two raters must give the same six ratings throughout to be called a copy. A choice: raters who agree
on nine labels of ten do so on 50 answers by chance once in 10^13 times."""

MOST_GROUPS = 100
"""Groups that are left out one after the other. A choice: more cost time and change an interval by little."""

Ints = NDArray[np.int64]
FlagKind = Literal["same_file", "same_labels", "single"]


@dataclass(frozen=True)
class Flag:
    """A part whose second rating is none: its file has the bytes of the first, all its labels are the same, or there
    is no second file. `answers` are those it concerns."""

    part: str
    kind: FlagKind
    files: tuple[str, ...]
    answers: int


@dataclass(frozen=True)
class RaterAgreement:
    """Agreement on one aspect. `kappa` and `alpha` are -1..1 and `None` where undefined; `why` says why."""

    aspect: str
    kappa: Interval
    alpha: Interval
    same: float | None
    """Share of answers, 0..1, with the same rating from both."""
    why: str = ""

    @property
    def is_unreliable(self) -> bool:
        """Whether means of this aspect should not drive decisions; undefined agreement is not enough for them."""
        return self.kappa.value is None or self.kappa.value < LEAST_KAPPA


@dataclass(frozen=True)
class SystemReliability:
    """One system's agreements, in the order of `ASPECTS`, over its answers with two independent ratings."""

    system: str
    answers: int
    agreements: tuple[RaterAgreement, ...]
    flags: tuple[Flag, ...]

    @property
    def has_two_raters(self) -> bool:
        """Whether any of its answers has two independent ratings."""
        return self.answers > 0


def reliability_of(system: RatedSystem) -> SystemReliability:
    """What its raters agree on, over the parts that two of them rated independently."""
    flags: list[Flag] = []
    answers: list[RatedAnswer] = []
    for part, files in system.parts().items():
        joined = join(part, files)
        found = _flag(part, files, joined)
        if found is not None:
            flags.append(found)
        else:
            answers += [answer for answer in joined if len(answer.rows) > 1]
    agreements = tuple(agreement_on(answers, place) for place in range(len(ASPECTS)))
    return SystemReliability(system.name, len(answers), agreements, tuple(flags))


def agreement_on(answers: Sequence[RatedAnswer], aspect: int) -> RaterAgreement:
    """Agreement on the aspect with this place in `ASPECTS`, over answers with two ratings or more.

    Kappa takes the first two raters of each answer in order of their names; alpha takes all.
    """
    rated = [(answer, scores) for answer in answers if len(scores := answer.scores(aspect)) > 1]
    if not rated:
        nothing = Interval(None, None, None, 0)
        return RaterAgreement(ASPECTS[aspect], nothing, nothing, None, "no answer has two independent ratings")
    groups = _groups([(answer.part, answer.row.conversation) for answer, _ in rated])
    pairs = np.array([scores[:2] for _, scores in rated], dtype=np.int64)
    counts = np.array([[scores.count(value) for value in VALUES] for _, scores in rated], dtype=np.int64)
    kappa = jackknife(lambda kept: quadratic_kappa(pairs[kept]), groups)
    alpha = jackknife(lambda kept: ordinal_alpha(counts[kept]), groups)
    why = "" if kappa.value is not None else f"every rating is {pairs[0, 0]}: chance alone would agree as often"
    return RaterAgreement(ASPECTS[aspect], kappa, alpha, float((pairs[:, 0] == pairs[:, 1]).mean()), why)


def quadratic_kappa(pairs: Ints) -> float | None:
    """Cohen's kappa with quadratic weights from rows of two ratings; `None` if all ratings are equal."""
    return _kappa(tuple(np.bincount(pairs[:, 0] * len(VALUES) + pairs[:, 1], minlength=len(VALUES) ** 2).tolist()))


def ordinal_alpha(counts: Ints) -> float | None:
    """Krippendorff's ordinal alpha from the counts of each value per answer; `None` if only one value occurs."""
    rows, number = np.unique(counts, axis=0, return_counts=True)
    return _alpha(tuple(map(tuple, rows.tolist())), tuple(number.tolist()))


@lru_cache(maxsize=4096)
def _kappa(table: tuple[int, ...]) -> float | None:
    """Kappa from the counts of each pair of values; cached, as the jackknife asks for the same table often."""
    pairs = [(first, second) for first in VALUES for second in VALUES]
    given = [(*pair, count) for pair, count in zip(pairs, table, strict=True) if count]
    if len({value for first, second, _ in given for value in (first, second)}) < 2:
        return None
    firsts, seconds, counts = zip(*given, strict=True)
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415  3 s that a build's planning need not take

    return float(cohen_kappa_score(firsts, seconds, labels=list(VALUES), weights="quadratic", sample_weight=counts))


@lru_cache(maxsize=4096)
def _alpha(rows: tuple[tuple[int, ...], ...], number: tuple[int, ...]) -> float | None:
    counts = np.repeat(np.array(rows, dtype=np.int64), number, axis=0)
    if (counts.sum(axis=0) > 0).sum() < 2:
        return None
    return float(krippendorff.alpha(value_counts=counts, value_domain=list(VALUES), level_of_measurement="ordinal"))


def _flag(part: str, files: Sequence[RatedFile], joined: Sequence[RatedAnswer]) -> Flag | None:
    names = tuple(file.name for file in files)
    if len(files) < 2:
        return Flag(part, "single", names, len(joined))
    if len({file.content for file in files}) < len(files):
        return Flag(part, "same_file", names, len(joined))
    for one, other in combinations((file.rater for file in files), 2):
        both = [(answer.rows[one], answer.rows[other]) for answer in joined if {one, other} <= answer.rows.keys()]
        compared = [
            (left, right)
            for first, second in both
            for left, right in zip(first.scores, second.scores, strict=True)
            if left is not None and right is not None
        ]
        vary = len({left for left, _ in compared}) > 1
        if len(both) >= LEAST_COPIED and vary and all(left == right for left, right in compared):
            return Flag(part, "same_labels", names, len(both))
    return None


def _groups(keys: Sequence[Hashable]) -> Ints:
    """A number for each conversation; where there is but one, each answer is its own. Many share `MOST_GROUPS`."""
    places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([places[key] for key in keys] if len(places) > 1 else range(len(keys)), dtype=np.int64)
    return groups % MOST_GROUPS


def jackknife(figure: Callable[[NDArray[np.bool_]], float | None], groups: Ints) -> Interval:
    """A figure and its 95% interval, by leaving out one group after the other."""
    value = figure(np.ones(len(groups), dtype=bool))
    number = int(groups.max()) + 1
    without = [figure(groups != group) for group in range(number)] if number > 1 else []
    known = [one for one in without if one is not None]
    if value is None or number < 2 or len(known) < number:
        return Interval(value, None, None, len(groups))
    middle = math.fsum(known) / number
    error = math.sqrt((number - 1) / number * math.fsum((one - middle) ** 2 for one in known))
    from scipy.special import stdtrit  # noqa: PLC0415  0.2 s, and every build loads this module

    half = float(stdtrit(number - 1, 0.975)) * error
    return Interval(value, max(-1.0, value - half), min(1.0, value + half), len(groups))
