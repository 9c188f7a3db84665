"""Experiments: who gets which variant, what a variant may change, and what came of it. Pure.

Buckets are by weighted rendezvous hashing (Thaler and Ravishankar 1998; weights after Schindelhauer and Schomaker
2005): each variant draws a number for a person from SHA-256, and the smallest, divided by the weight, wins. So the
bucket of a person is the same on every machine and day; the order of variants does not matter; and where weights or
names of other variants differ, only people who go to or from those variants move.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from knowledge_graph.lake.problems import CoteachError
from models.statistics.intervals import chi_square
from serving.settings import Settings

FIELDS = (
    "alpha",
    "beta",
    "context_tokens",
    "demonstrations",
    "explanations",
    "few_shot",
    "graders",
    "languages",
    "llm_model",
    "llm_url",
    "max_snippets",
    "max_tokens",
    "reference_candidates",
    "reflect_seconds",
    "regenerations",
    "rewrites",
    "search_weight",
    "simple_prompt",
    "strategy",
    "temperature",
    "top_k",
)
"""Settings that a variant may change: those that decide how a question is answered."""

BY_HAND_ONLY = ("llm_url",)
"""Settings that send questions and the key to another server: accepted on the command line, never over HTTP."""

MOST_VARIANTS = 10
LONGEST_NAME = 60
MISMATCH = 0.001
"""A p value below this says that people did not end in the buckets as they should (Fabijan et al., KDD 2019: .0005;
Kohavi, Tang and Xu, chapter 21: .001)."""

_BITS = 64


class ExperimentRefused(CoteachError):
    """An experiment that cannot be run as it was described."""


@dataclass(frozen=True)
class Variant:
    """One way to answer. `weight` is relative to those of the others; `settings` are fields of `Settings`."""

    name: str
    weight: float
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Trial:
    """A running experiment. The first of its variants is what the others are compared with."""

    experiment_id: str
    name: str
    course_id: str | None
    variants: tuple[Variant, ...]

    def covers(self, course_id: str | None) -> bool:
        """Whether a question of this course (`None`: of no one course) takes part."""
        return self.course_id is None or self.course_id == course_id


def variant_of(trial: Trial, person_id: str) -> Variant:
    """The variant of a person: always the same one."""
    return min(trial.variants, key=lambda one: (_draw(trial.experiment_id, person_id, one.name) / one.weight, one.name))


def trial_for(trials: Sequence[Trial], course_id: str | None) -> Trial | None:
    """The one experiment a question takes part in: the first of `trials`, oldest first, that covers its course."""
    return next((trial for trial in trials if trial.covers(course_id)), None)


def check_variants(variants: Sequence[Variant], settings: Settings, *, by_hand: bool = False) -> tuple[Variant, ...]:
    """The variants, fit to run over `settings`. Raises `ExperimentRefused` with everything that is wrong.

    `by_hand` allows settings that name another server.
    """
    wrong = _wrong_names([one.name for one in variants])
    for one in variants:
        if not (math.isfinite(one.weight) and 0 < one.weight <= 1e6):
            wrong.append(f"The weight of {one.name} must be above 0 and at most 1000000; found {one.weight}.")
        wrong += [f"{one.name}: {text}" for text in _wrong_settings(one.settings, settings, by_hand=by_hand)]
    if wrong:
        raise ExperimentRefused(" ".join(wrong))
    return tuple(variants)


def check_name(name: str, what: str) -> str:
    """A name that can stand in a log and a label. Raises `ExperimentRefused`."""
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and name.strip() == name):
        raise ExperimentRefused(f"{what} needs a name of 1 to {LONGEST_NAME} characters; found {name[:80]!r}.")
    return name


def sample_ratio(counts: Mapping[str, int], weights: Mapping[str, float]) -> float | None:
    """The p value that people fell into the buckets by their weights (chi-square); `None` when nobody did yet.

    Below `MISMATCH` something keeps people out of a bucket, and the experiment says nothing.
    """
    names = sorted(weights)
    total, whole = sum(counts.get(name, 0) for name in names), sum(weights.values())
    if not total:
        return None
    return chi_square([counts.get(name, 0) for name in names], [total * weights[name] / whole for name in names])


def _draw(experiment_id: str, person_id: str, variant: str) -> float:
    """-ln(u), u from 0 to 1 by SHA-256: exponentially distributed, so that the smallest over its weight wins fairly."""
    digest = hashlib.sha256(f"{experiment_id}\x00{person_id}\x00{variant}".encode()).digest()
    return -math.log((int.from_bytes(digest[: _BITS // 8]) + 0.5) / 2**_BITS)


def _wrong_names(names: Sequence[str]) -> list[str]:
    wrong = []
    if not 2 <= len(names) <= MOST_VARIANTS:
        wrong.append(f"An experiment compares 2 to {MOST_VARIANTS} variants; found {len(names)}.")
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        wrong.append(f"Two variants have the same name: {', '.join(repeated)}.")
    for name in names:
        check_name(name, "A variant")
    return wrong


def _wrong_settings(changes: Mapping[str, Any], settings: Settings, *, by_hand: bool) -> list[str]:
    allowed = [name for name in FIELDS if by_hand or name not in BY_HAND_ONLY]
    if unknown := sorted(set(changes) - set(allowed)):
        return [f"A variant may change {', '.join(allowed)}; found {', '.join(unknown)[:200]}."]
    try:
        Settings.model_validate(settings.model_dump() | dict(changes))
    except ValidationError as error:
        return [
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}; found {str(one['input'])[:40]}." for one in error.errors()
        ]
    return []
