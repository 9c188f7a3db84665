"""Corrections that teachers made in the console, to statements beside those of the course's files.

Belongs here: which of them count. A file is under version control and was written on purpose, so `graph.yaml` wins;
between two corrections the newer one does, for whoever clicks again has changed their mind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import Statement, TeacherEdit
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.contradictions import consistent
from knowledge_graph.sources.edits import MOST_EDITS
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.terms import definition_of, name_of

_PAIRS = ("name", "alias", "prerequisite", "no_prerequisite")


@dataclass(frozen=True)
class MergedCorrections:
    """What files say, and behind it the corrections that count; `superseded` counts those that newer ones undo."""

    statements: tuple[Statement, ...]
    problems: tuple[Problem, ...]
    superseded: int = 0


def add_corrections(of_files: Sequence[Statement], edits: Sequence[TeacherEdit]) -> MergedCorrections:
    """Add corrections, given oldest first, to what files say. Their rows count from 1 for the oldest."""
    log = BoundedTold()
    rows = list(enumerate(edits, start=1))[-MOST_EDITS:]
    said = [statement for row, edit in reversed(rows) if (statement := _statement(edit, row, log))]
    newest = list(consistent(said, ProblemLog()))
    of_teacher = [each for each in of_files if each.given_by == "teacher"]
    log.file = "console"
    counting = list(consistent(chain(of_teacher, newest), log))[len(of_teacher) :]
    log.close()
    return MergedCorrections((*of_files, *counting), tuple(log.problems), len(said) - len(newest))


def _statement(edit: TeacherEdit, row: int, log: ProblemLog) -> Statement | None:
    """The correction as a statement; `None`, with a problem logged, when a name in it is none."""
    log.file = f"console, by {edit.by}" if edit.by else "console"
    subject = name_of(edit.subject, row, log)
    second = name_of(edit.object or "", row, log) if edit.kind in _PAIRS else None
    if subject is None or (second is None and edit.kind in _PAIRS):
        return None
    definition = definition_of(edit.definition, row, log) if edit.kind == "concept" else None
    return Statement(edit.course_id, edit.kind, "teacher", subject, second, definition, log.file, row)
