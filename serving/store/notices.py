"""Subscriptions and the outbox of notices: each is queued once, sent by one gateway, and retried with pauses.

A mail of which it cannot be known whether it was taken is not sent again: once is worth more here than for sure. A
webhook is, with the same id, by which its receiver knows it.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.store.people import keep_person
from serving.store.tables.base import now
from serving.store.tables.notification import Notice, Subscription
from serving.store.upserting import put_if_new

Event = Literal["answered", "corrected", "digest"]
Channel = Literal["email", "webhook"]

Outcome = Literal["sent", "again", "failed", "unknown"]
"""The outcome of sending: accepted, try again, never possible, or perhaps accepted."""

EVENTS: tuple[Event, ...] = get_args(Event)

LEASE = timedelta(minutes=5)
"""How long one gateway may take to send something before another looks at it. A choice: longer than a mail server."""

FIRST_PAUSE = timedelta(seconds=30)
MOST_ATTEMPTS = 8
"""Half a minute after the first failure, four times as long after each other: given up after some twelve hours."""

LONGEST_PAUSE = timedelta(hours=6)

KEPT = timedelta(days=30)
"""How long sent notices are kept. A choice: longer than any look-up for duplicates reaches back."""

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}")
"""An address as browsers take it (HTML, valid e-mail address), in ASCII."""
_LONGEST_ADDRESS = 254


class SubscriptionRefused(CoteachError):
    """A person cannot subscribe like this."""


@dataclass(frozen=True)
class Wished:
    """What a person wants to be notified of, and how; without events, nothing."""

    events: tuple[Event, ...] = ()
    email: str = ""
    by_webhook: bool = False
    lang: str = "en"


@dataclass(frozen=True)
class DueNotice:
    """Something to be sent now. `email` is where it goes, empty for a webhook."""

    notice_id: str
    person_id: str
    kind: str
    channel: Channel
    payload: dict[str, Any]
    attempts: int
    created_at: datetime
    email: str
    lang: str


def check_address(text: str) -> str:
    """Raises `SubscriptionRefused` for what is no address."""
    address = text.strip()
    if len(address) > _LONGEST_ADDRESS or _ADDRESS.fullmatch(address) is None:
        raise SubscriptionRefused("This is no e-mail address, as ada@example.edu is one.")
    return address


def subscribe(db: Session, person_id: str, wished: Wished) -> Subscription | None:
    """Keep what a person wants; `None` where that is nothing. Another address has to be confirmed again; then a mail
    that asks for it is put into the outbox, one a day for an address. Raises `SubscriptionRefused`."""
    events = [one for one in EVENTS if one in wished.events]
    address = check_address(wished.email) if wished.email.strip() else ""
    held = db.get(Subscription, person_id)
    if not events or not (address or wished.by_webhook):
        if held is not None:
            db.delete(held)
        return None
    if held is None:
        keep_person(db, person_id)
        held = Subscription(person_id=person_id)
        db.add(held)
    if address != held.email:
        held.email, held.confirmed_at = address, None
    held.events, held.by_webhook, held.lang = events, wished.by_webhook, wished.lang
    db.flush()
    if address and held.confirmed_at is None:
        day = now().date().isoformat()
        put_notice(db, held, "confirm", "email", thing=f"{address.lower()} {day}", whose="", payload={"to": address})
    return held


def confirm(db: Session, person_id: str, address: str) -> bool:
    """The address is the person's, who followed a link in a mail to it. False where they want another, or nothing."""
    held = db.get(Subscription, person_id)
    if held is None or held.email != address:
        return False
    held.confirmed_at = held.confirmed_at or now()
    return True


def unsubscribe(db: Session, person_id: str) -> None:
    """Stop all notices to a person, waiting ones too."""
    db.execute(delete(Notice).where(Notice.person_id == person_id, Notice.state == "pending"))
    db.execute(delete(Subscription).where(Subscription.person_id == person_id))


def channels_of(held: Subscription) -> list[Channel]:
    """The ways in which a person is notified now."""
    found: list[Channel] = []
    if held.email and held.confirmed_at is not None:
        found.append("email")
    return [*found, "webhook"] if held.by_webhook else found


def put_notice(
    db: Session,
    held: Subscription,
    kind: str,
    channel: Channel,
    *,
    thing: str,
    payload: dict[str, Any],
    whose: str | None = None,
) -> bool:
    """Queue a notice once; returns whether it is new. `thing` names its subject, `whose` its reader, by default the
    person."""
    notice_id = _id_of(kind, channel, thing, held.person_id if whose is None else whose)
    row = {"notice_id": notice_id, "person_id": held.person_id, "kind": kind, "channel": channel, "payload": payload}
    at = now()
    more = {"state": "pending", "attempts": 0, "next_at": at, "error": "", "created_at": at, "sent_at": None}
    return put_if_new(db, Notice, row | more)


def has_notice(db: Session, held: Subscription, kind: str, channel: Channel, *, thing: str) -> bool:
    """Whether a person's notice of a subject was queued before."""
    return db.get(Notice, _id_of(kind, channel, thing, held.person_id)) is not None


def _id_of(*named: str) -> str:
    return hashlib.sha256("\0".join(named).encode()).hexdigest()


def take_due(db: Session, channels: Sequence[Channel], *, at: datetime, limit: int = 20) -> list[DueNotice]:
    """What is to be sent now, taken: no other gateway gets it. What another took and never finished comes back, a mail
    as `unknown`."""
    lost = select(Notice).where(Notice.state == "sending", Notice.next_at <= at).with_for_update(skip_locked=True)
    for one in db.scalars(lost):
        one.state = "unknown" if one.channel == "email" else "pending"
        one.error = one.error or "The gateway that sent it ended meanwhile."
    db.flush()
    due = select(Notice).where(Notice.state == "pending", Notice.next_at <= at, Notice.channel.in_(channels))
    found = db.scalars(due.order_by(Notice.next_at).limit(limit).with_for_update(skip_locked=True)).all()
    taken = []
    for one in found:
        held = db.get(Subscription, one.person_id)
        is_unwanted = held is not None and one.channel == "email" and one.kind != "confirm" and not held.confirmed_at
        if held is None or is_unwanted:
            db.delete(one)
            continue
        one.state, one.attempts, one.next_at = "sending", one.attempts + 1, at + LEASE
        known = (one.notice_id, one.person_id, one.kind)
        channel: Channel = "email" if one.channel == "email" else "webhook"
        to = str(one.payload.get("to") or held.email) if channel == "email" else ""
        taken.append(DueNotice(*known, channel, dict(one.payload), one.attempts, one.created_at, to, held.lang))
    return taken


def settle(
    db: Session, notice_id: str, outcome: Literal["sent", "again", "failed", "unknown"], error: str = ""
) -> None:
    """Record the outcome. `again`: retry after a pause, four times as long each time, at most `MOST_ATTEMPTS` times."""
    one = db.get(Notice, notice_id)
    if one is None:
        return
    one.error = error[:500]
    if outcome == "sent":
        one.state, one.sent_at, one.payload = "sent", now(), {}
    elif outcome == "again" and one.attempts < MOST_ATTEMPTS:
        one.state, one.next_at = "pending", now() + min(FIRST_PAUSE * 4 ** (one.attempts - 1), LONGEST_PAUSE)
    else:
        one.state = "failed" if outcome == "again" else outcome


def notice_counts(db: Session) -> dict[str, int]:
    """How many notices there are in each state."""
    return {row[0]: row[1] for row in db.execute(select(Notice.state, func.count()).group_by(Notice.state))}


def last_errors(db: Session, *, limit: int = 20) -> list[Notice]:
    """The newest that did not go out, or not yet."""
    wrong = select(Notice).where(Notice.error != "", Notice.state != "sent")
    return list(db.scalars(wrong.order_by(Notice.created_at.desc()).limit(limit)))


def forget_notices(db: Session, *, before: datetime) -> None:
    """Delete what was put into the outbox before a time."""
    db.execute(delete(Notice).where(Notice.created_at < before))
