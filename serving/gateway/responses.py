"""`/v1/responses`: the same answers by OpenAI's newer protocol, which keeps what was said before."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import partial

import structlog
from fastapi import APIRouter, Request
from fastapi.responses import Response

from serving.assistant.turn import Delta
from serving.gateway.access import Asking, response_ids_of
from serving.gateway.answers import (
    Parts,
    Replying,
    answer_streamed,
    answer_whole,
    question_of,
    terms_of,
)
from serving.gateway.chat_schemas import KEEP_ALIVE
from serving.gateway.conversations import ConversationAnswer
from serving.gateway.errors import GatewayError
from serving.gateway.keep_alive import Silence
from serving.gateway.reply_models import ResponseReply
from serving.gateway.response_schemas import Events, Frame, ResponseRequest, read_response_request, response
from serving.gateway.service import Shared
from serving.store.tables import new_id

log = structlog.get_logger(__name__)

router = APIRouter(tags=["answers"])


@router.post("/v1/responses", response_model=ResponseReply)
async def create_response(body: ResponseRequest, request: Request, service: Shared, caller: Asking) -> Response:
    """Answer the last message of `input`, whole or as a stream of events.

    `previous_response_id` goes on from an earlier answer of the same person. `model`, `metadata`, `user` and
    `safety_identifier` are as in chat completions, and so are the answers.
    """
    ids, before = response_ids_of(request), body.previous_response_id
    goes_on_from = None if before is None else ids.read(before)
    if before is not None and goes_on_from is None:
        message = f"There is no response '{before[:80]}' of yours."
        raise GatewayError(message, status=404, code="previous_response_not_found", param="previous_response_id")
    asked = read_response_request(body, terms_of(request), goes_on_from)
    question = replace(await question_of(service, caller, asked, live=body.stream), trace_id=new_id())
    frame = Frame(ids.made(question.trace_id or ""), int(time.time()), body)
    if not body.stream:
        return await answer_whole(request, caller, asked, question, partial(response, frame=frame))
    return await answer_streamed(
        request, caller, asked, question, partial(_events, Events(frame, asked.wanted), asked.wanted.is_text)
    )


async def _events(
    events: Events, is_text: bool, first: Delta | ConversationAnswer | Silence, parts: Parts, reply_to: Replying
) -> AsyncGenerator[str, None]:
    for event in events.begin():
        yield event
    async with aclosing(parts):  # a client that leaves stops the model
        part: Delta | ConversationAnswer | Silence | None = first
        while part is not None:
            try:
                if isinstance(part, Silence):
                    yield KEEP_ALIVE
                elif isinstance(part, ConversationAnswer):
                    for event in events.end(await reply_to(part)):
                        yield event
                elif is_text:
                    yield events.text(part.text)
                part = await anext(parts, None)
            except Exception:
                log.exception("answer_broke_off")
                yield events.fail("The answer broke off. Ask again.")
                return
