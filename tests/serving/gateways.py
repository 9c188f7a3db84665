"""A whole gateway that runs in a test, and a client straight into it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi import FastAPI

from serving.gateway.app import create_app
from serving.gateway.rate_limits import Limits
from serving.settings import Settings
from serving.store.caller import Role
from serving.store.database import Store
from serving.store.keys import make_key


@dataclass(frozen=True)
class Gateway:
    """A gateway that runs, and a client straight into it."""

    app: FastAPI
    client: httpx.AsyncClient
    store: Store

    def key(self, role: Role = "student", **more: Any) -> str:
        name = more.pop("name", "Ada" if role in ("ta", "teacher") else None)
        return self.store.write(lambda db: make_key(db, role=role, name=name, **more))

    def stop_the_clock(self) -> None:
        """So that a window of the limits does not end in the middle of a test."""
        self.app.state.limits = Limits(self.app.state.service.settings, clock=lambda: 1000.0)


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@asynccontextmanager
async def running(settings: Settings, **client: Any) -> AsyncIterator[Gateway]:
    app = create_app(settings)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False, **client)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        opened = httpx.AsyncClient(transport=transport, base_url="http://coteach.test", timeout=60)
        browser = await stack.enter_async_context(opened)
        yield Gateway(app, browser, app.state.service.store)


Use = Callable[..., Any]
"""`use(work, **settings)`: runs `async def work(gateway)` over a gateway with these settings."""
