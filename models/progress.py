"""What a training tells while it runs, and what makes it repeatable."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch


@dataclass(frozen=True)
class Progress:
    """One sign of life: steps (pretrain) or epochs (the others) done of total, with the latest figures."""

    phase: Literal["pretrain", "finetune", "ablation", "refit"]
    done: int
    total: int
    figures: dict[str, float]


OnProgress = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """For callers that do not watch."""


def seed_everything(seed: int, *, threads: int) -> None:
    """Make what follows in this process repeatable, and bound the cores it uses."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
