"""What a TA decides on a proposal: it becomes an entry of the FAQ, or it is dismissed.

Publishing is approving (`serving.desk.decisions`): those who asked wait together in the queue, and one answer goes to
all of them.
"""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from serving.desk.decisions import approve
from serving.desk.material_units import MaterialUnit
from serving.desk.queue import open_rows, require_free
from serving.desk.queue_entry import automatic_reason, put_in_queue
from serving.desk.refusals import NotAtTheDesk, NotFit
from serving.store.caller import Caller
from serving.store.tables.base import now
from serving.store.tables.conversation import TurnRow
from serving.store.tables.review import DismissedQuestion, ReviewedAnswer
from serving.store.upserting import put_new


def publish(
    db: Session,
    trace_ids: Sequence[str],
    *,
    question: str,
    answer: str,
    rests: Sequence[MaterialUnit],
    by: Caller,
    answer_id: str | None = None,
    note: str = "",
) -> ReviewedAnswer:
    """Make the questions of a proposal one entry, worded by the TA; everybody who asked gets it.

    With `answer_id` that approved answer gets the words, and their wordings. Raises `NotAtTheDesk`, `NotFit` for
    questions of several courses, and `AlreadyDecided`, as `approve` does.
    """
    turns, course_id = _turns(db, trace_ids, by), course_of(db, trace_ids, by)
    known = db.get(ReviewedAnswer, answer_id) if answer_id is not None else None
    if answer_id is not None and (known is None or known.course_id != course_id):
        raise NotAtTheDesk(f"There is no reviewed answer '{answer_id[:64]}' in this course.")
    rows = [
        put_in_queue(db, turn, automatic_reason(turn, below=0) or "low_confidence", is_again=True) for turn in turns
    ]
    waiting = {each.question_id: each for row in rows if row.state == "open" for each in open_rows(db, row.question_id)}
    require_free(db, waiting.values(), by)
    first = next((row for row in rows if row.state == "open"), rows[0])
    for row in waiting.values():
        row.same_as, row.answer_id = first.same_as, answer_id or row.answer_id
    db.flush()
    return approve(db, first.question_id, question=question, answer=answer, rests=rests, by=by, note=note)


def course_of(db: Session, trace_ids: Sequence[str], by: Caller) -> str | None:
    """The course of questions. Raises `NotAtTheDesk`, and `NotFit` where they have several."""
    courses = {turn.course_id for turn in _turns(db, trace_ids, by)}
    if len(courses) > 1:
        raise NotFit("These questions belong to several courses. Publish those of one course at a time.")
    return courses.pop()


def dismiss(db: Session, trace_ids: Sequence[str], *, by: Caller) -> int:
    """Say that questions need no entry: they are proposed no more, unless enough others ask the same. How many.

    They stay in the queue where they wait there. Raises `NotAtTheDesk`.
    """
    rows = [{"trace_id": turn.trace_id, "person_id": by.person_id, "at": now()} for turn in _turns(db, trace_ids, by)]
    put_new(db, DismissedQuestion, rows)
    return len(rows)


def _turns(db: Session, trace_ids: Sequence[str], by: Caller) -> list[TurnRow]:
    """The turns in their order, each once. Raises `NotAtTheDesk` when one is not there or closed to the caller."""
    found: list[TurnRow] = []
    for trace_id in dict.fromkeys(trace_ids):
        turn = db.get(TurnRow, trace_id)
        if turn is None or turn.course_id is None or not by.may_see(turn.course_id):
            raise NotAtTheDesk(f"There is no question '{trace_id[:64]}' in a course of yours. Look at the list again.")
        found.append(turn)
    if not found:
        raise NotFit("No question was named. Name those of a proposal.")
    return found
