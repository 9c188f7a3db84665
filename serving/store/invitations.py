"""Invitations: links by which an LMS registers itself, once, made by an admin who says what it will be allowed."""

import hashlib
import secrets
from datetime import timedelta

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.store.caller import parse_role
from serving.store.platforms import GRANTED_ROLES, PlatformGrant, PlatformUnusable
from serving.store.tables.base import now
from serving.store.tables.lti import LtiInvitation

_TOKEN_BYTES = 32
_LONGEST = 200


class InvitationUnknown(CoteachError):
    """A registration link that is wrong, was used, or is over."""


def invite(db: Session, grant: PlatformGrant, *, hours: float, issuer: str | None = None) -> str:
    """The token of a new link, which is not kept. `issuer` is the only one that may use it; `None`: whichever has the
    host of the configuration that the LMS names. Raises `PlatformUnusable`."""
    if grant.highest_role not in GRANTED_ROLES:
        raise PlatformUnusable(f"An LMS can make somebody {', '.join(GRANTED_ROLES)}; found '{grant.highest_role}'.")
    if grant.courses is not None and not grant.courses:
        raise PlatformUnusable("Name the courses that the LMS may open with --course, or all of them: --all-courses.")
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    row = LtiInvitation(
        token_sha256=_digest(token),
        name=grant.name,
        issuer=issuer,
        origins=list(grant.origins),
        courses=None if grant.courses is None else sorted(set(grant.courses)),
        highest_role=grant.highest_role,
        teachers_choose=grant.teachers_choose,
        expires_at=now() + timedelta(hours=hours),
    )
    db.add(row)
    db.flush()
    return token


def read_invitation(db: Session, token: str) -> tuple[PlatformGrant, str | None]:
    """What a link allows, and whose it is. Raises `InvitationUnknown`."""
    row = None if len(token) > _LONGEST else db.scalars(select(LtiInvitation).where(*_open(token))).first()
    if row is None:
        raise InvitationUnknown(
            "This registration link is wrong, was used already, or is over. An admin makes another one with `coteach "
            "lti invite`."
        )
    courses = None if row.courses is None else tuple(row.courses)
    role = parse_role(row.highest_role)
    return PlatformGrant(row.name, courses, role, row.teachers_choose, tuple(row.origins)), row.issuer


def take_invitation(db: Session, token: str) -> tuple[PlatformGrant, str | None]:
    """The same, and the link is used up: of two who come at once one gets it. Raises `InvitationUnknown`."""
    found = read_invitation(db, token)
    taken = update(LtiInvitation).where(*_open(token)).values(used_at=now()).returning(LtiInvitation.token_sha256)
    if db.execute(taken).first() is None:
        raise InvitationUnknown("This registration link was used just now.")
    return found


def give_back(db: Session, token: str) -> None:
    """A registration came to nothing: the link may be used again until its time is over."""
    db.execute(update(LtiInvitation).where(LtiInvitation.token_sha256 == _digest(token)).values(used_at=None))


def _open(token: str) -> tuple[ColumnElement[bool], ...]:
    return (
        LtiInvitation.token_sha256 == _digest(token),
        LtiInvitation.used_at.is_(None),
        LtiInvitation.expires_at > now(),
    )


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
