"""What `coteach lti` does and prints. It works on the store; a gateway that runs notices within two seconds."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from sqlalchemy.orm import Session

from orchestration.cli.keys_command import open_own_store, whoami
from serving.gateway.lti.cookies import can_keep_cookies
from serving.gateway.lti.tool import ToolAddresses
from serving.gateway.signed_links import read_secret
from serving.settings import Settings
from serving.store.audit import record
from serving.store.caller import parse_role
from serving.store.invitations import invite
from serving.store.lti_keys import list_keys, rotate_key
from serving.store.platforms import (
    PlatformAddresses,
    PlatformGrant,
    PlatformUnusable,
    add_platform,
    allow_deployment,
    connect_context,
    disconnect_context,
    find_platform,
    list_platforms,
    remove_platform,
)
from serving.store.tables.lti import LtiContext, LtiPlatform


def make_grant(
    name: str,
    courses: Sequence[str] | None,
    *,
    all_courses: bool,
    role: str,
    teachers_choose: bool,
    frames: Sequence[str] | None,
) -> PlatformGrant:
    """What an admin allows, as the options say it. Raises `PlatformUnusable`."""
    if all_courses and courses:
        raise PlatformUnusable("Name courses with --course, or allow all of them with --all-courses: not both.")
    try:
        highest = parse_role(role)
    except ValueError as error:
        raise PlatformUnusable(str(error)) from None
    return PlatformGrant(
        name=name,
        courses=None if all_courses else tuple(courses or ()),
        highest_role=highest,
        teachers_choose=teachers_choose,
        origins=tuple(frames or ()),
    )


def addresses(console: Console, *, as_json: bool) -> int:
    """Where an LMS begins a login, sends a launch and finds our keys."""
    own = _own(Settings())
    told = {"login": own.login, "launch": own.launch, "keys": own.keys}
    if as_json:
        console.print_json(json.dumps(told))
        return 0
    for label, address in (
        ("Initiate login URL", own.login),
        ("Tool URL, redirection URI, deep linking (content selection) URL", own.launch),
        ("Public keyset (JWKS) URL", own.keys),
    ):
        console.print(f"{label}:\n  {address}", highlight=False, soft_wrap=True, markup=False)
    return 0


def _own(settings: Settings) -> ToolAddresses:
    """Raises `PlatformUnusable` where no LMS could reach them."""
    base = (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
    if not can_keep_cookies(base):
        raise PlatformUnusable(f"An LMS opens coteach by https only. Set COTEACH_PUBLIC_URL; now it is {base}.")
    return ToolAddresses(base)


def add(
    console: Console, named: PlatformAddresses, grant: PlatformGrant, deployments: Sequence[str], *, as_json: bool
) -> int:
    """Register an LMS. Raises `PlatformUnusable`."""

    def work(db: Session) -> LtiPlatform:
        platform = add_platform(db, named, grant, deployments)
        about = {"issuer": named.issuer, "courses": platform.courses, "role": platform.highest_role}
        record(db, "lti.platform.add", platform.platform_id, by=whoami(), **about)
        return platform

    with open_own_store() as store:
        platform = store.write(work)
    if as_json:
        console.print_json(json.dumps({"platform_id": platform.platform_id}))
        return 0
    console.print(f"Registered {platform.name} as {platform.platform_id}.", highlight=False, markup=False)
    if not deployments:
        console.print(
            f"Say where it is installed: `coteach lti allow {platform.platform_id} --deployment …`.",
            style="yellow",
            markup=False,
        )
    return 0


def invite_platform(console: Console, grant: PlatformGrant, *, hours: float, issuer: str | None, as_json: bool) -> int:
    """Make a registration link and show it, this once. Raises `PlatformUnusable`."""
    own = _own(Settings())

    def work(db: Session) -> str:
        token = invite(db, grant, hours=hours, issuer=issuer)
        about = {"courses": grant.courses, "role": grant.highest_role, "hours": hours}
        record(db, "lti.invitation.create", grant.name, by=whoami(), **about)
        return token

    with open_own_store() as store:
        link = own.registration(store.write(work))
    if as_json:
        console.print_json(json.dumps({"registration_url": link, "hours": hours}))
        return 0
    console.print(link, highlight=False, soft_wrap=True, markup=False)
    console.print(
        f"It registers one LMS, once, within {hours:g} hours, and is not shown again. Type it where the LMS asks for a "
        "registration URL.",
        style="yellow",
    )
    return 0


def show(console: Console, *, as_json: bool) -> int:
    """All LMSs with what is connected, and our keys by their ids; no private key is read."""
    with open_own_store() as store:
        found, keys = store.read(list_platforms), store.read(list_keys)
    if as_json:
        told = {"platforms": [_facts(*one) for one in found], "keys": [_key_facts(*one) for one in keys]}
        console.print_json(json.dumps(told, ensure_ascii=False))
        return 0
    named = ("name", "issuer", "client id", "deployments", "courses", "highest role", "who connects", "connected")
    table = Table(Column("id", no_wrap=True), *named)
    for platform, deployments, contexts in found:
        table.add_row(*map(escape, _cells(platform, deployments, contexts)))
    console.print(table)
    shown = Table(Column("key", no_wrap=True), "signs from, UTC", "published until, UTC")
    for kid, signs_from, until in keys:
        shown.add_row(kid, f"{signs_from:%Y-%m-%d %H:%M}", f"{until:%Y-%m-%d %H:%M}" if until else "")
    console.print(shown)
    return 0


def allow(console: Console, platform_id: str, deployment: str) -> int:
    """Raises `PlatformUnknown`, `PlatformUnusable`."""

    def work(db: Session) -> None:
        allow_deployment(db, platform_id, deployment)
        record(db, "lti.platform.change", platform_id, by=whoami(), deployment=deployment)

    return _done(console, work, f"Launches from {deployment} are taken now.")


def connect(console: Console, platform_id: str, deployment: str, context: str, course: str) -> int:
    """Raises `PlatformUnknown`, `PlatformUnusable`, `CourseTaken`."""

    def work(db: Session) -> None:
        platform = find_platform(db, platform_id)
        connect_context(db, platform, deployment, context, course_id=course, by=whoami())
        record(db, "lti.context.connect", platform_id, by=whoami(), context=context, course=course)

    return _done(console, work, f"The LMS's course {context} is {course} now.")


def disconnect(console: Console, platform_id: str, context: str) -> int:
    """Raises `PlatformUnknown`."""

    def work(db: Session) -> None:
        find_platform(db, platform_id)
        if disconnect_context(db, platform_id, context):
            record(db, "lti.context.disconnect", platform_id, by=whoami(), context=context)

    return _done(console, work, f"The LMS's course {context} is no course here.")


def remove(console: Console, platform_id: str) -> int:
    """Raises `PlatformUnknown`."""

    def work(db: Session) -> None:
        issuer = find_platform(db, platform_id).issuer
        remove_platform(db, platform_id)
        record(db, "lti.platform.remove", platform_id, by=whoami(), issuer=issuer)

    return _done(console, work, f"Removed {platform_id}. A gateway that runs notices within two seconds.")


def rotate(console: Console, *, is_lost: bool) -> int:
    """Make the next key; only its id is told."""
    settings = Settings()
    secret, at = read_secret(settings.home, settings.link_secret), datetime.now(UTC)

    def work(db: Session) -> str:
        kid = rotate_key(db, secret, at=at, is_lost=is_lost)
        record(db, "lti.key.rotate", kid, by=whoami(), lost=is_lost or None)
        return kid

    with open_own_store() as store:
        kid = store.write(work)
    console.print(f"Made {kid}.", highlight=False, markup=False)
    return 0


def _done(console: Console, work: Callable[[Session], None], told: str) -> int:
    with open_own_store() as store:
        store.write(work)
    console.print(told, highlight=False, markup=False, soft_wrap=True)
    return 0


def _facts(platform: LtiPlatform, deployments: list[str], contexts: list[LtiContext]) -> dict[str, Any]:
    names = ("platform_id", "name", "issuer", "client_id", "auth_url", "jwks_url", "token_url", "origins", "courses")
    facts = {name: getattr(platform, name) for name in (*names, "highest_role", "teachers_choose")}
    shown = ("deployment_id", "context_id", "course_id", "by")
    connected = [{name: getattr(one, name) for name in shown} for one in contexts]
    return facts | {"deployments": deployments, "connected": connected}


def _key_facts(kid: str, signs_from: datetime, until: datetime | None) -> dict[str, Any]:
    return {
        "kid": kid,
        "signs_from": signs_from.isoformat(),
        "published_until": until.isoformat() if until is not None else None,
    }


def _cells(platform: LtiPlatform, deployments: list[str], contexts: list[LtiContext]) -> list[str]:
    return [
        platform.platform_id,
        platform.name,
        platform.issuer,
        platform.client_id,
        ", ".join(deployments),
        "all" if platform.courses is None else ", ".join(platform.courses),
        platform.highest_role,
        "teachers" if platform.teachers_choose else "admins",
        ", ".join(f"{one.context_id} = {one.course_id}" for one in contexts),
    ]
