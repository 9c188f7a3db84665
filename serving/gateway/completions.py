"""`/v1/chat/completions`: a question in, an answer out, whole or as it is written."""

import time
import uuid
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any

import structlog
from fastapi import APIRouter, Request
from fastapi.responses import Response

from serving.assistant.turn import Delta
from serving.gateway.access import Asking
from serving.gateway.answers import (
    Parts,
    Replying,
    answer_streamed,
    answer_whole,
    question_of,
    terms_of,
)
from serving.gateway.chat_schemas import (
    DONE,
    KEEP_ALIVE,
    ChatReply,
    ChatRequest,
    Json,
    annotations,
    chunk,
    completion,
    read_request,
    sse,
    usage,
)
from serving.gateway.conversations import ConversationAnswer
from serving.gateway.errors import GatewayError, error_body
from serving.gateway.keep_alive import Silence
from serving.gateway.reply_models import ChatCompletion
from serving.gateway.service import Shared

log = structlog.get_logger(__name__)

router = APIRouter(tags=["answers"])


@router.post("/v1/chat/completions", response_model=ChatCompletion)
async def chat_completions(body: ChatRequest, request: Request, service: Shared, caller: Asking) -> Response:
    """Answer the last message, as OpenAI's endpoint does, whole or as a stream of server-sent events.

    `model` is `coteach` or `coteach:<course id>`; `metadata.course` names one too. `metadata.session` goes on with a
    session (`coteach.session` of an earlier reply), `metadata.video` and `metadata.at_ms` say where the student is in a
    video, `metadata.mode` asks the `class` or the `program` expert of a catalogue alone. `user` or `safety_identifier`
    tells apart the students behind one key. Parameters that are not honoured are 400 by name (docs/endpoint.md).
    """
    asked = read_request(body, terms_of(request))
    question = await question_of(service, caller, asked, live=body.stream)
    named: dict[str, Any] = {"request_id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time())}
    named["model"] = body.model
    if not body.stream:
        return await answer_whole(request, caller, asked, question, partial(completion, **named))
    wants_usage = body.stream_options is not None and bool(body.stream_options.include_usage)
    written = partial(_events, part_of=partial(chunk, **named), is_text=asked.wanted.is_text, wants_usage=wants_usage)
    return await answer_streamed(request, caller, asked, question, written)


async def _events(
    first: Delta | ConversationAnswer | Silence,
    parts: Parts,
    reply_to: Replying,
    *,
    part_of: "partial[Json]",
    is_text: bool,
    wants_usage: bool,
) -> AsyncGenerator[str, None]:
    yield sse(part_of({"role": "assistant", "content": ""}))
    async with aclosing(parts):  # a client that leaves stops the model
        part: Delta | ConversationAnswer | Silence | None = first
        while part is not None:
            try:
                if isinstance(part, Silence):
                    yield KEEP_ALIVE
                elif isinstance(part, ConversationAnswer):
                    for event in _end(await reply_to(part), part_of, wants_usage=wants_usage):
                        yield sse(event)
                elif is_text:
                    yield sse(part_of({"content": part.text}))
                part = await anext(parts, None)
            except Exception:
                log.exception("answer_broke_off")
                yield sse(error_body(GatewayError("The answer broke off. Ask again.", status=500)))
                return
    yield DONE


def _end(reply: ChatReply, part_of: "partial[Json]", *, wants_usage: bool) -> Iterator[Json]:
    """What follows the text: its sources for clients that show no annotations, the annotations, and what it cost."""
    answer, body, notes = reply.told.answer, reply.body, reply.notes
    if rest := (notes if reply.asked.wanted.is_text else body):
        yield part_of({"content": rest})
    if reply.refusal is not None:
        yield part_of({"refusal": reply.refusal})
    noted_at = annotations(answer.references, body + notes, reply.links)
    yield {**part_of({"annotations": noted_at}, finish=answer.finish), "coteach": reply.extension}
    if wants_usage:
        yield {**part_of(None), "usage": usage(reply.usage)}
