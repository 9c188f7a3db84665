"""The table of what is evaluated on: each set with its size, languages, answers and digest. Pure."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from serving.evaluation.sets.evaluation_sets import EvaluationQuestion
from serving.evaluation.sets.sets_of_files import Sets
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

SHOWN = 12
"""Hex digits of a digest that the table shows."""

_COLUMNS = ("Set", "Entries", "English", "Chinese", "With answer", "Complex", "Digest")
_ODD = re.compile(r"[^a-z0-9.]+")
_READABLE = re.compile(r"[a-z0-9-]+")
_NONE_PUBLIC = (
    "No public set was asked: set COTEACH_EVAL_ANSWERS to a CSV of questions with reference answers to have one."
)
_PUBLIC = (
    "Of the public set, questions of the categories simple and complex are asked; they have reference answers, but no "
    "one said which entry answers them."
)
_OWN = (
    "The questions of the sample courses were written for this project from the courses' material, AI-assisted; "
    "students wrote none of them."
)


@dataclass(frozen=True)
class NamedSet:
    """Rows of one set under the name that MLflow and the table call it by. `digest` is SHA-256 over the rows, hex."""

    name: str
    rows: tuple[Mapping[str, Any], ...]

    @property
    def digest(self) -> str:
        found = hashlib.sha256()
        for row in self.rows:
            found.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
        return found.hexdigest()


def name_sets(sets: Sets) -> tuple[NamedSet, ...]:
    """The questions of each course and of the public file, then the choices and the graded answers of all courses."""
    by_set: dict[str, list[EvaluationQuestion]] = {}
    for one in sets.questions:
        by_set.setdefault(f"questions, {one.set}", []).append(one)
    listed: list[tuple[str, Sequence[Any]]] = [*by_set.items()]
    listed += [("choices", sets.choices), ("groundedness", sets.groundedness)]
    return tuple(NamedSet(name, tuple(asdict(one) for one in entries)) for name, entries in listed if entries)


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without lists, which become lines of text."""
    return {name: _lines(value) if isinstance(value, (list, tuple)) else value for name, value in row.items()}


def set_table(sets: Sets) -> Table:
    """One row for each set, and one for all questions."""
    questions = NamedSet("questions", tuple(asdict(one) for one in sets.questions))
    rows = tuple(_row(one) for one in (*name_sets(sets), questions))
    return Table(
        "evaluation_sets",
        "What is evaluated on",
        "LittleMu, 4.1; the sets here are those of the courses and, where one is named, a public file",
        _COLUMNS,
        rows,
        tuple(_notes(sets)),
    )


def slug(name: str) -> str:
    """A name as a part of a metric's or a parameter's: `a-b` is `a_b`, and `学` is `_.` with 6 digits of its digest.

    Two names have the same slug only by a chance of one in 16 million.
    """
    plain = _ODD.sub("_", name.lower())
    if _READABLE.fullmatch(name):
        return plain
    return f"{plain}.{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _lines(values: Sequence[Any]) -> str:
    return "\n".join(f"{one['label']}. {one['text']}" if isinstance(one, dict) else str(one) for one in values)


def _row(named: NamedSet) -> tuple[Cell, ...]:
    rows, metric = named.rows, ".".join(map(slug, named.name.split(", ")))
    langs = Counter(row["lang"] for row in rows)
    asked = bool(rows) and "kind" in rows[0]
    answers = sum(bool(row.get("reference", row.get("answer"))) for row in rows)
    counted = {"entries": len(rows), "english": langs["en"], "chinese": langs["zh"], "answers": answers}
    numbers: list[Cell] = [_count(f"{metric}/{name}", value) for name, value in counted.items()]
    harder = _count(f"{metric}/complex", sum(row["kind"] == "complex" for row in rows)) if asked else "–"
    return (named.name, *numbers, harder, named.digest[:SHOWN])


def _notes(sets: Sets) -> Iterator[NumberedNote]:
    yield NumberedNote(_OWN)
    yield NumberedNote(_PUBLIC if any(one.section == "public" for one in sets.questions) else _NONE_PUBLIC)
    if sets.groundedness:
        yes = _count("groundedness/grounded", sum(one.grounded for one in sets.groundedness))
        yield NumberedNote(
            "Of the answers with evidence, {yes} are grounded in it and the others are not.", {"yes": yes}
        )


def _count(metric: str, value: int) -> MeasuredNumber:
    return MeasuredNumber(metric, float(value), style="count")
