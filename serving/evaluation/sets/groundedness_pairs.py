"""Answers beside their evidence, with what people say: `gold/groundedness.jsonl` of a course folder.

One answer a line: `{"id", "question", "knowledge", "answer", "grounded"}`, the form that `coteach grade` reads, and the
verdict. `knowledge` is a text or a list of texts; `grounded` says whether it supports all that the answer states.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import LANGS, Lang

FILE = "gold/groundedness.jsonl"
"""Inside a course folder."""

PROBES = Path(__file__).with_name("grounding_probes.tsv")
"""Facts in English and Chinese, and what becomes of each with another subject, another number or a denial: written by
hand, as many of each kind. The grader's rules were made with them in view; its weights learnt from none."""

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


def read_probes() -> Iterator[tuple[Lang, GroundednessPair]]:
    """Every probe with its language; one is grounded when its answer is the fact as it stands. None has a question."""
    with PROBES.open(encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream, delimiter="\t"), start=1):
            name, lang = f"probe-{number:03}-{row['kind']}", LANGS[LANGS.index(row["lang"])]
            yield lang, GroundednessPair(name, "", (row["evidence"],), row["answer"], row["kind"] == "right")


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
