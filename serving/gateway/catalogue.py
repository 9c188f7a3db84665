"""`/v1/models`: `coteach` for all courses and `coteach:<course id>` for each."""

from typing import Any

from fastapi import APIRouter

from serving.gateway.errors import GatewayError
from serving.gateway.service import Shared
from serving.gateway.wire import MODEL

router = APIRouter()


@router.get("/v1/models")
async def list_models(service: Shared) -> dict[str, Any]:
    knowledge = await service.knowledge()
    names = [MODEL, *sorted(f"{MODEL}:{course.course_id}" for course in knowledge.courses)]
    return {"object": "list", "data": [_model(name) for name in names]}


@router.get("/v1/models/{name}")
async def show_model(name: str, service: Shared) -> dict[str, Any]:
    knowledge = await service.knowledge()
    family, _, course = name.partition(":")
    if family != MODEL:
        raise GatewayError(f"The model '{name}' does not exist; see /v1/models.", status=404, code="model_not_found")
    knowledge.choose_course(course or None)
    return _model(name)


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL}
