"""Requests and replies of `/v1/chat/completions` as OpenAI writes them. Pure: no server, no assistant is called."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from knowledge_graph.lake.records import Mode
from serving.assistant.answer import Answer
from serving.assistant.generation.form_filling import FilledForm
from serving.assistant.guardrails.ending import Options
from serving.assistant.references import Reference
from serving.assistant.turn import Usage
from serving.assistant.understanding.focus import Position
from serving.gateway.answer_object import AS_TEXT, WantedFormat, answer_object, read_format
from serving.gateway.conversations import ConversationAnswer
from serving.gateway.errors import GatewayError
from serving.gateway.links import Links, locator_fields
from serving.gateway.parameters import OF_CHAT, TOOLS_REMEDY, Warned, refuse_leftovers, warn_or_refuse
from serving.gateway.turn_record import confidence
from serving.llm.language_model import Sampling
from serving.llm.messages import Message, Role

LONGEST_INSTRUCTIONS = 600
"""Characters of `system` and `developer` messages that are read, a choice: what is said of tone and length is short."""

LONGEST_QUESTION = 4000
"""Characters that a page and the command line take; of the endpoint a setting says it."""

LONGEST_NAME = 512
"""Characters of what a client calls its users and sessions, as OpenAI limits metadata."""

Metadata = Annotated[
    dict[Annotated[str, Field(max_length=64)], Annotated[str, Field(max_length=LONGEST_NAME)]], Field(max_length=16)
]
"""As OpenAI limits it."""

MODEL = "coteach"

_DIGITS = 9
"""Most digits of a time in milliseconds: eleven days."""

METADATA = frozenset({"course", "session", "video", "at_ms", "video_title", "mode", "footnotes"})

Footnotes = Literal["auto", "always", "never"]

_INSTRUCTING = frozenset({"system", "developer"})

Json = dict[str, Any]


class ContentPart(BaseModel):
    """A part of a message; only text parts, and a model's own refusals, are read."""

    model_config = ConfigDict(extra="allow", strict=True)
    type: str
    text: str | None = None
    refusal: str | None = None


class ChatMessage(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPart] | None = None
    tool_calls: list[Any] | None = None
    function_call: Any = None
    audio: Any = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text or part.refusal or "" for part in self.content if part.type in _TEXT_PARTS)
        return self.content or ""

    @property
    def unused_fields(self) -> list[str]:
        """What stands beside what is read; of an answer that is sent back, what this endpoint put there is no news."""
        return [name for name, value in (self.model_extra or {}).items() if value and name not in _SENT_BACK]

    @property
    def unread(self) -> str | None:
        """What of it cannot be read, if anything."""
        if self.role in ("tool", "function"):
            return "role"
        named = ("tool_calls", "function_call", "audio")
        if (found := next((one for one in named if getattr(self, one)), None)) is not None:
            return found
        parts = self.content if isinstance(self.content, list) else []
        return next((f"content.{part.type[:40]}" for part in parts if part.type not in _TEXT_PARTS), None)


_SENT_BACK = frozenset({"annotations", "refusal", "reasoning_content", "id", "status", "type", "phase"})

_TEXT_PARTS = frozenset({"text", "refusal", "input_text", "output_text"})


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    include_usage: bool | None = None
    include_obfuscation: Literal[False] | None = None


Stop = Annotated[str, Field(min_length=1, max_length=200)]


class ChatRequest(BaseModel):
    """A chat completion request: the parameters that are honoured. Others are refused by name (`parameters`)."""

    model_config = ConfigDict(extra="allow", strict=True)
    model: str = MODEL
    messages: list[ChatMessage] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    stop: Stop | Annotated[list[Stop], Field(max_length=4)] | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = Field(default=None, ge=-(2**63), lt=2**63)
    n: int | None = Field(default=None, ge=1, le=1)
    response_format: dict[str, Any] | None = None
    metadata: Metadata | None = None
    store: bool = True
    user: str | None = Field(default=None, max_length=LONGEST_NAME)
    safety_identifier: str | None = Field(default=None, max_length=LONGEST_NAME)
    session_id: str | None = Field(default=None, max_length=64)

    @model_validator(mode="before")
    @classmethod
    def _null_is_unset(cls, body: Any) -> Any:
        return {name: value for name, value in body.items() if value is not None} if isinstance(body, dict) else body


@dataclass(frozen=True)
class Moment:
    """`metadata.video`, `.at_ms` and `.video_title`: where the student is in a video of the course."""

    video_id: str
    at_ms: int
    title: str | None

    def position(self, course_id: str) -> Position:
        return Position(course_id, self.video_id, self.at_ms, self.title)


@dataclass(frozen=True)
class ChatQuestion:
    """What a request asks: the last message, what was said before, the course it names, where in a video, and whom.

    `session` is the session it goes on, `goes_on_from` the trace of the answer it follows; `wanted` is the
    format of the answer; `footnotes` says whether references stand in the text too; `warnings` are what was not
    honoured.
    """

    question: str
    history: tuple[Message, ...]
    course: str | None
    video: Moment | None = None
    mode: Mode | None = None
    session: str | None = None
    goes_on_from: str | None = None
    options: Options = field(default_factory=Options)
    wanted: WantedFormat = AS_TEXT
    footnotes: Footnotes | None = None
    warnings: tuple[Warned, ...] = ()
    instructed_by: str = "messages"
    """The parameter in which instructions came."""
    is_kept: bool = True
    """False where the client asks that nothing of it is stored."""
    kept_as: "Callable[[ChatReply], Json] | None" = None
    """What is stored of the reply beside its turn; `None` for nothing."""


@dataclass(frozen=True)
class RequestLimits:
    """What this gateway takes: the longest question, the highest temperature, and whether it ignores the unknown."""

    longest_question: int = 4000
    temperature_limit: float = 1.0
    ignores_unknown: bool = False


AS_USUAL = RequestLimits()


def read_request(request: ChatRequest, terms: RequestLimits = AS_USUAL) -> ChatQuestion:
    """The question in a request. Raises `GatewayError`: 404 for an unknown model, 400 for what cannot be honoured."""
    course = _course(request)
    warnings = refuse_leftovers(request.model_extra or {}, OF_CHAT, ignores=terms.ignores_unknown)
    warnings += warn_or_refuse(_unread(request), ignores=terms.ignores_unknown)
    before, question = _question(request.messages, terms.longest_question)
    metadata = request.metadata or {}
    options, of_sampling = _options(request, terms)
    return ChatQuestion(
        question,
        tuple(_history(before)),
        course,
        _moment(metadata),
        _mode(metadata),
        session=metadata.get("session") or request.session_id or None,
        options=options,
        wanted=read_format(request.response_format),
        footnotes=_footnotes(metadata),
        warnings=(
            *warnings,
            *of_sampling,
            *_warnings_of_unused_metadata(metadata),
            *_warnings_of_unused_fields(request.messages),
        ),
        is_kept=request.store,
    )


def _course(request: ChatRequest) -> str | None:
    name, _, of_model = request.model.partition(":")
    if name != MODEL:
        message = f"The model '{request.model}' does not exist. Use '{MODEL}' or '{MODEL}:<course id>'; see /v1/models."
        raise GatewayError(message, status=404, code="model_not_found", param="model")
    of_metadata = (request.metadata or {}).get("course")
    if of_model and of_metadata and of_model != of_metadata:
        message = f"The model names the course '{of_model[:64]}' and metadata.course '{of_metadata[:64]}': name one."
        raise GatewayError(message, code="conflicting_course", param="metadata.course")
    return of_metadata or of_model or None


def _question(messages: Sequence[ChatMessage], longest: int) -> tuple[list[ChatMessage], str]:
    """What came before, and the question: the user's last messages, as many as stand in a row."""
    spoken = [one for one in messages if one.role not in _INSTRUCTING]
    count = len(list(takewhile(lambda one: one.role == "user", reversed(spoken))))
    question = _join_texts(spoken[len(spoken) - count :])
    if not count or not question:
        raise GatewayError("The last message must be the user's and hold text.", param="messages")
    if len(question) > longest:
        found = (
            f"The question has {len(question)} characters; at most {longest} are read. Send the question alone: the "
            "material is looked up here. COTEACH_MAX_QUESTION_CHARS sets the limit."
        )
        raise GatewayError(found, code="string_above_max_length", param="messages")
    return spoken[: len(spoken) - count], question


def _join_texts(messages: Sequence[ChatMessage]) -> str:
    return "\n\n".join(text for one in messages if (text := one.text.strip()))


def _options(request: ChatRequest, terms: RequestLimits) -> tuple[Options, list[Warned]]:
    """How the answer is wanted, and what of that goes too far."""
    wanted, warnings = request.temperature, list[Warned]()
    if wanted is not None and wanted > terms.temperature_limit:
        warnings.append(Warned("temperature", f"Taken as {terms.temperature_limit:g}, the highest here."))
    instructions = _join_texts([one for one in request.messages if one.role in _INSTRUCTING])
    if len(instructions) > LONGEST_INSTRUCTIONS:
        warnings.append(Warned("messages", f"Of the instructions {LONGEST_INSTRUCTIONS} characters were read."))
    stop = (request.stop,) if isinstance(request.stop, str) else tuple(request.stop or ())
    return Options(
        max_tokens=request.max_completion_tokens or request.max_tokens,
        temperature=wanted,
        sampling=Sampling(top_p=request.top_p, seed=request.seed, stop=stop),
        instructions=instructions[:LONGEST_INSTRUCTIONS],
    ), warnings


def _unread(request: ChatRequest) -> list[Warned | None]:
    """What of the messages and the stream's options cannot be honoured."""
    found = [(f"messages.{place}.{name}") for place, one in enumerate(request.messages) if (name := one.unread)]
    found += [f"stream_options.{name[:40]}" for name in (request.stream_options or StreamOptions()).model_extra or {}]
    return [Warned(one, f"'{one}' is not supported: messages are text. {TOOLS_REMEDY}") for one in found]


def _warnings_of_unused_metadata(metadata: Mapping[str, str]) -> list[Warned]:
    return [Warned(f"metadata.{name[:64]}", "Not used here.") for name in metadata if name not in METADATA]


def _warnings_of_unused_fields(messages: Sequence[ChatMessage]) -> list[Warned]:
    """Each field of the messages that means nothing here, at the first message that has it."""
    found: dict[str, int] = {}
    for place, one in enumerate(messages):
        for name in one.unused_fields:
            found.setdefault(name[:40], place)
    return [Warned(f"messages.{place}.{name}", "Not used here.") for name, place in list(found.items())[:20]]


def _footnotes(metadata: Mapping[str, str]) -> Footnotes | None:
    named = metadata.get("footnotes")
    if named is None or named in get_args(Footnotes):
        return cast(Footnotes | None, named)
    message = f"metadata.footnotes must be {', '.join(get_args(Footnotes))}; found '{named[:20]}'."
    raise GatewayError(message, param="metadata.footnotes")


def _mode(metadata: Mapping[str, str]) -> Mode | None:
    """Raises `GatewayError` 400 for a catalogue expert that there is not."""
    named = metadata.get("mode") or None
    for mode in get_args(Mode):
        if named == mode:
            return cast(Mode, mode)
    if named is not None:
        message = f"metadata.mode must be {' or '.join(get_args(Mode))}; found '{named[:20]}'."
        raise GatewayError(message, param="metadata")
    return None


def _moment(metadata: Mapping[str, str]) -> Moment | None:
    """Raises `GatewayError` 400 when the time is no whole number of milliseconds from 0 on."""
    video, at = metadata.get("video"), metadata.get("at_ms", "0")
    if not video:
        return None
    if not (at.isascii() and at.isdigit() and len(at) <= _DIGITS):
        message = (
            f"metadata.at_ms must be milliseconds from the start of the video, such as '192000'; found '{at[:20]}'."
        )
        raise GatewayError(message, param="metadata")
    return Moment(video, int(at), metadata.get("video_title") or None)


def footnotes(notice: str, references: Sequence[Reference], links: Links) -> str:
    """What follows the text for clients that show no annotations: where it is from, and each reference on a line."""
    lines = [notice] if notice else []
    for reference in references:
        url = links.url(reference)
        lines.append(f"[{reference.number}] {reference.label}" + (f" {url}" if url and url != reference.label else ""))
    return "\n\n" + "\n".join(lines) if lines else ""


def annotations(references: Sequence[Reference], content: str, links: Links) -> list[Json]:
    """The references that open, as `url_citation`; indices are characters of `content`: its first mark, else all."""
    return [
        {"type": "url_citation", "url_citation": {**_place(reference, content), "title": reference.label, "url": url}}
        for reference in references
        if (url := links.url(reference)) is not None
    ]


def usage(spent: Usage) -> Json:
    read, written = spent.prompt_tokens, spent.completion_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def extension(answer: Answer, links: Links) -> Json:
    """The field `coteach` of a reply: what OpenAI has no place for."""
    return {
        "trace_id": answer.trace.trace_id,
        "route": answer.route,
        "kind": answer.kind or None,
        "coverage": answer.coverage,
        "sufficiency": answer.trace.sufficiency,
        "parts": [dict(vars(one)) for one in answer.trace.parts],
        "course": answer.trace.course_id,
        "notice": answer.notice,
        "source": answer.evidence[0].source if answer.route == "direct" and answer.evidence else None,
        "reviewer": answer.evidence[0].reviewer if answer.route == "direct" and answer.evidence else None,
        "degraded": answer.degraded,
        "finish_reason": answer.finish,
        "confidence": confidence(answer),
        "reasoning": answer.reasoning,
        "concepts": list(answer.trace.concepts),
        "resolved": answer.trace.resolved,
        "added": list(answer.trace.added),
        "choices": list(answer.trace.choices),
        "references": [{**_fields(one), "url": links.url(one)} for one in answer.references],
        "timings": answer.trace.timings,
        "rule": None if (rule := answer.trace.rule) is None else dict(vars(rule)),
    }


def _fields(reference: Reference) -> Json:
    """As `asdict`, whose copies of every value take ten times as long; this is done twice for every answer."""
    where = reference.locator
    return {**vars(reference), "locator": None if where is None else locator_fields(where)}


@dataclass(frozen=True)
class ChatReply:
    """What a client gets of a told answer: the content in the form it asked for, and how references open for it."""

    told: ConversationAnswer
    links: Links
    asked: ChatQuestion
    has_footnotes: bool = True
    path: Sequence[str] = ()
    filled: FilledForm | None = None

    @property
    def body(self) -> str:
        """The content without footnotes: the text, or the answer object or the client's form as JSON."""
        answer = self.told.answer
        if self.filled is not None:
            return self.filled.text or ""
        return answer_object(answer, self.links, self.path).model_dump_json() if self.is_object else answer.text

    @property
    def is_object(self) -> bool:
        return self.asked.wanted.is_object

    @property
    def refusal(self) -> str | None:
        """Why a client's form was not filled."""
        return None if self.filled is None else self.filled.refusal

    @property
    def usage(self) -> Usage:
        spent = self.told.answer.usage
        return spent if self.filled is None else spent.plus(self.filled.usage)

    @property
    def notes(self) -> str:
        answer = self.told.answer
        is_shown = self.has_footnotes and self.asked.wanted.is_text
        return footnotes(answer.notice, answer.references, self.links) if is_shown else ""

    @property
    def warnings(self) -> list[Json]:
        """What of the request was not honoured."""
        answer, warnings = self.told.answer, list(self.asked.warnings)
        options = self.asked.options
        if options.instructions and answer.trace.model is None and options.max_sentences is None:
            warnings.append(
                Warned(self.asked.instructed_by, "Tone is a model's: this answer is put together from the material.")
            )
        return [one.as_json() for one in warnings]

    @property
    def extension(self) -> Json:
        """The field `coteach`, with the session by which a client without a history of its own goes on.

        What is not kept, because the client wanted that or the store failed, has none: `stored` is false, and neither
        trace nor feedback will find it.
        """
        return {
            **extension(self.told.answer, self.links),
            "session": self.told.session_id if self.told.is_stored else None,
            "stored": self.told.is_stored,
            "warnings": self.warnings,
        }


def completion(reply: ChatReply, *, request_id: str, created: int, model: str) -> Json:
    """A whole reply."""
    answer = reply.told.answer
    content = reply.body + reply.notes
    message = {
        "role": "assistant",
        "content": content if reply.refusal is None else None,
        "refusal": reply.refusal,
        "annotations": annotations(answer.references, content, reply.links),
    }
    return {
        "id": request_id,
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish, "logprobs": None}],
        "usage": usage(reply.usage),
        "coteach": reply.extension,
    }


def chunk(
    delta: Mapping[str, Any] | None, *, request_id: str, created: int, model: str, finish: str | None = None
) -> Json:
    """One chunk of a streamed reply; without a delta it has no choices."""
    choices = [] if delta is None else [{"index": 0, "delta": dict(delta), "finish_reason": finish, "logprobs": None}]
    return {
        "id": request_id,
        "object": "chat.completion.chunk",
        "created": created,
        "model": model,
        "choices": choices,
    }


def sse(body: Json) -> str:
    """One server-sent event; what some readers take for the end of a line is written as JSON escapes it."""
    text = json.dumps(body, ensure_ascii=False).translate(_LINE_ENDS)
    return f"data: {text}\n\n"


_LINE_ENDS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})

DONE = "data: [DONE]\n\n"

KEEP_ALIVE = ": still writing\n\n"
"""A comment: every client of server-sent events leaves it out."""


def _history(messages: Sequence[ChatMessage]) -> list[Message]:
    """What was said before; messages of one speaker in a row are one."""
    roles: dict[str, Role] = {"user": "user", "assistant": "assistant"}
    turns = groupby((one for one in messages if one.role in roles), key=lambda one: roles[one.role])
    found = [Message(role, _join_texts(list(said))) for role, said in turns]
    return [one for one in found if one.content]


def _place(reference: Reference, content: str) -> Json:
    mark = f"[{reference.number}]"
    start = content.find(mark)
    if start < 0:  # where the text has no marks the source is that of the whole
        return {"start_index": 0, "end_index": len(content)}
    return {"start_index": start, "end_index": start + len(mark)}
