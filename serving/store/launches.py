"""LTI launches: a person arrives from an LMS in one of its courses. Each nonce is spent once, and a login is made."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from serving.store.audit import record
from serving.store.caller import ROLES, Role, parse_role
from serving.store.logins import log_in
from serving.store.people import student_of_service
from serving.store.tables.base import now
from serving.store.tables.identity import Person
from serving.store.tables.lti import LtiNonce, LtiPlatform
from serving.store.upserting import put_if_new

LAUNCH_DAYS = 0.5
"""How long the word of an LMS holds: whoever left its course loses what the launch opened by the next day. A choice."""


@dataclass(frozen=True)
class LaunchedPerson:
    """Whom the platform calls `subject`, as what, in which course. `name` is only for who answers in public."""

    subject: str
    role: Role
    course_id: str
    name: str | None = None


def spend_nonce(db: Session, nonce: str, *, until: datetime) -> bool:
    """Note that a nonce came back; false when it had come back before. It is remembered until its state is over."""
    db.execute(delete(LtiNonce).where(LtiNonce.expires_at < now()))
    digest = hashlib.sha256(nonce.encode("utf-8", "replace")).hexdigest()
    return put_if_new(db, LtiNonce, {"nonce_sha256": digest, "expires_at": until})


def log_in_launched(db: Session, platform: LtiPlatform, launched: LaunchedPerson) -> str:
    """The token of a login for somebody whom a platform sent, who is made when they are new.

    No name of a student is kept. Who comes as more than a student is noted in the audit.
    """
    person_id = student_of_service(db, key_id=platform.key_id, user=launched.subject)
    if launched.role != "student":
        _note_staff(db, person_id, launched)
        about = {"role": launched.role, "course": launched.course_id}
        record(db, "lti.launch", person_id, by=f"LTI {platform.platform_id}", **about)
    return log_in(
        db,
        person_id=person_id,
        key_id=platform.key_id,
        days=LAUNCH_DAYS,
        role=launched.role,
        course_id=launched.course_id,
    )


def _note_staff(db: Session, person_id: str, launched: LaunchedPerson) -> None:
    """Keep the name that stands under answers, and that this is no student in any course; what they may do is said by
    each login alone."""
    person = db.get_one(Person, person_id)
    person.name = launched.name
    person.role = max(parse_role(person.role), launched.role, key=ROLES.index)
    db.flush()
