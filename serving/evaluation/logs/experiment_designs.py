"""Course Hero's experiments as designs, and logs drawn from them: who was in which bucket, asked what, liked what.

The numbers of users and the effects are the paper's (2.2 and 2.4). The levels they stand on, how much people ask and
how alike one person's answers are, are choices: the paper prints none of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from serving.feedback.experiment_results import ExperimentOutcome, Sums, results_of
from serving.feedback.experiments import Trial, Variant, variant_of

Ints = NDArray[np.int64]

QUESTIONS = 2.0
"""Questions of a person, in the mean: at least one."""

VOTES = 0.05
"""Share of answers that get a thumb."""

ALIKE = 10.0
"""How alike one person's trials are: the sum of the parameters of the beta distribution of people's own rates."""


@dataclass(frozen=True)
class Bucket:
    """`coverage` and `thumbs_up` are rates, 0..1. `users` is the paper's; buckets are drawn in these proportions."""

    name: str
    users: int
    coverage: float
    thumbs_up: float


@dataclass(frozen=True)
class Effect:
    """`first` against `second` in one measure, as the paper words it."""

    first: str
    second: str
    measure: str
    published: str


@dataclass(frozen=True)
class Design:
    name: str
    slug: str
    buckets: tuple[Bucket, ...]
    effects: tuple[Effect, ...]

    def bucket(self, name: str) -> Bucket:
        """Raises `KeyError`."""
        return {one.name: one for one in self.buckets}[name]

    def lift(self, effect: Effect) -> float:
        """What was put in: 0.12 is 12% higher."""
        first, second = (getattr(self.bucket(name), effect.measure) for name in (effect.first, effect.second))
        return float(first / second - 1)


MODELS = Design(
    "Answers by models (2.2)",
    "models",
    (
        Bucket("search", 147_000, 0.50, 0.53),
        Bucket("GPT-3.5", 147_000, 0.70, 0.50),
        Bucket("GPT-4", 147_000, 0.70, 0.56),
    ),
    (
        Effect("GPT-3.5", "search", "coverage", "around 40% higher"),
        Effect("GPT-4", "search", "coverage", "around 40% higher"),
        Effect("GPT-3.5", "search", "thumbs_up", "comparable"),
        Effect("GPT-4", "search", "thumbs_up", "comparable"),
        Effect("GPT-4", "GPT-3.5", "thumbs_up", "around 12% higher"),
    ),
)

EXPLANATIONS = Design(
    "Explanations of stored answers (2.4)",
    "explanations",
    (Bucket("answer", 210_000, 0.50, 0.36), Bucket("explained", 96_000, 0.50, 0.63)),
    (Effect("explained", "answer", "thumbs_up", "75% higher"),),
)

DESIGNS = (MODELS, EXPLANATIONS)


@dataclass(frozen=True)
class TrialLogs:
    """One row per question. `bucket` is the place of a person's variant, by person; `thumb` is 1, -1, or 0 for none."""

    design: Design
    bucket: Ints
    person: Ints
    answered: NDArray[np.bool_]
    thumb: NDArray[np.int8]


def simulate_trial(design: Design, seed: int, *, people: int | None = None) -> TrialLogs:
    """Questions of `people` (all the paper's, if not said), in buckets by the hashing of real experiments."""
    rng = np.random.default_rng(seed)
    n = sum(one.users for one in design.buckets) if people is None else people
    bucket = _buckets(design, n, seed)
    asked = 1 + rng.poisson(QUESTIONS - 1, size=n)
    person = np.repeat(np.arange(n), asked)
    answers = _own_rates([one.coverage for one in design.buckets], bucket, rng)
    likes = _own_rates([one.thumbs_up for one in design.buckets], bucket, rng)
    answered = rng.random(len(person)) < answers[person]
    votes = answered & (rng.random(len(person)) < VOTES)
    up = rng.random(len(person)) < likes[person]
    return TrialLogs(design, bucket, person, answered, np.where(votes, np.where(up, 1, -1), 0).astype(np.int8))


def trial_results(logs: TrialLogs) -> ExperimentOutcome:
    """As of a real experiment: coverage, thumbs up, and whether the buckets have the sizes they should."""
    voted = logs.thumb != 0
    exposed = np.bincount(logs.bucket, minlength=len(logs.design.buckets)).tolist()
    names = [one.name for one in logs.design.buckets]
    return results_of(
        [Variant(one.name, one.users, {}) for one in logs.design.buckets],
        dict(zip(names, exposed, strict=True)),
        _sums(logs, logs.person, logs.answered),
        _sums(logs, logs.person[voted], logs.thumb[voted] > 0),
    )


def without_some(logs: TrialLogs, name: str, share: float) -> TrialLogs:
    """The same logs after the first `share` of a bucket's people were lost, as when a page fails for them."""
    place = [one.name for one in logs.design.buckets].index(name)
    members = np.flatnonzero(logs.bucket == place)
    kept = np.ones(len(logs.bucket), dtype=bool)
    kept[members[: round(share * len(members))]] = False
    renumbered = np.cumsum(kept) - 1
    rows = kept[logs.person]
    return TrialLogs(
        logs.design, logs.bucket[kept], renumbered[logs.person[rows]], logs.answered[rows], logs.thumb[rows]
    )


def _buckets(design: Design, people: int, seed: int) -> Ints:
    names = [one.name for one in design.buckets]
    trial = Trial(
        f"{design.slug}-{seed}", design.name, None, tuple(Variant(b.name, b.users, {}) for b in design.buckets)
    )
    return np.array([names.index(variant_of(trial, str(one)).name) for one in range(people)], dtype=np.int64)


def _own_rates(rates: list[float], bucket: Ints, rng: np.random.Generator) -> NDArray[np.float64]:
    """Each person's own, with the bucket's in the mean."""
    mean = np.array(rates)[bucket]
    return rng.beta(mean * ALIKE, (1 - mean) * ALIKE)


def _sums(logs: TrialLogs, person: Ints, success: NDArray[np.bool_]) -> Mapping[str, Sums]:
    x = np.bincount(person, minlength=len(logs.bucket))
    y = np.bincount(person[success], minlength=len(logs.bucket))
    found: dict[str, Sums] = {}
    for place, one in enumerate(logs.design.buckets):
        takes_part = (logs.bucket == place) & (x > 0)
        a, b = x[takes_part], y[takes_part]
        parts = (len(a), a.sum(), b.sum(), (a * a).sum(), (a * b).sum(), (b * b).sum())
        found[one.name] = Sums(*map(int, parts))
    return found
