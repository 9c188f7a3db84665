"""Asks affected questions again, over the current material."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from knowledge_graph.lake.records import Mode
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.desk.lineage.affected_answers import AffectedAnswer
from serving.llm.messages import Message
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.turns import REMEMBERED_TURNS


@dataclass(frozen=True)
class Repeat:
    """One question that was asked once or more, with what was said before it; `old` is the newest answer it got."""

    question: str
    course_id: str | None
    history: tuple[Message, ...]
    mode: Mode | None
    old: str
    trace_ids: tuple[str, ...]


def repeats(db: Session, found: Iterable[AffectedAnswer]) -> list[Repeat]:
    """The distinct questions among answers, in the order they were first asked. Questions are the same when all that
    was asked in their sessions up to them is, in the same course.
    """
    grouped: dict[tuple[str | None, str, str | None], list[TurnRow]] = {}
    for one in found:
        turn = db.get(TurnRow, one.trace_id)
        if turn is not None:
            key = (turn.course_id, turn.question.strip(), turn.thread_sha256)
            grouped.setdefault(key, []).append(turn)
    return [_repeat(db, turns) for turns in grouped.values()]


async def ask_again(assistant: Assistant, repeat: Repeat) -> Answer:
    """The answer to a question now. It is not stored: no student asked."""
    return await assistant.answer(repeat.question, course_id=repeat.course_id, history=repeat.history, mode=repeat.mode)


def _repeat(db: Session, turns: Sequence[TurnRow]) -> Repeat:
    newest = turns[-1]
    session = db.get(ChatSession, newest.session_id)
    return Repeat(
        question=newest.question,
        course_id=newest.course_id,
        history=_before(db, newest),
        mode=_mode(session.mode if session is not None else None),
        old=newest.answer,
        trace_ids=tuple(turn.trace_id for turn in turns),
    )


def _mode(named: str | None) -> Mode | None:
    return "class" if named == "class" else "program" if named == "program" else None


def _before(db: Session, turn: TurnRow) -> tuple[Message, ...]:
    """What was said in the session before a turn."""
    earlier = (TurnRow.session_id == turn.session_id, TurnRow.position < turn.position)
    rows = db.scalars(select(TurnRow).where(*earlier).order_by(TurnRow.position.desc()).limit(REMEMBERED_TURNS))
    said: list[Message] = []
    for row in reversed(list(rows)):
        said.append(Message("user", row.question))
        if row.answer:
            said.append(Message("assistant", row.answer))
    return tuple(said)
