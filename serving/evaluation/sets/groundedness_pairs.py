"""Answers beside their evidence, with what people say: `gold/groundedness.jsonl` of a course folder.

One answer a line: `{"id", "question", "knowledge", "answer", "grounded"}`, the form that `coteach grade` reads, and the
verdict. `knowledge` is a text or a list of texts; `grounded` says whether it supports all that the answer states.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError

FILE = "gold/groundedness.jsonl"
"""Inside a course folder."""

_FORM = '{"id": "...", "question": "...", "knowledge": "..." or ["...", ...], "answer": "...", "grounded": true}'


class GroundednessUnusable(CoteachError):
    """A file of graded answers that cannot be read; the message names the line."""


@dataclass(frozen=True)
class GroundednessPair:
    """One answer, the texts it was given, and whether they support it."""

    pair_id: str
    question: str
    knowledge: tuple[str, ...]
    answer: str
    grounded: bool


def read_groundedness_pairs(path: Path) -> tuple[GroundednessPair, ...]:
    """Every answer of a file, in order.

    Raises `GroundednessUnusable` for a file that cannot be read, a line of another form and an id that is there twice.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GroundednessUnusable(f"{path} cannot be read: {error}.") from error
    return tuple(_pairs(text, path))


def _pairs(text: str, path: Path) -> Iterator[GroundednessPair]:
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _pair(_fields(line))
        if found is None:
            raise GroundednessUnusable(f"{path}:{number}: Expected {_FORM}, found {line[:80]!r}.")
        if found.pair_id in seen:
            raise GroundednessUnusable(
                f"{path}:{number}: The id {found.pair_id!r} is that of line {seen[found.pair_id]}. Ids must be unique."
            )
        seen[found.pair_id] = number
        yield found


def _fields(line: str) -> Mapping[str, object]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _pair(fields: Mapping[str, object]) -> GroundednessPair | None:
    texts = [fields.get(name) for name in ("id", "question", "answer")]
    knowledge, grounded = fields.get("knowledge"), fields.get("grounded")
    listed = [knowledge] if isinstance(knowledge, str) else knowledge
    if not isinstance(listed, list) or not listed or not isinstance(grounded, bool):
        return None
    given = [text.strip() for text in (*texts, *listed) if isinstance(text, str) and text.strip()]
    if len(given) != len(texts) + len(listed):
        return None
    return GroundednessPair(given[0], given[1], tuple(given[3:]), given[2], grounded)
