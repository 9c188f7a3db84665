"""What MLflow gets of a published intent model: all that the gateway reads, and a loader without coteach."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from models.intent.classifier import SERVED
from models.intent.thresholds import thresholds_path

LOADER = Path(__file__).with_name("coteach_intent.py")
"""Packed with the model; its name is the module's wherever the model is loaded."""

_LIBRARIES = ("numpy", "onnxruntime", "pandas", "tokenizers")
_FILES = (SERVED, "tokenizer.json", "labels.json", "card.json", "thresholds.json")


@contextmanager
def packed(folder: Path) -> Iterator[Path]:
    """The network that is served, with the thresholds of its calibration, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as parent:
        found = Path(parent) / folder.name
        found.mkdir()
        for name in _FILES:
            shutil.copy(folder / name, found / name)
        if thresholds_path(folder).is_file():
            shutil.copy(thresholds_path(folder), found / "thresholds.json")
        yield found


def requirements() -> list[str]:
    """The libraries that the loader needs, in the versions that are used here."""
    return [f"{name}=={version(name)}" for name in _LIBRARIES]
