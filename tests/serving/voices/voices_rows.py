"""People, sessions and turns for the tests of this folder, written straight into a store."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.tables.conversation import ChatSession, RestsOn, TurnRow
from serving.store.tables.identity import Person

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

STUDENT = Caller("student-1")
OTHER = Caller("student-2")
TA = Caller("ta-1", "ta", "key-1", "Ada")
SECOND_TA = Caller("ta-2", "ta", "key-2", "Bo")


def add_people(db: Session) -> None:
    for one in (STUDENT, OTHER, TA, SECOND_TA):
        db.add(Person(person_id=one.person_id, role=one.role, key_id=one.key_id, name=one.name))


def add_turn(db: Session, trace_id: str, *, person_id: str = "student-1", **fields: Any) -> None:
    """One turn in a session of its own, or in `session_id`; `person_id` is made when it is not there."""
    if db.get(Person, person_id) is None:
        db.add(Person(person_id=person_id))
        db.flush()
    session_id = fields.pop("session_id", f"session-{trace_id}")
    if db.get(ChatSession, session_id) is None:
        db.add(ChatSession(session_id=session_id, person_id=person_id))
        db.flush()
    given: dict[str, Any] = {
        "position": 0,
        "asked_at": NOON,
        "question": "What is a stack?",
        "answer": "A list with one open end.",
        "outcome": "answered",
        "route": "direct",
        "course_id": "ds",
    }
    db.add(TurnRow(trace_id=trace_id, session_id=session_id, person_id=person_id, **(given | fields)))
    db.flush()


def add_reference(db: Session, trace_id: str, entry_id: str = "e1", **fields: Any) -> None:
    given: dict[str, Any] = {"source": "concept", "text_sha256": "0" * 64, "is_reference": True, "course_id": "ds"}
    db.add(RestsOn(trace_id=trace_id, entry_id=entry_id, **(given | fields)))
    db.flush()


def shown_references(n: int) -> dict[str, Any]:
    return {"references": [{"number": number, "label": f"Lecture @ 0{number}:00"} for number in range(1, n + 1)]}


def with_turns(store: Store, *trace_ids: str, **fields: Any) -> Store:
    """The store with the people and these answers of the first student."""

    def write(db: Session) -> None:
        add_people(db)
        for trace_id in trace_ids:
            add_turn(db, trace_id, **fields)

    store.write(write)
    return store
