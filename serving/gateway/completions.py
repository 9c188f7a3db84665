"""`/v1/chat/completions`: a question in, an answer out, whole or as it is written."""

import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from serving.answer import Answer
from serving.assistant import Session
from serving.gateway.service import Shared
from serving.gateway.wire import (
    DONE,
    ChatRequest,
    annotations,
    chunk,
    completion,
    extension,
    footnotes,
    read_request,
    sse,
    usage,
)
from serving.turn import Delta

router = APIRouter()

STREAM_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


@router.post("/v1/chat/completions")
async def chat_completions(body: ChatRequest, request: Request, service: Shared) -> Response:
    """Answer the last message. `model` is `coteach` or `coteach:<course id>`; `metadata.course` names one too;
    `metadata.video` and `metadata.at_ms` say where the student is in a video, `metadata.mode` asks the `class` or the
    `program` expert of a catalogue alone.
    """
    asked = read_request(body)
    knowledge = await service.knowledge()
    course_id = knowledge.choose_course(asked.course)
    position = asked.video.position(course_id) if asked.video and course_id else None
    assistant, base_url = knowledge.assistant, str(request.base_url)
    session: Session = {"history": asked.history, "position": position, "mode": asked.mode}
    if body.stream:
        wants_usage = body.stream_options is not None and body.stream_options.include_usage
        parts = assistant.stream(asked.question, course_id=course_id, **session)
        events = _events(parts, body.model, base_url, wants_usage=wants_usage)
        return StreamingResponse(events, media_type="text/event-stream", headers=STREAM_HEADERS)
    answer = await assistant.answer(asked.question, course_id=course_id, **session)
    return JSONResponse(
        completion(answer, request_id=_request_id(), created=int(time.time()), model=body.model, base_url=base_url)
    )


async def _events(
    parts: AsyncGenerator[Delta | Answer, None], model: str, base_url: str, *, wants_usage: bool
) -> AsyncGenerator[str, None]:
    part_of = partial(chunk, request_id=_request_id(), created=int(time.time()), model=model)
    yield sse(part_of({"role": "assistant", "content": ""}))
    async with aclosing(parts):  # a client that leaves stops the model
        async for part in parts:
            if not isinstance(part, Answer):
                yield sse(part_of({"content": part.text}))
                continue
            notes = footnotes(part, base_url)
            if notes:
                yield sse(part_of({"content": notes}))
            last = part_of({"annotations": annotations(part, part.text + notes, base_url)}, finish="stop")
            yield sse({**last, "coteach": extension(part, base_url)})
            if wants_usage:
                yield sse({**part_of(None), "usage": usage(part)})
    yield DONE


def _request_id() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"
