"""`mount_pages`: the pages put on a gateway, on the same port.

NiceGUI keeps its state in module variables: one event loop, one app and one set of clients for a process. So it is set
up once for a process (`_set_up`), and at any time only one gateway of a process may serve pages; one after the other is
fine, as tests do. Pages that are open live in the memory of the process that delivered them: with several processes a
load balancer has to keep a browser at one of them.

Nothing is written: none of NiceGUI's storages is used, so there is no folder, no secret and no cookie of its own.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import Any

from fastapi import FastAPI
from nicegui import Client, core, ui
from nicegui import app as nicegui_app
from starlette.routing import Match, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.gateway.errors import GatewayError
from serving.pages import chat, console, files, graph, insights, login, model_card, own_data, rating, spending, why
from serving.pages.errors import say_error, say_unexpected
from serving.pages.frame import STATIC, STATIC_PATH
from serving.pages.visits import GATEWAY, LoginNeeded, send_to_login

PAGES = (chat, console, files, graph, insights, model_card, own_data, rating, spending, why, login)
"""The modules whose import registers a page."""

RECONNECT_SECONDS = 60.0
"""How long a page waits for a browser that lost its connection, as phones do. A choice."""

YEAR_SECONDS = 365 * 24 * 3600

AT_WORK = 2
"""Pages that are made at a time: enough that one may wait for the store. A choice."""


class PagesMount(Mount):
    """Answers what there is a page for and leaves the rest to the gateway, whose errors are OpenAI-shaped."""

    def __init__(self, gateway: FastAPI) -> None:
        super().__init__("/", app=PageTurns(nicegui_app))
        self._gateway = gateway

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        has_page = any(route.matches(dict(scope))[0] is Match.FULL for route in nicegui_app.routes)
        return super().matches(scope) if has_page else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().handle({**scope, GATEWAY: self._gateway}, receive, send)


class PageTurns:
    """Lets few pages be made at a time. Each holds the event loop for some 20 ms: of dozens at once, every step of a
    question beside them would wait for a step of each. A page's turn ends when it is made, not when it is sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turns = asyncio.Semaphore(AT_WORK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in Client.page_routes.values():
            await self._app(scope, receive, send)
            return
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(self._turns)

            async def send_when_made(message: Message) -> None:
                await turn.aclose()
                await send(message)

            await self._app(scope, receive, send_when_made)


def mount_pages(gateway: FastAPI) -> None:
    """Put every page on `gateway`. Call it after its own routers are included: they come first."""
    _set_up()
    inner = gateway.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        # Pages end before the store does. Not by the lifespan of the app that `run_with` was given: that looks through
        # every object of the process for the server that runs it, which is none, for a second where there are many.
        async with inner(app) as state, nicegui_app.router.lifespan_context(nicegui_app):
            yield state

    gateway.router.lifespan_context = lifespan
    gateway.router.routes.append(PagesMount(gateway))


@cache
def _set_up() -> None:
    """NiceGUI set up for this process. The app it insists on is never served."""
    ui.run_with(
        FastAPI(openapi_url=None),
        title="coteach",
        favicon=STATIC / "icon.svg",
        dark=None,
        reconnect_timeout=RECONNECT_SECONDS,
        binding_refresh_interval=None,
        tailwind=False,
        show_welcome_message=False,
    )
    core.sio.eio.cors_allowed_origins = None  # this site's own pages alone; NiceGUI lets in every site's
    nicegui_app.add_static_files(STATIC_PATH, STATIC, max_cache_age=YEAR_SECONDS)
    nicegui_app.add_exception_handler(LoginNeeded, send_to_login)
    nicegui_app.add_exception_handler(GatewayError, say_error)
    nicegui_app.add_exception_handler(Exception, say_unexpected)
