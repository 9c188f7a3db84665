"""Which question texts a published model has seen: told without the texts, by the beginnings of their digests."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from models.intent.examples import IntentExample
from models.intent.question_text import question_key

SEEN = "seen.json"
"""File of a version: marks of the texts it was trained on or chosen by."""


def mark(example: IntentExample) -> str:
    """A question's text without the text."""
    return hashlib.sha256(question_key(example.question).encode()).hexdigest()[:12]


def seen_marks(examples: Iterable[IntentExample]) -> list[str]:
    """Marks of the texts that training learns from or chooses by, those of `train` and `valid`; sorted."""
    return sorted({mark(one) for one in examples if one.split != "test"})


def read_seen(folder: Path) -> frozenset[str] | None:
    """The marks of a version; None when it was not recorded."""
    path = folder / SEEN
    return frozenset(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
