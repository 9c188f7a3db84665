"""From votes to a probability: log-odds of a prior and of each vote, added.

Belongs here: the weights. They are stated by hand; a label model that learns them from the votes' agreement would
replace `WEIGHTS` and `PRIOR` and nothing else.
"""

import math
from collections.abc import Mapping

PRIOR = -2.0
"""Log-odds that a related ordered pair is a prerequisite before anyone has voted: about one in eight, as in pairs that
people labelled for a programming course."""

WEIGHTS: Mapping[str, float] = {
    "reference_distance": 0.9,
    "definition_order": 0.7,
    "title_order": 0.5,
    "mention_in_definition": 1.1,
    "name_containment": 2.2,
    "cue_phrase": 0.5,
    "spread": 0.4,
    "far_apart": 1.0,
}
"""Log-odds of each labelling function's vote: 1.1 where it is right three times out of four, 2.2 for nine of ten."""

THRESHOLD = 0.55
"""Probability from which a pair is accepted: votes that only balance the prior are not enough."""


def probability(votes: Mapping[str, int]) -> float:
    """Probability 0..1 of a prerequisite given the votes (naive Bayes with symmetric errors), rounded to 6 digits.

    A vote by a function that has no weight raises `KeyError`.
    """
    log_odds = PRIOR + sum(WEIGHTS[name] * vote for name, vote in votes.items())
    return round(1 / (1 + math.exp(-log_odds)), 6)
