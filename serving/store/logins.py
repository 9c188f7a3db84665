"""Logins of browsers: a cookie of 256 random bits, kept by its SHA-256, that ends with its time or with its key."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from serving.store.caller import Role, parse_role
from serving.store.people import add_person
from serving.store.tables.base import now
from serving.store.tables.identity import ApiKey, Login, Person

_TOKEN_BYTES = 32
_LONGEST = 200
"""Characters of what may be a token; one has 64."""


@dataclass(frozen=True)
class Held:
    """A login that has not ended, with its person and, if it was made with one, its key. `is_launched`: by an LMS,
    whose people share a key and nothing else."""

    person_id: str
    role: Role
    name: str | None
    key_id: str | None
    courses: frozenset[str] | None
    requests_per_minute: int | None
    expires_at: datetime
    is_launched: bool = False


def token_digest(token: str) -> str | None:
    """What a token is kept by; `None` for what is too long to be one."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest() if len(token) <= _LONGEST else None


def log_in(
    db: Session,
    *,
    person_id: str,
    key_id: str | None,
    days: float,
    role: Role | None = None,
    course_id: str | None = None,
) -> str:
    """A new login of a person; the token is for the cookie and is not kept.

    Of a launch from an LMS: `role` in the one course `course_id`, whatever the person is elsewhere.
    """
    token = secrets.token_hex(_TOKEN_BYTES)
    digest, until = hashlib.sha256(token.encode()).hexdigest(), now() + timedelta(days=days)
    made = Login(
        token_sha256=digest, person_id=person_id, key_id=key_id, role=role, course_id=course_id, expires_at=until
    )
    db.add(made)
    db.flush()
    return token


def log_in_without_key(db: Session, *, days: float) -> str:
    """A login of a new person who has no key: a student nobody knows."""
    return log_in(db, person_id=add_person(db, role="student").person_id, key_id=None, days=days)


def find_login(db: Session, digest: str, *, at: datetime) -> Held | None:
    """The login kept by this digest; `None` when there is none, it has expired, or its key is revoked or over."""
    found = db.execute(
        select(Login, Person, ApiKey)
        .join(Person, Person.person_id == Login.person_id)
        .outerjoin(ApiKey, ApiKey.key_id == Login.key_id)
        .where(Login.token_sha256 == digest, Login.expires_at > at)
    ).first()
    if found is None:
        return None
    login, person, key = found
    if login.key_id is not None and (key is None or key.revoked_at is not None):
        return None
    ends = min(login.expires_at, key.expires_at or login.expires_at) if key is not None else login.expires_at
    if ends <= at:
        return None
    if login.course_id is not None:
        return _open_launch(login, person, key, ends)
    return Held(
        person_id=person.person_id,
        role=parse_role(person.role) if key is not None else "student",
        name=person.name,
        key_id=login.key_id,
        courses=None if key is None or key.courses is None else frozenset(key.courses),
        requests_per_minute=None if key is None else key.requests_per_minute,
        expires_at=ends,
    )


def _open_launch(login: Login, person: Person, key: ApiKey | None, ends: datetime) -> Held | None:
    """What a launch opens: one course, while its platform may open it."""
    may_open = key is not None and (key.courses is None or login.course_id in key.courses)
    if not may_open or login.course_id is None:
        return None
    role = parse_role(login.role or "student")
    return Held(
        person_id=person.person_id,
        role=role,
        name=person.name if role != "student" else None,
        key_id=login.key_id,
        courses=frozenset({login.course_id}),
        requests_per_minute=None,
        expires_at=ends,
        is_launched=True,
    )


def log_out(db: Session, digest: str) -> None:
    db.execute(delete(Login).where(Login.token_sha256 == digest))


def forget_expired(db: Session, *, at: datetime) -> int:
    """Delete logins whose time is over; how many there were."""
    return len(db.execute(delete(Login).where(Login.expires_at <= at).returning(Login.token_sha256)).all())
