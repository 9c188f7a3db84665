"""Platforms: the LMSs that may launch this gateway by LTI 1.3, where they have it installed, and which of their courses
is which course here.

A platform is known by issuer and client id. Its people are those of a key that is made with it and whose secret is
thrown away: each is kept by a keyed digest of the platform's id for them, and removing the platform ends their logins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.store.caller import ROLES, Role
from serving.store.keys import make_key, read_key, revoke_key
from serving.store.tables.base import new_id, now
from serving.store.tables.identity import ApiKey
from serving.store.tables.lti import LtiContext, LtiDeployment, LtiInvitation, LtiPlatform
from serving.store.upserting import put, put_new

GRANTED_ROLES: tuple[Role, ...] = ("student", "ta", "teacher")
"""The roles an LMS can grant. Nobody becomes an admin through an LMS."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class PlatformUnknown(CoteachError):
    """No platform is registered so."""


class PlatformUnusable(CoteachError):
    """A platform cannot be registered like this."""


class CourseTaken(CoteachError):
    """A course that another course of an LMS stands for already, or that a platform may not open."""


@dataclass(frozen=True)
class PlatformAddresses:
    """How a platform is known and reached: its issuer, the client id it gave us, and where it logs in, where its keys
    are."""

    issuer: str
    client_id: str
    auth_url: str
    jwks_url: str
    token_url: str | None = None


@dataclass(frozen=True)
class PlatformGrant:
    """What an admin allows a platform. `courses`: `None` for all; `origins`: further ones that may frame our pages."""

    name: str
    courses: tuple[str, ...] | None
    highest_role: Role = "teacher"
    teachers_choose: bool = True
    origins: tuple[str, ...] = ()


def is_safe_address(address: str) -> bool:
    """Whether an address can be trusted on its way: `https`, or `http` on this machine; without a password in it."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    is_encrypted = parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
    return bool(host) and is_encrypted and parts.username is None and address.isprintable() and " " not in address


def origin_of(address: str) -> str:
    """Scheme, host and port of an address: `https://lms.example.edu`."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def add_platform(
    db: Session, addresses: PlatformAddresses, grant: PlatformGrant, deployments: Sequence[str]
) -> LtiPlatform:
    """Register a platform. Raises `PlatformUnusable` for one that is there already, an address that anybody on the way
    could change, or a role that no LMS grants."""
    _refuse_unusable(addresses, grant)
    known = select(LtiPlatform.platform_id).where(
        LtiPlatform.issuer == addresses.issuer, LtiPlatform.client_id == addresses.client_id
    )
    if (there := db.scalars(known).first()) is not None:
        raise PlatformUnusable(
            f"{addresses.issuer} with the client id {addresses.client_id} is registered already, as {there}. Remove it "
            f"first: `coteach lti remove {there}`."
        )
    own = (addresses.issuer, addresses.auth_url) if is_safe_address(addresses.issuer) else (addresses.auth_url,)
    platform = LtiPlatform(
        platform_id=new_id()[:16],
        name=grant.name[:200],
        issuer=addresses.issuer,
        client_id=addresses.client_id,
        auth_url=addresses.auth_url,
        token_url=addresses.token_url,
        jwks_url=addresses.jwks_url,
        origins=sorted({origin_of(one) for one in (*own, *grant.origins)}),
        courses=None if grant.courses is None else sorted(set(grant.courses)),
        highest_role=grant.highest_role,
        teachers_choose=grant.teachers_choose,
        key_id=_key_without_secret(db, grant),
    )
    db.add(platform)
    db.flush()
    for deployment_id in deployments:
        allow_deployment(db, platform.platform_id, deployment_id)
    return platform


def _refuse_unusable(addresses: PlatformAddresses, grant: PlatformGrant) -> None:
    if not addresses.issuer or not addresses.client_id:
        raise PlatformUnusable("A platform has an issuer and a client id; the LMS shows both where the tool was added.")
    named = (addresses.auth_url, addresses.jwks_url, *filter(None, (addresses.token_url,)), *grant.origins)
    if unsafe := [one for one in named if not is_safe_address(one)]:
        raise PlatformUnusable(f"Addresses of an LMS begin with https:// and have no password; found {unsafe[0]!r}.")
    if grant.highest_role not in GRANTED_ROLES:
        listed = ", ".join(GRANTED_ROLES)
        raise PlatformUnusable(f"An LMS can make somebody {listed}; found '{grant.highest_role}'.")
    if grant.courses is not None and not grant.courses:
        raise PlatformUnusable("Name the courses that the LMS may open with --course, or all of them: --all-courses.")


def _key_without_secret(db: Session, grant: PlatformGrant) -> str:
    courses = None if grant.courses is None else list(grant.courses)
    shown = read_key(make_key(db, role="student", label=f"LTI: {grant.name}"[:200], courses=courses))
    assert shown is not None
    return shown.key_id


def find_platforms(db: Session, issuer: str, client_id: str | None = None) -> list[LtiPlatform]:
    """Those of an issuer, of one client id when it is named."""
    query = select(LtiPlatform).where(LtiPlatform.issuer == issuer)
    if client_id:
        query = query.where(LtiPlatform.client_id == client_id)
    return list(db.scalars(query.order_by(LtiPlatform.platform_id).limit(2)))


def find_platform(db: Session, platform_id: str) -> LtiPlatform:
    """The platform with this id. Raises `PlatformUnknown`."""
    platform = db.get(LtiPlatform, platform_id)
    if platform is None:
        raise PlatformUnknown(f"No platform has the id '{platform_id}'. `coteach lti list` names them.")
    return platform


def list_platforms(db: Session) -> list[tuple[LtiPlatform, list[str], list[LtiContext]]]:
    """Each platform with its deployments and the courses that are connected, oldest first."""
    platforms = db.scalars(select(LtiPlatform).order_by(LtiPlatform.created_at, LtiPlatform.platform_id)).all()
    return [(one, deployments_of(db, one.platform_id), _contexts_of(db, one.platform_id)) for one in platforms]


def remove_platform(db: Session, platform_id: str) -> None:
    """Forget a platform and end every login that it launched. Raises `PlatformUnknown`.

    What its people asked stays theirs, and goes by `coteach store purge` or `coteach student delete`.
    """
    platform = find_platform(db, platform_id)
    if db.get(ApiKey, platform.key_id) is not None:
        revoke_key(db, platform.key_id)
    db.execute(delete(LtiPlatform).where(LtiPlatform.platform_id == platform_id))


def allow_deployment(db: Session, platform_id: str, deployment_id: str) -> None:
    """Launches from this deployment are taken from now on. Raises `PlatformUnknown`, `PlatformUnusable`."""
    find_platform(db, platform_id)
    if not 0 < len(deployment_id) <= 255:
        raise PlatformUnusable(f"A deployment id has 1 to 255 characters; found {len(deployment_id)}.")
    put_new(db, LtiDeployment, [{"platform_id": platform_id, "deployment_id": deployment_id}])


def deployments_of(db: Session, platform_id: str) -> list[str]:
    query = select(LtiDeployment.deployment_id).where(LtiDeployment.platform_id == platform_id)
    return sorted(db.scalars(query))


def course_of_context(db: Session, platform_id: str, deployment_id: str, context_id: str) -> str | None:
    """The course that a course of an LMS is connected with."""
    found = db.get(LtiContext, (platform_id, deployment_id, context_id))
    return None if found is None else found.course_id


def connect_context(
    db: Session, platform: LtiPlatform, deployment_id: str, context_id: str, *, course_id: str, by: str
) -> None:
    """Say which course a course of an LMS is, over what was said before. Raises `CourseTaken` for one that the platform
    may not open, and `PlatformUnusable` for a deployment that is not allowed."""
    if platform.courses is not None and course_id not in platform.courses:
        raise CourseTaken(f"{platform.name} may open {', '.join(platform.courses)}; '{course_id}' is not among them.")
    if deployment_id not in deployments_of(db, platform.platform_id):
        raise PlatformUnusable(
            f"The deployment '{deployment_id}' of {platform.name} is not allowed yet: `coteach lti allow "
            f"{platform.platform_id} --deployment {deployment_id}`."
        )
    named = {"platform_id": platform.platform_id, "deployment_id": deployment_id, "context_id": context_id}
    row = {**named, "course_id": course_id, "by": by, "at": now()}
    put(db, LtiContext, row, key=tuple(named), keep=())


def disconnect_context(db: Session, platform_id: str, context_id: str) -> int:
    """Forget which course a course of an LMS is, in every deployment; how many there were."""
    these = (LtiContext.platform_id == platform_id, LtiContext.context_id == context_id)
    return len(db.execute(delete(LtiContext).where(*these).returning(LtiContext.context_id)).all())


def courses_to_choose(
    db: Session, platform: LtiPlatform, deployment_id: str, context_id: str, course_ids: Sequence[str]
) -> list[str]:
    """The courses a teacher of this context may choose from, among those there are.

    That is the course it is connected with, else those its platform may open and no other context has.
    """
    known = course_of_context(db, platform.platform_id, deployment_id, context_id)
    if known is not None:
        return [one for one in course_ids if one == known]
    if not platform.teachers_choose:
        return []
    taken = set(db.scalars(select(LtiContext.course_id)))
    return [one for one in course_ids if one not in taken and (platform.courses is None or one in platform.courses)]


def _contexts_of(db: Session, platform_id: str) -> list[LtiContext]:
    query = select(LtiContext).where(LtiContext.platform_id == platform_id)
    return list(db.scalars(query.order_by(LtiContext.course_id, LtiContext.context_id)))


def framing_origins(db: Session) -> tuple[str, ...]:
    """Whose pages may show ours in a frame: those of every platform."""
    return tuple(sorted({origin for one in db.scalars(select(LtiPlatform)) for origin in one.origins}))


def expects_platforms(db: Session) -> bool:
    """Whether LTI is in use: a platform is registered, or one was invited and may still come."""
    is_invited = select(LtiInvitation.token_sha256).where(
        LtiInvitation.used_at.is_(None), LtiInvitation.expires_at > now()
    )
    return any(db.execute(query.limit(1)).first() for query in (select(LtiPlatform.platform_id), is_invited))


def lower_role(one: Role, other: Role) -> Role:
    return min(one, other, key=ROLES.index)
