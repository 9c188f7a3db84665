"""Keys, logins and people in the store."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from serving.store.database import Store
from serving.store.keys import KeyUnknown, KeyUnusable, find_key, list_keys, make_key, read_key, revoke_key
from serving.store.logins import find_login, forget_expired, log_in, log_in_without_key, log_out, token_digest
from serving.store.people import person_of_session, student_of_service
from serving.store.tables.base import new_id, now
from serving.store.tables.conversation import ChatSession
from serving.store.tables.identity import ApiKey, Login, Person


def test_a_key_is_shown_once_and_only_its_digest_is_kept(store: Store) -> None:
    key = store.write(lambda db: make_key(db, role="student"))
    shown = read_key(key)
    assert shown is not None
    assert (len(shown.secret), shown.secret in repr(shown)) == (64, False)
    kept = store.read(lambda db: db.scalars(select(ApiKey)).one())
    assert shown.secret not in (kept.secret_sha256, repr(kept), str(vars(kept)))


def test_a_key_opens_with_its_secret_and_with_no_other(store: Store) -> None:
    shown = read_key(store.write(lambda db: make_key(db, role="ta", name=" Ada ", courses=["ds"], per_minute=5)))
    assert shown is not None
    known = store.read(lambda db: find_key(db, shown.key_id))
    assert known is not None
    assert (known.role, known.name, known.courses, known.requests_per_minute) == ("ta", "Ada", frozenset({"ds"}), 5)
    assert known.opens_for(shown.secret)
    assert not known.opens_for(shown.secret[:-1] + "é")
    assert not known.opens_for("")


@pytest.mark.parametrize("text", ["", "ct-", "ct-a", "ct-a-", "sk-a-b", "none", "ct--b", "ct-a-" + "b" * 200])
def test_what_is_no_key_is_not_read(text: str) -> None:
    assert read_key(text) is None


@pytest.mark.parametrize(("role", "name"), [("ta", None), ("teacher", "  "), ("dean", "Ada")])
def test_a_ta_and_a_teacher_need_a_name_and_a_role_must_exist(store: Store, role: str, name: str | None) -> None:
    with pytest.raises(KeyUnusable):
        store.write(lambda db: make_key(db, role=role, name=name))  # type: ignore[arg-type]


def test_no_name_of_a_student_is_kept(store: Store) -> None:
    store.write(lambda db: make_key(db, role="student", name="Wang Fang"))
    assert store.read(lambda db: db.scalars(select(Person.name)).all()) == [None]


def test_a_revoked_key_is_listed_and_opens_nothing_and_its_logins_end(store: Store) -> None:
    shown = read_key(store.write(lambda db: make_key(db, role="student", label="chat service")))
    assert shown is not None
    known = store.read(lambda db: find_key(db, shown.key_id))
    assert known is not None
    digest = token_digest(store.write(lambda db: log_in(db, person_id=known.person_id, key_id=known.key_id, days=1)))
    assert digest is not None
    assert store.read(lambda db: find_login(db, digest, at=now())) is not None

    store.write(lambda db: revoke_key(db, shown.key_id))

    assert store.read(lambda db: find_key(db, shown.key_id)) is None
    assert store.read(lambda db: find_login(db, digest, at=now())) is None
    (listed,) = store.read(list_keys)
    assert (listed.label, listed.revoked_at is not None) == ("chat service", True)
    with pytest.raises(KeyUnknown):
        store.write(lambda db: revoke_key(db, "nope"))


def test_a_login_ends_with_its_time_and_with_a_logout(store: Store) -> None:
    token = store.write(lambda db: log_in_without_key(db, days=1))
    digest = token_digest(token)
    assert (len(token), digest is not None) == (64, True)
    assert token not in store.read(lambda db: db.scalars(select(Login.token_sha256)).all())
    held = store.read(lambda db: find_login(db, digest or "", at=now()))
    assert held is not None
    assert (held.role, held.key_id) == ("student", None)
    assert store.read(lambda db: find_login(db, digest or "", at=now() + timedelta(days=1, seconds=1))) is None

    store.write(lambda db: log_out(db, digest or ""))

    assert store.read(lambda db: find_login(db, digest or "", at=now())) is None


def test_expired_logins_are_forgotten_and_others_stay(store: Store) -> None:
    store.write(lambda db: log_in_without_key(db, days=1))
    store.write(lambda db: log_in_without_key(db, days=3))
    assert store.write(lambda db: forget_expired(db, at=now() + timedelta(days=2))) == 1
    assert store.read(lambda db: db.scalar(select(func.count()).select_from(Login))) == 1


def test_what_is_too_long_for_a_token_is_not_digested() -> None:
    assert token_digest("a" * 10_000) is None


def test_a_services_student_is_one_person_also_when_many_requests_come_at_once(store: Store) -> None:
    found: list[str] = []

    def ask() -> None:
        found.append(store.write(lambda db: student_of_service(db, key_id="k1", user="s-17")))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), len(set(found))) == (16, 1)
    other = store.write(lambda db: student_of_service(db, key_id="k2", user="s-17"))
    assert other != found[0]
    aliases = store.read(lambda db: db.scalars(select(Person.alias)).all())
    assert all("s-17" not in (alias or "") for alias in aliases)


def test_a_sessions_id_stands_for_its_person_only_where_nobody_is_known(store: Store) -> None:
    stranger, student = Person(is_by_session=True), Person(key_id="k1")
    sessions = [ChatSession(session_id=new_id(), person_id=one.person_id) for one in (stranger, student)]
    store.write(lambda db: db.add_all([stranger, student]))
    store.write(lambda db: db.add_all(sessions))
    owners = [store.read(lambda db, one=one: person_of_session(db, one.session_id)) for one in sessions]
    assert owners == [sessions[0].person_id, None]
