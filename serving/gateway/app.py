"""`create_app`: the gateway put together. Assembly only; each router is in its own module."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata
from importlib.util import find_spec

from fastapi import FastAPI

from serving.gateway import (
    access,
    api_description,
    assessments,
    catalogue,
    completions,
    compression,
    costs,
    discovery,
    embeddings,
    experiments,
    feedback,
    health,
    insights,
    load_shedding,
    login,
    logs,
    material,
    metrics,
    own_data,
    player,
    questions,
    rate_limits,
    ratings,
    responses,
    review,
    review_answers,
    security,
    sources,
    teaching,
    telemetry,
    traces,
)
from serving.gateway.authoring import forms as authoring_forms
from serving.gateway.authoring import routes as authoring_routes
from serving.gateway.errors import RESPONSES, install_error_handlers
from serving.gateway.lti import registration as lti_registration
from serving.gateway.lti import routes as lti_routes
from serving.gateway.lti.tool import LtiTool, lti_of
from serving.gateway.notifications import routes as notification_routes
from serving.gateway.quiz import routes as quiz_routes
from serving.gateway.service import Service
from serving.pages.mount import mount_pages
from serving.settings import Settings

ROUTERS = (
    completions,
    responses,
    embeddings,
    material,
    catalogue,
    health,
    sources,
    traces,
    teaching,
    authoring_routes,
    authoring_forms,
    questions,
    own_data,
    player,
    api_description,
    quiz_routes,
    notification_routes,
    review,
    review_answers,
    discovery,
    assessments,
    feedback,
    ratings,
    insights,
    costs,
    experiments,
    lti_routes,
    lti_registration,
)

HAS_MCP = find_spec("mcp") is not None


def create_app(settings: Settings | None = None) -> FastAPI:
    """A gateway over the home in `settings`. It starts without a model server, and before the home is built."""
    chosen = settings or Settings()
    owns_process = settings is None  # this process is the gateway, started by uvicorn
    if owns_process:
        logs.configure(chosen)
    service = Service(chosen, owns_process=owns_process)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with _tools(app):
            await service.start()
            service.follow_with(access.identities_of_app(app).keep_last_use())
            service.follow_with(lti_of(app).follow())
            yield
            await service.aclose()
        if send_last_spans is not None:
            await send_last_spans()

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
    app.state.lti = LtiTool(service.store, chosen)
    rate_limits.install(app, chosen)
    for module in ROUTERS:
        app.include_router(module.router)
    if HAS_MCP:
        from serving.gateway import mcp_server  # noqa: PLC0415  an extra

        app.include_router(mcp_server.router)
    login.install(app, chosen)
    mount_pages(app)
    compression.install(app)
    load = app.state.load = load_shedding.load_of(chosen)
    app.add_middleware(load_shedding.Working, load=load)
    security.install(app, chosen)
    app.add_middleware(load_shedding.Shedding, load=load)
    metrics.install(app)
    send_last_spans = telemetry.install(app, chosen)
    logs.install(app)
    return app


@asynccontextmanager
async def _tools(app: FastAPI) -> AsyncIterator[None]:
    """What serves `/mcp`, where its SDK is installed (`coteach[mcp]`)."""
    if not HAS_MCP:
        yield
        return
    from serving.gateway import mcp_server  # noqa: PLC0415  an extra

    app.state.mcp = mcp_server.manager()
    async with app.state.mcp.run():
        yield
