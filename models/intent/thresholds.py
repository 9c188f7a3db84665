"""What calibration left beside an exported intent model: its temperature and alpha, and how questions ask for theirs.

Opened in the gateway's process: numpy only. How the values are found is `models.intent.training.calibration`.

A published version is named by its content, so nothing is added to its folder: the thresholds of `<version>` stand in
`thresholds/<version>.json` next to it, and can be found again from newer labels without a new model.
"""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.tables import write_text_atomic
from models.versions import ModelBroken

Floats = NDArray[np.float64]

Length = Literal["up to 10", "up to 20", "up to 50", "longer"]
"""A question's length in characters."""

THRESHOLDS = "thresholds"
"""Folder beside the versions. A file that is written there by renaming changes the folder's own time."""

LENGTHS: tuple[Length, ...] = get_args(Length)
_ENDS = (10, 20, 50)

_REMEDY = "Materialize `intent_thresholds`."
_TINY = 1e-12


@dataclass(frozen=True)
class IntentThresholds:
    """What serving needs to know: `h > alpha_for(question)` is chit-chat, h taken after the temperature.

    `promised` is false when no cut kept the promise: then `alpha` is the one with the best chit-chat F1. `by_length`
    holds a promised cut for every length, or nothing.
    """

    alpha: float
    promised: bool = True
    temperature: float = 1.0
    by_length: dict[Length, float] = field(default_factory=dict)

    def alpha_for(self, question: str) -> float:
        """The cut for a question of this length."""
        return self.by_length.get(length_of(question), self.alpha)


def length_of(question: str) -> Length:
    """In characters, without the spaces around it."""
    size = len(question.strip())
    return next((name for name, end in zip(LENGTHS, _ENDS, strict=False) if size <= end), LENGTHS[-1])


def temper(probabilities: Floats, temperature: float) -> Floats:
    """softmax(log p / T), row by row (Guo et al. 2017, eq. 9): the order within a row stays, 1 changes nothing.

    `probabilities`: (questions, categories). Raises `ValueError` unless the temperature is above 0.
    """
    if not temperature > 0:
        raise ValueError(f"A temperature is above 0; found {temperature}.")
    if temperature == 1.0:
        return probabilities
    logits = np.log(np.maximum(probabilities, _TINY)) / temperature
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    tempered: Floats = raised / raised.sum(axis=1, keepdims=True)
    return tempered


def thresholds_path(version_folder: Path) -> Path:
    """Where the thresholds of a published version stand."""
    return version_folder.parent / THRESHOLDS / f"{version_folder.name}.json"


def write_thresholds(path: Path, thresholds: IntentThresholds, *, calibration: object) -> None:
    """Write them; `calibration`, for people and checks, is how they were found. The same values give the same bytes."""
    content = {
        "alpha": thresholds.alpha,
        "promised": thresholds.promised,
        "temperature": thresholds.temperature,
        "by_length": dict(thresholds.by_length),
        "calibration": calibration,
    }
    write_text_atomic(path, json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def read_thresholds(path: Path) -> IntentThresholds | None:
    """What was calibrated, None when nothing was yet. Raises `ModelBroken` for a file that cannot be meant."""
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        alpha, temperature = float(content["alpha"]), float(content["temperature"])
        cuts = {name: float(content["by_length"][name]) for name in LENGTHS if name in content["by_length"]}
        if not (math.isfinite(temperature) and temperature > 0):
            raise ValueError(f"the temperature is {temperature}")
        return IntentThresholds(alpha, bool(content["promised"]), temperature, cuts)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelBroken(f"{path} does not hold thresholds: {error!r}. {_REMEDY}") from error
