"""The video player of an LMS's page beside the chat: the script that the page loads, and where a student is.

`/player.js` and the chat in its frame speak by `postMessage`, each with the other's origin alone; what the chat is told
of whom else is not looked at. `/v1/courses/{course_id}/position` is for players that have a key of their own.
"""

from datetime import datetime
from functools import cache
from typing import Annotated

import structlog
from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import SQLAlchemyError

from serving.assistant.understanding.focus import Position
from serving.gateway.access import LAUNCH_COOKIE, Asking, settings_of
from serving.gateway.authoring.forms import FORMS
from serving.gateway.errors import RESPONSES, GatewayError
from serving.gateway.lti.tool import lti_of
from serving.gateway.service import Service, Shared
from serving.gateway.sources import lectures_of
from serving.pages.frame import STATIC
from serving.store.caller import Caller
from serving.store.database_errors import StoreUnavailable
from serving.store.lecture_progress import (
    LONGEST_MS,
    WatchedLecture,
    forget_places,
    keep_place,
    list_watched,
    recent_place,
)
from serving.store.tables.base import now

log = structlog.get_logger(__name__)

router = APIRouter(tags=["questions"], responses=RESPONSES)

CourseId = Annotated[str, Path(max_length=200)]

SCRIPT_SECONDS = 3600
"""How long a browser keeps the script, whose address stays the same. A choice."""


class PlaceRequest(BaseModel):
    """Where somebody is."""

    model_config = ConfigDict(extra="forbid")
    video: str = Field(max_length=300, description="The lecture's id, as `/v1/courses/<id>/lectures` lists it.")
    at_ms: int = Field(ge=0, le=LONGEST_MS, description="Milliseconds from its beginning.")


class WatchedReply(BaseModel):
    """A lecture of which something was seen."""

    video: str
    at_ms: int
    furthest_ms: int
    seen_at: datetime


class PlaceReply(BaseModel):
    """Where one is: the lecture seen last is first. `is_recent`: a question without a place is taken to be there."""

    course_id: str
    is_recent: bool
    watched: list[WatchedReply]


@router.get("/player.js", responses={200: {"content": {"text/javascript": {}}}})
async def player_script() -> Response:
    """The script that a page with a video player loads. It is the same for everybody and knows nothing."""
    kept = {"Cache-Control": f"public, max-age={SCRIPT_SECONDS}", "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(_script(), media_type="text/javascript", headers=kept)


@router.get("/v1/courses/{course_id}/position")
async def show_place(course_id: CourseId, caller: Asking, service: Shared) -> PlaceReply:
    """Where the caller is in a course, and what they have seen of it."""
    await lectures_of(service, caller, course_id)
    return await _place(service, caller, course_id)


@router.put("/v1/courses/{course_id}/position")
async def set_place(course_id: CourseId, body: PlaceRequest, caller: Asking, service: Shared) -> PlaceReply:
    """Say where the caller is. 404 for a lecture that the course does not have; nothing is kept of somebody new."""
    if body.video not in await lectures_of(service, caller, course_id):
        message = f"The course '{course_id}' has no lecture '{body.video}'."
        raise GatewayError(message, status=404, code="not_found", param="video")
    await service.store.writing(lambda db: keep_place(db, caller.person_id, course_id, body.video, body.at_ms))
    return await _place(service, caller, course_id)


@router.post("/me/forget-places", response_class=HTMLResponse, responses=FORMS)
async def forget_by_form(caller: Asking, service: Shared) -> Response:
    """What the page `/me` sends to have forgotten where one was in lectures."""
    await service.store.writing(lambda db: forget_places(db, caller.person_id))
    return RedirectResponse("/me", status_code=303)


async def _place(service: Service, caller: Caller, course_id: str) -> PlaceReply:
    found = await service.store.reading(lambda db: list_watched(db, caller.person_id, course_id))
    recent = await place_now(service, caller, course_id)
    return PlaceReply(course_id=course_id, is_recent=recent is not None, watched=[_reply(one) for one in found])


def _reply(one: WatchedLecture) -> WatchedReply:
    return WatchedReply(video=one.video_id, at_ms=one.at_ms, furthest_ms=one.furthest_ms, seen_at=one.seen_at)


async def place_now(service: Service, caller: Caller, course_id: str | None) -> Position | None:
    """Where somebody is in a course who said so a while ago at most; `None` also where the store cannot say."""
    if course_id is None or caller.is_new:
        return None
    try:
        found = await service.store.reading(lambda db: recent_place(db, caller.person_id, course_id, at=now()))
    except (StoreUnavailable, SQLAlchemyError) as error:
        log.warning("place_not_read", reason=type(error).__name__)
        return None
    return None if found is None else Position(course_id, found.video_id, found.at_ms, None)


def player_origins(request: Request) -> tuple[str, ...]:
    """The origins of pages whose player the chat listens to: those that were set, and those of the LMSs that may frame
    the chat for whom one of them sent."""
    launched = lti_of(request.app).origins if LAUNCH_COOKIE in request.cookies else ()
    return tuple(dict.fromkeys((*settings_of(request).player_origins, *launched)))


@cache
def _script() -> str:
    return (STATIC / "player.js").read_text(encoding="utf-8")
