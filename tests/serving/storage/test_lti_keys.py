"""The keys of this tool: made, published, rotated; in both databases."""

from datetime import timedelta

import jwt
import pytest

from serving.store.database import Store
from serving.store.lti_keys import (
    KEY_DAYS,
    LEAD,
    LtiKeyUnreadable,
    key_set,
    rotate_key,
    rotate_when_due,
    signing_key,
)
from serving.store.tables.base import now

SECRET = b"s" * 32


def kids(store: Store, at: object) -> set[str]:
    return {one["kid"] for one in store.read(lambda db: key_set(db, at=at))["keys"]}  # type: ignore[arg-type]


def signs(store: Store, at: object) -> str | None:
    found = store.read(lambda db: signing_key(db, SECRET, at=at))  # type: ignore[arg-type]
    return None if found is None else found.kid


def test_the_first_key_signs_at_once_and_what_it_signs_is_verified_by_the_published_one(store: Store) -> None:
    at = now()
    kid = store.write(lambda db: rotate_key(db, SECRET, at=at))
    key = store.read(lambda db: signing_key(db, SECRET, at=at))
    (public,) = store.read(lambda db: key_set(db, at=at))["keys"]
    assert key is not None
    assert (key.kid, public["kid"], key.private_key.key_size) == (kid, kid, 2048)
    token = jwt.encode({"a": 1}, key.private_key, algorithm="RS256")
    assert jwt.decode(token, jwt.PyJWK(public).key, algorithms=["RS256"]) == {"a": 1}


def test_the_next_key_is_published_before_it_signs_and_the_old_one_while_it_may_be_used(store: Store) -> None:
    at = now()
    old = store.write(lambda db: rotate_key(db, SECRET, at=at))
    new = store.write(lambda db: rotate_key(db, SECRET, at=at))
    found = [(signs(store, moment), kids(store, moment)) for moment in (at, at + LEAD, at + 2 * LEAD)]
    assert found == [(old, {old, new}), (new, {old, new}), (new, {new})]


def test_keys_that_may_be_known_to_somebody_are_withdrawn_at_once(store: Store) -> None:
    at = now()
    store.write(lambda db: rotate_key(db, SECRET, at=at))
    store.write(lambda db: rotate_key(db, SECRET, at=at))
    new = store.write(lambda db: rotate_key(db, SECRET, at=at, is_lost=True))
    assert (signs(store, at), kids(store, at)) == (new, {new})


def test_a_key_is_followed_by_another_after_its_days_and_not_before(store: Store) -> None:
    at = now()
    first = store.write(lambda db: rotate_when_due(db, SECRET, at=at))
    early = store.write(lambda db: rotate_when_due(db, SECRET, at=at + timedelta(days=KEY_DAYS - 1)))
    due = store.write(lambda db: rotate_when_due(db, SECRET, at=at + timedelta(days=KEY_DAYS)))
    again = store.write(lambda db: rotate_when_due(db, SECRET, at=at + timedelta(days=KEY_DAYS, hours=1)))
    assert (first is not None, early, due is not None, again) == (True, None, True, None)
    assert kids(store, at + timedelta(days=KEY_DAYS, hours=1)) == {first, due}


def test_another_secret_does_not_open_a_key_and_is_told_what_to_do(store: Store) -> None:
    at = now()
    store.write(lambda db: rotate_key(db, SECRET, at=at))
    with pytest.raises(LtiKeyUnreadable, match="rotate-keys --lost"):
        store.read(lambda db: signing_key(db, b"t" * 32, at=at))
