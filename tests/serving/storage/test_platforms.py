"""Platforms, their courses and invitations in the store; in both databases."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from serving.store.database import Store
from serving.store.invitations import InvitationUnknown, invite, read_invitation, take_invitation
from serving.store.keys import find_key, list_keys
from serving.store.launches import LaunchedPerson, log_in_launched, spend_nonce
from serving.store.logins import find_login, token_digest
from serving.store.platforms import (
    CourseTaken,
    PlatformAddresses,
    PlatformGrant,
    PlatformUnknown,
    PlatformUnusable,
    add_platform,
    allow_deployment,
    connect_context,
    course_of_context,
    courses_to_choose,
    disconnect_context,
    expects_platforms,
    framing_origins,
    is_safe_address,
    list_platforms,
    remove_platform,
)
from serving.store.privacy import delete_student, everything_of, find_student
from serving.store.tables.base import now
from serving.store.tables.identity import Person
from serving.store.tables.lti import LtiContext, LtiDeployment, LtiNonce, LtiPlatform

MOODLE = PlatformAddresses(
    "https://moodle.example.edu", "abc", "https://moodle.example.edu/auth", "https://moodle.example.edu/certs"
)
DS = PlatformGrant("Moodle", ("ds",))


def added(store: Store, addresses: PlatformAddresses = MOODLE, grant: PlatformGrant = DS) -> LtiPlatform:
    return store.write(lambda db: add_platform(db, addresses, grant, ["1"]))


def test_a_platform_is_there_once_and_its_people_have_a_key_that_nobody_holds(store: Store) -> None:
    platform = added(store)
    with pytest.raises(PlatformUnusable, match=f"registered already, as {platform.platform_id}"):
        added(store)
    (key,) = store.read(list_keys)
    assert (key.key_id, key.label, key.role, key.courses) == (platform.key_id, "LTI: Moodle", "student", ("ds",))
    ((_, deployments, contexts),) = store.read(list_platforms)
    assert (deployments, contexts, store.read(framing_origins)) == (["1"], [], ("https://moodle.example.edu",))


@pytest.mark.parametrize(
    ("change", "grant", "why"),
    [
        ({"auth_url": "http://moodle.example.edu/auth"}, DS, "begin with https"),
        ({"jwks_url": "https://admin:pw@moodle.example.edu/certs"}, DS, "no password"),
        ({"token_url": "ftp://moodle.example.edu"}, DS, "begin with https"),
        ({"client_id": ""}, DS, "client id"),
        ({}, PlatformGrant("x", ("ds",), "admin"), "found 'admin'"),
        ({}, PlatformGrant("x", ()), "--course"),
        ({}, PlatformGrant("x", ("ds",), origins=("http://evil.example",)), "begin with https"),
    ],
)
def test_a_platform_that_could_not_be_trusted_is_not_registered(
    store: Store, change: dict[str, str], grant: PlatformGrant, why: str
) -> None:
    addresses = PlatformAddresses(**(vars(MOODLE) | change))
    with pytest.raises(PlatformUnusable, match=why):
        added(store, addresses, grant)
    assert store.read(lambda db: db.scalars(select(LtiPlatform)).all()) == []


@pytest.mark.parametrize(
    ("address", "is_safe"),
    [
        ("https://lms.example.edu/x", True),
        ("http://localhost:8000/x", True),
        ("http://127.0.0.1/x", True),
        ("http://lms.example.edu/x", False),
        ("http://localhost.evil.example/x", False),
        ("https://", False),
        ("https://[::1", False),
        ("https://lms.example.edu:99999/", False),
        ("https://lms.example.edu/ x", False),
        ("//lms.example.edu", False),
    ],
)
def test_an_address_is_safe_by_https_or_on_this_machine(address: str, is_safe: bool) -> None:
    assert is_safe_address(address) is is_safe


def test_a_course_of_an_lms_is_connected_within_what_its_platform_may_open(store: Store) -> None:
    platform = added(store)

    def connect(course: str, deployment: str = "1") -> None:
        store.write(lambda db: connect_context(db, platform, deployment, "c1", course_id=course, by="admin"))

    with pytest.raises(CourseTaken, match="may open ds; 'ml' is not among them"):
        connect("ml")
    with pytest.raises(PlatformUnusable, match="coteach lti allow"):
        connect("ds", "2")
    connect("ds")
    named = (platform.platform_id, "1", "c1")
    assert store.read(lambda db: course_of_context(db, *named)) == "ds"
    assert store.write(lambda db: disconnect_context(db, platform.platform_id, "c1")) == 1
    assert store.read(lambda db: course_of_context(db, *named)) is None


def test_a_teacher_chooses_of_what_nobody_has_and_keeps_what_is_connected(store: Store) -> None:
    platform = added(store, grant=PlatformGrant("Moodle", None))

    def choices(context: str) -> list[str]:
        return store.read(lambda db: courses_to_choose(db, platform, "1", context, ["ds", "ml"]))

    assert choices("c1") == ["ds", "ml"]
    store.write(lambda db: connect_context(db, platform, "1", "c1", course_id="ds", by="x"))
    assert (choices("c1"), choices("c2")) == (["ds"], ["ml"])


def test_removing_a_platform_takes_all_that_was_its_and_ends_its_key_and_logins(store: Store) -> None:
    platform = added(store)
    store.write(lambda db: connect_context(db, platform, "1", "c1", course_id="ds", by="x"))
    token = store.write(lambda db: log_in_launched(db, platform, LaunchedPerson("u1", "teacher", "ds", "Ines")))
    digest = token_digest(token) or ""
    held = store.read(lambda db: find_login(db, digest, at=now()))
    assert held is not None
    assert (held.role, held.courses, held.name, held.is_launched) == ("teacher", frozenset({"ds"}), "Ines", True)

    store.write(lambda db: remove_platform(db, platform.platform_id))

    for table in (LtiPlatform, LtiDeployment, LtiContext):
        assert store.read(lambda db, one=table: db.scalars(select(one)).all()) == []
    assert store.read(lambda db: find_login(db, digest, at=now())) is None
    assert store.read(lambda db: find_key(db, platform.key_id)) is None
    with pytest.raises(PlatformUnknown, match="coteach lti list"):
        store.write(lambda db: remove_platform(db, platform.platform_id))
    assert store.read(expects_platforms) is False


def test_a_login_opens_nothing_once_its_platform_may_not_open_the_course(store: Store) -> None:
    platform = added(store, grant=PlatformGrant("Moodle", ("ds",)))
    token = store.write(lambda db: log_in_launched(db, platform, LaunchedPerson("u1", "student", "ml")))
    assert store.read(lambda db: find_login(db, token_digest(token) or "", at=now())) is None


def test_a_students_data_is_found_by_the_lms_own_id_and_deleted(store: Store) -> None:
    platform = added(store)
    store.write(lambda db: log_in_launched(db, platform, LaunchedPerson("u1", "student", "ds", None)))
    person = store.read(lambda db: find_student(db, of_service=(platform.key_id, "u1")))
    told = store.read(lambda db: everything_of(db, person.person_id))
    assert [(row["role"], row["course_id"], "token_sha256" in row) for row in told["logins"]] == [
        ("student", "ds", False)
    ]
    store.write(lambda db: delete_student(db, person.person_id))
    assert store.read(lambda db: db.scalars(select(Person).where(Person.alias.is_not(None))).all()) == []


def test_a_nonce_is_spent_once_however_many_show_it_and_forgotten_when_its_state_is_over(store: Store) -> None:
    until = now() + timedelta(minutes=10)

    def spend(_: int) -> bool:
        return store.write(lambda db: spend_nonce(db, "n1", until=until))

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(spend, range(8))) == [False] * 7 + [True]
    assert store.write(lambda db: spend_nonce(db, "old", until=now() - timedelta(seconds=1)))
    store.write(lambda db: spend_nonce(db, "n2", until=until))
    assert len(store.read(lambda db: db.scalars(select(LtiNonce)).all())) == 2


def test_an_invitation_is_taken_once_and_holds_what_was_allowed(store: Store) -> None:
    grant = PlatformGrant("Canvas", ("ds", "ml"), "ta", teachers_choose=False, origins=("https://x.example",))
    token = store.write(lambda db: invite(db, grant, hours=1, issuer="https://canvas.example"))
    assert store.read(expects_platforms) is True
    assert store.read(lambda db: read_invitation(db, token)) == (grant, "https://canvas.example")

    def take(_: int) -> Any:
        try:
            return store.write(lambda db: take_invitation(db, token))
        except InvitationUnknown:
            return None

    with ThreadPoolExecutor(4) as pool:
        assert [one for one in pool.map(take, range(4)) if one is not None] == [(grant, "https://canvas.example")]


@pytest.mark.parametrize("make", [lambda db: "made up", lambda db: invite(db, DS, hours=-1), lambda db: "x" * 1000])
def test_an_invitation_that_is_over_or_made_up_is_refused(store: Store, make: Callable[[Any], str]) -> None:
    token = store.write(make)
    with pytest.raises(InvitationUnknown, match="coteach lti invite"):
        store.read(lambda db: read_invitation(db, token))
    assert store.read(expects_platforms) is False


def test_a_deployment_has_a_name_of_bounded_length(store: Store) -> None:
    platform = added(store)
    for wrong in ("", "x" * 256):
        with pytest.raises(PlatformUnusable, match="1 to 255"):
            store.write(lambda db, one=wrong: allow_deployment(db, platform.platform_id, one))
