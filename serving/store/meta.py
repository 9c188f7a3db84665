"""Facts of the store itself: the salt of its pseudonyms, made once and never shown.

A pseudonym is a keyed digest (HMAC-SHA-256): who has the store can make it again, who has only the pseudonyms cannot
tell whose they are, nor try names on them. Whoever deletes the salt cuts the tie for good.
"""

import hmac
import secrets

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from serving.store.tables.base import Meta

SALT = "salt"
PSEUDONYM_DIGITS = 32
"""Hexadecimal digits kept of a digest's 64: 128 bits, too many for two people to share by chance."""


def salt(db: Session) -> bytes:
    """32 random bytes. `Store.open` has made them; before that they are made here, which takes a session that writes.

    When two processes make them at once, the first one's are both's.
    """
    found = _find(db)
    if found is None:
        try:
            with db.begin_nested():
                db.add(Meta(name=SALT, value=secrets.token_hex(32)))
        except IntegrityError:
            pass
        found = db.execute(select(Meta.value).where(Meta.name == SALT)).scalar_one()
    return bytes.fromhex(found)


def has_salt(db: Session) -> bool:
    return _find(db) is not None


def digest_with_key(salt: bytes, *parts: str) -> str:
    """A keyed digest of 64 hexadecimal digits. The parts are kept apart: ("ab", "c") differs from ("a", "bc")."""
    message = b"".join(len(part.encode()).to_bytes(8, "big") + part.encode() for part in parts)
    return hmac.new(salt, message, "sha256").hexdigest()


def alias_of(db: Session, key_id: str, user: str) -> str:
    """`Person.alias` of a student whom the service behind a key calls `user`."""
    return digest_with_key(salt(db), "alias", key_id, user)


def pseudonym(salt: bytes, purpose: str, name: str) -> str:
    """What stands for a person or session in an export: the same within one purpose, unlike in another."""
    return digest_with_key(salt, "export", purpose, name)[:PSEUDONYM_DIGITS]


def _find(db: Session) -> str | None:
    return db.execute(select(Meta.value).where(Meta.name == SALT)).scalar_one_or_none()
