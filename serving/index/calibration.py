"""`beta`, the threshold of direct answers (eq. 7), found on the FAQ by leave-one-out and stored with its error rate."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from knowledge_graph.lake.tables import write_text_atomic
from serving.index.schema import Entry

ERROR_BOUND = 0.05
"""Largest share of questions without a stored answer that may get a direct one."""

DELTA = 0.1
"""The promise of `ERROR_BOUND` may fail this often. A choice."""

LOWEST_BETA = 0.6
"""Never lower, however few FAQs there are to calibrate on: at .51 one sample question got the answer to another."""

UNCALIBRATED_BETA = 0.75
"""Used when no course has a FAQ. A choice on the careful side, not a measurement."""

Nearest = Sequence[tuple[Entry, float]]
"""The stored pairs most like the question of an entry, each with its match 0..1; the entry itself may be among them."""


@dataclass(frozen=True)
class Beta:
    """A calibrated threshold.

    `error_rate`: share of FAQ questions that, asked with their own entry removed, another entry would answer
    directly. `upper_bound`: the exact binomial bound (Clopper & Pearson 1934) of that share, with confidence
    1 - `DELTA`, as if the questions were independent. `coverage`: share that, asked as written, their own answer
    answers directly. All three are `None` when `n`, the number of FAQ questions looked at, is 0.
    """

    value: float
    error_rate: float | None
    coverage: float | None
    n: int
    upper_bound: float | None = None


UNCALIBRATED = Beta(UNCALIBRATED_BETA, None, None, 0)


def calibrate_beta(faq: Sequence[Entry], nearest: Sequence[Nearest], *, bound: float = ERROR_BOUND) -> Beta:
    """The smallest beta, not under `LOWEST_BETA`, whose share of wrong direct answers is at most `bound`.

    At most with confidence 1 - `DELTA`, by the exact binomial bound. A few dozen questions can promise nothing,
    whatever they say: then their own share decides, and `upper_bound` shows how little that means.

    `nearest` belongs to `faq`, entry by entry. Entries with the same answer are not wrong for each other.
    """
    if not faq:
        return UNCALIBRATED
    own, others = [], []
    for entry, near in zip(faq, nearest, strict=True):
        own.append(max((match for found, match in near if found.text == entry.text), default=0.0))
        others.append(max((match for found, match in near if found.text != entry.text), default=0.0))
    allowed = _most_errors(len(faq), bound)
    value = max(LOWEST_BETA, sorted(others, reverse=True)[allowed] if allowed < len(faq) else 0.0)
    wrong = sum(match > value for match in others)
    covered = sum(mine > value and mine >= other for mine, other in zip(own, others, strict=True))
    return Beta(round(value, 6), wrong / len(faq), covered / len(faq), len(faq), _bound(wrong, len(faq)))


def _most_errors(n: int, bound: float) -> int:
    """How many of `n` may be wrong while the exact bound of their share is at most `bound`; else their plain share."""
    kept = [wrong for wrong in range(math.floor(bound * n) + 1) if _bound(wrong, n) <= bound]
    return kept[-1] if kept else math.floor(bound * n)


def _bound(wrong: int, n: int) -> float:
    from models.statistics.calibration import upper_bound  # noqa: PLC0415  SciPy takes 0.2 s, and a gateway only reads what was found

    return round(float(upper_bound(np.array([wrong]), np.array([n]), DELTA)[0]), 6)


def write_beta(folder: Path, beta: Beta) -> None:
    text = json.dumps({"beta": asdict(beta)}, indent=2, sort_keys=True)
    write_text_atomic(folder / "thresholds.json", text + "\n")


def read_beta(folder: Path) -> Beta:
    """The threshold stored with an index version; the uncalibrated one while the version is being made."""
    path = folder / "thresholds.json"
    return Beta(**json.loads(path.read_text(encoding="utf-8"))["beta"]) if path.is_file() else UNCALIBRATED
