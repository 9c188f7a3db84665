"""What the routes that answer share: from a request that was read to an answer that was told, whole or in parts."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Protocol

import orjson
import structlog
from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from serving.assistant.turn import Delta
from serving.gateway.access import course_for, links_for, settings_of, who_asks
from serving.gateway.chat_schemas import KEEP_ALIVE, ChatQuestion, ChatReply, Json, RequestLimits
from serving.gateway.client_forms import fill_client_form, require_form_writer
from serving.gateway.conversations import ConversationAnswer, Conversations, Question
from serving.gateway.idempotency import Repeats
from serving.gateway.keep_alive import PartsInTime, Silence, unless_left
from serving.gateway.logs import notes_of
from serving.gateway.metrics import Metrics
from serving.gateway.parameters import HEADER, Warned
from serving.gateway.player import place_now
from serving.gateway.service import Service
from serving.gateway.spending import line_of
from serving.llm.metering import BILL
from serving.settings import Settings
from serving.store.caller import Caller

log = structlog.get_logger(__name__)

STREAM_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}

STATUS_SECONDS = 1.0
"""How long a stream waits for its first words before it sends its headers. A choice: an error in the question shows up
by then, and the status code reports it."""

LEFT = 499
"""As nginx names it in its log: the client is gone."""

Replying = Callable[[ConversationAnswer], Awaitable[ChatReply]]


class Events(Protocol):
    """How a protocol writes a streamed answer: what comes before the text, each piece of it, what follows it, an error
    in its place, and what is sent once all is over. An event that is empty is not sent."""

    def begin(self) -> Iterator[str]: ...
    def text(self, delta: str) -> str: ...
    def end(self, reply: ChatReply) -> Iterator[str]: ...
    def fail(self, message: str) -> str: ...
    def close(self) -> str: ...


async def answer_whole(
    request: Request, caller: Caller, asked: ChatQuestion, question: Question, written: Callable[[ChatReply], Json]
) -> Response:
    """The whole answer as `written`, made once for an `Idempotency-Key`, and stopped when its client leaves."""

    async def work() -> bytes:
        told = await await_answer(request, caller, question)
        return orjson.dumps(written(await reply_to(request, caller, asked, told)))

    repeats: Repeats = request.app.state.repeats
    key = request.headers.get("idempotency-key")
    if key is not None:
        who = f"{who_asks(request, caller)} {request.url.path}"
        made: bytes | None = await repeats.once(who, key, await request.body(), work)
    else:
        made = await unless_left(work(), request)
    return Response(made or b"", status_code=200 if made else LEFT, media_type="application/json")


async def answer_streamed(
    request: Request, caller: Caller, asked: ChatQuestion, question: Question, events: Events
) -> StreamingResponse:
    """The answer as server-sent events. An error before the first part is raised; a later one is an event."""
    if request.headers.get("idempotency-key") is not None:
        warned = Warned("Idempotency-Key", "Whole answers alone are kept; this one is streamed.")
        asked = replace(asked, warnings=(*asked.warnings, warned))
    patience = min(settings_of(request).keep_alive_seconds, STATUS_SECONDS)
    parts = PartsInTime(answering(request, caller, question), patience)
    replying = partial(reply_to, request, caller, asked)
    stream = _event_stream(parts, events, replying, is_text=asked.wanted.is_text)
    await anext(stream)
    return StreamingResponse(stream, media_type="text/event-stream", headers=STREAM_HEADERS)


async def _event_stream(
    parts: PartsInTime[Delta | ConversationAnswer], events: Events, replying: Replying, *, is_text: bool
) -> AsyncGenerator[str, None]:
    """What is sent of an answer, event by event. The first is empty: it says that the first part is there, or long in
    coming."""
    async with aclosing(parts):  # a client that leaves stops the model
        part = await parts.next()
        yield ""
        for event in events.begin():
            yield event
        while part is not None:
            try:
                if isinstance(part, Silence):
                    yield KEEP_ALIVE
                elif isinstance(part, ConversationAnswer):
                    for event in events.end(await replying(part)):
                        yield event
                elif is_text:
                    yield events.text(part.text)
                part = await parts.next()
            except Exception:
                log.exception("answer_broke_off")
                yield events.fail("The answer broke off. Ask again.")
                return
    if last := events.close():
        yield last


async def await_answer(request: Request, caller: Caller, question: Question) -> ConversationAnswer:
    """The whole answer to a question, counted as every other."""
    return await _last(answering(request, caller, question))


async def whole_answer(conversations: Conversations, caller: Caller, question: Question) -> ConversationAnswer:
    """The whole answer to a question that no request asks."""
    return await _last(conversations.ask(caller, question))


async def _last(told: AsyncGenerator[Delta | ConversationAnswer, None]) -> ConversationAnswer:
    async with aclosing(told) as parts:
        async for part in parts:
            if isinstance(part, ConversationAnswer):
                return part
    raise AssertionError("an answer ends with what was told")


def answering(request: Request, caller: Caller, question: Question) -> AsyncGenerator[Delta | ConversationAnswer, None]:
    """An answer as it comes, counted."""
    service: Service = request.app.state.service
    metrics: Metrics = request.app.state.metrics
    count = metrics.count_parts(question.course_id, notes=notes_of(request))
    return service.conversations.ask(caller, question, count)


async def reply_to(request: Request, caller: Caller, asked: ChatQuestion, told: ConversationAnswer) -> ChatReply:
    """What this client gets of an answer: its links, its footnotes, and the path to what was asked about. Of a reply
    that is kept what can be kept is stored before it is given."""
    service: Service = request.app.state.service
    path: list[str] = []
    if asked.wanted.is_object:
        trace = told.answer.trace
        graph = (await service.knowledge()).visible_to(caller.courses, trace.course_id).graph
        known = [one for one in trace.concepts if one in graph][:1]
        path = [step.concept.name for one in known for step in graph.study_path(one, course_id=trace.course_id)]
    chosen = settings_of(request).footnotes
    wanted = (asked.footnotes or "auto") if chosen == "auto" else chosen
    filled = None
    if asked.wanted.form is not None:
        withheld = line_of(told.withheld, told.answer.lang)
        wanted_form, options = asked.wanted.form, asked.options
        filled = await fill_client_form(service, asked.question, wanted_form, options, told.answer, withheld=withheld)
        if (bill := BILL.get()) is not None:
            service.budget.charge(caller, told.answer.trace.course_id, bill)
        metrics: Metrics = request.app.state.metrics
        metrics.count_tokens(filled.model, filled.usage)
    links = links_for(request, caller)
    reply = ChatReply(told, links, asked, has_footnotes=wanted != "never", path=path, filled=filled)
    if asked.kept_as is not None and told.is_stored:
        await service.conversations.keep_reply(told.answer.trace.trace_id, asked.kept_as(reply))
    return reply


def terms_of(request: Request) -> RequestLimits:
    """What this gateway takes of a request; a header may say that unknown parameters are ignored."""
    settings: Settings = settings_of(request)
    said = request.headers.get(HEADER, settings.unknown_parameters)
    return RequestLimits(settings.max_question_chars, settings.temperature_limit, ignores_unknown=said == "ignore")


async def question_of(service: Service, caller: Caller, asked: ChatQuestion, *, live: bool) -> Question:
    """What is asked, of a course that is there and open to the caller. `live`: parts are shown as they come."""
    if asked.wanted.form is not None:
        require_form_writer(service)
    knowledge = await service.knowledge()
    course_id = course_for(caller, asked.course, knowledge.course_ids)
    position = asked.video.position(course_id) if asked.video and course_id else None
    if asked.video is None:
        position = await place_now(service, caller, course_id)
    return Question(
        asked.question,
        course_id,
        mode=asked.mode,
        position=position,
        session_id=asked.session,
        history=asked.history,
        goes_on_from=asked.goes_on_from,
        is_kept=asked.is_kept,
        live=live and asked.wanted.is_text,
        options=asked.options,
    )
