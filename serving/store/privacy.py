"""Finds, exports and deletes everything the store holds of one student.

What is a student's follows from the schema: the rows that refer to their person, or to one of their answers. What a
TA or teacher wrote stays when a student goes: reviewed answers, and that they were decided, without who had asked.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, func, or_, select, update
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.store.people import find_student_of_service
from serving.store.tables.base import Base
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import ApiKey, Person
from serving.store.tables.review import Review, ReviewedAnswer, TaQuestion

NOBODYS = frozenset(
    "alembic_version audit batches course_controls experiments graph_edits lti_contexts lti_deployments "
    "lti_invitations lti_keys lti_nonces lti_platforms meta reviewed_answers reviewed_sources reviews spending".split()
)
"""Tables that hold nothing of a student; every other one refers to a person or an answer."""

KEPT_BACK = {
    "people": ("alias",),
    "api_keys": ("secret_sha256", "old_secret_sha256"),
    "logins": ("token_sha256",),
    "ta_questions": ("claimed_by", "same_as"),
    "ratings": ("person_id", "batch_id"),
    "batch_items": ("assigned_to", "batch_id"),
    "dismissed_questions": ("person_id",),
}
"""Columns that are not given out: digests of secrets, and who of the staff it was."""


class PersonUnknown(CoteachError):
    """Nobody in the store is named so."""


class NotAStudent(CoteachError):
    """The person is staff: what they decided carries their name, and is not deleted with them."""


def find_student(
    db: Session,
    *,
    person_id: str | None = None,
    session_id: str | None = None,
    of_service: tuple[str, str] | None = None,
) -> Person:
    """The person with this id, of this session, or whom the service behind a key calls so: (key id, name there)."""
    if session_id is not None:
        person_id = db.scalars(select(ChatSession.person_id).where(ChatSession.session_id == session_id)).first()
    elif of_service is not None:
        person_id = find_student_of_service(db, key_id=of_service[0], user=of_service[1])
    person = None if person_id is None else db.get(Person, person_id)
    if person is None:
        raise PersonUnknown("Nobody in the store is named so. Check the id; whoever was deleted is not found either.")
    return person


def everything_of(db: Session, person_id: str) -> dict[str, list[dict[str, Any]]]:
    """All rows of a person by table, and the reviewed answers to their questions; ready for `json.dumps`."""
    found = {
        table.name: [_export_row(table, row) for row in db.execute(select(table).where(owned)).mappings()]
        for table, owned in _rows_of(person_id)
    }
    answers = select(ReviewedAnswer.__table__).where(
        ReviewedAnswer.answer_id.in_(select(TaQuestion.answer_id).where(TaQuestion.person_id == person_id))
    )
    shown = ("answer_id", "course_id", "question", "answer", "reviewer", "updated_at")
    found["answers_to_questions"] = [
        {name: _plain(row[name]) for name in shown} for row in db.execute(answers).mappings()
    ]
    return found


def delete_student(db: Session, person_id: str) -> dict[str, int]:
    """Delete all rows of a student for good; how many there were in each table. Raises `NotAStudent`.

    A copy of the store and what was exported before are not reached from here.
    """
    person = find_student(db, person_id=person_id)
    if person.role != "student":
        raise NotAStudent(
            f"{person_id} is a {person.role}: what they decided carries their name. Revoke their key instead."
        )
    counts = own_counts(db, person_id)
    traces = select(TurnRow.trace_id).where(TurnRow.person_id == person_id)
    forget_reviews(db, or_(TaQuestion.person_id == person_id, TaQuestion.trace_id.in_(traces)))
    db.execute(delete(Person).where(Person.person_id == person_id))
    return counts


WHO_ONE_IS = frozenset({"people", "api_keys", "logins", "person_spending"})
"""What stays of somebody with a key of their own who deletes what they said: that they may come in, and today's count
of tokens, which would else be a way around a cap."""


def own_counts(db: Session, person_id: str) -> dict[str, int]:
    """How many rows there are of a person, by table; those without any are left out."""
    found = {
        table.name: db.scalar(select(func.count()).select_from(table).where(owned)) or 0
        for table, owned in _rows_of(person_id)
    }
    return {table: count for table, count in found.items() if count}


def stays_of(db: Session, person_id: str) -> dict[str, int]:
    """What others made of a person's questions, and what stays without their name: approved answers."""
    asked = select(TaQuestion.answer_id).where(TaQuestion.person_id == person_id, TaQuestion.answer_id.is_not(None))
    answers = select(func.count()).select_from(ReviewedAnswer).where(ReviewedAnswer.answer_id.in_(asked))
    return {"approved_answers": db.scalar(answers) or 0}


def forget_own(db: Session, person_id: str) -> dict[str, int]:
    """Delete what is a person's by their own wish; how many rows there were in each table.

    A student without a key of their own goes whole, and begins anew with the next question. Of others, also of TAs and
    teachers, all that they asked and said goes, and who they are stays.
    """
    person = db.get(Person, person_id)
    if person is None:
        return {}
    has_key = db.scalar(select(ApiKey.key_id).where(ApiKey.person_id == person_id).limit(1)) is not None
    if person.role == "student" and not has_key:
        return delete_student(db, person_id)
    counts = {table: count for table, count in own_counts(db, person_id).items() if table not in WHO_ONE_IS}
    traces = select(TurnRow.trace_id).where(TurnRow.person_id == person_id)
    forget_reviews(db, or_(TaQuestion.person_id == person_id, TaQuestion.trace_id.in_(traces)))
    for table, owned in reversed(list(_rows_of(person_id))):
        if table.name not in WHO_ONE_IS:
            db.execute(delete(table).where(owned))
    return counts


def forget_reviews(db: Session, of_questions: ColumnElement[bool]) -> None:
    """Take questions that are about to go out of the history of decisions: their ids, and what was in them.

    A decision that led to a reviewed answer stays, with the answer's own text.
    """
    questions = select(TaQuestion.question_id).where(of_questions)
    db.execute(delete(Review).where(Review.question_id.in_(questions), Review.answer_id.is_(None)))
    db.execute(update(Review).where(Review.question_id.in_(questions)).values(question_id=None, before=""))


def _rows_of(person_id: str) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Each table that can hold something of a person, with the condition that picks it."""
    traces = select(TurnRow.trace_id).where(TurnRow.person_id == person_id)
    for table in Base.metadata.sorted_tables:
        if table.name == "people":
            yield table, table.c.person_id == person_id
            continue
        owned = [key.parent == person_id for key in table.foreign_keys if key.column is Person.__table__.c.person_id]
        owned += [key.parent.in_(traces) for key in table.foreign_keys if key.column is TurnRow.__table__.c.trace_id]
        if owned:
            yield table, or_(*owned)


def _export_row(table: Table, row: Any) -> dict[str, Any]:
    hidden = KEPT_BACK.get(table.name, ())
    return {name: _plain(value) for name, value in row.items() if name not in hidden}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
