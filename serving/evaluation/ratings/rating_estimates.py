"""Means of ratings with two intervals: the paper's, and one that knows that ratings are not independent.

The paper's is mean ± 1.96 sd / sqrt(n) over all labels (LittleMu, Table 3), which takes two ratings of one answer, and
answers of one conversation, for independent. The wider adds what raters differ by. Pure.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from models.statistics.intervals import Interval, mean
from serving.evaluation.ratings.human_ratings import RatedFile, RatedSystem
from serving.evaluation.ratings.joined_ratings import answers_of

PUBLISHED_Z = 1.96
_TAIL = 0.975


@dataclass(frozen=True)
class Estimate:
    """One system's mean of one aspect, 0..2. `as_written` counts every number in the files, impossible ones too;
    `published_way` and `widened` count ratings of 0, 1 and 2. `impossible` is how many numbers are none of these."""

    as_written: Interval
    published_way: Interval
    widened: Interval
    impossible: int


def estimate(system: RatedSystem, aspect: int, *, copied: Sequence[str] = ()) -> Estimate:
    """The mean of the aspect with this place in `ASPECTS`. `copied` are parts without an independent second rating."""
    written, scores = system.numbers_of(aspect), system.scores(aspect)
    return Estimate(
        _interval_as_published(written),
        _interval_as_published(scores),
        _wide_interval(system, aspect, copied),
        len(written) - len(scores),
    )


def mean_of_answers(system: RatedSystem, category: str) -> Interval:
    """The mean over all aspects of a category's answers, each answer's raters averaged first."""
    means = []
    for answer in answers_of(system):
        if answer.row.category == category:
            scores = [score for row in answer.rows.values() for score in row.scores if score is not None]
            means += [math.fsum(scores) / len(scores)] if scores else []
    return mean(means)


def _interval_as_published(values: Sequence[float]) -> Interval:
    n = len(values)
    if n < 2:
        return Interval(values[0] if values else None, None, None, n)
    middle = math.fsum(values) / n
    spread = math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (n - 1))
    half = PUBLISHED_Z * spread / math.sqrt(n)
    return Interval(middle, middle - half, middle + half, n)


def _wide_interval(system: RatedSystem, aspect: int, copied: Sequence[str]) -> Interval:
    """Variance between conversations (Liang and Zeger, Biometrika 73:13, 1986) and between the raters of each part.

    Two raters of a part estimate its raters' variance with one degree of freedom, so the interval is still a guess. A
    copied or single part adds none: nothing is known of its raters.
    """
    scores = system.scores(aspect)
    if len(scores) < 2:
        return Interval(scores[0] if scores else None, None, None, len(scores))
    n, middle = len(scores), math.fsum(scores) / len(scores)
    apart: defaultdict[tuple[str, str], float] = defaultdict(float)
    for file in system.files:
        for row in file.rows:
            if (score := row.scores[aspect]) is not None:
                apart[file.part, row.conversation] += score - middle
    groups = len(apart)
    if groups < 2:
        return Interval(middle, None, None, n)
    variance = groups / (groups - 1) * math.fsum(total**2 for total in apart.values()) / n**2
    parts = [files for part, files in system.parts().items() if part not in copied]
    variance += math.fsum(_rater_variance(files, aspect, n) for files in parts)
    from scipy.special import stdtrit  # noqa: PLC0415  0.2 s, and every build loads this module

    half = float(stdtrit(groups - 1, _TAIL)) * math.sqrt(variance)
    return Interval(middle, max(0.0, middle - half), min(2.0, middle + half), n)


def _rater_variance(files: Sequence[RatedFile], aspect: int, n: int) -> float:
    """What choosing other raters for a part would add to the variance of the mean of all `n` ratings."""
    given = [[score for row in file.rows if (score := row.scores[aspect]) is not None] for file in files]
    means = [math.fsum(scores) / len(scores) for scores in given if scores]
    raters = len(means)
    if raters < 2:
        return 0.0
    middle = math.fsum(means) / raters
    share = sum(map(len, given)) / n
    return share**2 * math.fsum((one - middle) ** 2 for one in means) / (raters * (raters - 1))
