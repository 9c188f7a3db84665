"""What the routes that answer share: from a request that was read to an answer that was told, whole or in parts."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial

import orjson
from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from serving.assistant.turn import Delta
from serving.gateway.access import course_for, links_for, settings_of, who_asks
from serving.gateway.chat_schemas import ChatQuestion, ChatReply, Json, RequestLimits
from serving.gateway.client_forms import filled_form, require_form_writer
from serving.gateway.conversations import ConversationAnswer, Conversations, Question
from serving.gateway.idempotency import Repeats
from serving.gateway.keep_alive import Silence, unless_left, with_silences
from serving.gateway.logs import noted
from serving.gateway.metrics import Metrics
from serving.gateway.parameters import HEADER, Warned
from serving.gateway.player import place_now
from serving.gateway.service import Service
from serving.gateway.spending import line_of
from serving.llm.metering import BILL
from serving.settings import Settings
from serving.store.caller import Caller

STREAM_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}

STATUS_SECONDS = 1.0
"""How long a stream waits for its first words before it sends its headers. A choice: an error in the question shows up
by then, and the status code reports it."""

LEFT = 499
"""As nginx names it in its log: the client is gone."""

Parts = AsyncGenerator[Delta | ConversationAnswer | Silence, None]

Replying = Callable[[ConversationAnswer], Awaitable[ChatReply]]


async def answer_whole(
    request: Request, caller: Caller, asked: ChatQuestion, question: Question, written: Callable[[ChatReply], Json]
) -> Response:
    """The whole answer as `written`, made once for an `Idempotency-Key`, and stopped when its client leaves."""

    async def work() -> bytes:
        told = await told_whole(request, caller, question)
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
    request: Request,
    caller: Caller,
    asked: ChatQuestion,
    question: Question,
    written: Callable[[Delta | ConversationAnswer | Silence, Parts, Replying], AsyncGenerator[str, None]],
) -> StreamingResponse:
    """The answer as server-sent events as `written` makes them of its first part, the rest, and what is replied."""
    if request.headers.get("idempotency-key") is not None:
        warned = Warned("Idempotency-Key", "Whole answers alone are kept; this one is streamed.")
        asked = replace(asked, warnings=(*asked.warnings, warned))
    first, rest = await first_of(answering(request, caller, question), settings_of(request).keep_alive_seconds)
    events = written(first, rest, partial(reply_to, request, caller, asked))
    return StreamingResponse(events, media_type="text/event-stream", headers=STREAM_HEADERS)


async def told_whole(request: Request, caller: Caller, question: Question) -> ConversationAnswer:
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
    parts = service.conversations.ask(caller, question)
    return metrics.watched(parts, course_id=question.course_id, notes=noted(request))


async def reply_to(request: Request, caller: Caller, asked: ChatQuestion, told: ConversationAnswer) -> ChatReply:
    """What this client gets of an answer: its links, its footnotes, and the path to what was asked about. Of a reply
    that is kept what can be kept is stored before it is given."""
    service: Service = request.app.state.service
    path: list[str] = []
    if asked.wanted.is_object:
        trace = told.answer.trace
        graph = (await service.knowledge()).seen(caller.courses, trace.course_id).graph
        known = [one for one in trace.concepts if one in graph][:1]
        path = [step.concept.name for one in known for step in graph.study_path(one, course_id=trace.course_id)]
    chosen = settings_of(request).footnotes
    wanted = (asked.footnotes or "auto") if chosen == "auto" else chosen
    filled = None
    if asked.wanted.form is not None:
        withheld = line_of(told.withheld, told.answer.lang)
        wanted_form, options = asked.wanted.form, asked.options
        filled = await filled_form(service, asked.question, wanted_form, options, told.answer, withheld=withheld)
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


async def first_of(
    parts: AsyncGenerator[Delta | ConversationAnswer, None], every: float
) -> tuple[Delta | ConversationAnswer | Silence, Parts]:
    """The first part, or a `Silence` when it takes longer than a client should wait for the status; and the rest."""
    watched = with_silences(parts, min(every, STATUS_SECONDS))
    return await anext(watched), watched
