"""`POST /login` and `/logout`: a key for a cookie, and back. In an open gateway a browser gets a cookie unasked.

The cookie is for this gateway's own pages: scripts cannot read it, and other sites' forms do not send it.
"""

from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.security import APIKeyCookie
from pydantic import BaseModel
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.gateway.access import (
    COOKIE,
    LAUNCH_COOKIE,
    address_of,
    find_login,
    identities_of,
    limits_of,
    refuse_other_sites,
    settings_of,
)
from serving.gateway.errors import GatewayError, wants_page
from serving.gateway.identities import Identity
from serving.gateway.request_claims import body_of
from serving.gateway.service import Service, Shared
from serving.settings import Settings
from serving.store.logins import log_in, log_in_without_key, log_out, token_digest

router = APIRouter()

LOGIN_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {
                "schema": {
                    "type": "object",
                    "required": ["key"],
                    "properties": {"key": {"type": "string"}, "next": {"type": "string"}},
                }
            }
            for kind in ("application/json", "application/x-www-form-urlencoded")
        },
    }
}

NO_PAGES = ("/v1/", "/courses/", "/login", "/logout", "/_nicegui", "/openapi.json", "/metrics", "/livez", "/readyz")
"""Beginnings of addresses at which nobody needs to be known from one look to the next."""


class LoggedIn(BaseModel):
    role: str
    name: str | None
    courses: list[str] | None


class LoggedOut(BaseModel):
    logged_out: bool = True


@router.post(
    "/login",
    response_model=LoggedIn,
    responses={303: {"description": "For a form: to the page wanted, or back to the login with `error`."}},
    openapi_extra=LOGIN_BODY,
)
async def log_in_with_key(request: Request, service: Shared) -> Response:
    """Show a key, as a form or as JSON; get a cookie. A form is sent on to `next`, a path of this gateway."""
    refuse_other_sites(request, settings_of(request))
    is_form = "json" not in request.headers.get("content-type", "")
    shown = dict(await request.form()) if is_form else dict(await body_of(request))
    wanted = safe_path(shown.get("next"))
    try:
        identity = await _check_key(request, shown.get("key"))
    except GatewayError as error:
        if not is_form:
            raise
        reason = "too_many" if error.status == 429 else "wrong"
        return RedirectResponse(f"/login?{urlencode({'next': wanted, 'error': reason})}", status_code=303)
    token = await _new_login(request, service, identity)
    caller = identity.caller
    courses = None if caller.courses is None else sorted(caller.courses)
    content = {"role": caller.role, "name": caller.name, "courses": courses}
    response = RedirectResponse(wanted, status_code=303) if is_form else JSONResponse(content)
    set_login(response, token, settings=service.settings, is_secure=request.url.scheme == "https")
    _forget_launch(request, response)
    return response


@router.post(
    "/logout",
    response_model=LoggedOut,
    responses={303: {"description": "For a browser: to the first page."}},
)
async def end_login(
    request: Request, service: Shared, cookie: Annotated[str | None, APIKeyCookie(name=COOKIE, auto_error=False)] = None
) -> Response:
    """End this browser's login."""
    refuse_other_sites(request, settings_of(request))
    await _end(request, service)
    is_browser = wants_page(request.headers.get("accept", ""))
    response = RedirectResponse("/", status_code=303) if is_browser else JSONResponse({"logged_out": True})
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    _forget_launch(request, response)
    return response


def safe_path(wanted: object) -> str:
    """A path of this gateway to go on to; `/` for anything that could lead elsewhere."""
    is_path = isinstance(wanted, str) and wanted.startswith("/") and wanted[1:2] not in ("/", "\\")
    return wanted if is_path and isinstance(wanted, str) and wanted.isprintable() and "\\" not in wanted else "/"


def set_login(response: Response, token: str, *, settings: Settings, is_secure: bool) -> None:
    """The cookie that carries a login's token."""
    seconds = int(settings.login_days * 86_400)
    response.set_cookie(COOKIE, token, max_age=seconds, path="/", httponly=True, samesite="lax", secure=is_secure)


async def _check_key(request: Request, key: object) -> Identity:
    await limits_of(request).admit(address_of(request), "logins")
    if not isinstance(key, str) or not key.strip():
        raise GatewayError("Send the key as `key`.", param="key")
    identity = await identities_of(request).by_key(key)
    if identity is None:
        raise GatewayError("This key is wrong, has been revoked or has ended.", status=401)
    if identity.caller.scopes is not None:
        raise GatewayError("This key is for programs: it is limited to some uses.", status=403)
    return identity


async def _new_login(request: Request, service: Service, identity: Identity) -> str:
    """A new token, never one that the browser had before."""
    await _end(request, service)
    caller, days = identity.caller, service.settings.login_days
    return await service.store.writing(
        lambda db: log_in(db, person_id=caller.person_id, key_id=caller.key_id, days=days)
    )


async def _end(request: Request, service: Service) -> None:
    """End what the browser was logged in as, with a key and by an LMS."""
    for token in filter(None, (request.cookies.get(COOKIE), request.cookies.get(LAUNCH_COOKIE))):
        if (digest := token_digest(token)) is not None:
            await service.store.writing(partial(log_out, digest=digest))
            identities_of(request).forget_login(token)


def _forget_launch(request: Request, response: Response) -> None:
    """What an LMS made of this browser is over; a cookie in a frame of its own stays there, and opens nothing."""
    if LAUNCH_COOKIE in request.cookies:
        response.delete_cookie(LAUNCH_COOKIE, path="/", httponly=True, samesite="lax")


class Visitors:
    """In an open gateway: a browser that opens a page gets a login of its own, so that it finds its sessions again."""

    def __init__(self, app: ASGIApp, *, gateway: FastAPI) -> None:
        self._app, self._gateway = app, gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = await self._token(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if token is None:
            await self._app(scope, receive, send)
            return
        scope.setdefault("state", {})["new_login"] = token
        cookie = Response()
        settings = self._gateway.state.service.settings
        set_login(cookie, token, settings=settings, is_secure=scope.get("scheme") == "https")

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                MutableHeaders(scope=message).append("set-cookie", cookie.headers["set-cookie"])
            await send(message)

        await self._app(scope, receive, answering)

    async def _token(self, scope: Scope) -> str | None:
        """A new token, unless this is no browser looking at a page, or one that has a login or a key."""
        headers = Headers(scope=scope)
        if not wants_page(headers.get("accept", "")) or scope["path"].startswith(NO_PAGES):
            return None
        request = Request({**scope, "app": self._gateway})
        if "authorization" in headers or await self._is_known(request):
            return None
        try:
            await limits_of(request).admit(address_of(request), "logins")
        except GatewayError:
            return None
        service: Service = self._gateway.state.service
        days = service.settings.login_days
        return await service.store.writing(lambda db: log_in_without_key(db, days=days))

    async def _is_known(self, request: Request) -> bool:
        return await find_login(request) is not None


def install(app: FastAPI, settings: Settings) -> None:
    """Logins of browsers."""
    app.include_router(router)
    if settings.access == "open":
        app.add_middleware(Visitors, gateway=app)
