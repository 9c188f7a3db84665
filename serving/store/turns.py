"""Sessions and their turns: find, continue, add and forget. Always of one person; nobody else's can be seen."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, exists, func, insert, select, update
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.llm.messages import Message
from serving.store.privacy import forget_reviews
from serving.store.tables.base import Base, now
from serving.store.tables.conversation import ChatSession, ReplyRow, RestsOn, TraceRow, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.review import TaQuestion
from serving.store.upserting import put_new

TITLE_LENGTH = 120
"""Characters of a first question that title its session."""

REMEMBERED_TURNS = 20
"""The newest turns of a session that are history to the next. A choice: follow-ups reach back a few turns."""

LONGEST_SAID = 8_000
"""Characters of one message of a client's own history that are read. A choice: twice the longest question."""


class NotYours(CoteachError):
    """There is no such session or answer, or it is somebody else's; the two are not distinguished."""

    def __init__(self, kind: str, named: str) -> None:
        super().__init__(f"There is no {kind} '{named[:64]}' of yours.")


@dataclass(frozen=True)
class Continued:
    """The session that a question goes on, and what was said in it; `session_id` is `None` for a new one, which may
    have branched off after an answer of another."""

    session_id: str | None = None
    history: tuple[Message, ...] = ()
    branched_from: str | None = None


@dataclass(frozen=True)
class Recorded:
    """One finished turn, ready to be stored with what belongs to it. A session that is not new is there already."""

    turn: TurnRow
    is_new_session: bool
    trace: TraceRow | None = None
    rests_on: Sequence[RestsOn] = field(default=())
    branched_from: str | None = None


def title_of(question: str) -> str:
    """What a session that begins with this question is called."""
    return " ".join(question.split())[:TITLE_LENGTH]


def thread_digest(questions: Iterable[str]) -> str:
    """SHA-256 of all that a student has asked in a session, in order: what a client's own history is known by."""
    digest = hashlib.sha256()
    for question in questions:
        digest.update(question.strip().encode("utf-8", "replace") + b"\x00")
    return digest.hexdigest()


def questions_in(history: Sequence[Message]) -> list[str]:
    return [one.content for one in history if one.role == "user"]


def find_session(
    db: Session, person_id: str, *, session_id: str | None, history: Sequence[Message] | None
) -> Continued:
    """Where a question belongs: the session named, or the one whose questions are those of the client's `history`.

    A history that the client sends is what was said; without one it is what the store has (LittleMu 2.2, x_t). One that
    ends before the session does was edited, and begins a session of its own. Raises `NotYours` for a session that is
    not this person's.
    """
    if session_id is not None:
        session = own_session(db, person_id, session_id)
        if history and _branches_off(db, session.session_id, history):
            return Continued(None, _recent(history))
        told = _recent(history) if history else history_of(db, session.session_id)
        return Continued(session.session_id, told)
    if not history:
        return Continued()
    thread = thread_digest(questions_in(history))
    found = db.scalars(
        select(TurnRow.session_id)
        .where(TurnRow.person_id == person_id, TurnRow.thread_sha256 == thread)
        .order_by(TurnRow.asked_at.desc())
        .limit(1)
    ).first()
    return Continued(found, _recent(history))


def find_session_after(db: Session, person_id: str, trace_id: str, more: Sequence[Message] = ()) -> Continued:
    """Where a question belongs that goes on from one answer: that answer's session, or, when more was said in it since,
    a new one that branches off. `more` is what was said after the answer elsewhere. Raises `NotYours`.
    """
    turn = own_turn(db, person_id, trace_id)
    said = _recent((*history_of(db, turn.session_id, until=turn.position), *more))
    last = db.scalar(select(func.max(TurnRow.position)).where(TurnRow.session_id == turn.session_id))
    if last == turn.position:
        return Continued(turn.session_id, said)
    return Continued(None, said, branched_from=trace_id)


def _recent(history: Sequence[Message]) -> tuple[Message, ...]:
    """As much of a history as the store itself remembers: every message of it is read again at each turn."""
    return tuple(replace(one, content=one.content[:LONGEST_SAID]) for one in history[-2 * REMEMBERED_TURNS :])


def _branches_off(db: Session, session_id: str, history: Sequence[Message]) -> bool:
    """Whether a client's history ends elsewhere than the session: its last question is none of those from the newest
    answered turn on."""
    newest = db.execute(
        select(TurnRow.question, TurnRow.outcome)
        .where(TurnRow.session_id == session_id)
        .order_by(TurnRow.position.desc())
        .limit(REMEMBERED_TURNS)
    ).all()
    asked = questions_in(history)
    for question, outcome in newest:
        if asked and question.strip() == asked[-1].strip():
            return False
        if outcome == "answered":
            return True
    return False


def own_session(db: Session, person_id: str, session_id: str) -> ChatSession:
    """Raises `NotYours`."""
    session = db.get(ChatSession, session_id)
    if session is None or session.person_id != person_id:
        raise NotYours("session", session_id)
    return session


def own_turn(db: Session, person_id: str, trace_id: str) -> TurnRow:
    """Raises `NotYours`."""
    turn = db.get(TurnRow, trace_id)
    if turn is None or turn.person_id != person_id:
        raise NotYours("answer", trace_id)
    return turn


def history_of(db: Session, session_id: str, *, until: int | None = None) -> tuple[Message, ...]:
    """What was said in a session up to a position, oldest first, with what it branched off from; of a turn that failed
    the question alone."""
    newest: list[tuple[str, str]] = []
    place: tuple[str, int | None] | None = (session_id, until)
    while place is not None and len(newest) < REMEMBERED_TURNS:
        newest += _turns_before(db, *place, most=REMEMBERED_TURNS - len(newest))
        place = _branch_point(db, place[0])
    said: list[Message] = []
    for question, answer in reversed(newest):
        said.append(Message("user", question))
        if answer:
            said.append(Message("assistant", answer))
    return tuple(said)


def _turns_before(db: Session, session_id: str, until: int | None, *, most: int) -> list[tuple[str, str]]:
    """Questions and answers of a session, the newest first."""
    wanted = select(TurnRow.question, TurnRow.answer).where(TurnRow.session_id == session_id)
    if until is not None:
        wanted = wanted.where(TurnRow.position <= until)
    return [(one, other) for one, other in db.execute(wanted.order_by(TurnRow.position.desc()).limit(most))]


def _branch_point(db: Session, session_id: str) -> tuple[str, int | None] | None:
    """Session and position that a session goes on from; `None` for one that begins by itself."""
    found = db.execute(
        select(TurnRow.session_id, TurnRow.position)
        .join(ChatSession, ChatSession.branched_from == TurnRow.trace_id)
        .where(ChatSession.session_id == session_id)
    ).first()
    return None if found is None else (found[0], found[1])


def add_turn(db: Session, recorded: Recorded, *, person: Person, mode: str | None) -> TurnRow:
    """Store a turn at the end of its session; session and person are made when they are new.

    Raises `NotYours` for a session that is not new and was deleted meanwhile. Rows are inserted as they are, without
    the session's bookkeeping of objects, which takes several times as long: this is what every question waits for.
    """
    turn = recorded.turn
    connection = db.connection()
    if recorded.is_new_session:
        if person.is_by_session:
            put_new(db, Person, [_values(person)])
        _insert(connection, _session_of(recorded, mode))
        turn.position = 0
    else:
        turn.position = _next_position(db, turn.session_id)
    _insert(connection, turn)
    if recorded.trace is not None:
        _insert(connection, recorded.trace)
    _insert(connection, *recorded.rests_on)
    return turn


def _next_position(db: Session, session_id: str) -> int:
    """The place behind the last turn. The session is locked first: another process may be adding to it."""
    used = update(ChatSession).where(ChatSession.session_id == session_id).values(updated_at=now())
    if db.execute(used.returning(ChatSession.session_id)).first() is None:
        raise NotYours("session", session_id)
    last = db.scalar(select(func.max(TurnRow.position)).where(TurnRow.session_id == session_id))
    return 0 if last is None else last + 1


def _session_of(recorded: Recorded, mode: str | None) -> ChatSession:
    turn = recorded.turn
    return ChatSession(
        session_id=turn.session_id,
        person_id=turn.person_id,
        course_id=turn.course_id,
        mode=mode,
        title=title_of(turn.question),
        branched_from=recorded.branched_from,
        created_at=turn.asked_at,
        updated_at=now(),
    )


def _insert(connection: Connection, *rows: Base) -> None:
    """Insert rows of one table."""
    if rows:
        connection.execute(_inserting(type(rows[0])), [_values(row) for row in rows])


@cache
def _inserting(kind: type[Base]) -> Insert:
    return insert(kind.__table__)  # type: ignore[arg-type]  # every class has a table of its own, no selectable


def _values(row: Base) -> dict[str, Any]:
    """Every column; what was set from the instance itself, which takes a third of the time that its attribute takes."""
    held = vars(row)
    return {name: held[name] if name in held else getattr(row, name) for name in _columns(type(row))}


@cache
def _columns(kind: type[Base]) -> tuple[str, ...]:
    return tuple(column.key for column in kind.__table__.columns)


def sessions_of(db: Session, person_id: str, *, limit: int = 100) -> list[ChatSession]:
    """A person's sessions, the one used last first."""
    query = select(ChatSession).where(ChatSession.person_id == person_id).order_by(ChatSession.updated_at.desc())
    return list(db.scalars(query.limit(limit)))


def turns_of(db: Session, person_id: str, session_id: str) -> list[TurnRow]:
    """The turns of a person's own session, in order. Raises `NotYours`."""
    own_session(db, person_id, session_id)
    return list(db.scalars(select(TurnRow).where(TurnRow.session_id == session_id).order_by(TurnRow.position)))


def forget_session(db: Session, person_id: str, session_id: str) -> None:
    """Delete a session with all that belongs to its turns. Raises `NotYours`."""
    session = own_session(db, person_id, session_id)
    traces = select(TurnRow.trace_id).where(TurnRow.session_id == session_id)
    forget_reviews(db, TaQuestion.trace_id.in_(traces))
    db.delete(session)


def forget_turn(db: Session, person_id: str, trace_id: str) -> None:
    """Delete one turn with all that belongs to it, and its session when nothing else is in it. Raises `NotYours`."""
    turn = own_turn(db, person_id, trace_id)
    session_id = turn.session_id
    forget_reviews(db, TaQuestion.trace_id == trace_id)
    db.delete(turn)
    db.flush()
    if db.scalar(select(exists().where(TurnRow.session_id == session_id))):
        name_anew(db, [session_id])
    else:
        db.delete(own_session(db, person_id, session_id))


def name_anew(db: Session, session_ids: Sequence[str]) -> None:
    """A session is titled by its first question: the first that is left."""
    for session in db.scalars(select(ChatSession).where(ChatSession.session_id.in_(session_ids))):
        first = select(TurnRow.question).where(TurnRow.session_id == session.session_id).order_by(TurnRow.position)
        session.title = title_of(db.scalars(first.limit(1)).first() or "")


def keep_reply(db: Session, trace_id: str, record: dict[str, Any]) -> None:
    """Store how an answer was given, beside its turn."""
    _insert(db.connection(), ReplyRow(trace_id=trace_id, record=record))


def own_reply(db: Session, person_id: str, trace_id: str) -> tuple[TurnRow, dict[str, Any] | None]:
    """A person's own turn, and how it was given; `None` for one that was not given whole. Raises `NotYours`."""
    turn = own_turn(db, person_id, trace_id)
    kept = db.get(ReplyRow, trace_id)
    return turn, None if kept is None else kept.record
