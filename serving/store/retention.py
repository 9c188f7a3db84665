"""Deletes what is past its retention: answers with everything attached, then people who have nothing left.

Reviewed answers stay, and so does the history of decisions without who had asked. Each transaction is bounded, so
that requests come in between.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

import structlog
from sqlalchemy import delete, exists, select
from sqlalchemy.orm import Session

from serving.store.database import Store
from serving.store.lecture_progress import KEPT as PLACES_KEPT
from serving.store.lecture_progress import forget_old_places
from serving.store.logins import forget_expired
from serving.store.notices import KEPT, forget_notices
from serving.store.privacy import forget_reviews
from serving.store.spending import PERSON_DAYS, forget_spending
from serving.store.tables.base import now
from serving.store.tables.conversation import ChatSession, Feedback, TurnRow
from serving.store.tables.identity import ApiKey, Login, Person
from serving.store.tables.review import TaQuestion
from serving.store.turns import name_anew

BATCH = 500
"""Rows that one transaction deletes, beside those that hang on them. A choice: some ten milliseconds."""

PAUSE_SECONDS = 6 * 3600.0
"""Between two looks of a running gateway. A choice."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Removed:
    """How many rows were deleted; those that hang on an answer are not counted."""

    turns: int = 0
    questions: int = 0
    sessions: int = 0
    logins: int = 0
    people: int = 0

    @property
    def is_nothing(self) -> bool:
        return not any(getattr(self, field.name) for field in fields(self))


def purge(store: Store, *, before: datetime, batch: int = BATCH) -> Removed:
    """Delete what was asked before a time, and sessions, ended logins and people of before it that have nothing left.

    A person with a key or a login stays, and so does everybody who is not a student.
    """
    counts = {name: _all(store, step, before=before, batch=batch) for name, step in _STEPS.items()}
    store.checkpoint()
    return Removed(**counts)


async def keep_to(store: Store, *, days: int | None, pause: float = PAUSE_SECONDS) -> None:
    """Delete logins that have ended, what was counted of single people and where they were a while ago, and purge what
    is older than `days` if that is not `None`, until cancelled."""
    counted = timedelta(days=PERSON_DAYS if days is None else min(days, PERSON_DAYS))
    places = PLACES_KEPT if days is None else min(timedelta(days=days), PLACES_KEPT)
    while True:
        try:
            await store.writing(lambda db: forget_expired(db, at=now()))
            await store.writing(lambda db: forget_notices(db, before=now() - KEPT))
            await store.writing(lambda db: forget_old_places(db, before=now() - places))
            await store.writing(lambda db: forget_spending(db, before=(now() - counted).date()))
            if days is not None:
                await _purge(store, days)
        except Exception:
            log.exception("retention_failed", retry_seconds=pause)
        await asyncio.sleep(pause)


async def _purge(store: Store, days: int) -> None:
    removed = await asyncio.to_thread(purge, store, before=now() - timedelta(days=days))
    if not removed.is_nothing:
        log.info("retention", days=days, **{field.name: getattr(removed, field.name) for field in fields(removed)})


Step = Callable[[Session, datetime, int], int]


def _all(store: Store, step: Step, *, before: datetime, batch: int) -> int:
    total = 0
    while count := store.write(lambda db: step(db, before, batch)):
        total += count
    return total


def _turns(db: Session, before: datetime, limit: int) -> int:
    old = select(TurnRow.trace_id, TurnRow.session_id).where(TurnRow.asked_at < before)
    found = db.execute(old.order_by(TurnRow.asked_at).limit(limit)).all()
    traces = [trace_id for trace_id, _ in found]
    forget_reviews(db, TaQuestion.trace_id.in_(traces))
    db.execute(delete(TurnRow).where(TurnRow.trace_id.in_(traces)))
    name_anew(db, sorted({session_id for _, session_id in found}))
    return len(found)


def _questions(db: Session, before: datetime, limit: int) -> int:
    """Questions to a TA that are about no answer. Those that changed sources asked are nobody's, and stay."""
    old = select(TaQuestion.question_id).where(TaQuestion.created_at < before, TaQuestion.person_id.is_not(None))
    found = db.scalars(old.order_by(TaQuestion.created_at).limit(limit)).all()
    forget_reviews(db, TaQuestion.question_id.in_(found))
    db.execute(delete(TaQuestion).where(TaQuestion.question_id.in_(found)))
    return len(found)


def _sessions(db: Session, before: datetime, limit: int) -> int:
    empty = ~exists().where(TurnRow.session_id == ChatSession.session_id)
    old = select(ChatSession.session_id).where(ChatSession.updated_at < before, empty)
    found = db.scalars(old.limit(limit)).all()
    db.execute(delete(ChatSession).where(ChatSession.session_id.in_(found)))
    return len(found)


def _logins(db: Session, before: datetime, limit: int) -> int:
    found = db.scalars(select(Login.token_sha256).where(Login.expires_at < before).limit(limit)).all()
    db.execute(delete(Login).where(Login.token_sha256.in_(found)))
    return len(found)


def _people(db: Session, before: datetime, limit: int) -> int:
    has_nothing = [
        ~exists().where(table.person_id == Person.person_id)
        for table in (ChatSession, TurnRow, Login, TaQuestion, Feedback, ApiKey)
    ]
    old = select(Person.person_id).where(Person.role == "student", Person.created_at < before, *has_nothing)
    found = db.scalars(old.limit(limit)).all()
    db.execute(delete(Person).where(Person.person_id.in_(found)))
    return len(found)


_STEPS: dict[str, Step] = {
    "turns": _turns,
    "questions": _questions,
    "sessions": _sessions,
    "logins": _logins,
    "people": _people,
}
"""In this order: each leaves the next with nothing that hangs on it."""
