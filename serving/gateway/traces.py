"""`/v1/traces`: what led to an answer and what it rests on. `/v1/sessions`: one's own conversations, read and deleted.

An answer's trace is for whoever asked, and for the TAs and teachers of its course. Sessions are for whoever asked.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.assistant.references import Reference
from serving.desk.lineage.answer_lineage import AnswerLineage, SourceThen, answer_lineage
from serving.desk.lineage.material import IndexedMaterial
from serving.gateway.access import Asking
from serving.gateway.errors import RESPONSES
from serving.gateway.links import reference_path
from serving.gateway.service import Service, Shared
from serving.store.caller import Caller
from serving.store.tables.conversation import ChatSession, RestsOn, TraceRow, TurnRow
from serving.store.turns import NotYours

router = APIRouter(tags=["traces"], responses=RESPONSES)

TraceId = Annotated[str, Path(max_length=64)]
SessionId = Annotated[str, Path(max_length=64)]

Stored = tuple[TurnRow, TraceRow | None, list[RestsOn]]


class TraceReply(BaseModel):
    """An answer, everything that led to it, and what it rests on. It does not say who asked."""

    trace_id: str
    asked_at: datetime
    course: str | None
    question: str
    answer: str
    trace: dict[str, Any] | None = Field(description="`null` for an answer that was stopped or failed.")
    lineage: AnswerLineage
    urls: dict[str, str] = Field(description="Where sources open: `entry_id` to an address on this gateway or the web.")


class SessionReply(BaseModel):
    """A conversation; `title` is its first question."""

    session_id: str
    course: str | None
    mode: str | None
    title: str
    created_at: datetime
    updated_at: datetime


class TurnReply(BaseModel):
    """A question with its answer. `outcome`: `answered`, `stopped` or `failed`; `shown` stands beside the text."""

    trace_id: str
    asked_at: datetime
    question: str
    answer: str
    outcome: str
    route: str | None
    shown: dict[str, Any]


class SessionsReply(BaseModel):
    sessions: list[SessionReply]


class WholeSessionReply(SessionReply):
    turns: list[TurnReply]


@router.get("/v1/traces/{trace_id}")
async def show_trace(trace_id: TraceId, caller: Asking, service: Shared) -> TraceReply:
    """The trace and lineage of an answer of one's own, or of one's course."""
    turn, trace, rests_on = await service.store.reading(lambda db: readable_answer(db, caller, trace_id))
    material = await _material(service)
    lineage = await asyncio.to_thread(answer_lineage, turn, trace, rests_on, service.data_dir.index, material=material)
    return TraceReply(
        trace_id=turn.trace_id,
        asked_at=turn.asked_at,
        course=turn.course_id,
        question=turn.question,
        answer=turn.answer,
        trace=None if trace is None else _visible_to(caller, trace.record),
        lineage=lineage,
        urls=_urls(lineage.sources),
    )


@router.get("/v1/sessions")
async def list_sessions(caller: Asking, service: Shared) -> SessionsReply:
    """The caller's own conversations, the one used last first."""
    found = await service.conversations.sessions(caller)
    return SessionsReply(sessions=[_session(one) for one in found])


@router.get("/v1/sessions/{session_id}")
async def show_session(session_id: SessionId, caller: Asking, service: Shared) -> WholeSessionReply:
    """One conversation of the caller's own, with its turns in order."""
    session = await service.conversations.session(caller, session_id)
    turns = await service.conversations.turns(caller, session_id)
    return WholeSessionReply(**_session(session).model_dump(), turns=[_turn(one) for one in turns])


@router.delete("/v1/sessions/{session_id}", status_code=204)
async def delete_session(session_id: SessionId, caller: Asking, service: Shared) -> Response:
    """Delete a conversation of the caller's own, with all that belongs to it."""
    await service.conversations.forget(caller, session_id)
    return Response(status_code=204)


def readable_answer(db: Session, caller: Caller, trace_id: str) -> Stored:
    """The rows of an answer that the caller may look into. Raises `NotYours` for any other, there or not."""
    turn = db.get(TurnRow, trace_id)
    if turn is None or not (turn.person_id == caller.person_id or _teaches(caller, turn)):
        raise NotYours("answer", trace_id)
    rests_on = db.scalars(select(RestsOn).where(RestsOn.trace_id == trace_id).order_by(RestsOn.entry_id))
    return turn, db.get(TraceRow, trace_id), list(rests_on)


def _visible_to(caller: Caller, record: dict[str, Any]) -> dict[str, Any]:
    """The trace; the model server's own error message is for admins, others see its kind."""
    error = record.get("error")
    if error is None or caller.is_at_least("admin"):
        return record
    return {**record, "error": str(error).partition(":")[0]}


def _teaches(caller: Caller, turn: TurnRow) -> bool:
    return caller.is_at_least("ta") and caller.may_see(turn.course_id)


async def _material(service: Service) -> IndexedMaterial | None:
    """What is built now; `None` where nothing is: what was recorded can be read all the same."""
    if service.missing():
        return None
    return await service.material_of(await service.knowledge())


def _urls(sources: Sequence[SourceThen]) -> dict[str, str]:
    opened = {
        one.entry_id: reference_path(
            Reference(0, "", "", one.source, one.course_id, one.entry_id, one.locator, one.origin_id)
        )
        for one in sources
    }
    return {entry_id: url for entry_id, url in opened.items() if url is not None}


def _session(session: ChatSession) -> SessionReply:
    return SessionReply(
        session_id=session.session_id,
        course=session.course_id,
        mode=session.mode,
        title=session.title,
        created_at=session.created_at,
        updated_at=session.updated_at,
    )


def _turn(turn: TurnRow) -> TurnReply:
    return TurnReply(
        trace_id=turn.trace_id,
        asked_at=turn.asked_at,
        question=turn.question,
        answer=turn.answer,
        outcome=turn.outcome,
        route=turn.route,
        shown=turn.shown,
    )
