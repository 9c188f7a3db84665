"""What people want to be told of, and what they were told."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import Base, now


class Subscription(Base, kw_only=True):
    """What a person wants to be told of, by mail, by the webhook, or both. Nothing is mailed before `confirmed_at`."""

    __tablename__ = "subscriptions"
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True)
    email: Mapped[str] = mapped_column(String(254), default="")
    events: Mapped[list[Any]] = mapped_column(default_factory=list)
    """`answered`, `corrected`, `digest`."""
    by_webhook: Mapped[bool] = mapped_column(default=False)
    lang: Mapped[str] = mapped_column(String(8), default="en")
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    """Nothing decided before this is sent."""
    confirmed_at: Mapped[datetime | None] = mapped_column(default=None)


class Notice(Base, kw_only=True):
    """Something to be told to one person in one way, once: its id is the digest of what, whom and how.

    `state`: `pending`, `sending`, `sent`, `failed`, or `unknown` where it cannot be known whether it arrived, so that
    it is not sent twice.
    """

    __tablename__ = "notices"
    __table_args__ = (Index("notices_due", "state", "next_at"),)
    notice_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    channel: Mapped[str] = mapped_column(String(16))
    payload: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)
    state: Mapped[str] = mapped_column(String(16), default="pending")
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime] = mapped_column(default_factory=now)
    error: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)
    sent_at: Mapped[datetime | None] = mapped_column(default=None)
