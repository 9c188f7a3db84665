"""How a question comes into the TAs' queue: because a student asked, or by itself because of how its answer went."""

from typing import Literal, cast, get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.desk.deduplication import same_as
from serving.desk.text_validation import LONGEST_NOTE, LONGEST_QUESTION, clean, require_text
from serving.store.tables.conversation import TurnRow
from serving.store.tables.review import TaQuestion

Reason = Literal["asked", "thumbs_down", "no_answer", "low_confidence", "source_changed"]

REASONS: tuple[Reason, ...] = get_args(Reason)
"""Strongest first: of two for one answer the stronger stays."""

NOT_QUEUED = frozenset({"chat", "refuse", "clarify"})
"""Routes of what was no question for the course, or not a whole one yet."""


def automatic_reason(turn: TurnRow, *, below: float) -> Reason | None:
    """Why an answer should be looked at though nobody asked for it; `None` when it need not.

    `below` is the confidence, 0..1, under which an answer is not sure enough.
    """
    if turn.route in NOT_QUEUED:
        return None
    if turn.outcome == "failed" or turn.route == "ask_ta":
        return "no_answer"
    is_unsure = turn.confidence is not None and turn.confidence < below
    return "low_confidence" if is_unsure and turn.outcome == "answered" else None


def stronger(left: Reason, right: Reason) -> Reason:
    return min(left, right, key=REASONS.index)


def reason_of(row: TaQuestion) -> Reason:
    return cast(Reason, row.reason)


def put_in_queue(db: Session, turn: TurnRow, reason: Reason, note: str = "", *, is_again: bool = False) -> TaQuestion:
    """The open item of an answer: a new one, or the one that there is with the stronger reason of both.

    What was answered stays answered; what was rejected comes back for a stronger reason alone, or when a teacher wants
    it looked at again (`is_again`). Raises `NotFit` for a note that is too long.
    """
    note = clean(note, "note", most=LONGEST_NOTE)
    last = _newest_of(db, turn.trace_id)
    if last is None or (last.state != "open" and _comes_back(last, reason, is_again=is_again)):
        added = TaQuestion(
            course_id=turn.course_id,
            lang=turn.lang or "en",
            question=turn.question,
            same_as=same_as(turn.course_id, turn.question),
            note=note,
            reason=reason,
            person_id=turn.person_id,
            trace_id=turn.trace_id,
        )
        db.add(added)
        db.flush()
        return added
    if last.state == "open":
        last.reason = stronger(reason, reason_of(last))
        last.note = _join_notes(last.note, note)
    return last


def ask(db: Session, person_id: str, question: str, *, course_id: str | None, lang: str, note: str = "") -> TaQuestion:
    """A question straight to the TAs, without an answer before it. The same one twice by one person is one item.

    Raises `NotFit` for an empty question, or one that is too long.
    """
    question = require_text(question, "question", most=LONGEST_QUESTION)
    note = clean(note, "note", most=LONGEST_NOTE)
    key = same_as(course_id, question)
    own = select(TaQuestion).where(
        TaQuestion.same_as == key, TaQuestion.state == "open", TaQuestion.person_id == person_id
    )
    found = db.scalars(own.order_by(TaQuestion.created_at, TaQuestion.question_id)).first()
    if found is None:
        found = TaQuestion(
            course_id=course_id, lang=lang, question=question, same_as=key, reason="asked", person_id=person_id
        )
        db.add(found)
    found.reason = stronger("asked", reason_of(found))
    found.note = _join_notes(found.note, note)
    db.flush()
    return found


def _newest_of(db: Session, trace_id: str) -> TaQuestion | None:
    """The item of an answer, the open one before all others."""
    found = db.scalars(select(TaQuestion).where(TaQuestion.trace_id == trace_id)).all()
    return max(found, key=lambda row: (row.state == "open", row.created_at, row.question_id), default=None)


def _comes_back(row: TaQuestion, reason: Reason, *, is_again: bool) -> bool:
    is_stronger = REASONS.index(reason) < REASONS.index(reason_of(row))
    return row.state in ("rejected", "withdrawn") and (is_stronger or is_again)


def _join_notes(note: str, more: str) -> str:
    """Both notes, each once, as far as there is room."""
    if not more or more in note.split("\n\n"):
        return note
    return "\n\n".join(part for part in (note, more) if part)[:LONGEST_NOTE]
