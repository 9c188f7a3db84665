"""Which label each question had, where it was given, and what took its place.

Belongs here: the history as a value that grows. It holds no times: a label is placed by file, line and the digest of
the file's bytes at that moment, which also names its version in a version control system. So the same files after the
same history give the same history.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from models.intent.labels.categories import Category
from models.intent.labels.files import LabelFiles, LabelRow
from models.intent.labels.question_text import question_key


@dataclass(frozen=True)
class LabelRecord:
    """One label that a person gave; mirrors `INTENT_LABEL_HISTORY` of the lake, column for column."""

    example_id: str
    number: int
    """1 for the first label of this example, then 2, and so on."""
    question: str
    category: Category
    file: str
    line: int
    """Where the label was first seen, 1-based, in the version of the file that `file_version` names."""
    file_version: str
    superseded_by: int | None = None
    """The number of the label that took its place."""
    in_force: bool = True
    """False for a label that was superseded, or whose row is gone from the files."""


def grown(history: Iterable[LabelRecord], found: LabelFiles) -> tuple[LabelRecord, ...]:
    """The history with what the label files say now, by example and number. Nothing is ever removed.

    A label is new when its example had none, or when the category or the question's text is another than the last.
    """
    versions = {file.name: file.version for file in found.files}
    before: dict[str, list[LabelRecord]] = {}
    for record in sorted(history, key=lambda record: (record.example_id, record.number)):
        before.setdefault(record.example_id, []).append(record)
    now: dict[str, list[LabelRow]] = {}
    for row in (*found.earlier, *(row for row in found.rows if row.category is not None)):
        now.setdefault(row.id, []).append(row)
    return tuple(
        record
        for example_id in sorted(before.keys() | now.keys())
        for record in _of_example(before.get(example_id, []), now.get(example_id, []), versions)
    )


def _of_example(
    known: Sequence[LabelRecord], rows: Sequence[LabelRow], versions: Mapping[str, str]
) -> list[LabelRecord]:
    records = list(known)
    for row in _new(known, rows):
        if row.category is not None:
            number = len(records) + 1
            records.append(
                LabelRecord(row.id, number, row.question, row.category, row.file, row.line, versions[row.file])
            )
    in_force = bool(rows)
    if len(records) == len(known) and records[-1].in_force == in_force:
        return records
    older = [replace(record, superseded_by=record.number + 1, in_force=False) for record in records[:-1]]
    return [*older, replace(records[-1], in_force=in_force)]


def _new(known: Sequence[LabelRecord], rows: Sequence[LabelRow]) -> Sequence[LabelRow]:
    """The rows that the history does not have: those after what it has, else the last one where it differs."""
    said = [_meaning(row) for row in rows]
    had = [_meaning(record) for record in known]
    if said[: len(had)] == had:
        return rows[len(had) :]
    return rows[-1:] if said and said[-1] != had[-1] else ()


def _meaning(one: LabelRow | LabelRecord) -> tuple[str, Category | None]:
    return question_key(one.question), one.category
