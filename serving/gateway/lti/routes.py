"""`/lti/login`, `/lti/launch`, `/lti/choose` and `/lti/jwks`: what an LMS and its browser call.

Login and launch come from the LMS's own pages, so they are open to other sites; what makes them safe is the state,
which opens in the browser it was made in, and the platform's signature.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import structlog
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.access import LAUNCH_COOKIE, address_of, identities_of, limits_of, refuse_other_sites, settings_of
from serving.gateway.errors import GatewayError, error_response, wants_page
from serving.gateway.logs import notes_of
from serving.gateway.lti.claims import LaunchRefused, LtiLaunch, read_launch
from serving.gateway.lti.content import read_chosen, sign_answer
from serving.gateway.lti.cookies import BROWSER_COOKIE, BROWSER_PATH, is_framed, set_for_launch
from serving.gateway.lti.id_tokens import verify_id_token
from serving.gateway.lti.markup import LinkableCourse, choice_html, cookies_html, refusal_html, sending_html
from serving.gateway.lti.states import STATE_SECONDS, ContentChoice, LtiState, new_browser
from serving.gateway.lti.tool import ToolAddresses, addresses_of, lti_of
from serving.gateway.service import Service, Shared
from serving.gateway.sources import lectures_of
from serving.pages.plain_page import HEADERS, lang_of, plain_page
from serving.pages.words import PageTexts, words
from serving.store.audit import record
from serving.store.caller import Caller, parse_role
from serving.store.launches import LAUNCH_DAYS, LaunchedPerson, log_in_launched, spend_nonce
from serving.store.lti_keys import key_set
from serving.store.platforms import (
    connect_context,
    course_of_context,
    courses_to_choose,
    deployments_of,
    find_platform,
    find_platforms,
    is_safe_address,
    origin_of,
)
from serving.store.tables.base import now
from serving.store.tables.lti import LtiPlatform

router = APIRouter(tags=["lti"])

log = structlog.get_logger(__name__)

DAY_SECONDS = 86_400
KEY_SET_SECONDS = 3600
HINTS = ("iss", "login_hint", "target_link_uri", "lti_message_hint", "client_id", "lti_deployment_id")
LONGEST_HINT = 4000
"""Characters of what an LMS sends along and wants back. A choice; tokens of some have a thousand."""

STAFF_NAMES = {"ta": "Teaching assistant", "teacher": "Teacher"}
"""Under answers of those whose LMS does not send a name."""

Reply = Callable[[], Awaitable[Response]]

_AS_ERROR: dict[str, Any] = {
    "text/html": {},
    "application/json": {"schema": {"$ref": "#/components/schemas/ErrorReply"}},
}
PAGES: dict[int | str, dict[str, Any]] = {
    200: {"description": "A page.", "content": {"text/html": {}}},
    302: {"description": "To the LMS."},
    303: {"description": "To the chat, in the course."},
    "4XX": {"description": "Refused, with the reason: a page for browsers, else as JSON.", "content": _AS_ERROR},
}


def form_of(*names: str) -> dict[str, Any]:
    """The description of a form's fields, for OpenAPI."""
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}


@router.get("/lti/jwks", responses={200: {"description": "A JSON Web Key Set."}})
async def show_keys(request: Request, service: Shared) -> JSONResponse:
    """The public keys of this tool. 404 while no LMS is connected."""

    async def work() -> Response:
        await lti_of(request.app).signing_key()
        found = await service.store.reading(lambda db: key_set(db, at=now()))
        return JSONResponse(found, headers={"Cache-Control": f"public, max-age={KEY_SET_SECONDS}"})

    return await answer_or_refuse(request, work)  # type: ignore[return-value]  # JSON, or a refusal


@router.get("/lti/login", response_class=HTMLResponse, responses=PAGES)
async def begin_login(request: Request, service: Shared) -> Response:
    """An LMS asks for a login of a person, by a link."""
    return await answer_or_refuse(request, lambda: _begin(request, service, dict(request.query_params)))


@router.post("/lti/login", response_class=HTMLResponse, responses=PAGES, openapi_extra=form_of(*HINTS))
async def begin_login_by_form(request: Request, service: Shared) -> Response:
    """The same, by a form."""

    async def work() -> Response:
        return await _begin(request, service, dict(request.query_params) | await fields_of(request))

    return await answer_or_refuse(request, work)


@router.post("/lti/launch", response_class=HTMLResponse, responses=PAGES, openapi_extra=form_of("state", "id_token"))
async def launch(request: Request, service: Shared) -> Response:
    """The LMS says who it is: to the chat, in the course; or to choose what a link opens."""
    return await answer_or_refuse(request, lambda: _launch(request, service))


@router.post("/lti/choose", response_class=HTMLResponse, responses=PAGES, openapi_extra=form_of("asked", "item", "at"))
async def choose_content(request: Request, service: Shared) -> Response:
    """A teacher has chosen: the link goes to the LMS, signed."""
    refuse_other_sites(request, settings_of(request))
    return await answer_or_refuse(request, lambda: _choose(request, service))


async def answer_or_refuse(request: Request, work: Reply) -> Response:
    """What `work` answers, or why not, as a page in the visitor's language. Refusals of one address are counted."""
    limits, address = limits_of(request), address_of(request)
    try:
        await limits.check(address, "logins")
        await lti_of(request.app).require_on()
        return await work()
    except LaunchRefused as refused:
        if refused.reason != "off":
            log.warning("lti_refused", reason=refused.reason)
            await limits.admit(address, "logins")
        return refusal_of(request, refused)


def refusal_of(request: Request, refused: LaunchRefused) -> Response:
    if not wants_page(request.headers.get("accept", "")):
        return error_response(GatewayError(str(refused), status=refused.status, code=f"lti_{refused.reason}"))
    lang = lang_of(request)
    say = words("lti", lang)
    return plain_page(request, say("title"), refusal_html(refused.describe(lang), say), status=refused.status)


async def fields_of(request: Request) -> dict[str, str]:
    """The text fields of a form."""
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


async def _begin(request: Request, service: Service, said: Mapping[str, str]) -> Response:
    """Send the browser to the platform's login with a state that opens in this browser alone."""
    addresses = addresses_of(request)
    hints = {name: said[name] for name in HINTS if said.get(name)}
    if missing := [name for name in ("iss", "login_hint", "target_link_uri") if name not in hints]:
        raise LaunchRefused("request", status=400, what=", ".join(missing))
    if sum(map(len, hints.values())) > LONGEST_HINT:
        raise LaunchRefused("request", status=400, what=f"at most {LONGEST_HINT} characters are taken")
    platform = await _platform_of(service, hints["iss"], hints.get("client_id"))
    _refuse_foreign(hints["target_link_uri"], addresses)
    browser = request.cookies.get(BROWSER_COOKIE) or new_browser()
    state, nonce = lti_of(request.app).sealer.begin(platform.platform_id, browser=browser, again=hints)
    asked = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": addresses.launch,
        "login_hint": hints["login_hint"],
        "state": state,
        "nonce": nonce,
    }
    if "lti_message_hint" in hints:
        asked["lti_message_hint"] = hints["lti_message_hint"]
    response = RedirectResponse(_with_query(platform.auth_url, asked), status_code=302)
    framed = is_framed(request.headers)
    set_for_launch(response, BROWSER_COOKIE, browser, seconds=STATE_SECONDS, path=BROWSER_PATH, framed=framed)
    return response


async def _platform_of(service: Service, issuer: str, client_id: str | None) -> LtiPlatform:
    found = await service.store.reading(lambda db: find_platforms(db, issuer, client_id))
    if not found:
        raise LaunchRefused("platform", issuer=issuer[:200], client=(client_id or "-")[:200])
    if len(found) > 1:
        raise LaunchRefused("which_platform", status=400, issuer=issuer[:200])
    return found[0]


def _refuse_foreign(address: str, addresses: ToolAddresses) -> None:
    """A link of an LMS leads to our launch; whoever could name another address could send our people anywhere."""
    if not addresses.is_launch(address):
        raise LaunchRefused("target", address=address[:200], own=addresses.launch)


async def _launch(request: Request, service: Service) -> Response:
    addresses, said, tool = addresses_of(request), await fields_of(request), lti_of(request.app)
    state = tool.sealer.read_state(said.get("state", ""))
    browser = request.cookies.get(BROWSER_COOKIE)
    if browser is None:
        return _without_cookies(request, state, addresses)
    if not state.is_of(browser):
        raise LaunchRefused("browser")
    if "error" in said:
        told = said.get("error_description") or said["error"]
        raise LaunchRefused("lms_error", error=told[:200])
    platform = await _platform_still(service, state.platform_id)
    claims = await verify_id_token(said.get("id_token", ""), platform, tool.key_sets, nonce=state.nonce)
    if not await service.store.writing(lambda db: spend_nonce(db, state.nonce, until=state.ends_at)):
        raise LaunchRefused("replayed")
    launched = read_launch(claims, highest=parse_role(platform.highest_role))
    _refuse_foreign(launched.target_link_uri, addresses)
    known = await service.store.reading(lambda db: deployments_of(db, platform.platform_id))
    if launched.deployment_id not in known:
        raise LaunchRefused("deployment", platform=platform.platform_id, deployment=launched.deployment_id)
    if launched.message_type == "LtiDeepLinkingRequest":
        return await _ask_what_to_link(request, service, platform, launched)
    return await _open_chat(request, service, platform, launched)


def _without_cookies(request: Request, state: LtiState, addresses: ToolAddresses) -> Response:
    """The browser kept nothing of us, so nobody can say that the launch is its own: a way that works."""
    say = words("lti", lang_of(request))
    log.info("lti_without_cookies", framed=is_framed(request.headers))
    again = f"{addresses.login}?{urlencode(state.again)}" if is_framed(request.headers) else None
    return plain_page(request, say("title"), cookies_html(say, again=again), status=403)


async def _platform_still(service: Service, platform_id: str) -> LtiPlatform:
    try:
        return await service.store.reading(lambda db: find_platform(db, platform_id))
    except CoteachError as error:
        raise LaunchRefused("state") from error


async def _open_chat(request: Request, service: Service, platform: LtiPlatform, launched: LtiLaunch) -> Response:
    course_id = await _course_of(service, platform, launched)
    name = (launched.name or STAFF_NAMES[launched.role]) if launched.role != "student" else None
    person = LaunchedPerson(launched.subject, launched.role, course_id, name)
    token = await service.store.writing(lambda db: log_in_launched(db, platform, person))
    identity = await identities_of(request).by_login(token)
    notes = notes_of(request)
    notes.course, notes.person_id = course_id, None if identity is None else identity.caller.person_id
    log.info("lti_launch", platform=platform.platform_id, course=course_id, role=launched.role)
    place = {"course": course_id, "lecture": launched.target.lecture, "second": launched.target.second}
    query = urlencode({name: value for name, value in place.items() if value is not None})
    response = RedirectResponse(f"/?{query}", status_code=303)
    _set_launch(request, response, token)
    return response


def _set_launch(request: Request, response: Response, token: str) -> None:
    """The login ends with the LMS's word; its cookie stays a while longer, so that a page in a frame can say so."""
    seconds = int(max(LAUNCH_DAYS, settings_of(request).login_days) * DAY_SECONDS)
    if is_framed(request.headers):
        set_for_launch(response, LAUNCH_COOKIE, token, seconds=seconds, path="/", framed=True)
        return
    is_secure = addresses_of(request).base.startswith("https://")
    response.set_cookie(
        LAUNCH_COOKIE, token, max_age=seconds, path="/", httponly=True, samesite="lax", secure=is_secure
    )


async def _course_of(service: Service, platform: LtiPlatform, launched: LtiLaunch) -> str:
    """The course that the LMS's course is connected with. A link says of which it is, and decides nothing."""
    context = launched.context
    if context is None:
        raise LaunchRefused("no_context")
    named = (platform.platform_id, launched.deployment_id, context.context_id)
    course_id = await service.store.reading(lambda db: course_of_context(db, *named))
    if course_id is None:
        if launched.role != "teacher":
            raise LaunchRefused("context_student")
        raise _refusal_of_unconnected("context_teacher", *named)
    claimed = launched.target.course_id
    if claimed not in (None, course_id) or (platform.courses is not None and course_id not in platform.courses):
        raise LaunchRefused("foreign_course", course=(claimed or course_id)[:200])
    if course_id not in (await service.knowledge()).course_ids:
        raise LaunchRefused("gone_course", status=503, course=course_id)
    return course_id


def _refusal_of_unconnected(reason: str, platform_id: str, deployment_id: str, context_id: str) -> LaunchRefused:
    """With what those who run coteach type to connect the course."""
    return LaunchRefused(reason, platform=platform_id, deployment=deployment_id, context=context_id)


async def _ask_what_to_link(request: Request, service: Service, platform: LtiPlatform, launched: LtiLaunch) -> Response:
    """A page on which a teacher chooses; it carries what the LMS asked, sealed."""
    if launched.role != "teacher":
        raise LaunchRefused("not_teacher")
    wanted, context = launched.deep_linking, launched.context
    if wanted is None or not wanted.accepts_links or not is_safe_address(wanted.return_url):
        raise LaunchRefused("no_return", status=400)
    if context is None:
        raise LaunchRefused("no_context")
    choice = ContentChoice(
        platform_id=platform.platform_id,
        deployment_id=launched.deployment_id,
        context_id=context.context_id,
        person=launched.subject,
        return_url=wanted.return_url,
        data=wanted.data,
    )
    offer = await _offer(service, platform, choice)
    say = words("lti", lang_of(request))
    connects = None if offer.is_connected else context.title or say("choose_this_course")
    body = choice_html(offer.courses, lti_of(request.app).sealer.ask(choice), say, connects=connects)
    return plain_page(request, say("title"), body)


@dataclass(frozen=True)
class LinkOffer:
    """What a teacher may link; `is_connected`: it is known already which course theirs is."""

    courses: tuple[LinkableCourse, ...]
    is_connected: bool


async def _offer(service: Service, platform: LtiPlatform, choice: ContentChoice) -> LinkOffer:
    """Raises `LaunchRefused` when there is nothing."""
    titles = {one.course_id: one.title for one in (await service.knowledge()).courses}
    ids = sorted(titles, key=lambda one: titles[one])
    named = (choice.deployment_id, choice.context_id)

    def find(db: Session) -> tuple[list[str], bool]:
        known = course_of_context(db, platform.platform_id, *named)
        return courses_to_choose(db, platform, *named, ids), known is not None

    open_ids, is_connected = await service.store.reading(find)
    if not open_ids:
        raise _refusal_of_unconnected("nothing_to_choose", platform.platform_id, *named)
    found = [LinkableCourse(one, titles[one], await lectures_of(service, _teacher_of(one), one)) for one in open_ids]
    return LinkOffer(tuple(found), is_connected)


def _teacher_of(course_id: str) -> Caller:
    return Caller("", role="teacher", courses=frozenset({course_id}))


async def _choose(request: Request, service: Service) -> Response:
    """Connect the course of the LMS when it is not connected, and send the link."""
    addresses, said, tool = addresses_of(request), await fields_of(request), lti_of(request.app)
    say = words("lti", lang_of(request))
    choice = tool.sealer.read_choice(said.get("asked", ""))
    platform = await _platform_still(service, choice.platform_id)
    offer = await _offer(service, platform, choice)
    chosen = read_chosen(said.get("item", ""), said.get("at", ""), offer.courses, say)
    if not offer.is_connected:
        await service.store.writing(lambda db: _connect(db, platform, choice, chosen.course_id))
    token = sign_answer(choice, chosen, platform, await tool.signing_key(), launch=addresses.launch)
    return _sending(request, choice.return_url, {"JWT": token}, say)


def _connect(db: Session, platform: LtiPlatform, choice: ContentChoice, course_id: str) -> None:
    """What a teacher chose is looked at once more where nobody else can choose meanwhile."""
    named = (choice.deployment_id, choice.context_id)
    if not courses_to_choose(db, platform, *named, [course_id]):
        raise _refusal_of_unconnected("nothing_to_choose", platform.platform_id, *named)
    by = f"LTI {platform.platform_id}"
    connect_context(db, platform, *named, course_id=course_id, by=by)
    record(db, "lti.context.connect", platform.platform_id, by=by, context=choice.context_id, course=course_id)


def _sending(request: Request, address: str, fields: Mapping[str, str], say: PageTexts) -> Response:
    """A page that sends a form to the LMS, which its headers allow and nothing else."""
    policy = HEADERS["Content-Security-Policy"].replace("form-action 'self'", f"form-action {origin_of(address)}")
    page = plain_page(request, say("title"), sending_html(address, fields, say))
    page.headers["Content-Security-Policy"] = policy
    return page


def _with_query(address: str, added: Mapping[str, str]) -> str:
    parts = urlsplit(address)
    return urlunsplit(
        parts._replace(query=urlencode([*parse_qsl(parts.query, keep_blank_values=True), *added.items()]))
    )
