"""`Visit`: who looks at a page and how they want it. A page function asks for one as a FastAPI dependency.

A page needs the caller before it is built, so that somebody who may not see it gets a redirect and no page.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, cast
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, Request
from fastapi.responses import RedirectResponse, Response

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Lang
from serving.gateway.access import identify, limits_of, no_such_course
from serving.gateway.errors import GatewayError
from serving.gateway.identities import Identity
from serving.gateway.logs import notes_of
from serving.gateway.service import Service
from serving.pages.preferences import Theme, choose_lang, choose_theme
from serving.store.caller import Caller, Role

GATEWAY = "coteach.gateway"
"""Where `mount.py` leaves the gateway in the scope of a request: inside a mounted app, `request.app` is another."""


@dataclass(frozen=True)
class Visit:
    """One look at a page. `request` is as the gateway's own routers see it; it outlives the page's delivery."""

    request: Request
    caller: Caller
    lang: Lang
    theme: Theme

    @property
    def service(self) -> Service:
        return cast(Service, self.request.app.state.service)

    async def still(self) -> Caller:
        """Who the visitor is now: a page stays open for hours, and a key may be revoked meanwhile.

        Raises `GatewayError` 401 when the login has ended, also when the browser has become somebody else.
        """
        return (await self._again()).caller

    @asynccontextmanager
    async def asking(self, course_id: str | None) -> AsyncIterator[Caller]:
        """While a question of the visitor is answered: it counts against the limits as one sent to the endpoint does.

        Raises `GatewayError` 401, 404 for a course that is not theirs, 429.
        """
        identity, limits = await self._again(), limits_of(self.request)
        if not identity.caller.may_see(course_id):
            raise no_such_course(course_id or "")
        await limits.admit(identity.who, "questions", course_id=course_id, per_minute=identity.per_minute)
        with limits.writing(identity.who):
            yield identity.caller

    async def _again(self) -> Identity:
        identity = await identify(self.request)
        if identity.caller.person_id != self.caller.person_id:
            raise GatewayError("This login has ended.", status=401)
        return identity


class LoginNeeded(CoteachError):
    """A page that this visitor may not see. `wanted` is its address, `role` the least role that may."""

    def __init__(self, wanted: str, role: Role) -> None:
        super().__init__(f"{wanted} is for {role} and above.")
        self.wanted = wanted
        self.role = role


async def page_caller(request: Request, at_least: Role = "student") -> Caller:
    """The visitor behind a page's request, which counts as one. Raises `GatewayError` 429, and `LoginNeeded`, which
    `mount.py` turns into a redirect to `/login`.
    """
    gateway = as_gateway(request)
    try:
        identity = await identify(gateway)
    except GatewayError as error:
        if error.status not in (401, 403):
            raise
        raise LoginNeeded(_address(request), at_least) from error
    notes_of(gateway).person_id = identity.caller.person_id
    await limits_of(gateway).admit(identity.who, "requests", per_minute=identity.per_minute)
    if identity.caller.scopes is not None or not identity.caller.is_at_least(at_least):  # a limited key is no person's
        raise LoginNeeded(_address(request), at_least)
    return identity.caller


def visit_at_least(role: Role) -> Callable[[Request], Awaitable[Visit]]:
    """The dependency that gives a page its visit, for those of `role` and above."""

    async def visit(request: Request) -> Visit:
        caller = await page_caller(request, role)
        accepted = request.headers.get("accept-language", "")
        lang = choose_lang(request.cookies, accepted)
        return Visit(as_gateway(request), caller, lang, choose_theme(request.cookies))

    return visit


StudentVisit = Annotated[Visit, Depends(visit_at_least("student"))]
TaVisit = Annotated[Visit, Depends(visit_at_least("ta"))]
TeacherVisit = Annotated[Visit, Depends(visit_at_least("teacher"))]


def as_gateway(request: Request) -> Request:
    """The same request with the gateway as its app."""
    gateway = cast(FastAPI, request.scope[GATEWAY])
    return Request({**request.scope, "app": gateway})


async def send_to_login(request: Request, error: Exception) -> Response:
    """To the login page, and back to the page wanted once it is done."""
    assert isinstance(error, LoginNeeded)
    query = {"next": error.wanted}
    if error.role != "student":
        query["role"] = error.role
    return RedirectResponse(f"/login?{urlencode(query)}", status_code=303)


def _address(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")
