"""`create_app`: the gateway put together. Assembly only; each router is in its own module."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

from fastapi import FastAPI

from serving.gateway import (
    access,
    catalogue,
    completions,
    experiments,
    feedback,
    health,
    insights,
    limiting,
    login,
    logs,
    metrics,
    questions,
    ratings,
    review,
    review_answers,
    security,
    sources,
    traces,
)
from serving.gateway.errors import RESPONSES, install_error_handlers
from serving.gateway.service import Service
from serving.pages.mount import mount_pages
from serving.settings import Settings

ROUTERS = (
    completions,
    catalogue,
    health,
    sources,
    traces,
    questions,
    review,
    review_answers,
    feedback,
    ratings,
    insights,
    experiments,
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """A gateway over the home in `settings`. It starts without a model server, and before the home is built."""
    chosen = settings or Settings()
    owns_process = settings is None  # this process is the gateway, started by uvicorn
    if owns_process:
        logs.configure(chosen)
    service = Service(chosen, owns_process=owns_process)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.start()
        yield
        await service.aclose()

    app = FastAPI(
        title="coteach",
        version=metadata.version("coteach"),
        description="A virtual teaching assistant for online courses.",
        lifespan=lifespan,
        responses=RESPONSES,
        docs_url=None,  # Swagger's pages come from another host
        redoc_url=None,
    )
    app.state.service = service
    install_error_handlers(app)
    access.install(app, chosen)
    limiting.install(app, chosen)
    for module in ROUTERS:
        app.include_router(module.router)
    login.install(app, chosen)
    mount_pages(app)
    security.install(app, chosen)
    metrics.install(app)
    logs.install(app)
    return app
