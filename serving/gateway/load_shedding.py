"""Questions beyond what can be answered in time are refused at once, with 503 and `Retry-After`, as plain ASGI.

`Shedding` stands before anything is read of a request, so that a refusal costs less than a millisecond. `Working`
stands where the request is there as a whole: who sends slowly takes nobody's place, and how long a question is decides
who goes first.
"""

import random
from math import ceil

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from serving.gateway.access import ASKING_ROUTES, TOOLS_ROUTE
from serving.gateway.errors import GatewayError, answer_to
from serving.gateway.request_claims import question_length
from serving.gateway.security import replaying
from serving.llm.load import PLACE, Load
from serving.settings import Settings

LONG_QUESTION = 1000
"""Characters from which a question counts as long. A choice."""


class Shedding:
    """Refuses questions while `load` would be too much for the shortest; every other request passes."""

    def __init__(self, app: ASGIApp, *, load: Load) -> None:
        self._app, self._load = app, load

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _asks(scope) and self._load.is_full():
            await _refuse(self._load, scope, receive, send)
            return
        await self._app(scope, receive, send)


class Working:
    """Lets in as many questions as `load` says, few at a time and the shorter first; every other request passes."""

    def __init__(self, app: ASGIApp, *, load: Load) -> None:
        self._app, self._load = app, load

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _asks(scope):
            await self._app(scope, receive, send)
            return
        body = (await receive()).get("body", b"")  # whole: `BodyLimit` has read it
        share = question_length(body) / LONG_QUESTION
        if self._load.is_full(share):
            await _refuse(self._load, scope, receive, send, share)
            return
        place = self._load.enter(share)
        PLACE.set(place)
        try:
            await place.wait_for_turn()
            await self._app(scope, replaying(body, receive), send)
        finally:
            place.give_back()


def _asks(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in (*ASKING_ROUTES, TOOLS_ROUTE)


async def _refuse(load: Load, scope: Scope, receive: Receive, send: Send, share: float = 0.0) -> None:
    """Who is refused comes back spread over some seconds, and not all at once."""
    if (metrics := getattr(scope["app"].state, "metrics", None)) is not None:
        metrics.limited.labels("load").inc()
    wait = ceil(load.wait_s(share)) + random.randint(0, 2)
    message = f"More is asked just now than can be answered in time. Try again in {wait} s."
    headers = {"Retry-After": str(wait), "Connection": "close"} if _has_body(scope) else {"Retry-After": str(wait)}
    full = GatewayError(message, status=503, code="overloaded", headers=headers)
    await answer_to(full, Request(scope))(scope, receive, send)


def _has_body(scope: Scope) -> bool:
    """Whether a long body follows, which is not read: the connection ends then. A short one is there already."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return not (lengths and lengths[0].isdigit() and int(lengths[0][:9]) <= 65_536)


def load_of(settings: Settings) -> Load:
    """The load that both of one app look at."""
    return Load(patience_s=settings.patience_seconds, passing_s=settings.short_first_seconds)
