"""`LabelModel`: how far each labelling function can be trusted, learnt from how they agree, without labels.

Naive Bayes over votes with a hidden class (Dawid and Skene 1979; as a label model in Ratner et al. 2016): each function
has one distribution over yes, no and abstain for items that are and one for items that are not, so a function that is
right only when it says no is weighed as such. Learnt by EM; stated beliefs keep a small course from being misread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Votes = NDArray[np.int8]
Floats = NDArray[np.float64]

_ROUNDS, _SETTLED = 200, 1e-6
_VALUES = (-1, 0, 1)
_FLOOR = 1e-4  # a vote never proves anything alone


@dataclass(frozen=True)
class LabelModel:
    """A fitted model. `table[c, f, v]` is P(function f votes v - 1 | class c), classes no and yes; each row sums to 1.

    `prior` is P(yes) before anyone has voted.
    """

    names: tuple[str, ...]
    prior: float
    table: Floats

    @classmethod
    def fit(
        cls,
        names: Sequence[str],
        votes: Votes,
        *,
        prior: float,
        beliefs: Mapping[str, float],
        strength: float,
        gold: Mapping[int, bool] | None = None,
    ) -> "LabelModel":
        """Fit to `votes` (items x functions, in -1, 0, 1).

        `prior`, 0 to 1, is stated, not learnt: where functions depend on each other EM would drift to what they share.
        `beliefs` are accuracies between 0.5 and 1, one for each function, and worth `strength` items. `gold` fixes the
        class of rows that people labelled (semi-supervised). Deterministic. Raises `ValueError` when a function has no
        belief or a number is out of range.
        """
        _check(names, votes, prior, beliefs)
        stated = _stated_table(names, votes, prior, beliefs)
        model = cls(tuple(names), prior, stated)
        if not len(votes):
            return model
        belief = model.probabilities(votes, gold=gold)
        for _ in range(_ROUNDS):
            model = cls(tuple(names), prior, _table(votes, belief, stated * strength))
            now = model.probabilities(votes, gold=gold)
            moved = float(np.abs(now - belief).max())
            belief = now
            if moved < _SETTLED:
                break
        return model

    def probabilities(self, votes: Votes, *, gold: Mapping[int, bool] | None = None) -> Floats:
        """P(yes | votes) of each item; 1 or 0 for rows in `gold`."""
        found: Floats = 1 / (1 + np.exp(-self.log_odds(votes)))
        for row, label in (gold or {}).items():
            found[row] = float(label)
        return found

    def log_odds(self, votes: Votes, *, shares: Floats | None = None) -> Floats:
        """The natural logarithm of P(yes) / P(no) of each item; `shares`, 0..1, say how far each function counts."""
        weights = np.log(self.table[1] / self.table[0]) * (1.0 if shares is None else shares[:, None])
        total: Floats = np.full(len(votes), np.log(self.prior / (1 - self.prior)))
        for place, value in enumerate(_VALUES):
            total += (votes == value).astype(np.float64) @ weights[:, place]
        return total


def _check(names: Sequence[str], votes: Votes, prior: float, beliefs: Mapping[str, float]) -> None:
    if votes.ndim != 2 or votes.shape[1] != len(names):
        raise ValueError(f"Expected votes of shape (items, {len(names)}), found {votes.shape}.")
    if not 0 < prior < 1:
        raise ValueError(f"Expected a prior between 0 and 1, found {prior}.")
    if set(beliefs) != set(names) or not all(0.5 <= value < 1 for value in beliefs.values()):
        raise ValueError(f"Expected a belief from 0.5 to below 1 for each of {list(names)}, found {dict(beliefs)}.")


def _stated_table(names: Sequence[str], votes: Votes, prior: float, beliefs: Mapping[str, float]) -> Floats:
    """The table that beliefs alone give: votes as frequent as seen, each shifting the odds by accuracy / (1 - it)."""
    seen = np.stack([(votes == value).mean(axis=0) if len(votes) else np.full(len(names), 1 / 3) for value in _VALUES])
    ratio = np.array([beliefs[name] / (1 - beliefs[name]) for name in names])
    odds = np.stack([1 / ratio, np.ones_like(ratio), ratio])
    no = seen / (prior * odds + 1 - prior)
    table = np.stack([no.T, (no * odds).T]) + _FLOOR
    normal: Floats = table / table.sum(axis=2, keepdims=True)
    return normal


def _table(votes: Votes, belief: Floats, pseudo: Floats) -> Floats:
    """The M step: expected counts of each vote in each class, with `pseudo` counts of what was believed."""
    counts = np.stack([(votes == value).astype(np.float64) for value in _VALUES], axis=2)
    yes, no = np.tensordot(belief, counts, axes=1), np.tensordot(1 - belief, counts, axes=1)
    table = np.stack([no, yes]) + pseudo + _FLOOR
    normal: Floats = table / table.sum(axis=2, keepdims=True)
    return normal
