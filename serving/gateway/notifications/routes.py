"""`/v1/me/notifications`: what one wants to be told. `/confirm/…`, `/unsubscribe/…`: what the links of a mail open.

A link shows a page with one button: programs that follow links in mails decide nothing. Mail programs' own button posts
at once (RFC 8058).
"""

from html import escape
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from serving.gateway.access import Admin, Asking
from serving.gateway.authoring.forms import FORMS
from serving.gateway.authoring.uploads import text_of
from serving.gateway.errors import RESPONSES, GatewayError
from serving.gateway.lti.routes import form_of
from serving.gateway.notifications.worker import channels_set, notice_links
from serving.gateway.service import Service, Shared
from serving.pages.plain_page import lang_of, plain_page
from serving.pages.words import PageTexts, words
from serving.store.caller import Caller
from serving.store.notices import (
    EVENTS,
    Channel,
    Event,
    SubscriptionRefused,
    Wished,
    confirm,
    last_errors,
    notice_counts,
    subscribe,
    unsubscribe,
)
from serving.store.tables.notification import Subscription

router = APIRouter(tags=["questions"], responses=RESPONSES)

Token = Annotated[str, Path(max_length=1000)]
PAGE: dict[int | str, dict[str, object]] = {
    200: {"content": {"text/html": {}}},
    "4XX": {"content": {"text/html": {}, "application/json": {}}},
}


class NotificationWish(BaseModel):
    """What one wants to be told, and how. No events: nothing, and the address is deleted."""

    model_config = ConfigDict(extra="forbid")
    events: list[Event] = Field(default_factory=list, description="`answered`, `corrected`, `digest` (TAs).")
    email: str = Field(default="", max_length=254, description="It is mailed once for a confirmation.")
    by_webhook: bool = Field(default=False, description="Posted to the webhook of this gateway, where it has one.")
    lang: str = Field(default="en", pattern="^(en|zh)$")


class NotificationReply(BaseModel):
    """What is kept of that. `channels` are the ways in which this gateway can tell anybody."""

    events: list[str]
    email: str
    is_confirmed: bool
    by_webhook: bool
    lang: str
    channels: list[Channel]


class NoticeErrorReply(BaseModel):
    """A notice that did not go out, or not yet; not whose."""

    kind: str
    channel: str
    state: str
    attempts: int
    error: str


class OutboxReply(BaseModel):
    """How many notices there are in each state, and what went wrong last."""

    counts: dict[str, int]
    errors: list[NoticeErrorReply]


@router.get("/v1/me/notifications")
async def show_wishes(caller: Asking, service: Shared) -> NotificationReply:
    """What the caller wants to be told."""
    held = await service.store.reading(lambda db: db.get(Subscription, caller.person_id))
    return _reply(held, service)


@router.put("/v1/me/notifications")
async def set_wishes(body: NotificationWish, caller: Asking, service: Shared) -> NotificationReply:
    """Choose what to be told. An address is mailed once; nothing else goes there before it is confirmed."""
    wished = Wished(tuple(body.events), body.email, body.by_webhook, body.lang)
    return _reply(await wish(service, caller, wished), service)


@router.post(
    "/me/notifications",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=form_of("events", "email", "by_webhook"),
)
async def wish_by_form(request: Request, caller: Asking, service: Shared) -> Response:
    """What the page `/me` sends; it leads back to the page."""
    form = await request.form()
    events = tuple(one for one in EVENTS if one in form.getlist("events"))
    wished = Wished(events, text_of(form, "email"), bool(text_of(form, "by_webhook")), lang_of(request))
    try:
        await wish(service, caller, wished)
    except GatewayError as error:
        say = words("own_data", lang_of(request))
        body = (
            f'<section class="card lti"><h1>{escape(say("not_kept"))}</h1>'
            f'<p class="error" role="alert">{escape(say("no_address"))}</p>'
            f'<p><a href="/me">{escape(say("back"))}</a></p></section>'
        )
        return plain_page(request, say("not_kept"), body, status=error.status)
    return RedirectResponse("/me?kept=1", status_code=303)


@router.get("/v1/notices")
async def show_outbox(caller: Admin, service: Shared) -> OutboxReply:
    """What waits in the outbox, and what went wrong."""
    counts, errors = await service.store.reading(lambda db: (notice_counts(db), last_errors(db)))
    return OutboxReply(
        counts=counts, errors=[NoticeErrorReply.model_validate(one, from_attributes=True) for one in errors]
    )


@router.get("/confirm/{token}", response_class=HTMLResponse, responses=PAGE)
async def show_confirm(token: Token, request: Request, service: Shared) -> Response:
    """A page with the button that confirms an address."""
    say, read = words("notices", lang_of(request)), notice_links(service.settings).read("confirm", token)
    if read is None:
        return _page(request, say, "confirm_title", say("link_over"), status=404)
    return _page(request, say, "confirm_title", say("confirm_lead", address=read[1]), button=say("confirm_now"))


@router.post("/confirm/{token}", response_class=HTMLResponse, responses=PAGE)
async def confirm_address(token: Token, request: Request, service: Shared) -> Response:
    """Confirm an address by the link that was mailed to it."""
    say, read = words("notices", lang_of(request)), notice_links(service.settings).read("confirm", token)
    done = read is not None and await service.store.writing(lambda db: confirm(db, *read))
    return _page(request, say, "confirm_title", say("confirmed" if done else "link_over"), status=200 if done else 404)


@router.get("/unsubscribe/{token}", response_class=HTMLResponse, responses=PAGE)
async def show_unsubscribe(token: Token, request: Request, service: Shared) -> Response:
    """A page with the button after which nothing is sent any more."""
    say = words("notices", lang_of(request))
    if notice_links(service.settings).read("unsubscribe", token) is None:
        return _page(request, say, "unsubscribe_title", say("link_over"), status=404)
    return _page(request, say, "unsubscribe_title", say("unsubscribe_lead"), button=say("unsubscribe_now"))


@router.post("/unsubscribe/{token}", response_class=HTMLResponse, responses=PAGE)
async def stop_notices(token: Token, request: Request, service: Shared) -> Response:
    """Nothing is sent any more. It may be repeated."""
    say = words("notices", lang_of(request))
    read = notice_links(service.settings).read("unsubscribe", token)
    if read is None:
        return _page(request, say, "unsubscribe_title", say("link_over"), status=404)
    person_id = read[0]
    await service.store.writing(lambda db: unsubscribe(db, person_id))
    return _page(request, say, "unsubscribe_title", say("unsubscribed"))


async def wish(service: Service, caller: Caller, wished: Wished) -> Subscription | None:
    """Keep what somebody wants. Raises `GatewayError` 400 for an address that is none, a way that is not set here, none
    at all, a digest of whoever is no TA, and of somebody whom nobody would know again.

    Who takes an address away that was kept wants nothing more there, whatever else is chosen.
    """
    ways = channels_set(service.settings)
    wanted = [one for one, is_wanted in (("email", wished.email.strip()), ("webhook", wished.by_webhook)) if is_wanted]
    if caller.is_new and wished.events:
        raise GatewayError("Ask a question first, then choose what to be told of it.")
    if wished.events and not set(wanted) <= set(ways):
        raise GatewayError(f"This gateway tells people by {', '.join(ways) or 'no way at all'}.")
    if "digest" in wished.events and not caller.is_at_least("ta"):
        raise GatewayError("The digest is for teaching assistants.", param="events")
    if wished.events and not wanted and not await _is_told(service, caller):
        told = f"Say how you want to be told, by {' or '.join(ways)}: an `email`, or `by_webhook`."
        raise GatewayError(told, param="email" if "email" in ways else "by_webhook")
    try:
        return await service.store.writing(lambda db: subscribe(db, caller.person_id, wished))
    except SubscriptionRefused as error:
        raise GatewayError(str(error), param="email") from error


async def _is_told(service: Service, caller: Caller) -> bool:
    return await service.store.reading(lambda db: db.get(Subscription, caller.person_id)) is not None


def _reply(held: Subscription | None, service: Service) -> NotificationReply:
    ways = channels_set(service.settings)
    if held is None:
        return NotificationReply(events=[], email="", is_confirmed=False, by_webhook=False, lang="en", channels=ways)
    return NotificationReply(
        events=held.events,
        email=held.email,
        is_confirmed=held.confirmed_at is not None,
        by_webhook=held.by_webhook,
        lang=held.lang,
        channels=ways,
    )


def _page(request: Request, say: PageTexts, title: str, told: str, *, button: str = "", status: int = 200) -> Response:
    form = f'<form method="post"><button class="primary">{escape(button)}</button></form>' if button else ""
    body = f'<section class="card lti"><h1>{escape(say(title))}</h1><p>{escape(told)}</p>{form}</section>'
    return plain_page(request, say(title), body, status=status)
