"""Stage `teacher_edits`: what teachers corrected of a course's graph in the console."""

from typing import get_args

from sqlalchemy.orm import Session

from knowledge_graph.lake.expectations import TEACHER_EDIT_EXPECTATIONS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import StatementKind, TeacherEdit, from_row
from knowledge_graph.lake.schemas import TEACHER_EDITS
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.bounded_report import BoundedTold
from orchestration.building.decisions import GRAPH_EDITS
from orchestration.reporting.course_source import Read, course_source, of_store
from serving.store.graph_edits import live_edits
from serving.store.tables.review import GraphEdit


def read_teacher_edits(db: Session, course_id: str) -> Read:
    """The corrections of a course that nobody took back, oldest first, and those of a kind that is not known."""
    log = BoundedTold("console")
    kinds: dict[str, StatementKind] = {kind: kind for kind in get_args(StatementKind)}
    edits = []
    for row in live_edits(db, course_id):
        if row.kind in kinds and row.subject.strip():
            edits.append(_edit(row, kinds[row.kind]))
        else:
            log.error(None, f"'{row.kind}: {row.subject[:60]}' was left out: it says nothing.", "Take it back.")
    log.close()
    return Read(edits, log.problems)


def read_corrections(data_dir: DataDir, course_id: str) -> list[TeacherEdit]:
    """The corrections as `teacher_edits` wrote them, oldest first."""
    return [from_row(TeacherEdit, row) for row in read_rows(data_dir.table("teacher_edits", course_id))]


def _edit(row: GraphEdit, kind: StatementKind) -> TeacherEdit:
    at = row.at.isoformat(timespec="seconds")
    return TeacherEdit(row.course_id, row.edit_id, kind, row.subject, row.object, row.definition, row.by, at)


teacher_edits = course_source(
    "teacher_edits",
    group="knowledge_graph",
    description="Corrections of the graph that teachers made in the console, from the gateway's store.",
    read=of_store("teacher_edits", TeacherEdit, read_teacher_edits),
    schema=TEACHER_EDITS,
    expectations=TEACHER_EDIT_EXPECTATIONS,
    deps=[GRAPH_EDITS],
    code_version="1",
)
