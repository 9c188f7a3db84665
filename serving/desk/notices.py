"""Finds what to notify people about: answered questions, corrected answers, changed material, and TAs' digests.

It is found by looking at what was decided, again and again, so that nothing is missed when a gateway ends, and put into
the outbox, which knows what it had before.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.desk.approved_answers import PREFIX
from serving.desk.queue_groups import QueueGroup
from serving.store.notices import Event, channels_of, has_notice, put_notice
from serving.store.tables.conversation import ChangedAnswer, RestsOn, TurnRow
from serving.store.tables.identity import ApiKey, Person
from serving.store.tables.notification import Subscription
from serving.store.tables.review import Review, ReviewedAnswer, TaQuestion

WINDOW = timedelta(days=2)
"""How far back is looked: longer than a gateway is away over a weekend's night. A choice."""

AGES = (("day", timedelta(days=1)), ("three_days", timedelta(days=3)), ("week", timedelta(days=7)))
"""Questions of a digest by how long they wait; older ones are `older`."""

SHOWN = 10
"""Groups of questions that a digest names. A choice."""

MOST_IN_QUEUE = 2000
"""Items of the queue that a digest counts."""


@dataclass(frozen=True)
class DigestTimes:
    """Digests are due from an hour (UTC) on: of each day, or of each week's Monday."""

    hour: int
    is_weekly: bool = False

    def period(self, at: datetime) -> str | None:
        """The day or the week whose digest is due, by its first date; `None` before it is."""
        first = at.date() - timedelta(days=at.weekday() if self.is_weekly else 0)
        return first.isoformat() if at >= datetime.combine(first, time(self.hour), UTC) else None


@dataclass(frozen=True)
class DueDigest:
    """A TA to be sent the digest of a period, of these courses; `None` for all."""

    person_id: str
    courses: frozenset[str] | None
    period: str


def put_news(db: Session, *, at: datetime) -> int:
    """Queue the new notices of everybody who subscribed, but for digests; returns how many. `at` is in UTC."""
    people = list(db.scalars(select(Subscription)))
    if not people:
        return 0
    wanting = {one.person_id: one for one in people if channels_of(one)}
    return _notice_answers(db, wanting, at) + _notice_corrections(db, wanting, at) + _notice_changes(db, wanting, at)


def _tell(db: Session, held: Subscription, event: Event, *, thing: str, payload: dict[str, Any]) -> int:
    return sum(put_notice(db, held, event, one, thing=thing, payload=payload) for one in channels_of(held))


def _wants(held: Subscription | None, event: Event, since: datetime) -> bool:
    """Whether a subscriber wants to know of what happened then: nothing from before they subscribed."""
    return held is not None and event in held.events and held.created_at <= since


def _notice_answers(db: Session, wanting: dict[str, Subscription], at: datetime) -> int:
    """Notify the askers of questions that were answered or rejected. Returns the number of new notices."""
    decided = select(TaQuestion).where(
        TaQuestion.closed_at > at - WINDOW,
        TaQuestion.state.in_(("answered", "rejected")),
        TaQuestion.person_id.in_(wanting),
    )
    put = 0
    for row in db.scalars(decided):
        held = wanting.get(row.person_id or "")
        is_asked = row.state == "answered" or row.reason in ("asked", "thumbs_down")
        if held is None or row.closed_at is None or not is_asked or not _wants(held, "answered", row.closed_at):
            continue
        told = {"course_id": row.course_id, "question": row.question, "question_id": row.question_id}
        asked = db.get(TurnRow, row.trace_id) if row.trace_id else None
        told |= {"state": row.state, "trace_id": row.trace_id, "session_id": asked.session_id if asked else None}
        put += _tell(db, held, "answered", thing=f"{row.question_id} {row.state}", payload=told)
    return put


def _notice_corrections(db: Session, wanting: dict[str, Subscription], at: datetime) -> int:
    """Notify those who were given an answer that it was corrected or withdrawn. Returns the number of new notices."""
    changed = (
        select(Review, ReviewedAnswer)
        .join(ReviewedAnswer, ReviewedAnswer.answer_id == Review.answer_id)
        .where(Review.at > at - WINDOW, Review.decision.in_(("approve", "edit", "withdraw")), Review.before != "")
    )
    put = 0
    for review, answer in db.execute(changed):
        if review.before == review.after:
            continue
        given = _receivers(db, answer, review.at, wanting)
        for person_id in sorted(given):
            held = wanting[person_id]
            if not _wants(held, "corrected", review.at):
                continue
            told = {"course_id": answer.course_id, "question": answer.question, "answer_id": answer.answer_id}
            state = "withdrawn" if review.decision == "withdraw" else "corrected"
            payload = {**told, "state": state, "session_id": given[person_id]}
            put += _tell(db, held, "corrected", thing=review.review_id, payload=payload)
    return put


def _notice_changes(db: Session, wanting: dict[str, Subscription], at: datetime) -> int:
    """Notify those who were given answers whose material was edited since: once for a conversation and a version of the
    index, however many of its answers that concerns. Returns the number of new notices."""
    changed = (
        select(ChangedAnswer, TurnRow)
        .join(TurnRow, TurnRow.trace_id == ChangedAnswer.trace_id)
        .where(ChangedAnswer.found_at > at - WINDOW, ChangedAnswer.by_desk.is_(False), TurnRow.person_id.in_(wanting))
        .order_by(TurnRow.asked_at)
    )
    found: dict[tuple[str, str], list[TurnRow]] = defaultdict(list)
    for change, turn in db.execute(changed):
        if _wants(wanting[turn.person_id], "corrected", change.found_at):
            found[turn.session_id, change.index_version].append(turn)
    put = 0
    for (session_id, version), turns in found.items():
        last = turns[-1]
        told = {"course_id": last.course_id, "question": last.question, "trace_id": last.trace_id}
        payload = {**told, "state": "material_changed", "answers": len(turns), "session_id": session_id}
        put += _tell(db, wanting[last.person_id], "corrected", thing=f"{session_id} {version}", payload=payload)
    return put


def _receivers(db: Session, answer: ReviewedAnswer, before: datetime, wanting: Iterable[str]) -> dict[str, str | None]:
    """Who of `wanting` was given an answer before, by a TA or as an answer that rests on it.

    Each comes with the latest conversation in which they got it; `None` if they asked the TAs outside any.
    """
    asked = (
        select(TaQuestion.person_id, TurnRow.session_id)
        .join(TurnRow, TurnRow.trace_id == TaQuestion.trace_id, isouter=True)
        .where(
            TaQuestion.answer_id == answer.answer_id, TaQuestion.closed_at < before, TaQuestion.person_id.in_(wanting)
        )
    )
    origins = [f"{PREFIX}{answer.answer_id}", *([answer.replaces] if answer.replaces else [])]
    rested = (
        select(TurnRow.person_id, TurnRow.session_id)
        .join(RestsOn, RestsOn.trace_id == TurnRow.trace_id)
        .where(
            RestsOn.course_id == answer.course_id,
            RestsOn.origin_id.in_(origins),
            RestsOn.source == "faq",
            TurnRow.asked_at < before,
            TurnRow.person_id.in_(wanting),
        )
        .order_by(TurnRow.asked_at)
    )
    found = [each for query in (asked, rested) for each in db.execute(query)]
    return {person_id: session_id for person_id, session_id in found if person_id is not None}


def due_digests(db: Session, period: str) -> list[DueDigest]:
    """Who subscribed to the digest of a period, may look at the queue, and has not been told of it in every way."""
    found = []
    for held in db.scalars(select(Subscription)):
        ways = channels_of(held) if "digest" in held.events else ()
        if all(has_notice(db, held, "digest", one, thing=period) for one in ways):
            continue
        person = db.get(Person, held.person_id)
        key = db.scalars(select(ApiKey).where(ApiKey.person_id == held.person_id, ApiKey.revoked_at.is_(None))).first()
        if person is not None and person.role != "student" and key is not None:
            found.append(DueDigest(held.person_id, None if key.courses is None else frozenset(key.courses), period))
    return found


def put_digest(db: Session, due: DueDigest, payload: dict[str, Any]) -> int:
    """Queue a digest; returns how many notices are new, one for each way of telling."""
    held = db.get(Subscription, due.person_id)
    return 0 if held is None else _tell(db, held, "digest", thing=due.period, payload=payload)


def digest_of(groups: Sequence[QueueGroup], at: datetime) -> dict[str, Any]:
    """The queue by age, by why it waits and by course, and its first groups with how many ask: a question that stands
    there in several wordings once, as TAs see it there."""
    items = [group.as_one for group in groups]
    return {
        "waiting": len(items),
        "by_age": dict(Counter(_age(at - one.asked_at) for one in items)),
        "by_reason": dict(Counter(one.reason for one in items)),
        "by_course": dict(Counter(one.course_id or "" for one in items)),
        "first": [
            {
                "question": one.question,
                "course_id": one.course_id,
                "students": one.waiting,
                "reason": one.reason,
                "other_wordings": len(group.others),
            }
            for one, group in list(zip(items, groups, strict=True))[:SHOWN]
        ],
    }


def _age(waited: timedelta) -> str:
    return next((name for name, most in AGES if waited <= most), "older")
