"""Answers drawn at random for experts to rate: by course, route, period and references, the same for the same seed."""

import hashlib
import heapq
from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlalchemy.sql import ColumnElement

from serving.store.tables.conversation import RestsOn, TurnRow
from serving.store.tables.rating import BatchItem


@dataclass(frozen=True)
class Draw:
    """Which answers are drawn. Empty or `None` limits nothing; times are UTC, `until` is after the last.

    `with_references` asks for answers that have some (true) or none (false). `per_course` is how many of each course
    are drawn, `answers` then the most of all courses. Nothing is drawn again of the batch `apart_from`. The same draw
    over the same answers is the same sample.
    """

    answers: int
    seed: int = 0
    courses: tuple[str, ...] | None = None
    routes: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    with_references: bool | None = None
    per_course: int | None = None
    apart_from: str | None = None


def drawn(db: Session, draw: Draw) -> list[str]:
    """The trace ids of the sample: those whose digest with the seed is smallest, however they are stored."""
    query = select(TurnRow.trace_id, TurnRow.course_id).where(*_conditions(draw))
    seeded = f"{draw.seed}:".encode()

    def digest(trace_id: str) -> bytes:
        return hashlib.sha256(seeded + trace_id.encode()).digest()

    if draw.per_course is None:
        return heapq.nsmallest(draw.answers, (trace_id for trace_id, _ in db.execute(query)), key=digest)
    by_course: defaultdict[str, list[str]] = defaultdict(list)
    for trace_id, course_id in db.execute(query):
        by_course[course_id or ""].append(trace_id)
    kept = [one for each in by_course.values() for one in heapq.nsmallest(draw.per_course, each, key=digest)]
    return heapq.nsmallest(draw.answers, kept, key=digest)


def as_json(draw: Draw) -> dict[str, object]:
    """How a batch says what it was drawn from."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else list(value) if isinstance(value, tuple) else value
        for name, value in asdict(draw).items()
    }


def _conditions(draw: Draw) -> list[ColumnElement[bool]]:
    is_cited = TurnRow.trace_id.in_(select(RestsOn.trace_id).where(RestsOn.is_reference))
    conditions: list[ColumnElement[bool]] = [TurnRow.outcome == "answered"]
    if draw.courses is not None:
        conditions.append(TurnRow.course_id.in_(draw.courses))
    if draw.routes:
        conditions.append(TurnRow.route.in_(draw.routes))
    if draw.since is not None:
        conditions.append(TurnRow.asked_at >= draw.since)
    if draw.until is not None:
        conditions.append(TurnRow.asked_at < draw.until)
    if draw.with_references is not None:
        conditions.append(is_cited if draw.with_references else ~is_cited)
    if draw.apart_from is not None:
        in_batch = select(BatchItem.trace_id).where(BatchItem.batch_id == draw.apart_from)
        conditions.append(TurnRow.trace_id.not_in(in_batch))
    return conditions
