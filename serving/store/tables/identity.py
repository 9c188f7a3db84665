"""Who asks and answers, what they show that they may, and what administrators did.

Names of people are kept for those who answer in public (TAs and teachers) and for nobody else; a student is a random
id.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import ID, NAME, Base, new_id, now


class Person(Base, kw_only=True):
    """Somebody who asks or answers. `alias` is the keyed digest of a service's own id of a student behind one key.

    `name` is shown to students as the author of answers; `None` for students and those without a key.
    """

    __tablename__ = "people"
    __table_args__ = (UniqueConstraint("key_id", "alias"),)
    person_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    role: Mapped[str] = mapped_column(String(16), default="student")
    key_id: Mapped[str | None] = mapped_column(ID, default=None)
    alias: Mapped[str | None] = mapped_column(String(64), default=None)
    name: Mapped[str | None] = mapped_column(NAME, default=None)
    is_by_session: Mapped[bool] = mapped_column(default=False)
    """A person without key or login: whoever holds an id of one of their sessions, which cannot be guessed."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)


class ApiKey(Base, kw_only=True):
    """A stored key: the SHA-256 of its secret, not the secret. `courses` limits what it may ask; `None`: all."""

    __tablename__ = "api_keys"
    key_id: Mapped[str] = mapped_column(ID, primary_key=True)
    secret_sha256: Mapped[str] = mapped_column(String(64), repr=False)
    label: Mapped[str] = mapped_column(NAME)
    role: Mapped[str] = mapped_column(String(16))
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), index=True)
    courses: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    scopes: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    """What it may be used for (`serving.store.caller.Scope`); `None`: everything its role may."""
    requests_per_minute: Mapped[int | None] = mapped_column(default=None)
    tokens_per_day: Mapped[int | None] = mapped_column(default=None)
    """Tokens of the model server that may be spent with it on one day (UTC); `None`: what the settings say."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    expires_at: Mapped[datetime | None] = mapped_column(default=None)
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    last_used_at: Mapped[datetime | None] = mapped_column(default=None)
    """Within a minute."""
    old_secret_sha256: Mapped[str | None] = mapped_column(String(64), default=None, repr=False)
    """The secret before the last rotation, which opens until `old_secret_until`."""
    old_secret_until: Mapped[datetime | None] = mapped_column(default=None)


class AuditRow(Base, kw_only=True):
    """An administrative act: who did what to what. It is never changed, and holds no secret and nobody's words."""

    __tablename__ = "audit"
    act_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    at: Mapped[datetime] = mapped_column(default_factory=now, index=True)
    by: Mapped[str] = mapped_column(NAME)
    """A login of the machine, or the id of a key."""
    act: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(NAME)
    details: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)


class Login(Base, kw_only=True):
    """A browser that showed a key, asks without one, or was sent by an LMS. Kept by the SHA-256 of its cookie."""

    __tablename__ = "logins"
    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True, repr=False)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), index=True)
    key_id: Mapped[str | None] = mapped_column(ID, default=None)
    role: Mapped[str | None] = mapped_column(String(16), default=None)
    """The role an LMS grants to a launch in this one course; `None` for a login, which has the role of its key."""
    course_id: Mapped[str | None] = mapped_column(NAME, default=None)
    """For a launch: the one course that it opens."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    expires_at: Mapped[datetime] = mapped_column(index=True)
