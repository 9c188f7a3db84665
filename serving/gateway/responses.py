"""`/v1/responses`: the same answers by OpenAI's newer protocol, which keeps what was said before. Whom a response was
given to can read it again and delete it.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, TypeVar

import orjson
from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from serving.gateway.access import Asking, links_for, response_ids_of
from serving.gateway.answers import (
    answer_streamed,
    answer_whole,
    question_of,
    terms_of,
)
from serving.gateway.errors import GatewayError
from serving.gateway.parameters import OF_RETRIEVAL, refuse_leftovers
from serving.gateway.reply_models import DeletedResponse, ResponseReply
from serving.gateway.request_claims import LONGEST_USER
from serving.gateway.response_schemas import (
    Frame,
    ResponseEvents,
    ResponseRequest,
    pack_reply,
    read_response_request,
    response,
    response_again,
)
from serving.gateway.service import Shared
from serving.store.caller import Caller
from serving.store.tables.base import new_id
from serving.store.turns import NotYours

router = APIRouter(tags=["answers"])

Result = TypeVar("Result")

ResponseId = Annotated[str, Path(max_length=LONGEST_USER)]


@router.post("/v1/responses", response_model=ResponseReply)
async def create_response(body: ResponseRequest, request: Request, service: Shared, caller: Asking) -> Response:
    """Answer the last message of `input`, whole or as a stream of events.

    `previous_response_id` goes on from an earlier answer of the same person. `model`, `metadata`, `user` and
    `safety_identifier` are as in chat completions, and so are the answers.
    """
    ids, before = response_ids_of(request), body.previous_response_id
    goes_on_from = None if before is None else ids.read(before)
    if before is not None and goes_on_from is None:
        raise _not_found(before, is_previous=True)
    asked = read_response_request(body, terms_of(request), goes_on_from)
    trace_id = new_id()
    frame = Frame(ids.make(trace_id), int(time.time()), body)
    asked = replace(asked, kept_as=partial(pack_reply, frame=frame))
    question = replace(await question_of(service, caller, asked, live=body.stream), trace_id=trace_id)
    try:
        if not body.stream:
            return await answer_whole(request, caller, asked, question, partial(response, frame=frame))
        return await answer_streamed(request, caller, asked, question, ResponseEvents(frame, asked.wanted))
    except NotYours:
        if before is None:
            raise
        raise _not_found(before, is_previous=True) from None


@router.get("/v1/responses/{response_id}", response_model=ResponseReply)
async def show_response(response_id: ResponseId, request: Request, service: Shared, caller: Asking) -> Response:
    """A response of the caller's own as it was given, with links that open now."""
    asked = {name.removesuffix("[]"): value for name, value in request.query_params.items()}
    refuse_leftovers(asked, OF_RETRIEVAL, ignores=terms_of(request).ignores_unknown)
    turn, kept = await _own(response_id, request, service.conversations.reply, caller)
    if kept is None:
        raise GatewayError(f"The response '{response_id[:80]}' was stopped before it was whole.", status=404)
    again = response_again(response_id, turn, kept, links_for(request, caller))
    return Response(orjson.dumps(again), media_type="application/json")


@router.delete("/v1/responses/{response_id}")
async def delete_response(
    response_id: ResponseId, request: Request, service: Shared, caller: Asking
) -> DeletedResponse:
    """Delete a response of the caller's own with its question, its trace and what was said of it. No other goes on from
    it then."""
    await _own(response_id, request, service.conversations.forget_answer, caller)
    return DeletedResponse(id=response_id)


async def _own(
    response_id: str, request: Request, work: Callable[[Caller, str], Awaitable[Result]], caller: Caller
) -> Result:
    """What `work` does with the caller's own answer; 404 for another's, and for an id that was not made here."""
    trace_id = response_ids_of(request).read(response_id)
    if trace_id is None:
        raise _not_found(response_id)
    try:
        return await work(caller, trace_id)
    except NotYours:
        raise _not_found(response_id) from None


def _not_found(response_id: str, *, is_previous: bool = False) -> GatewayError:
    message = f"There is no response '{response_id[:80]}' of yours."
    if not is_previous:
        return GatewayError(message, status=404)
    return GatewayError(message, status=404, code="previous_response_not_found", param="previous_response_id")
