"""`/healthz`: whether questions can be answered, and what is missing when they cannot."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from serving.gateway.service import Service, Shared

router = APIRouter()


@router.get("/healthz")
async def healthz(service: Shared) -> JSONResponse:
    """200 when questions are answered: `ok`, or `degraded` without model server or intent model. 503 when not built."""
    server = await _model_server(service)
    if missing := service.missing():
        remedy = "Run `coteach build`."
        unready = {"status": "not built", "missing": missing, "remedy": remedy, "model_server": server}
        return JSONResponse(unready, status_code=503)
    knowledge = await service.knowledge()
    whole = bool(server["alive"]) and knowledge.intent is not None
    body = {
        "status": "ok" if whole else "degraded",
        "courses": sorted(course.course_id for course in knowledge.courses),
        "index_version": knowledge.index.version,
        "intent_model": knowledge.intent is not None,
        "model_server": server,
    }
    return JSONResponse(body)


async def _model_server(service: Service) -> dict[str, Any]:
    if service.llm is None:
        return {"url": None, "alive": False, "remedy": "Set COTEACH_LLM_URL or start it with `coteach up`."}
    return {"url": service.llm.url, "alive": await service.llm.is_alive()}
