"""What MLflow gets of a published intent model: all that the gateway reads, and a loader without coteach."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from models.intent.classifier import EMBEDDER, SERVED, embedder_folder
from models.intent.thresholds import thresholds_path

LOADER = Path(__file__).with_name("coteach_intent.py")
"""Packed with the model; its name is the module's wherever the model is loaded."""

_LIBRARIES = ("numpy", "onnxruntime", "pandas", "tokenizers")
_FILES = (SERVED, "tokenizer.json", "labels.json", "card.json", "thresholds.json")


@contextmanager
def pack_network(folder: Path) -> Iterator[Path]:
    """The network that is served, with the thresholds of its calibration and the embedder whose vectors it reads, in a
    folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as parent:
        found = Path(parent) / folder.name
        found.mkdir()
        for name in _FILES:
            shutil.copy(folder / name, found / name)
        if thresholds_path(folder).is_file():
            shutil.copy(thresholds_path(folder), found / "thresholds.json")
        if (source := embedder_of(folder)) is not None:
            shutil.copytree(source, found / EMBEDDER, copy_function=_link)
        yield found


def embedder_of(folder: Path) -> Path | None:
    """The published embedder that a version reads vectors of; None when it reads none."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return embedder_folder(folder, labels) if labels.get(EMBEDDER) else None


def share_embedder(folder: Path, artifact: Path) -> int:
    """Let the files of the embedder in a logged model be the published ones themselves (hard links), as they never
    change: else each training would cost their size again. Returns how many bytes that saved; 0 on another disk."""
    source, saved = embedder_of(folder), 0
    if source is None:
        return saved
    logged = artifact / "data" / folder.name / EMBEDDER
    for copy in [path for path in logged.rglob("*") if path.is_file()]:
        original, beside = source / copy.relative_to(logged), copy.with_name(f".{copy.name}.link")
        if copy.samefile(original):
            continue
        try:
            os.link(original, beside)
        except OSError:  # another file system, or one without hard links
            return saved
        saved += copy.stat().st_size
        beside.replace(copy)
    return saved


def requirements() -> list[str]:
    """The libraries that the loader needs, in the versions that are used here."""
    return [f"{name}=={version(name)}" for name in _LIBRARIES]


def _link(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)
    return target
