"""Whether the gateway serves (`/livez`), whether it can answer (`/readyz`), and how well (`/healthz`)."""

from typing import Any

import structlog
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sqlalchemy import text

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.access import is_admin
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service, Shared
from serving.llm.model_client import ServedModel
from serving.llm.per_language import PerLanguage, settings_per_language

log = structlog.get_logger(__name__)

router = APIRouter()


class Alive(BaseModel):
    status: str


class Missing(BaseModel):
    """One thing without which no question is answered, or only worse."""

    name: str
    remedy: str
    is_needed: bool


class Readiness(BaseModel):
    status: str
    missing: list[Missing]


class Health(BaseModel):
    """`status` is `ok`, `degraded` or `not built`; the other fields depend on it."""

    status: str
    model_server: dict[str, Any]
    own_model_servers: dict[str, dict[str, Any]] | None = None
    """Those of languages that have their own, by language."""
    courses: list[str] | None = None
    index_version: str | None = None
    intent_model: bool | None = None
    missing: list[str] | None = None
    remedy: str | None = None


@router.get("/livez")
async def livez() -> Alive:
    """200 whenever the process serves."""
    return Alive(status="ok")


@router.get("/readyz", response_model=Readiness, responses={503: {"model": Readiness}})
async def readyz(request: Request, service: Shared) -> JSONResponse:
    """200 when questions can be answered; what is missing is named with its remedy, also what only helps."""
    missing = [*await _not_built(service), *await _without_store(service), *await _without_model(service)]
    if getattr(request.app.state, "is_leaving", False):
        missing.append(Missing(name="this gateway", remedy="It was asked to end: ask another.", is_needed=True))
    is_ready = not any(one.is_needed for one in missing)
    body = Readiness(status="ready" if is_ready else "not ready", missing=missing)
    return JSONResponse(body.model_dump(), status_code=200 if is_ready else 503)


@router.get("/healthz", response_model=Health, responses={503: {"model": Health}})
async def healthz(request: Request, service: Shared) -> JSONResponse:
    """200 when questions are answered: `ok`, or `degraded` without model server or intent model. 503 when not built.

    An admin's key also shows the model server's address.
    """
    servers = await _model_servers(service, tells_address=await is_admin(request))
    told: dict[str, Any] = {"model_server": servers.others}
    if servers.own:
        told["own_model_servers"] = dict(servers.own)
    if missing := service.missing():
        unready = {"status": "not built", "missing": missing, "remedy": service.remedy, **told}
        return JSONResponse(unready, status_code=503)
    knowledge = await service.knowledge()
    writing = servers.all if _asks_others(service) else servers.own.values()
    whole = all(server["alive"] for server in writing) and knowledge.intent is not None
    body = {
        "status": "ok" if whole else "degraded",
        "courses": sorted(course.course_id for course in knowledge.courses),
        "index_version": knowledge.index.version,
        "intent_model": knowledge.intent is not None,
        **told,
    }
    return JSONResponse(body)


async def _not_built(service: Service) -> list[Missing]:
    """What a question needs is tried, and not only looked for: a file may be there and damaged. While a build makes a
    file again, questions are answered from what is loaded."""
    try:
        await service.knowledge()
    except GatewayError as error:
        named = service.missing() or ["what was built"]
        remedy = service.remedy if service.missing() else error.message
        return [Missing(name=one, remedy=remedy, is_needed=True) for one in named]
    return []


async def _without_store(service: Service) -> list[Missing]:
    try:
        await service.store.reading(lambda db: db.execute(text("SELECT 1")).scalar())
    except CoteachError as error:
        log.warning("store_not_reached", reason=str(error))
        return [
            Missing(name="store", remedy="The store cannot be reached; the gateway's log says why.", is_needed=True)
        ]
    if service.store.last_trouble is not None:
        remedy = "The last answer could not be kept; the gateway's log says why. Look at the disk of the store."
        return [Missing(name="store", remedy=remedy, is_needed=False)]
    return []


async def _without_model(service: Service) -> list[Missing]:
    """Direct answers need no model server, so its absence is reported but does not count."""
    servers = await _model_servers(service)
    names = [("model server", "COTEACH_LLM_URL", servers.others)]
    names += [(f"model server of {lang}", f"COTEACH_LLM_URL_{lang.upper()}", one) for lang, one in servers.own.items()]
    return [
        Missing(name=name, remedy=f"Set {setting}, or start one with `coteach up`.", is_needed=False)
        for name, setting, server in names
        if not server["alive"] and (server is not servers.others or _asks_others(service))
    ]


def _asks_others(service: Service) -> bool:
    """Whether there is a language that has no model of its own."""
    return bool(settings_per_language(service.settings).others.languages)


async def _model_servers(service: Service, *, tells_address: bool = False) -> PerLanguage[dict[str, Any]]:
    async def look(model: ServedModel | None) -> dict[str, Any]:
        if model is None:
            return {"url": None, "alive": False, "remedy": "Set COTEACH_LLM_URL or start it with `coteach up`."}
        return {"url": model.url if tells_address else None, "alive": await model.is_alive()}

    own = {lang: await look(model) for lang, model in service.models.own.items()}
    return PerLanguage(await look(service.models.others), own)
