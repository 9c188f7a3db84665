"""Review batches: which expert rates which of the answers drawn, and how far they are (Course Hero 3.1)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session
from sqlalchemy.sql import ColumnElement

from knowledge_graph.lake.problems import CoteachError
from serving.feedback.rating_forms import FormName
from serving.store.batch_sampling import Draw, as_json, drawn
from serving.store.caller import ROLES, Caller
from serving.store.tables.base import now
from serving.store.tables.identity import ApiKey, Person
from serving.store.tables.rating import Batch, BatchItem

ANYBODY = ""
"""Rater of an item that goes to the next TA who asks for one."""

MOST_ITEMS = 10_000
"""Most answers of one batch; Course Hero's had 700. A choice."""


class BatchRefused(CoteachError):
    """A batch that cannot be drawn or assigned as asked."""


class BatchUnknown(CoteachError):
    """No batch of this name that the caller may see."""

    def __init__(self, batch_id: str) -> None:
        super().__init__(f"There is no batch '{batch_id[:40]}' that you may see; see GET /review/batches.")


@dataclass(frozen=True)
class BatchProgress:
    """How far one rater is with a batch. `person_id` is `ANYBODY` for what nobody has taken."""

    person_id: str
    name: str | None
    done: int
    total: int


def make_batch(
    db: Session, *, name: str, form: FormName, draw: Draw, raters: Sequence[str], each: int, by: Caller
) -> Batch:
    """Draw answers and give each to `each` of the raters in turn. Raises `BatchRefused`."""
    _require_raters(db, raters, each)
    if not 0 < draw.answers * each <= MOST_ITEMS:
        raise BatchRefused(f"A batch has 1 to {MOST_ITEMS} ratings; asked: {draw.answers} answers for {each} each.")
    found = drawn(db, draw)
    if not found:
        raise BatchRefused("No answer fits: widen the course, the routes or the period.")
    only = draw.courses[0] if draw.courses and len(draw.courses) == 1 else None
    batch = Batch(
        name=name,
        form=form,
        course_id=only,
        seed=draw.seed,
        drawn_from={**as_json(draw), "found": len(found)},
        created_by=by.person_id,
    )
    db.add(batch)
    db.flush()
    db.add_all(_assign(batch.batch_id, found, raters, each))
    db.flush()
    return batch


def batch_for(db: Session, caller: Caller, batch_id: str) -> Batch:
    """A batch of a course of the caller's, made by them, or with items for them. Raises `BatchUnknown`."""
    batch = db.get(Batch, batch_id)
    if batch is None:
        raise BatchUnknown(batch_id)
    is_open = caller.may_see(batch.course_id) or batch.created_by == caller.person_id
    if not is_open and not _has_items(db, caller, batch_id):
        raise BatchUnknown(batch_id)
    return batch


def may_manage(caller: Caller, batch: Batch) -> bool:
    """Whether the caller may end a batch and give its work to others: who made it, and teachers of its course."""
    is_teacher = caller.is_at_least("teacher") and caller.may_see(batch.course_id)
    return is_teacher or batch.created_by == caller.person_id


def batches_for(db: Session, caller: Caller) -> list[Batch]:
    """Those the caller may see, newest first."""
    mine = select(BatchItem.batch_id).where(BatchItem.assigned_to == caller.person_id)
    query = select(Batch).order_by(Batch.created_at.desc(), Batch.batch_id)
    if caller.courses is not None:
        is_made = Batch.created_by == caller.person_id
        query = query.where(Batch.course_id.in_(caller.courses) | Batch.batch_id.in_(mine) | is_made)
    return list(db.scalars(query))


def progress(db: Session, batch_id: str) -> list[BatchProgress]:
    """By rater, in the order of their names."""
    done, total = func.count(BatchItem.finished_at), func.count()
    query = (
        select(BatchItem.assigned_to, Person.name, done, total)
        .join(Person, Person.person_id == BatchItem.assigned_to, isouter=True)
        .where(BatchItem.batch_id == batch_id)
        .group_by(BatchItem.assigned_to, Person.name)
    )
    found = [BatchProgress(*row) for row in db.execute(query)]
    return sorted(found, key=lambda one: (one.name or "", one.person_id))


def next_item(db: Session, caller: Caller, batch_id: str) -> BatchItem | None:
    """The caller's first unrated answer; else one that nobody has, which is the caller's from then on."""
    waiting = select(BatchItem).where(BatchItem.batch_id == batch_id, BatchItem.finished_at.is_(None))
    waiting = waiting.order_by(BatchItem.position).limit(1)
    own = db.scalars(waiting.where(BatchItem.assigned_to == caller.person_id)).one_or_none()
    if own is not None:
        return own
    free = db.scalars(waiting.where(BatchItem.assigned_to == ANYBODY).with_for_update(skip_locked=True)).one_or_none()
    if free is not None:
        free.assigned_to = caller.person_id
        db.flush()
    return free


def hand_over(db: Session, batch_id: str, *, giver: str, taker: str) -> int:
    """Give what a rater has not rated yet to another; how many that were. Answers the other has already stay."""
    _require_raters(db, [taker], 1)
    has = select(BatchItem.trace_id).where(BatchItem.batch_id == batch_id, BatchItem.assigned_to == taker)
    has_already = set(db.scalars(has))
    waiting = db.scalars(select(BatchItem).where(*_conditions_of_unfinished(batch_id), BatchItem.assigned_to == giver))
    moved = [item for item in waiting if item.trace_id not in has_already]
    for item in moved:
        item.assigned_to = taker
    db.flush()
    return len(moved)


def finish_batch(db: Session, batch_id: str) -> int:
    """End a batch: what is not rated yet is taken out of it; how many that were."""
    found = db.execute(delete(BatchItem).where(*_conditions_of_unfinished(batch_id)).returning(BatchItem.trace_id))
    return len(found.all())


def mark_rated(db: Session, caller: Caller, batch_id: str, trace_id: str) -> bool:
    """Whether the answer is the caller's to rate in this batch; it is finished then."""
    done = (
        update(BatchItem)
        .where(
            BatchItem.batch_id == batch_id,
            BatchItem.trace_id == trace_id,
            BatchItem.assigned_to == caller.person_id,
        )
        .values(finished_at=now())
        .returning(BatchItem.position)
    )
    return db.execute(done).first() is not None


def raters(db: Session, courses: Collection[str] | None = None) -> list[Person]:
    """Everybody who may rate in one of the courses (`None`: in any), by name."""
    query = select(Person).where(Person.role.in_(ROLES[1:])).order_by(Person.name, Person.person_id)
    people = list(db.scalars(query))
    if courses is None:
        return people
    keys = db.scalars(select(ApiKey).where(ApiKey.revoked_at.is_(None)))
    known = {one.person_id for one in keys if one.courses is None or not set(one.courses).isdisjoint(courses)}
    return [one for one in people if one.person_id in known]


def _assign(batch_id: str, found: Sequence[str], raters: Sequence[str], each: int) -> list[BatchItem]:
    """Answer i goes to raters i*each, i*each+1, ...: nobody has more than one more than another."""
    return [
        BatchItem(
            batch_id=batch_id,
            trace_id=trace_id,
            assigned_to=raters[(place * each + turn) % len(raters)],
            position=place,
        )
        for place, trace_id in enumerate(found)
        for turn in range(each)
    ]


def _require_raters(db: Session, raters: Sequence[str], each: int) -> None:
    if not 1 <= each <= len(set(raters)) or len(set(raters)) != len(raters):
        raise BatchRefused(f"Each answer needs {each} different raters; named: {len(set(raters))} different ones.")
    query = select(Person.person_id).where(Person.person_id.in_(raters), Person.role.in_(ROLES[1:]))
    known = {*db.scalars(query), ANYBODY}
    if strangers := sorted(set(raters) - known):
        raise BatchRefused(f"These are no TAs: {', '.join(one[:40] for one in strangers)}. See GET /review/raters.")


def _has_items(db: Session, caller: Caller, batch_id: str) -> bool:
    query = select(BatchItem.batch_id).where(BatchItem.batch_id == batch_id, BatchItem.assigned_to == caller.person_id)
    return db.execute(query.limit(1)).first() is not None


def _conditions_of_unfinished(batch_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return BatchItem.batch_id == batch_id, BatchItem.finished_at.is_(None)
