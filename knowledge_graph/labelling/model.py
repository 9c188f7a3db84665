"""`LabelModel`: how far each labelling function can be trusted, learnt from how they agree, without labels.

Naive Bayes over votes with a hidden class (Dawid and Skene 1979; as a label model in Ratner et al. 2016): each function
has one distribution over yes, no and abstain for items that are and one for items that are not, so a function that is
right only when it says no is weighed as such. Learnt by EM; stated beliefs keep a small course from being misread.

Votes are weighed against silence, so that an item on which nobody votes keeps the prior. Functions that say the same
share one voice (`independence`).
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
_CHANCE = 9.0
"""Times 1 / items: a squared correlation below it is none. Three deviations of that of two independent functions."""


@dataclass(frozen=True)
class LabelModel:
    """A fitted model. `table[c, f, v]` is P(function f votes v - 1 | class c), classes no and yes; each row sums to 1.

    `prior` is P(yes) where nobody votes. `shares[f]`, above 0 and at most 1, is how far function f counts.
    """

    names: tuple[str, ...]
    prior: float
    table: Floats
    shares: Floats

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

        `prior`, 0 to 1, is stated, not learnt: EM would drift to what functions share.
        `beliefs` are accuracies between 0.5 and 1, one for each function, and worth `strength` items. `gold` fixes the
        class of rows that people labelled (semi-supervised). Deterministic. Raises `ValueError` when a function has no
        belief or a number is out of range.
        """
        _check(names, votes, prior, beliefs)
        stated = _table_of_beliefs(names, votes, prior, beliefs)
        model = cls(tuple(names), prior, stated, independence(votes, np.full(len(votes), prior)))
        if not len(votes):
            return model
        belief = model._expect(votes, gold)
        for _ in range(_ROUNDS):
            model = cls(tuple(names), prior, _table(votes, belief, stated * strength), independence(votes, belief))
            now = model._expect(votes, gold)
            moved = float(np.abs(now - belief).max())
            belief = now
            if moved < _SETTLED:
                break
        return model

    def probabilities(self, votes: Votes, *, gold: Mapping[int, bool] | None = None) -> Floats:
        """P(yes | votes) of each item; 1 or 0 for rows in `gold`."""
        return _with_gold_labels(gold, self.log_odds(votes))

    def log_odds(self, votes: Votes) -> Floats:
        """The natural logarithm of P(yes) / P(no) of each item; that of the prior where nobody votes."""
        silent: Floats = self._vote_weights(np.zeros((1, votes.shape[1]), dtype=np.int8))
        found: Floats = self._vote_weights(votes) - silent + self._prior_odds
        return found

    @property
    def _prior_odds(self) -> float:
        return float(np.log(self.prior / (1 - self.prior)))

    def _expect(self, votes: Votes, gold: Mapping[int, bool] | None) -> Floats:
        """The E step, in which the prior is the share of yes among all items."""
        return _with_gold_labels(gold, self._vote_weights(votes) + self._prior_odds)

    def _vote_weights(self, votes: Votes) -> Floats:
        weights = np.log(self.table[1] / self.table[0]) * self.shares[:, None]
        total: Floats = np.zeros(len(votes))
        for place, value in enumerate(_VALUES):
            total += (votes == value).astype(np.float64) @ weights[:, place]
        return total


def independence(votes: Votes, belief: Floats) -> Floats:
    """How far each function's voice is its own: 1 / (sum of its squared correlations with all, itself included).

    Naive Bayes takes functions for independent; three that say the same would count three times. With these weights
    they count once together. Correlated is the saying of the same thing, yes or no, within the classes, given P(yes) of
    each item in `belief`: that good functions agree because both are right is no dependence, and that one speaks where
    another is silent is none either. Of a square what chance gives so few items is taken off.
    """
    together = np.zeros((votes.shape[1],) * 2)
    for said in (votes == 1, votes == -1):
        spoken = said.astype(np.float64)
        for weights in (belief, 1 - belief):
            apart = spoken - weights @ spoken / max(float(weights.sum()), _FLOOR)
            together += (apart * weights[:, None]).T @ apart
    spread = np.sqrt(np.diag(together))
    unit = np.where(spread > _FLOOR, spread, np.inf)
    chance = min(1.0, _CHANCE / max(1, len(votes)))
    same = np.maximum(0, np.maximum(0, together / unit / unit[:, None]) ** 2 - chance) / max(_FLOOR, 1 - chance)
    np.fill_diagonal(same, 1)
    shares: Floats = 1 / same.sum(axis=1)
    return shares


def _with_gold_labels(gold: Mapping[int, bool] | None, log_odds: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-log_odds))
    for row, label in (gold or {}).items():
        found[row] = float(label)
    return found


def _check(names: Sequence[str], votes: Votes, prior: float, beliefs: Mapping[str, float]) -> None:
    if votes.ndim != 2 or votes.shape[1] != len(names):
        raise ValueError(f"Expected votes of shape (items, {len(names)}), found {votes.shape}.")
    if not 0 < prior < 1:
        raise ValueError(f"Expected a prior between 0 and 1, found {prior}.")
    if set(beliefs) != set(names) or not all(0.5 <= value < 1 for value in beliefs.values()):
        raise ValueError(f"Expected a belief from 0.5 to below 1 for each of {list(names)}, found {dict(beliefs)}.")


def _table_of_beliefs(names: Sequence[str], votes: Votes, prior: float, beliefs: Mapping[str, float]) -> Floats:
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
