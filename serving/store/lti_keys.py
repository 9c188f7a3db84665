"""The keys with which this tool signs what it sends to an LMS: made, published, rotated.

A new key is published a day before it signs, for platforms remember our key set; the one before it stays published for
a day after its last use. Private keys are kept encrypted with the secret of the home, and never shown.
"""

import hmac
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.store.tables.base import new_id
from serving.store.tables.lti import LtiKey

BITS = 2048
LEAD = timedelta(days=1)
"""From publishing a key to signing with it, and from the last signature to withdrawing it. A choice."""

KEY_DAYS = 90
"""A key that has signed for so long is followed by another one. A choice."""


class LtiKeyUnreadable(CoteachError):
    """A private key is there and the secret of the home does not open it."""


@dataclass(frozen=True)
class SigningKey:
    """The key that signs now."""

    kid: str
    private_key: RSAPrivateKey = field(repr=False)


def passphrase_of(secret: bytes) -> bytes:
    """What private keys are encrypted with, of the secret of a home."""
    return hmac.new(secret, b"coteach.lti.keys", "sha256").hexdigest().encode()


def rotate_key(db: Session, secret: bytes, *, at: datetime, is_lost: bool = False) -> str:
    """Make the next key, and return its id. It signs in a day, the first one at once.

    `is_lost`: every other key may be known to somebody. The new one signs at once, and they are withdrawn.
    """
    is_first = signing_row(db, at=at) is None
    signs_from = at if is_first or is_lost else at + LEAD
    until = at if is_lost else signs_from + LEAD
    still = or_(LtiKey.published_until.is_(None), LtiKey.published_until > until)
    db.execute(update(LtiKey).where(still).values(published_until=until))
    row = _make_key(secret, signs_from)
    db.add(row)
    db.flush()
    return row.kid


def rotate_when_due(db: Session, secret: bytes, *, at: datetime) -> str | None:
    """The same when there is no key, or the newest has signed for `KEY_DAYS`; `None` when nothing is due."""
    newest = db.scalars(select(LtiKey.signs_from).order_by(LtiKey.signs_from.desc()).limit(1)).first()
    is_due = newest is None or newest + timedelta(days=KEY_DAYS) <= at or signing_row(db, at=at) is None
    return rotate_key(db, secret, at=at) if is_due else None


def signing_row(db: Session, *, at: datetime) -> LtiKey | None:
    """The newest key that signs by now and is published."""
    query = select(LtiKey).where(LtiKey.signs_from <= at, *_condition_of_published(at))
    return db.scalars(query.order_by(LtiKey.signs_from.desc(), LtiKey.kid).limit(1)).first()


def signing_key(db: Session, secret: bytes, *, at: datetime) -> SigningKey | None:
    """The key to sign with now; `None` when none was made. Raises `LtiKeyUnreadable`."""
    row = signing_row(db, at=at)
    return None if row is None else SigningKey(row.kid, _decrypt(row, secret))


def key_set(db: Session, *, at: datetime) -> dict[str, Any]:
    """The public keys that are published now, as a JSON Web Key Set. No private key is read for it."""
    rows = db.scalars(select(LtiKey).where(*_condition_of_published(at)).order_by(LtiKey.signs_from, LtiKey.kid))
    return {"keys": [row.public_jwk for row in rows]}


def list_keys(db: Session) -> list[tuple[str, datetime, datetime | None]]:
    """Every key: its id, when it signs from, until when it is published."""
    query = select(LtiKey.kid, LtiKey.signs_from, LtiKey.published_until).order_by(LtiKey.signs_from, LtiKey.kid)
    return [(kid, signs_from, until) for kid, signs_from, until in db.execute(query)]


def _condition_of_published(at: datetime) -> tuple[Any, ...]:
    return (or_(LtiKey.published_until.is_(None), LtiKey.published_until > at),)


def _make_key(secret: bytes, signs_from: datetime) -> LtiKey:
    key, kid = generate_private_key(public_exponent=65537, key_size=BITS), new_id()
    encryption = BestAvailableEncryption(passphrase_of(secret))
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption).decode("ascii")
    public = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    told = {name: public[name] for name in ("kty", "n", "e")}
    return LtiKey(
        kid=kid,
        private_pem=pem,
        public_jwk=told | {"use": "sig", "alg": "RS256", "kid": kid},
        signs_from=signs_from,
    )


def _decrypt(row: LtiKey, secret: bytes) -> RSAPrivateKey:
    try:
        key = load_pem_private_key(row.private_pem.encode("ascii"), passphrase_of(secret))
    except ValueError as error:
        raise LtiKeyUnreadable(
            "The keys for LTI were made with another secret of the home (the file link_secret). Bring that file back, "
            "or make new keys: `coteach lti rotate-keys --lost`."
        ) from error
    assert isinstance(key, RSAPrivateKey)
    return key
