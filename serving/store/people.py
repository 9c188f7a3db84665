"""People: the one behind a key, the students of a service behind one key, and those who ask without a key."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.store.caller import Role
from serving.store.meta import alias_of
from serving.store.tables.base import new_id, now
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person
from serving.store.upserting import put_new


def add_person(db: Session, *, role: Role, key_id: str | None = None, name: str | None = None) -> Person:
    person = Person(role=role, key_id=key_id, name=name)
    db.add(person)
    db.flush()
    return person


def keep_person(db: Session, person_id: str) -> None:
    """A person whom nobody knows yet is kept from now on, under this id."""
    row = {"person_id": person_id, "role": "student", "is_by_session": False, "created_at": now()}
    put_new(db, Person, [{**row, "key_id": None, "alias": None, "name": None}])


def find_student_of_service(db: Session, *, key_id: str, user: str) -> str | None:
    """The person whom the service behind a key calls `user`; their own name for them is not kept."""
    alias = alias_of(db, key_id, user)
    return db.scalars(select(Person.person_id).where(Person.key_id == key_id, Person.alias == alias)).first()


def student_of_service(db: Session, *, key_id: str, user: str) -> str:
    """The same, made at first; one person also when two requests come at once."""
    row = {"person_id": new_id(), "role": "student", "key_id": key_id, "alias": alias_of(db, key_id, user)}
    put_new(db, Person, [{**row, "is_by_session": False, "created_at": now()}])
    return db.scalars(select(Person.person_id).where(Person.key_id == key_id, Person.alias == row["alias"])).one()


def person_of_session(db: Session, session_id: str) -> str | None:
    """The holder of a session that belongs to whoever knows its id; `None` if it is a person's with key or login."""
    return db.scalars(
        select(Person.person_id)
        .join(ChatSession, ChatSession.person_id == Person.person_id)
        .where(ChatSession.session_id == session_id, Person.is_by_session)
    ).first()


def person_of_answer(db: Session, trace_id: str) -> str | None:
    """The person without key or login who was given an answer; `None` otherwise."""
    return db.scalars(
        select(Person.person_id)
        .join(TurnRow, TurnRow.person_id == Person.person_id)
        .where(TurnRow.trace_id == trace_id, Person.is_by_session)
    ).first()
