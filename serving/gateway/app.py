"""`create_app`: the gateway put together. Assembly only; each router is in its own module."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from serving.gateway import catalogue, completions, health, sources
from serving.gateway.errors import install_error_handlers
from serving.gateway.service import Service
from serving.settings import Settings


def create_app(settings: Settings | None = None) -> FastAPI:
    """A gateway over the home in `settings`. It starts without a model server, and before the home is built."""
    service = Service(settings or Settings())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if not service.missing():
            await service.knowledge()
        yield
        await service.aclose()

    app = FastAPI(title="coteach", description="A virtual teaching assistant for online courses.", lifespan=lifespan)
    app.state.service = service
    install_error_handlers(app)
    for module in (completions, catalogue, health, sources):
        app.include_router(module.router)
    return app
