"""`/v1/feedback`: a thumb on an answer of one's own, with reasons; read, changed, taken back."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from serving.feedback.reasons import DOWN_REASONS, UP_REASONS, Reason
from serving.gateway.access import Asking
from serving.gateway.errors import RESPONSES
from serving.gateway.refusals import refusals
from serving.gateway.service import Shared
from serving.store.feedback import thumb, thumb_of
from serving.store.tables.conversation import Feedback
from serving.store.turns import own_turn

router = APIRouter(tags=["feedback"], responses=RESPONSES)

Code = Annotated[str, StringConstraints(max_length=64)]
TraceId = Annotated[str, Path(max_length=64)]
Thumb = Literal["up", "down"]

_VALUES: dict[Thumb | None, Literal[1, -1, 0]] = {"up": 1, "down": -1, None: 0}


class FeedbackRequest(BaseModel):
    """A thumb; `null` takes it back. Somebody without a key shows whose answer it is by `session_id`."""

    model_config = ConfigDict(extra="ignore")
    trace_id: str = Field(max_length=64)
    thumb: Thumb | None
    reasons: list[Code] = Field(default=[], max_length=20, description="Codes of `/v1/feedback/reasons`.")
    comment: str = Field(default="", max_length=10_000)
    session_id: str | None = Field(default=None, max_length=64)


class FeedbackReply(BaseModel):
    """What is kept; `thumb` is `null` when nothing is."""

    trace_id: str
    thumb: Thumb | None = None
    reasons: list[str] = []
    comment: str = ""
    updated_at: datetime | None = None


class ReasonReply(BaseModel):
    code: str
    en: str
    zh: str


class ReasonsReply(BaseModel):
    up: list[ReasonReply]
    down: list[ReasonReply]


@router.post("/v1/feedback")
async def give_feedback(body: FeedbackRequest, caller: Asking, service: Shared) -> FeedbackReply:
    """Keep a thumb on an answer of the caller's own. It is on disk when this returns."""
    with refusals():
        kept = await service.store.writing(
            lambda db: thumb(db, caller, body.trace_id, _VALUES[body.thumb], body.reasons, body.comment)
        )
    return _reply(body.trace_id, kept)


@router.get("/v1/feedback/reasons")
async def show_reasons(caller: Asking) -> ReasonsReply:
    """What may be said with a thumb, in both languages."""
    return ReasonsReply(up=[_reason(one) for one in UP_REASONS], down=[_reason(one) for one in DOWN_REASONS])


@router.get("/v1/feedback/{trace_id}")
async def show_feedback(trace_id: TraceId, caller: Asking, service: Shared) -> FeedbackReply:
    """The caller's own thumb on an answer of theirs."""
    await service.store.reading(lambda db: own_turn(db, caller.person_id, trace_id))
    return _reply(trace_id, await service.store.reading(lambda db: thumb_of(db, caller, trace_id)))


def _reply(trace_id: str, kept: Feedback | None) -> FeedbackReply:
    if kept is None:
        return FeedbackReply(trace_id=trace_id)
    return FeedbackReply(
        trace_id=trace_id,
        thumb="up" if kept.thumb > 0 else "down",
        reasons=kept.reasons,
        comment=kept.comment,
        updated_at=kept.updated_at,
    )


def _reason(reason: Reason) -> ReasonReply:
    return ReasonReply(code=reason.code, en=reason.en, zh=reason.zh)
