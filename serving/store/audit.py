"""The record of administrative acts: written in the transaction of the act, read by `coteach audit`.

Acts are keys made, rotated and revoked, students exported and deleted, answers purged, the store copied and brought to
another schema, experiments begun and stopped, LMSs and their courses connected, who came from one as a TA or
teacher, courses made, changed and forgotten, builds started and cancelled, courses
switched off and on, their caps, and intent models put in use. What TAs and
teachers decide has histories of its own.
"""

from typing import Any, Literal

from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from serving.store.engines import Engines
from serving.store.tables.identity import AuditRow

Act = Literal[
    "key.create",
    "key.rotate",
    "key.revoke",
    "student.export",
    "student.delete",
    "store.purge",
    "store.backup",
    "store.migrate",
    "course.forget",
    "model.use",
    "experiment.create",
    "experiment.stop",
    "lti.platform.add",
    "lti.platform.change",
    "lti.platform.remove",
    "lti.context.connect",
    "lti.context.disconnect",
    "lti.invitation.create",
    "lti.key.rotate",
    "lti.launch",
    "course.create",
    "course.edit",
    "course.undo",
    "build.start",
    "build.cancel",
    "course.switch",
    "course.cap",
]

_LONGEST = 200


def record(db: Session, act: Act, subject: str, *, by: str, **details: Any) -> None:
    """Note an act. `subject` is an id or a name; what is `None` is left out of `details`."""
    told = {name: value for name, value in details.items() if value is not None}
    db.add(AuditRow(act=act, subject=subject[:_LONGEST], by=by[:_LONGEST], details=told))


def record_beside(engines: Engines, act: Act, subject: str, *, by: str, **details: Any) -> None:
    """Note an act on a store that is not opened for it, for it would be brought to the newest schema: one older than
    the record has no place for it."""
    with engines.writer.connect() as connection, connection.begin():
        if inspect(connection).has_table(AuditRow.__tablename__):
            with Session(connection) as db:
                record(db, act, subject, by=by, **details)
                db.flush()


def acts(db: Session, *, limit: int = 100) -> list[AuditRow]:
    """The newest acts, the last one first."""
    return list(db.scalars(select(AuditRow).order_by(AuditRow.at.desc(), AuditRow.act_id).limit(limit)))
