"""Thumbs of students on answers of their own: one per person and answer, which may be changed and taken back."""

from collections.abc import Iterable
from typing import Literal

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from serving.desk.queue_entry import put_in_queue
from serving.feedback.reasons import check_comment, check_reasons
from serving.store.caller import Caller
from serving.store.tables.base import now
from serving.store.tables.conversation import Feedback
from serving.store.turns import own_turn
from serving.store.upserting import put


def thumb(
    db: Session,
    caller: Caller,
    trace_id: str,
    value: Literal[1, -1, 0],
    reasons: Iterable[str] = (),
    comment: str = "",
) -> Feedback | None:
    """Keep a thumb: 1 up, -1 down, 0 takes it back. A thumb down puts the question in the TAs' queue.

    What is in the queue stays there when the thumb changes: a TA may be at work on it. Raises `NotYours` for any answer
    but the caller's own, `FeedbackRefused` for reasons that do not go with the thumb.
    """
    turn = own_turn(db, caller.person_id, trace_id)
    if value == 0:
        db.execute(delete(Feedback).where(*_of(caller, trace_id)))
        return None
    codes, comment = check_reasons(value, reasons), check_comment(comment)
    before, at = thumb_of(db, caller, trace_id), now()
    is_news = before is None or (before.thumb, before.comment) != (-1, comment)
    row = {
        "trace_id": trace_id,
        "person_id": caller.person_id,
        "thumb": value,
        "reasons": codes,
        "comment": comment,
        "created_at": at,
        "updated_at": at,
    }
    put(db, Feedback, row, key=("trace_id", "person_id"), keep=("created_at",))
    if value == -1 and is_news:
        put_in_queue(db, turn, "thumbs_down", note=comment)
    return thumb_of(db, caller, trace_id)


def thumb_of(db: Session, caller: Caller, trace_id: str) -> Feedback | None:
    """The caller's own thumb on an answer."""
    query = select(Feedback).where(*_of(caller, trace_id)).execution_options(populate_existing=True)
    return db.scalars(query).one_or_none()


def _of(caller: Caller, trace_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Feedback.trace_id == trace_id, Feedback.person_id == caller.person_id
