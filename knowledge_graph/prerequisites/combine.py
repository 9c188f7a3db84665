"""From votes to a probability per ordered pair, and to the cut from which pairs are accepted.

Belongs here: what is particular to prerequisites: a pair holds in one direction at most, and the cut is the one that is
expected to serve best. The label model itself is in `labelling`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.labelling.functions import VoteMatrix
from knowledge_graph.labelling.model import LabelModel
from knowledge_graph.prerequisites.pairs import Pairs
from knowledge_graph.prerequisites.votes import BELIEFS

Floats = NDArray[np.float64]

PRIOR = 0.2
"""P(prerequisite) of an ordered pair that a course talks of together: people who labelled such pairs of programming and
machine learning courses found one in four to one in ten."""
MOST_FITTED = 20_000
"""Pairs that the model is fitted to; of more, every n-th is taken, as they say nothing new."""
SURE = 1 - 1e-6
"""Probability of what a dataset states; a teacher's word is 1."""


@dataclass(frozen=True)
class Combined:
    """Probabilities of the pairs, in their order, and the cut: pairs from `cut` on are accepted."""

    probabilities: Floats
    cut: float


def combine(
    matrix: VoteMatrix, pairs: Pairs, *, size: int, most: int, gold: Mapping[int, bool] | None = None
) -> Combined:
    """Fit the label model to the votes on `pairs` of `size` concepts and cut so that about `most` are accepted at most.

    `gold` are labels that people gave, by row.
    """
    gold = gold or {}
    rows = _rows_to_fit(len(pairs), gold)
    place = {row: new for new, row in enumerate(rows.tolist())}
    model = LabelModel.fit(
        matrix.names,
        matrix.votes[rows],
        prior=PRIOR,
        beliefs={name: BELIEFS[name] for name in matrix.names},
        gold={place[row]: label for row, label in gold.items()},
        strength=float(max(1, len(rows))),
    )
    found = one_direction(model.log_odds(matrix.votes), pairs, size=size)
    for row, label in gold.items():
        found[row] = SURE if label else 1 - SURE
    return Combined(found, best_cut(found, most=most))


def one_direction(log_odds: Floats, pairs: Pairs, *, size: int) -> Floats:
    """Probabilities when at most one of "a before b" and "b before a" holds: odds of each and of neither, shared.

    None is surer than what a dataset states.
    """
    odds = np.zeros((size, size))
    odds[pairs.a, pairs.b] = np.exp(np.clip(log_odds, -30, 30))
    there, back = odds[pairs.a, pairs.b], odds[pairs.b, pairs.a]
    found: Floats = np.clip(there / (1 + there + back), 1 - SURE, SURE)
    return found


def best_cut(probabilities: Floats, *, most: int) -> float:
    """The smallest probability to accept so that expected F1 is largest with at most `most`; 1 when there are none.

    Accepting the k surest pairs finds the sum of their probabilities, so E[F1] is about 2 * sum_k / (k + sum_all)
    (Lipton et al. 2014).
    """
    ranked = np.sort(probabilities)[::-1]
    if not len(ranked) or ranked[0] <= 0:
        return 1.0
    expected = 2 * np.cumsum(ranked) / (np.arange(1, len(ranked) + 1) + ranked.sum())
    return float(ranked[int(np.argmax(expected[: max(1, most)]))])


def _rows_to_fit(count: int, gold: Mapping[int, bool]) -> NDArray[np.intp]:
    step = max(1, -(-count // MOST_FITTED))
    return np.union1d(np.arange(0, count, step), np.array(sorted(gold), dtype=np.intp)).astype(np.intp)
