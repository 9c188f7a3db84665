"""Sheets that people fill with the categories of questions (LittleMu 2.1), and how far two of them agree.

A sheet is a CSV as `files.py` reads it, with an empty column `category`: whoever labels opens it in a spreadsheet, and
the filled sheet is a label file. Two people fill the same one, what they disagree on is decided, the rest is merged.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.intent.labels.categories import Category
from models.intent.labels.files import LabelRow
from models.intent.labels.question_text import question_key

COLUMNS = ("id", "session_id", "question", "previous", "course", "category")


@dataclass(frozen=True)
class Disagreement:
    """A question that two people put into different categories."""

    row: LabelRow
    other: Category


@dataclass(frozen=True)
class SheetAgreement:
    """Two sheets over the questions that both labelled. `kappa` is Cohen's, `None` where chance alone agrees."""

    agreed: tuple[LabelRow, ...]
    disagreed: tuple[Disagreement, ...]
    kappa: float | None

    @property
    def both(self) -> int:
        return len(self.agreed) + len(self.disagreed)


def find_unlabelled(
    asked: Iterable[Mapping[str, str]], labelled: Iterable[LabelRow], *, most: int
) -> list[dict[str, str]]:
    """Rows of a sheet: of the questions asked, those whose text nobody labelled yet, each text once, the first `most`
    in the order given. `asked` has the columns but `category`."""
    seen = {question_key(row.question) for row in labelled if row.category is not None}
    rows: list[dict[str, str]] = []
    for one in asked:
        key = question_key(one["question"])
        if key and key not in seen and len(rows) < most:
            seen.add(key)
            rows.append({name: one.get(name, "") for name in COLUMNS})
    return rows


def compare_sheets(first: Sequence[LabelRow], second: Sequence[LabelRow]) -> SheetAgreement:
    """What two people say of the same rows, found by their ids. A row that one of them left empty counts for none."""
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415  a second to import, for who labels alone

    others = {_bare(row.id): row.category for row in second if row.category is not None}
    pairs = [(row, others[_bare(row.id)]) for row in first if row.category is not None and _bare(row.id) in others]
    agreed = tuple(row for row, other in pairs if row.category == other)
    disagreed = tuple(Disagreement(row, other) for row, other in pairs if row.category != other)
    named = {row.category for row, _ in pairs} | {other for _, other in pairs}
    if len(named) < 2:
        return SheetAgreement(agreed, disagreed, None)
    kappa = cohen_kappa_score([row.category for row, _ in pairs], [other for _, other in pairs])
    return SheetAgreement(agreed, disagreed, float(kappa))


def format_sheet(rows: Iterable[Mapping[str, str]], columns: Sequence[str] = COLUMNS) -> str:
    """The text of a CSV. What a spreadsheet would take for a formula is quoted, for students write what they like."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def sheet_row(row: LabelRow) -> dict[str, str]:
    """A labelled row as a sheet has it."""
    values = {name: str(getattr(row, name) or "") for name in COLUMNS}
    return values | {"id": _bare(row.id), "session_id": _bare(row.session_id)}


def _bare(name: str) -> str:
    """An id as its own file has it, without the file's name before it."""
    return name.partition("/")[2]


def _harmless(value: str) -> str:
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
