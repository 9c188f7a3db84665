"""Approved answers whose sources have changed: they go back to the queue, marked, and say so until a person has looked.

Whoever sees a change first says it, the pipeline's asset or a gateway that takes up a new build; the second finds
nothing to do.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from serving.desk.course_tables import CourseTables
from serving.desk.deduplication import same_answer
from serving.desk.history import format_answer, log
from serving.desk.material_units import UnitChange, find_changes, plain
from serving.store.database import Store
from serving.store.tables.base import now
from serving.store.tables.review import ReviewedAnswer, ReviewedSource, TaQuestion


def look_again(store: Store, tables: CourseTables) -> list[str]:
    """Compare what every approved answer rests on with the lake as it is now; return it or take its mark away.

    Gives the ids of the answers that this look changed something for, sorted. To be called when a new build is there.
    """
    rests = store.read(rests_of_approved)
    found: dict[str, list[UnitChange]] = defaultdict(list)
    for change in find_changes(rests, tables):
        found[change.answer_id].append(change)
    known = {(rest.answer_id, rest.unit): rest.changed_to for rest in rests if rest.changed_to is not None}
    seen = {(change.answer_id, change.unit): change.now for each in found.values() for change in each}
    news = sorted({answer_id for answer_id, _ in dict(known.items() ^ seen.items())})
    if news:
        store.write(lambda db: [return_to_queue(db, answer_id, found[answer_id]) for answer_id in news])
    return news


def rests_of_approved(db: Session) -> Sequence[ReviewedSource]:
    """What all approved answers rest on."""
    found = select(ReviewedSource).join(ReviewedAnswer, ReviewedAnswer.answer_id == ReviewedSource.answer_id)
    found = found.where(ReviewedAnswer.state == "approved")
    return db.scalars(found.order_by(ReviewedSource.answer_id, ReviewedSource.unit)).all()


def return_to_queue(db: Session, answer_id: str, changes: Sequence[UnitChange]) -> TaQuestion | None:
    """Mark what changed under an approved answer, and put it before people again; `changes` are all that there are.

    What was said of an older text of a unit than the one it was approved with is skipped. With no change left the
    answer is whole again and its open item goes. Gives the open item, `None` when there is none. Repeating it does
    nothing.
    """
    reviewed = db.get(ReviewedAnswer, answer_id, with_for_update=True)
    if reviewed is None or reviewed.state != "approved":
        return None
    now_is = {change.unit: change for change in changes if change.answer_id == answer_id}
    sources = db.scalars(select(ReviewedSource).where(ReviewedSource.answer_id == answer_id)).all()
    is_news = False
    for source in sources:
        change = now_is.get(source.unit)
        applies = change is not None and plain(change.was) == plain(source.text)
        text = change.now if change is not None and applies else None
        is_news |= text is not None and text != source.changed_to
        source.changed_to = text
    reviewed.is_stale = any(source.changed_to is not None for source in sources)
    if not reviewed.is_stale:
        close_returned(db, answer_id, "withdrawn")
        return None
    if is_news:
        touched = "\n".join(source.label for source in sources if source.changed_to is not None)
        log(db, "return", None, answer=reviewed, before=format_answer(reviewed), after="", note=touched)
    return _return_to_queue(db, reviewed)


def _return_to_queue(db: Session, reviewed: ReviewedAnswer) -> TaQuestion:
    key = same_answer(reviewed.answer_id)
    found = db.scalars(select(TaQuestion).where(TaQuestion.same_as == key, TaQuestion.state == "open")).first()
    if found is None:
        found = TaQuestion(
            course_id=reviewed.course_id,
            lang=reviewed.lang,
            question=reviewed.question,
            same_as=key,
            reason="source_changed",
            answer_id=reviewed.answer_id,
        )
        db.add(found)
        db.flush()
    return found


def close_returned(db: Session, answer_id: str, state: Literal["answered", "withdrawn"]) -> None:
    """Its item in the queue is done with, if there is one."""
    key = same_answer(answer_id)
    open_ones = update(TaQuestion).where(TaQuestion.same_as == key, TaQuestion.state == "open")
    db.execute(open_ones.values(state=state, closed_at=now()))
