"""API keys: made, found, listed, rotated, revoked.

A key reads `ct-<key id>-<secret>`. The secret is 256 random bits, so a plain SHA-256 of it is kept: nobody can try all
secrets, which is what a slow password hash would make dear. It is shown once and never again. Rotation gives a key
another secret: its id, and with it its students, sessions, links and limits, stays.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.store.caller import ROLES, SCOPES, Role, parse_role
from serving.store.people import add_person
from serving.store.tables.base import now
from serving.store.tables.identity import ApiKey, Login, Person

PREFIX = "ct"
_ID_BYTES = 8
_SECRET_BYTES = 32
_LONGEST = 200
"""Most characters of what may be a key; longer strings are not looked up. A key has 84."""


class KeyUnknown(CoteachError):
    """No key has this id."""


class KeyUnusable(CoteachError):
    """A key cannot be made like this."""


@dataclass(frozen=True)
class PresentedKey:
    """What a client presents as a key, not yet verified."""

    key_id: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class KnownKey:
    """A key that is not revoked, with its person. `secrets` are digests, each with the time until which it opens."""

    key_id: str
    secrets: tuple[tuple[str, datetime | None], ...] = field(repr=False)
    person_id: str
    role: Role
    name: str | None
    courses: frozenset[str] | None
    requests_per_minute: int | None
    scopes: frozenset[str] | None = None
    expires_at: datetime | None = None

    def opens_for(self, secret: str) -> bool:
        """Whether the secret is the key's now, in a time that does not tell how much of it was right."""
        shown, at = digest(secret), now()
        found = [hmac.compare_digest(one, shown) and (until is None or at < until) for one, until in self.secrets]
        return any(found) and not self.is_over

    @property
    def is_over(self) -> bool:
        return self.expires_at is not None and self.expires_at <= now()


@dataclass(frozen=True)
class ListedKey:
    """Public view of an API key; the secret is never stored."""

    key_id: str
    label: str
    role: str
    name: str | None
    courses: tuple[str, ...] | None
    requests_per_minute: int | None
    created_at: datetime
    revoked_at: datetime | None
    scopes: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    tokens_per_day: int | None = None


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def read_key(text: str) -> PresentedKey | None:
    """The parts of a key; `None` for what is no key of this gateway."""
    parts = text.strip().split("-", 2) if len(text) <= _LONGEST else []
    if len(parts) != 3 or parts[0] != PREFIX or not all(parts):
        return None
    return PresentedKey(parts[1], parts[2])


def make_key(
    db: Session,
    *,
    role: Role,
    label: str = "",
    name: str | None = None,
    courses: Sequence[str] | None = None,
    per_minute: int | None = None,
    tokens_per_day: int | None = None,
    days: float | None = None,
    scopes: Sequence[str] | None = None,
) -> str:
    """A new key with its person, for so many days. Raises `KeyUnusable` for an unknown role or scope, or a TA or
    teacher without a name."""
    named = (name or "").strip()
    if role not in ROLES:
        raise KeyUnusable(f"A role is one of {', '.join(ROLES)}; found '{role}'.")
    if role in ("ta", "teacher") and not named:
        raise KeyUnusable("Students see who stands behind an answer: give a TA or teacher a name with --name.")
    if unknown := sorted(set(scopes or ()) - set(SCOPES)):
        raise KeyUnusable(f"A scope is one of {', '.join(SCOPES)}; found '{unknown[0]}'.")
    key_id, secret = secrets.token_hex(_ID_BYTES), secrets.token_hex(_SECRET_BYTES)
    person = add_person(db, role=role, key_id=key_id, name=named if role != "student" else None)
    db.add(
        ApiKey(
            key_id=key_id,
            secret_sha256=digest(secret),
            label=label or named or role,
            role=role,
            person_id=person.person_id,
            courses=sorted(set(courses)) if courses else None,
            scopes=sorted(set(scopes)) if scopes else None,
            requests_per_minute=per_minute,
            tokens_per_day=tokens_per_day,
            expires_at=None if days is None else now() + timedelta(days=days),
        )
    )
    db.flush()
    return f"{PREFIX}-{key_id}-{secret}"


def rotate_key(db: Session, key_id: str, *, grace_hours: float, days: float | None = None) -> str:
    """Another secret for a key, which is returned; the old one opens for a while yet. `days` sets its end anew.

    Raises `KeyUnknown`, and `KeyUnusable` for one that is revoked.
    """
    key = _key(db, key_id)
    if key.revoked_at is not None:
        raise KeyUnusable(f"The key '{key_id}' is revoked: make a new one with `coteach keys create`.")
    secret = secrets.token_hex(_SECRET_BYTES)
    key.old_secret_sha256, key.old_secret_until = key.secret_sha256, now() + timedelta(hours=grace_hours)
    key.secret_sha256 = digest(secret)
    if days is not None:
        key.expires_at = now() + timedelta(days=days)
    db.flush()
    return f"{PREFIX}-{key_id}-{secret}"


def note_use(db: Session, used: Mapping[str, datetime]) -> None:
    """Keep when keys were last used."""
    for key_id, at in sorted(used.items()):
        db.execute(update(ApiKey).where(ApiKey.key_id == key_id).values(last_used_at=at))


def find_key(db: Session, key_id: str) -> KnownKey | None:
    """A key that may be used; `None` when there is none by this id, or it is revoked or over."""
    found = db.execute(
        select(ApiKey, Person.name)
        .join(Person, Person.person_id == ApiKey.person_id)
        .where(ApiKey.key_id == key_id, ApiKey.revoked_at.is_(None))
    ).first()
    if found is None:
        return None
    key, name = found
    old = [] if key.old_secret_sha256 is None else [(key.old_secret_sha256, key.old_secret_until)]
    known = KnownKey(
        key_id=key.key_id,
        secrets=((key.secret_sha256, None), *old),
        person_id=key.person_id,
        role=parse_role(key.role),
        name=name,
        courses=None if key.courses is None else frozenset(key.courses),
        requests_per_minute=key.requests_per_minute,
        scopes=None if key.scopes is None else frozenset(key.scopes),
        expires_at=key.expires_at,
    )
    return None if known.is_over else known


def revoke_key(db: Session, key_id: str) -> None:
    """End a key and every login made with it. Raises `KeyUnknown`. Revoking a key again changes nothing."""
    _key(db, key_id)
    db.execute(update(ApiKey).where(ApiKey.key_id == key_id, ApiKey.revoked_at.is_(None)).values(revoked_at=now()))
    db.execute(delete(Login).where(Login.key_id == key_id))


def _key(db: Session, key_id: str) -> ApiKey:
    key = db.get(ApiKey, key_id)
    if key is None:
        raise KeyUnknown(f"No key has the id '{key_id}'. `coteach keys list` names them.")
    return key


def list_keys(db: Session) -> list[ListedKey]:
    """Every key, oldest first, revoked ones too."""
    rows = db.execute(
        select(ApiKey, Person.name)
        .join(Person, Person.person_id == ApiKey.person_id)
        .order_by(ApiKey.created_at, ApiKey.key_id)
    )
    return [
        ListedKey(
            key_id=key.key_id,
            label=key.label,
            role=key.role,
            name=name,
            courses=None if key.courses is None else tuple(key.courses),
            requests_per_minute=key.requests_per_minute,
            created_at=key.created_at,
            revoked_at=key.revoked_at,
            scopes=None if key.scopes is None else tuple(key.scopes),
            expires_at=key.expires_at,
            last_used_at=key.last_used_at,
            tokens_per_day=key.tokens_per_day,
        )
        for key, name in rows
    ]
