"""Questions beyond what can be answered in time are refused at once, with 503 and `Retry-After`, as plain ASGI.

It stands before anything is read of a request, so that a refusal costs less than a millisecond.
"""

import random
from math import ceil

from fastapi import FastAPI
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from serving.gateway.access import ASKING_ROUTES
from serving.gateway.errors import GatewayError, answer_to
from serving.llm.load import PLACE, Load
from serving.settings import Settings


class Shedding:
    """Lets in as many questions as `load` says; every other request passes."""

    def __init__(self, app: ASGIApp, *, load: Load) -> None:
        self._app, self._load = app, load

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] not in ASKING_ROUTES:
            await self._app(scope, receive, send)
            return
        if self._load.is_full:
            await self._refuse(scope, receive, send)
            return
        place = self._load.enter()
        PLACE.set(place)
        try:
            await place.wait_for_turn()
            await self._app(scope, receive, send)
        finally:
            place.give_back()

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Who is refused comes back spread over some seconds, and not all at once."""
        if (metrics := getattr(scope["app"].state, "metrics", None)) is not None:
            metrics.limited.labels("load").inc()
        wait = ceil(self._load.wait_s) + random.randint(0, 2)
        message = f"More is asked just now than can be answered in time. Try again in {wait} s."
        headers = {"Retry-After": str(wait), "Connection": "close"} if _has_body(scope) else {"Retry-After": str(wait)}
        full = GatewayError(message, status=503, code="overloaded", headers=headers)
        await answer_to(full, Request(scope))(scope, receive, send)


def _has_body(scope: Scope) -> bool:
    """Whether a long body follows, which is not read: the connection ends then. A short one is there already."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return not (lengths and lengths[0].isdigit() and int(lengths[0][:9]) <= 65_536)


def install(app: FastAPI, settings: Settings) -> None:
    app.add_middleware(Shedding, load=Load(patience_s=settings.patience_seconds))
