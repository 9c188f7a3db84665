"""Which question texts a published model has seen: told without the texts, by the beginnings of their digests.

A version with a refit has two networks, and they have seen different texts: the judged one those of `train` and
`valid`, the served one those of `test`, too.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from models.intent.labels.examples import IntentExample
from models.intent.labels.question_text import question_key

SEEN = "seen.json"
"""File of a version: marks of the texts that its judged network was trained on or chosen by."""

LEARNT_LATER = "learnt_later.json"
"""File of a version with a refit: marks of the texts that only its served network was trained on."""


def mark(example: IntentExample) -> str:
    """A question's text without the text."""
    return hashlib.sha256(question_key(example.question).encode()).hexdigest()[:12]


def marks_of_seen(examples: Iterable[IntentExample]) -> list[str]:
    """Marks of the texts that training learns from or chooses by, those of `train` and `valid`; sorted."""
    return sorted({mark(one) for one in examples if one.split != "test"})


def later_marks(examples: Iterable[IntentExample]) -> list[str]:
    """Marks of the texts that a refit learns from besides `marks_of_seen`, those of `test`; sorted."""
    return sorted({mark(one) for one in examples if one.split == "test"})


def write_seen(folder: Path, examples: Sequence[IntentExample], *, refitted: bool) -> None:
    """Record what a version, trained on these examples, has seen."""
    _write(folder / SEEN, marks_of_seen(examples))
    if refitted:
        _write(folder / LEARNT_LATER, later_marks(examples))


def read_seen(folder: Path) -> frozenset[str] | None:
    """What the judged network of a version has seen; None when it was not recorded."""
    return _read(folder / SEEN)


def read_learnt_later(folder: Path) -> frozenset[str]:
    """What only the served network of a version has seen; nothing when there was no refit."""
    return _read(folder / LEARNT_LATER) or frozenset()


def _write(path: Path, marks: Sequence[str]) -> None:
    path.write_text(json.dumps(marks) + "\n", encoding="utf-8")


def _read(path: Path) -> frozenset[str] | None:
    return frozenset(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
