"""What a training tells while it runs, and what makes it repeatable."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True)
class TrainingProgress:
    """One sign of life, with the latest figures: `done` of `total` steps (pretrain), baselines, n-gram bags, questions
    that are embedded, questions of an epoch that is long, steps of a tutor model, or epochs (the others)."""

    phase: Literal[
        "pretrain",
        "baseline",
        "n-grams",
        "embedding",
        "epoch",
        "finetune",
        "ablation",
        "rehearsal",
        "refit",
        "cross-validation",
        "lessons",
    ]
    done: int
    total: int
    figures: dict[str, float]


OnProgress = Callable[[TrainingProgress], None]


def ignore_progress(_: TrainingProgress) -> None:
    """For callers that do not watch."""


def seed_everything(seed: int, *, threads: int) -> None:
    """Make what follows in this process repeatable, and bound the cores it uses."""
    import torch  # noqa: PLC0415  a pipeline that trains nothing is installed without it

    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
