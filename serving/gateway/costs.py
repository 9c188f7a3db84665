"""`/v1/spending`, `/v1/courses/{course_id}/control`: what the model server cost, and how a course is answered now."""

from dataclasses import asdict, replace
from datetime import date, datetime, timedelta
from html import escape
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from serving.desk.spending_report import CapOf, CapStanding, SpendingReport, read_spending
from serving.gateway.access import Ta, Teacher, no_such_course
from serving.gateway.authoring.forms import FORMS
from serving.gateway.authoring.uploads import text_of
from serving.gateway.errors import RESPONSES, GatewayError
from serving.gateway.lti.routes import form_of
from serving.gateway.service import Service, Shared
from serving.pages.plain_page import lang_of, plain_page
from serving.pages.words import words
from serving.store.caller import Caller
from serving.store.course_controls import (
    CAPS,
    LONGEST_TOLD,
    ControlChange,
    ControlRefused,
    Switch,
    change_control,
    parse_switch,
)
from serving.store.spending import CapUnit, SpendingScope
from serving.store.tables.base import now
from serving.store.tables.budget import CourseControl

router = APIRouter(tags=["insights"], responses=RESPONSES)

DAYS = 30
"""Days reported when none are named."""

MOST_DAYS = 400

CourseId = Annotated[str, Path(max_length=200)]


class CostLineReply(BaseModel):
    """A sum. `name` is a day, a course (empty: asked of all at once), a key (empty: none) or a person's random id."""

    name: str
    label: str
    prompt_tokens: int
    completion_tokens: int
    tokens: int
    answers: int = Field(description="Questions for which the model server was asked.")
    questions: int = Field(description="All questions, whoever answered.")
    cost: float | None = Field(description="At today's prices; null without a price.")


class CapStandingReply(BaseModel):
    """How much of a cap is used today, in tokens or in questions."""

    of: CapOf
    name: str
    label: str
    unit: CapUnit
    used: int
    cap: int
    share: float
    is_near: bool
    is_reached: bool


class SpendingReply(BaseModel):
    """What the model server cost, by day, course, key and person, and today's caps."""

    first: date
    last: date
    currency: str
    total: CostLineReply
    days: list[CostLineReply]
    courses: list[CostLineReply]
    keys: list[CostLineReply]
    people: list[CostLineReply]
    caps: list[CapStandingReply]


class ControlRequest(BaseModel):
    """What is to be changed; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    switch: Switch | None = Field(default=None, description="`on`, `model_off` or `assistant_off`.")
    message: str | None = Field(
        default=None, max_length=LONGEST_TOLD, description="What students read while the assistant is off."
    )
    why: str = Field(default="", max_length=LONGEST_TOLD, description="Needed to switch something off; kept.")
    tokens_per_day: int | None = Field(
        default=None, ge=0, le=2_000_000_000, description="The course's own cap; 0: what the settings say."
    )
    questions_per_day: int | None = Field(default=None, ge=0, le=2_000_000_000, description="The same of questions.")


class ControlReply(BaseModel):
    """How a course is answered now, and who said so."""

    course_id: str
    switch: Switch
    message: str
    why: str
    tokens_per_day: int | None
    questions_per_day: int | None
    by: str | None
    at: datetime | None


@router.get("/v1/spending")
async def show_spending(
    caller: Ta,
    service: Shared,
    course: Annotated[str | None, Query(max_length=200, description="Only this course.")] = None,
    first: Annotated[date | None, Query(alias="from", description="First day, UTC. Without: 30 days in all.")] = None,
    last: Annotated[date | None, Query(alias="to", description="Last day, UTC. Without: today.")] = None,
) -> SpendingReply:
    """Tokens and money. A TA sees the courses of their key; admins whose key is for all see keys and people too."""
    return spending_reply(await spending_for(service, caller, course_id=course, first=first, last=last))


@router.get("/v1/courses/{course_id}/control")
async def show_control(course_id: CourseId, caller: Ta, service: Shared) -> ControlReply:
    """Whether the model and the assistant are on for a course, and its cap."""
    require_course(service, caller, course_id)
    await service.switches.refresh()
    return control_reply(course_id, service.switches.of(course_id))


@router.put("/v1/courses/{course_id}/control")
async def set_control(course_id: CourseId, body: ControlRequest, caller: Teacher, service: Shared) -> ControlReply:
    """Switch the model or the assistant of a course off or on, or set its cap. All gateways obey within seconds."""
    change = ControlChange(body.switch, body.message, body.why, body.tokens_per_day, body.questions_per_day)
    return control_reply(course_id, await control_course(service, caller, course_id, change))


@router.post(
    "/spending/{course_id}/control",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=form_of("switch", "message", "why", *CAPS),
)
async def control_form(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """What the form of the page `/spending` sends; it leads back to the page."""
    form = await request.form()
    try:
        caps = {name: _cap_in(text_of(form, name)) for name in CAPS}
        switch = parse_switch(text_of(form, "switch"))
        change = ControlChange(switch, text_of(form, "message"), text_of(form, "why"), **caps)
        await control_course(service, caller, course_id, drop_unchanged(change, service.switches.of(course_id)))
    except (GatewayError, ControlRefused) as error:
        return _refusal(request, error)
    return RedirectResponse(f"/spending?{urlencode({'course': course_id})}", status_code=303)


def _cap_in(text: str) -> int:
    """A cap as a form sends it. Raises `GatewayError` 400 for what is no number."""
    cap = text.strip() or "0"
    if not (cap.isascii() and cap.isdigit() and len(cap) < 11):
        raise GatewayError("A cap is a number of tokens or questions per day, 0 for none.")
    return int(cap)


def drop_unchanged(change: ControlChange, now_held: CourseControl | None) -> ControlChange:
    """The changes of a form, without fields it leaves unchanged, so that the record of acts says what was done."""
    switch, message = ("on", "") if now_held is None else (now_held.switch, now_held.message)
    is_switched = change.switch != switch or (change.message or "").strip() != message
    return replace(
        change,
        switch=change.switch if is_switched else None,
        tokens_per_day=_unless_same(change.tokens_per_day, getattr(now_held, "tokens_per_day", None)),
        questions_per_day=_unless_same(change.questions_per_day, getattr(now_held, "questions_per_day", None)),
    )


def _unless_same(wanted: int | None, held: int | None) -> int | None:
    return None if wanted == (held or 0) else wanted


def _refusal(request: Request, error: GatewayError | ControlRefused) -> Response:
    say = words("spending", lang_of(request))
    status = error.status if isinstance(error, GatewayError) else 400
    body = (
        f'<section class="card lti"><h1>{escape(say("refused"))}</h1>'
        f'<p class="error" role="alert">{escape(str(error))}</p>'
        f'<p><a href="/spending">{escape(say("back"))}</a></p></section>'
    )
    return plain_page(request, say("refused"), body, status=status)


async def spending_for(
    service: Service, caller: Caller, *, course_id: str | None, first: date | None, last: date | None
) -> SpendingReport:
    """What the route replies; the page takes it too. Raises `GatewayError` 404 for a course not open to the caller."""
    if course_id is not None and not caller.may_see(course_id):
        raise no_such_course(course_id)
    today = now().date()
    until = last or today
    since = first or until - timedelta(days=DAYS - 1)
    if not 0 <= (until - since).days < MOST_DAYS:
        raise GatewayError(f"The days are from the first to the last, at most {MOST_DAYS}; found {since} to {until}.")
    courses = caller.courses if course_id is None else frozenset({course_id})
    scope = SpendingScope(since, until, courses)
    sees_people = caller.courses is None and caller.is_at_least("admin")
    return await service.store.reading(
        lambda db: read_spending(db, scope, service.settings, today=today, may_see_people=sees_people)
    )


async def control_course(service: Service, caller: Caller, course_id: str, change: ControlChange) -> CourseControl:
    """Change how a course is answered, here at once. Raises `GatewayError` 404 for a course that is not the caller's,
    400 for what cannot be."""
    require_course(service, caller, course_id)
    by = f"{caller.name} ({caller.key_id})" if caller.name else caller.key_id or caller.person_id
    try:
        changed = await service.store.writing(lambda db: change_control(db, course_id, change, by=by))
    except ControlRefused as error:
        raise GatewayError(str(error)) from error
    await service.switches.refresh()
    return changed


def require_course(service: Service, caller: Caller, course_id: str) -> None:
    """Raise `GatewayError` 404 for a course that is not there, or not the caller's."""
    if course_id not in service.course_ids or not caller.may_see(course_id):
        raise no_such_course(course_id)


def control_reply(course_id: str, control: CourseControl | None) -> ControlReply:
    if control is None:
        nobody = {"by": None, "at": None, "tokens_per_day": None, "questions_per_day": None}
        return ControlReply(course_id=course_id, switch="on", message="", why="", **nobody)
    return ControlReply.model_validate(control, from_attributes=True)


def spending_reply(found: SpendingReport) -> SpendingReply:
    caps = [asdict(one) | _standing(one) for one in found.caps]
    return SpendingReply.model_validate(asdict(found) | {"caps": caps})


def _standing(one: CapStanding) -> dict[str, float | bool]:
    return {"share": round(one.share, 4), "is_near": one.is_near, "is_reached": one.is_reached}
