"""Teachers' corrections of a course's graph in the store. Each is kept; one that is taken back has `withdrawn_at`."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.store.caller import Caller
from serving.store.corrections import (
    Arrow,
    ClosesACircle,
    Correction,
    CorrectionRefused,
    agree,
    arrows_now,
    circle,
    clean_correction,
)
from serving.store.tables.base import now
from serving.store.tables.review import GraphEdit


def live_edits(db: Session, course_id: str) -> list[GraphEdit]:
    """What teachers say of a course's graph and have not taken back, oldest first."""
    found = select(GraphEdit).where(GraphEdit.course_id == course_id, GraphEdit.withdrawn_at.is_(None))
    return list(db.scalars(found.order_by(GraphEdit.at, GraphEdit.edit_id)))


def correct(db: Session, correction: Correction, by: Caller, *, accepted: Iterable[Arrow] = ()) -> GraphEdit:
    """Keep a correction. What was said before of the same thing is taken back.

    `accepted` are the prerequisites of the last build. Raises `ClosesACircle` for a prerequisite that those and the
    corrections so far contradict, `CorrectionRefused` for names that cannot be used.
    """
    said = clean_correction(correction)
    known = live_edits(db, said.course_id)
    kept = [edit for edit in known if agree(as_correction(edit), said)]
    if said.kind == "prerequisite" and said.object is not None:
        _refuse_circles(Arrow(said.subject, said.object), accepted, kept)
    for edit in known:
        if edit not in kept:
            edit.withdrawn_at = now()
    made = GraphEdit(
        course_id=said.course_id,
        kind=said.kind,
        subject=said.subject,
        object=said.object,
        definition=said.definition,
        person_id=by.person_id,
        by=by.name or "",
    )
    db.add(made)
    db.flush()
    return made


def undo(db: Session, course_id: str, edit_id: str) -> GraphEdit:
    """Take a correction back. Raises `CorrectionRefused` when the course has none by that id."""
    edit = db.get(GraphEdit, edit_id)
    if edit is None or edit.course_id != course_id or edit.withdrawn_at is not None:
        raise CorrectionRefused("There is no such correction any more.")
    edit.withdrawn_at = now()
    return edit


def as_correction(edit: GraphEdit) -> Correction:
    """The row as the pure functions take it."""
    return Correction(edit.course_id, edit.kind, edit.subject, edit.object, edit.definition)  # type: ignore[arg-type]


def _refuse_circles(arrow: Arrow, accepted: Iterable[Arrow], kept: Iterable[GraphEdit]) -> None:
    if names := circle(arrows_now(accepted, map(as_correction, kept)), arrow):
        raise ClosesACircle(names)
