"""A student's progress in lectures: the current place, the furthest place, and when it was seen.

One row a lecture and no history: how often and for how long somebody watched is not kept.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from serving.store.tables.base import now
from serving.store.tables.identity import Person
from serving.store.tables.study import LectureProgress
from serving.store.upserting import put

RECENT = timedelta(hours=1)
"""How long a reported place counts as the current one. A choice: about a lecture."""

KEPT = timedelta(days=180)
"""How long a place is kept after the last report. A choice: a semester."""

LONGEST_MS = 100 * 3_600_000
"""Milliseconds, a hundred hours: later ones are the end of the video."""


@dataclass(frozen=True)
class WatchedLecture:
    """A lecture of which a student has seen something. `at_ms`, `furthest_ms`: milliseconds from its beginning."""

    course_id: str
    video_id: str
    at_ms: int
    furthest_ms: int
    seen_at: datetime


def keep_place(db: Session, person_id: str, course_id: str, video_id: str, at_ms: int, *, furthest_ms: int = 0) -> bool:
    """Keep where a person is, and whether they have been further than before; false for somebody who is not kept (yet),
    of whom this is not either."""
    if db.get(Person, person_id) is None:
        return False
    at_ms = min(max(at_ms, 0), LONGEST_MS)
    held = db.get(LectureProgress, (person_id, course_id, video_id))
    furthest = max(at_ms, min(furthest_ms, LONGEST_MS), 0 if held is None else held.furthest_ms)
    named = {"person_id": person_id, "course_id": course_id, "video_id": video_id}
    row = named | {"at_ms": at_ms, "furthest_ms": furthest, "seen_at": now()}
    put(db, LectureProgress, row, key=tuple(named), keep=())
    return True


def list_watched(db: Session, person_id: str, course_id: str | None = None) -> list[WatchedLecture]:
    """The lectures of which a person has seen something, the one seen last first; of one course, or of all."""
    query = select(LectureProgress).where(LectureProgress.person_id == person_id)
    if course_id is not None:
        query = query.where(LectureProgress.course_id == course_id)
    return [_to_watched(row) for row in db.scalars(query.order_by(LectureProgress.seen_at.desc()))]


def recent_place(db: Session, person_id: str, course_id: str, *, at: datetime) -> WatchedLecture | None:
    """Where a person is in a course; `None` when they were last there longer than `RECENT` ago."""
    found = list_watched(db, person_id, course_id)[:1]
    return found[0] if found and found[0].seen_at > at - RECENT else None


def forget_places(db: Session, person_id: str) -> int:
    """Delete where a person was, at their own wish; in how many lectures."""
    gone = delete(LectureProgress).where(LectureProgress.person_id == person_id).returning(LectureProgress.video_id)
    return len(db.execute(gone).all())


def forget_old_places(db: Session, *, before: datetime) -> None:
    """Delete what was reported before a time."""
    db.execute(delete(LectureProgress).where(LectureProgress.seen_at < before))


def _to_watched(row: LectureProgress) -> WatchedLecture:
    return WatchedLecture(row.course_id, row.video_id, row.at_ms, row.furthest_ms, row.seen_at)
