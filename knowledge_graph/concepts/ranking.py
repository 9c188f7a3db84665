"""From facts to an order: votes, the label model that weighs them, and an end model that tells ties apart.

Belongs here: data programming (Ratner et al. 2016; its end model as in Ratner et al. 2017). Votes are coarse, so many
terms share a probability; a logistic regression on the measures themselves, trained on those probabilities, learns
what the votes agree on and orders within.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.concepts.beliefs import BELIEFS
from knowledge_graph.concepts.facts import Facts
from knowledge_graph.concepts.functions import FUNCTIONS
from knowledge_graph.concepts.tagging import SEED
from knowledge_graph.labelling.analysis import FunctionReport, analyse
from knowledge_graph.labelling.functions import VoteMatrix, apply
from knowledge_graph.labelling.model import LabelModel

Floats = NDArray[np.float64]

PRIOR, SURE, MOST_LIKELY = 0.1, 12, 0.3
"""Share of candidates that are concepts: about 200 of the 2,000 that a course of 100 videos says twice. However little
is said, it is about something: a dozen concepts more, up to three in ten candidates."""
_RIDGE = 1.0
_STEPS, _SETTLED = 25, 1e-6
_LIMIT = 6.0  # log-odds of a soft label; beyond, dependent votes are only repeating each other


_MEASURES: tuple[Callable[[Facts], float], ...] = (
    lambda facts: float(facts.words > 1),
    lambda facts: float(facts.words > 2),
    lambda facts: math.log(1 + max(0.0, facts.c_value)),
    lambda facts: facts.alone,
    lambda facts: facts.absorbed,
    lambda facts: facts.rarest,
    lambda facts: facts.keyness,
    lambda facts: facts.association,
    lambda facts: facts.clumping,
    lambda facts: math.log(facts.spread),
    lambda facts: float(facts.titled),
    lambda facts: float(facts.asked),
    lambda facts: facts.graded,
    lambda facts: float(facts.generic_head),
    lambda facts: float(facts.generic_alone),
    lambda facts: math.log(1 + facts.named),
    lambda facts: math.log(1 + facts.subject),
    lambda facts: facts.proper,
    lambda facts: float(facts.term.candidate.lang == "zh" and len(facts.term.candidate.words) > 2),
    lambda facts: facts.term.candidate.first_tags[SEED] / facts.term.candidate.count,
    lambda facts: float(facts.verbal),
    lambda facts: float(facts.extends),
    lambda facts: facts.cut_off,
    lambda facts: facts.counted,
    lambda facts: math.log(1 + facts.kin),
    lambda facts: float(facts.defined),
    lambda facts: float(facts.seed),
    lambda facts: float(facts.introduced),
    lambda facts: 0.5 if facts.closeness is None else facts.closeness,
    lambda facts: math.log(1 + facts.kin_of_anchors),
    lambda facts: math.log(1 + facts.listed),
    lambda facts: facts.spoken,
    lambda facts: facts.looseness,
)
"""What the end model looks at."""


@dataclass(frozen=True)
class Ranked:
    """A term with its probability of being a concept and the votes it got, abstentions left out."""

    facts: Facts
    probability: float
    votes: dict[str, int]


@dataclass(frozen=True)
class Ranking:
    """Terms, the most probable first, and what each labelling function did."""

    terms: tuple[Ranked, ...]
    reports: tuple[FunctionReport, ...]


def likely(facts: Sequence[Facts], most: int) -> list[Facts]:
    """The seeds, and the `most` best of the others by votes alone: a cheap first look."""
    odds = label(apply(FUNCTIONS, facts), facts) if facts else np.zeros(0)
    order = sorted(range(len(facts)), key=lambda at: (-odds[at], facts[at].term.concept_id))
    others = [facts[at] for at in order if not facts[at].seed]
    return [*(each for each in facts if each.seed), *others[:most]]


def rank(facts: Sequence[Facts]) -> Ranking:
    """Order terms by probability; equal ones by concept id."""
    if not facts:
        return Ranking((), ())
    matrix = apply(FUNCTIONS, facts)
    odds = label(matrix, facts)
    final = blend(odds, end_model(measures(facts), odds))
    probabilities = 1 / (1 + np.exp(-final))
    order = sorted(range(len(facts)), key=lambda at: (-round(float(final[at]), 9), facts[at].term.concept_id))
    ranked = (Ranked(facts[at], round(float(probabilities[at]), 6), matrix.cast(at)) for at in order)
    return Ranking(tuple(ranked), analyse(matrix, probabilities))


def label(matrix: VoteMatrix, facts: Sequence[Facts]) -> Floats:
    """Log-odds of each term by the label model; seeds are labelled by people."""
    prior = min(MOST_LIKELY, PRIOR + SURE / max(1, len(facts)))
    gold = {at: True for at, each in enumerate(facts) if each.seed}
    model = LabelModel.fit(
        matrix.names, matrix.votes, prior=prior, beliefs=BELIEFS, gold=gold, strength=float(len(facts))
    )
    return model.log_odds(matrix.votes)


def measures(facts: Sequence[Facts]) -> Floats:
    """The measures of the terms as a matrix, each column with mean 0 and deviation 1."""
    table = np.array([[measure(each) for measure in _MEASURES] for each in facts], dtype=np.float64)
    spread = table.std(axis=0)
    scaled: Floats = (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return scaled


def end_model(table: Floats, odds: Floats) -> Floats:
    """Log-odds by a logistic regression on `table`, fitted to the soft labels that `odds` give."""
    target = 1 / (1 + np.exp(-np.clip(odds, -_LIMIT, _LIMIT)))
    design = np.hstack([table, np.ones((len(table), 1))])
    penalty = np.full(design.shape[1], _RIDGE)
    penalty[-1] = 1e-6
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (target - expected) - penalty * weights
        curve = (design * (expected * (1 - expected))[:, None]).T @ design + np.diag(penalty)
        change = np.linalg.solve(curve, slope)
        weights = weights + change
        if np.abs(change).max() < _SETTLED:
            break
    found: Floats = design @ weights
    return found


def blend(odds: Floats, fitted: Floats) -> Floats:
    """The mean of both models' log-odds: the votes' own, bounded, and the end model's."""
    mean: Floats = (np.clip(odds, -_LIMIT, _LIMIT) + fitted) / 2
    return mean
