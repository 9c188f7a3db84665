"""`/v1/chat/completions`: a question in, an answer out, whole or as it is written."""

import time
import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serving.gateway.access import Asking
from serving.gateway.answers import (
    answer_streamed,
    answer_whole,
    question_of,
    terms_of,
)
from serving.gateway.chat_schemas import (
    DONE,
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
from serving.gateway.errors import GatewayError, error_body
from serving.gateway.reply_models import ChatCompletion
from serving.gateway.service import Shared

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
    events = ChunkEvents(partial(chunk, **named), wants_usage=wants_usage)
    return await answer_streamed(request, caller, asked, question, events)


class ChunkEvents:
    """The events of one streamed completion (`serving.gateway.answers.Events`)."""

    def __init__(self, part_of: "partial[Json]", *, wants_usage: bool) -> None:
        self._part_of, self._wants_usage = part_of, wants_usage

    def begin(self) -> Iterator[str]:
        yield sse(self._part_of({"role": "assistant", "content": ""}))

    def text(self, delta: str) -> str:
        return sse(self._part_of({"content": delta}))

    def end(self, reply: ChatReply) -> Iterator[str]:
        """What follows the text: its sources for clients that show no annotations, the annotations, and what it
        cost."""
        answer, body, notes = reply.told.answer, reply.body, reply.notes
        if rest := (notes if reply.asked.wanted.is_text else body):
            yield self.text(rest)
        if reply.refusal is not None:
            yield sse(self._part_of({"refusal": reply.refusal}))
        noted_at = annotations(answer.references, body + notes, reply.links)
        last = self._part_of({"annotations": noted_at}, finish=answer.finish)
        yield sse({**last, "coteach": reply.extension})
        if self._wants_usage:
            yield sse({**self._part_of(None), "usage": usage(reply.usage)})

    def fail(self, message: str) -> str:
        return sse(error_body(GatewayError(message, status=500)))

    def close(self) -> str:
        return DONE
