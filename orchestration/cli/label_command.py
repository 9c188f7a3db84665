"""What `coteach labels` does and prints: sheets to label intents on, and how far two people who filled one agree."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import write_text_atomic
from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.files import LabelRow, read_label_file, read_label_files
from models.intent.labels.sheets import COLUMNS, compare_sheets, find_unlabelled, format_sheet, sheet_row
from orchestration.building.decisions import existing_store
from orchestration.resources import PipelineSettings
from serving.settings import Settings
from serving.store.database import url_of
from serving.store.exports import turns

_PURPOSE = "intent labels"


class SheetUnfit(CoteachError):
    """A sheet that cannot be made or compared."""


def write_sheet(console: Console, settings: Settings, out: Path, *, most: int) -> int:
    """Write the questions that students asked and nobody labelled."""
    known = read_label_files(PipelineSettings().labels, BoundedTold()).rows
    with existing_store(url_of(settings)) as store:
        asked = [] if store is None else store.read(lambda db: list(_read_asked_questions(db)))
    rows = find_unlabelled(asked, known, most=most)
    if not rows:
        raise SheetUnfit("No question to label: students asked none that nobody labelled.")
    write_text_atomic(out, format_sheet(rows))
    console.print(f"{len(rows)} questions. Give a copy to each of two people, then run `coteach labels compare`.")
    return 0


def show_agreement(
    console: Console, first: Path, second: Path, *, agreed: Path | None = None, undecided: Path | None = None
) -> int:
    """Print how far two people agree and each question on which they do not; write what both say, and what is left."""
    found = compare_sheets(_read_filled(first), _read_filled(second))
    if not found.both:
        raise SheetUnfit(f"{first.name} and {second.name} have no labelled row in common; rows are found by their id.")
    kappa = "none, both name one category alone" if found.kappa is None else f"{found.kappa:.2f}"
    console.print(f"{len(found.agreed)} of {found.both} alike; Cohen's kappa: {kappa}.")
    table = Table("question", first.stem, second.stem)
    for one in found.disagreed:
        table.add_row(escape(one.row.question[:80]), str(one.row.category), one.other)
    if found.disagreed:
        console.print(table)
    if agreed is not None:
        write_text_atomic(agreed, format_sheet(map(sheet_row, found.agreed)))
    if undecided is not None:
        rows = [
            {**sheet_row(one.row), "category": "", "first": str(one.row.category), "second": one.other}
            for one in found.disagreed
        ]
        write_text_atomic(undecided, format_sheet(rows, (*COLUMNS, "first", "second")))
    return 0


def _read_filled(path: Path) -> list[LabelRow]:
    if not path.is_file():
        raise SheetUnfit(f"There is no sheet {path}.")
    return read_label_file(path, BoundedTold()).rows


def _read_asked_questions(db: Session) -> Iterator[dict[str, str]]:
    """Every question, oldest first, with the one before it in its session; sessions under pseudonyms."""
    before: dict[str, str] = {}
    for part in turns(db, purpose=_PURPOSE):
        for row in part:
            yield {
                "id": str(row["trace_id"]),
                "session_id": str(row["session"]),
                "question": str(row["question"]),
                "previous": before.get(row["session"], ""),
                "course": str(row["course_id"] or ""),
            }
            before[row["session"]] = str(row["question"])
