"""`/v1/chat/completions`: a question in, an answer out, whole or as it is written."""

import time
import uuid
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import partial

import orjson
import structlog
from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from serving.access import Caller
from serving.conversations import Question, Told
from serving.gateway.access import Asking, course_for
from serving.gateway.errors import GatewayError, error_body
from serving.gateway.logs import noted
from serving.gateway.metrics import Metrics
from serving.gateway.service import Service, Shared
from serving.gateway.wire import (
    DONE,
    Asked,
    ChatRequest,
    Json,
    annotations,
    chunk,
    completion,
    footnotes,
    read_request,
    sse,
    told,
    usage,
)
from serving.turn import Delta

log = structlog.get_logger(__name__)

router = APIRouter(tags=["answers"])

STREAM_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


@router.post("/v1/chat/completions")
async def chat_completions(body: ChatRequest, request: Request, service: Shared, caller: Asking) -> Response:
    """Answer the last message, as OpenAI's endpoint does, whole or as a stream of server-sent events.

    `model` is `coteach` or `coteach:<course id>`; `metadata.course` names one too. `metadata.session` goes on with a
    session (`coteach.session` of an earlier reply), `metadata.video` and `metadata.at_ms` say where the student is in a
    video, `metadata.mode` asks the `class` or the `program` expert of a catalogue alone. `user` or `safety_identifier`
    tells apart the students behind one key.
    """
    asked = read_request(body)
    question = await _question(service, caller, asked, live=body.stream)
    metrics: Metrics = request.app.state.metrics
    answering = service.conversations.ask(caller, question)
    parts = metrics.watched(answering, course_id=question.course_id, notes=noted(request))
    base_url = str(request.base_url)
    if body.stream:
        wants_usage = body.stream_options is not None and body.stream_options.include_usage
        first = await anext(parts)  # what is wrong with the question is said by the status
        events = _events(first, parts, body.model, base_url, wants_usage=wants_usage)
        return StreamingResponse(events, media_type="text/event-stream", headers=STREAM_HEADERS)
    async with aclosing(parts):
        async for part in parts:
            if isinstance(part, Told):
                names = {"request_id": _request_id(), "model": body.model, "base_url": base_url}
                body_bytes = orjson.dumps(completion(part, created=int(time.time()), **names))
                return Response(body_bytes, media_type="application/json")
    raise AssertionError("an answer ends with what was told")


async def _question(service: Service, caller: Caller, asked: Asked, *, live: bool) -> Question:
    knowledge = await service.knowledge()
    course_id = course_for(caller, asked.course, knowledge.course_ids)
    position = asked.video.position(course_id) if asked.video and course_id else None
    return Question(
        asked.question,
        course_id,
        mode=asked.mode,
        position=position,
        session_id=asked.session,
        history=asked.history,
        live=live,
    )


async def _events(
    first: Delta | Told, parts: AsyncGenerator[Delta | Told, None], model: str, base_url: str, *, wants_usage: bool
) -> AsyncGenerator[str, None]:
    part_of = partial(chunk, request_id=_request_id(), created=int(time.time()), model=model)
    yield sse(part_of({"role": "assistant", "content": ""}))
    async with aclosing(parts):  # a client that leaves stops the model
        part: Delta | Told | None = first
        while part is not None:
            if isinstance(part, Delta):
                yield sse(part_of({"content": part.text}))
            else:
                for event in _end(part, part_of, base_url, wants_usage=wants_usage):
                    yield sse(event)
            try:
                part = await anext(parts, None)
            except Exception:
                log.exception("answer_broke_off")
                yield sse(error_body(GatewayError("The answer broke off. Ask again.", status=500)))
                return
    yield DONE


def _end(part: Told, part_of: partial[Json], base_url: str, *, wants_usage: bool) -> Iterator[Json]:
    """What follows the text: its sources for clients that show no annotations, the annotations, and what it cost."""
    answer = part.answer
    notes = footnotes(answer, base_url)
    if notes:
        yield part_of({"content": notes})
    last = part_of({"annotations": annotations(answer, answer.text + notes, base_url)}, finish="stop")
    yield {**last, "coteach": told(part, base_url)}
    if wants_usage:
        yield {**part_of(None), "usage": usage(answer)}


def _request_id() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"
