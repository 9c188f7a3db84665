"""`/v1/models`: `coteach` for all courses and `coteach:<course id>` for each."""

from typing import Any

from fastapi import APIRouter

from serving.gateway.access import Asking, course_for
from serving.gateway.answer_object import SCHEMA_NAME, AnswerObject
from serving.gateway.chat_schemas import MODEL
from serving.gateway.errors import GatewayError
from serving.gateway.service import Shared

router = APIRouter(tags=["answers"])


@router.get("/v1/models")
async def list_models(service: Shared, caller: Asking) -> dict[str, Any]:
    """Every course that may be asked, as OpenAI lists models."""
    knowledge = await service.knowledge()
    names = [MODEL, *(f"{MODEL}:{course_id}" for course_id in knowledge.course_ids if caller.may_see(course_id))]
    return {"object": "list", "data": [_model(name) for name in names]}


@router.get("/v1/models/{name}")
async def show_model(name: str, service: Shared, caller: Asking) -> dict[str, Any]:
    """One of them; 404 for any other name."""
    knowledge = await service.knowledge()
    family, _, course = name.partition(":")
    if family != MODEL:
        raise GatewayError(f"The model '{name}' does not exist; see /v1/models.", status=404, code="model_not_found")
    if course:
        course_for(caller, course, knowledge.course_ids)
    return _model(name)


@router.get("/v1/schemas/coteach_answer")
async def show_schema(caller: Asking) -> dict[str, Any]:
    """The schema that `response_format` can ask for."""
    return {"name": SCHEMA_NAME, "strict": True, "schema": AnswerObject.model_json_schema()}


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL}
