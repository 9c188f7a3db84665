"""Switches and caps of courses: set with who and why, in the record of acts too, and read by every gateway."""

from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.store.audit import record
from serving.store.tables.base import now
from serving.store.tables.budget import CourseControl

Switch = Literal["on", "model_off", "assistant_off"]

SWITCHES: tuple[Switch, ...] = get_args(Switch)

LONGEST_TOLD = 500
"""Characters of a message to students, and of a reason."""


class ControlRefused(CoteachError):
    """A course cannot be switched or capped like this."""


@dataclass(frozen=True)
class ControlChange:
    """What is to be changed of a course; what is `None` stays. A cap of 0 takes the course's own away, so that the
    settings' holds."""

    switch: Switch | None = None
    message: str | None = None
    why: str = ""
    tokens_per_day: int | None = None
    questions_per_day: int | None = None


CAPS = ("tokens_per_day", "questions_per_day")
"""The caps that a course may have of its own."""


def parse_switch(name: str) -> Switch:
    """Raises `ControlRefused` for a name that is none."""
    for one in SWITCHES:
        if one == name:
            return one
    raise ControlRefused(f"A course is switched {', '.join(SWITCHES)}; found '{name[:40]}'.")


def change_control(db: Session, course_id: str, change: ControlChange, *, by: str) -> CourseControl:
    """Switch or cap a course. Raises `ControlRefused`: for something that is switched off a reason is needed."""
    why, message = change.why.strip(), (change.message or "").strip()
    if max(len(why), len(message)) > LONGEST_TOLD:
        raise ControlRefused(f"A message and a reason have at most {LONGEST_TOLD} characters.")
    caps: dict[str, int] = {name: cap for name in CAPS if (cap := getattr(change, name)) is not None}
    if wrong := [cap for cap in caps.values() if cap < 0]:
        raise ControlRefused(f"A cap is a number of tokens or questions per day, 0 for none; found {wrong[0]}.")
    control = db.get(CourseControl, course_id)
    if control is None:
        control = CourseControl(course_id=course_id, by=by)
        db.add(control)
    if change.switch is not None:
        _switch(db, control, change.switch, message=message, why=why, by=by)
    for name, cap in caps.items():
        told = {name: cap or None, "before": getattr(control, name), "why": why or None}
        record(db, "course.cap", course_id, by=by, **told)
        setattr(control, name, cap or None)
    control.by, control.at = by, now()
    db.flush()
    return control


def _switch(db: Session, control: CourseControl, switch: Switch, *, message: str, why: str, by: str) -> None:
    if switch != "on" and not why:
        raise ControlRefused("Say why the course is switched off: it is kept with who did it.")
    before = control.switch or "on"
    told = message or None
    record(db, "course.switch", control.course_id, by=by, to=switch, before=before, why=why or None, message=told)
    control.switch, control.message, control.why = switch, message if switch == "assistant_off" else "", why


def course_controls(db: Session) -> list[CourseControl]:
    """All that were ever set, by course."""
    return list(db.scalars(select(CourseControl).order_by(CourseControl.course_id)))
