"""Definitions and edges that people labelled, as `benchmarks/labels/*.csv` hold them.

A label of a definition belongs to its text by a digest: a definition that reads otherwise has no label. Texts stand
there for the sample courses alone, as others may not be passed on.
"""

import csv
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Split = Literal["development", "held_out"]
SAMPLES = ("data-structures", "shujujiegou")
"""Written for this project, and plainer than what is said in lecture halls."""
_LABELS = Path(__file__).parent / "labels"


@dataclass(frozen=True)
class Label:
    """Whether a person would show it, and whether it may be looked at while weights and cuts are chosen."""

    right: bool
    split: Split


def split_of(concept_id: str) -> Split:
    """The half a concept belongs to, of an edge the later concept: by its id, so that no course is split by eye."""
    return "held_out" if int(hashlib.sha256(concept_id.encode()).hexdigest(), 16) % 2 else "development"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def definition_labels(path: Path = _LABELS / "definitions.csv") -> dict[tuple[str, str, str], Label]:
    """By course, concept and digest of the definition."""
    return {(row["course_id"], row["concept_id"], row["digest"]): _label(row, row["concept_id"]) for row in _rows(path)}


def edge_labels(path: Path = _LABELS / "edges.csv") -> dict[tuple[str, str, str], Label]:
    """By course, prerequisite and concept."""
    return {
        (row["course_id"], row["prerequisite_id"], row["concept_id"]): _label(row, row["concept_id"])
        for row in _rows(path)
    }


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _label(row: dict[str, str], concept_id: str) -> Label:
    if row["label"] not in ("right", "wrong") or row["split"] != split_of(concept_id):
        raise ValueError(f"Expected label right or wrong and split {split_of(concept_id)!r}, found {row}.")
    return Label(row["label"] == "right", split_of(concept_id))
