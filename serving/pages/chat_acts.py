"""What a student does on the chat page besides asking, each a function over the store. Everything is their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.assistant.understanding.focus import Position
from serving.desk.changed_answers import find_changed
from serving.desk.own_questions import OwnQuestion, questions_of, remember_seen
from serving.desk.queue import put_in_queue
from serving.store.caller import Caller
from serving.store.feedback import thumb
from serving.store.lecture_progress import keep_place
from serving.store.tables.conversation import ChatSession, Feedback, TurnRow
from serving.store.tables.review import TaQuestion
from serving.store.turns import own_turn, sessions_of, turns_of

Result = TypeVar("Result")
Work = Callable[[Session], Result]


@dataclass(frozen=True)
class Conversation:
    """A session as it is shown again: turns in order, and by trace id their thumbs, what the TAs were asked, and which
    rest on what was edited since."""

    session: ChatSession
    turns: tuple[TurnRow, ...]
    thumbs: Mapping[str, Feedback]
    asked: Mapping[str, OwnQuestion]
    changed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Thumb:
    """A thumb as the page sent it, made sure of its types. 0 takes it back."""

    value: Literal[1, -1, 0]
    reasons: tuple[str, ...]
    comment: str


def thumb_in(sent: Mapping[str, Any]) -> Thumb:
    values: dict[str, Literal[1, -1, 0]] = {"1": 1, "-1": -1, "0": 0}
    reasons = sent.get("reasons")
    listed = reasons if isinstance(reasons, list) else [reasons] if reasons else []
    value = values.get(str(sent.get("value")), 0)
    return Thumb(value, tuple(str(one) for one in listed), str(sent.get("comment") or ""))


def give_thumb(caller: Caller, trace_id: str, given: Thumb) -> Work[Feedback | None]:
    return lambda db: thumb(db, caller, trace_id, given.value, given.reasons, given.comment)


def ask_ta(caller: Caller, trace_id: str, note: str) -> Work[TaQuestion]:
    return lambda db: put_in_queue(db, own_turn(db, caller.person_id, trace_id), "asked", note)


def be_at(caller: Caller, place: Position, furthest_ms: int) -> Work[bool]:
    """Keep where the caller is, and how far they were since that was kept last."""
    return lambda db: keep_place(
        db, caller.person_id, place.course_id, place.video_id, place.at_ms, furthest_ms=furthest_ms
    )


def conversation(caller: Caller, session_id: str) -> Work[Conversation]:
    """A session of the caller's. Raises `NotYours`."""

    def work(db: Session) -> Conversation:
        turns = turns_of(db, caller.person_id, session_id)
        session = db.get_one(ChatSession, session_id)
        ids = [turn.trace_id for turn in turns]
        given = select(Feedback).where(Feedback.person_id == caller.person_id, Feedback.trace_id.in_(ids))
        thumbs = {one.trace_id: one for one in db.scalars(given)}
        return Conversation(session, tuple(turns), thumbs, questions_by_trace(db, caller), find_changed(db, session_id))

    return work


def read_kept_turn(caller: Caller, trace_id: str) -> Work[TurnRow]:
    """What was kept of a turn of the caller's. Raises `NotYours`."""
    return lambda db: own_turn(db, caller.person_id, trace_id)


def questions_by_trace(db: Session, caller: Caller) -> dict[str, OwnQuestion]:
    """By trace id what the caller asked the TAs, the newest of an answer."""
    return {one.trace_id: one for one in reversed(questions_of(db, caller)) if one.trace_id}


def sessions(caller: Caller) -> Work[list[ChatSession]]:
    return lambda db: sessions_of(db, caller.person_id)


def news(caller: Caller) -> Work[list[tuple[OwnQuestion, str]]]:
    """What was decided on the caller's questions and not seen yet, with the session that each stands in."""

    def work(db: Session) -> list[tuple[OwnQuestion, str]]:
        fresh = {one.trace_id: one for one in questions_of(db, caller) if one.is_new and one.trace_id}
        found = select(TurnRow.trace_id, TurnRow.session_id).where(TurnRow.trace_id.in_(fresh))
        return [(fresh[trace_id], session_id) for trace_id, session_id in db.execute(found)]

    return work


def mark_seen(caller: Caller, question_ids: list[str]) -> Work[None]:
    def work(db: Session) -> None:
        for question_id in question_ids:
            remember_seen(db, question_id, caller)

    return work
