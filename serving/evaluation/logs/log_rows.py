"""Rows of the store as the logs keep them: times without a zone, and whether a question's options were given.

What may leave the store, and under which names, is `serving.store.exports`'; the schemas are in
`knowledge_graph.lake.log_schemas.LOGS`. Simulated logs have the same schemas.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from sqlalchemy.orm import Session

from knowledge_graph.lake.log_schemas import LOGS
from serving.assistant.understanding.form import question_form
from serving.store import exports
from serving.store.experiments import experiments

PURPOSE = "evaluation"
"""Pseudonyms of the logs are joined with one another, and with no other export."""

BATCH = 20_000
"""Rows in memory at once. A choice: some 20 MB."""

Row = dict[str, Any]


def log_batches(db: Session, name: str, *, batch: int = BATCH) -> Iterator[pa.RecordBatch]:
    """One of the logs in parts of at most `batch` rows, in the store's order of time; nothing of an empty store.

    Raises `KeyError` for a name that is not in `LOGS`.
    """
    for rows in _rows(db, name, batch):
        yield pa.RecordBatch.from_pylist([log_row(row) for row in rows], schema=LOGS[name])


def log_row(row: Row) -> Row:
    """A row of the store: its times in UTC without a zone, and, of a question, `has_options`."""
    plain: Row = {name: _without_zone(value) for name, value in row.items()}
    if "form" in plain and "question" in plain:
        plain["has_options"] = has_options(plain["question"]) if plain["form"] == "mcq" else None
    return plain


def has_options(question: str) -> bool:
    """Whether the options of a multiple-choice question were given, all of them; its stem may have come before."""
    form = question_form(question)
    return form.form == "mcq" and bool(form.options) and (form.is_whole or not form.stem)


def _rows(db: Session, name: str, batch: int) -> Iterator[Sequence[Row]]:
    if name == "experiments":
        return iter([_variants(db)])
    readers = {
        "turns": exports.turns,
        "feedback": exports.feedback,
        "ratings": exports.ratings,
        "exposures": exports.exposures,
    }
    return readers[name](db, purpose=PURPOSE, batch=batch)


def _variants(db: Session) -> list[Row]:
    found = sorted(experiments(db), key=lambda one: one.name)
    return [
        {"experiment": one.name, "variant": variant["name"], "place": place, "weight": float(variant["weight"])}
        for one in found
        for place, variant in enumerate(one.variants)
    ]


def _without_zone(value: object) -> object:
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value
