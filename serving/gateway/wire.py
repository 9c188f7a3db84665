"""Requests and replies of `/v1/chat/completions` as OpenAI writes them. Pure: no server, no assistant is called."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field

from knowledge_graph.records import Mode
from serving.answer import Answer
from serving.conversations import Told
from serving.gateway.errors import GatewayError
from serving.gateway.links import reference_url
from serving.messages import Message, Role
from serving.references import Reference
from serving.understanding.focus import Position

LONGEST_QUESTION = 4000
"""Characters."""

LONGEST_NAME = 512
"""Characters of what a client calls its users and sessions, as OpenAI limits metadata."""

MODEL = "coteach"

_DIGITS = 9
"""Of a time in milliseconds: eleven days."""

Json = dict[str, Any]


class ContentPart(BaseModel):
    """A part of a message; only text parts are read."""

    model_config = ConfigDict(extra="ignore")
    type: str
    text: str = ""


class ChatMessage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPart] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="ignore")
    include_usage: bool = False


class ChatRequest(BaseModel):
    """A chat completion request. Fields not named here are accepted and ignored, as OpenAI does."""

    model_config = ConfigDict(extra="ignore")
    model: str = MODEL
    messages: list[ChatMessage] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions | None = None
    metadata: dict[str, str] | None = None
    user: str | None = Field(default=None, max_length=LONGEST_NAME)
    safety_identifier: str | None = Field(default=None, max_length=LONGEST_NAME)


@dataclass(frozen=True)
class Moment:
    """`metadata.video`, `.at_ms` and `.video_title`: where the student is in a video of the course."""

    video_id: str
    at_ms: int
    title: str | None

    def position(self, course_id: str) -> Position:
        return Position(course_id, self.video_id, self.at_ms, self.title)


@dataclass(frozen=True)
class Asked:
    """What a request asks: the last message, what was said before, the course it names, where in a video, and whom.

    `session` is the session it goes on.
    """

    question: str
    history: tuple[Message, ...]
    course: str | None
    video: Moment | None = None
    mode: Mode | None = None
    session: str | None = None


def read_request(request: ChatRequest) -> Asked:
    """The question in a request. Raises `GatewayError`: 404 for an unknown model, 400 for no question."""
    name, _, course = request.model.partition(":")
    if name != MODEL:
        message = f"The model '{request.model}' does not exist. Use '{MODEL}' or '{MODEL}:<course id>'; see /v1/models."
        raise GatewayError(message, status=404, code="model_not_found", param="model")
    last = request.messages[-1]
    question = last.text.strip()
    if last.role != "user" or not question:
        raise GatewayError("The last message must be the user's and hold text.", param="messages")
    if len(question) > LONGEST_QUESTION:
        found = f"The question has {len(question)} characters; at most {LONGEST_QUESTION} are read."
        raise GatewayError(found, code="string_above_max_length", param="messages")
    metadata = request.metadata or {}
    named = metadata.get("course") or course or None
    return Asked(
        question,
        tuple(_history(request.messages[:-1])),
        named,
        _moment(metadata),
        _mode(metadata),
        session=metadata.get("session") or None,
    )


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


def footnotes(answer: Answer, base_url: str) -> str:
    """What follows the text for clients that show no annotations: where it is from, and each reference on a line."""
    lines = [answer.notice] if answer.notice else []
    for reference in answer.references:
        url = reference_url(reference, base_url)
        lines.append(f"[{reference.number}] {reference.label}" + (f" {url}" if url and url != reference.label else ""))
    return "\n\n" + "\n".join(lines) if lines else ""


def annotations(answer: Answer, content: str, base_url: str) -> list[Json]:
    """The references that open, as `url_citation`; indices are characters of `content`, at the first mark."""
    return [
        {"type": "url_citation", "url_citation": {**_place(reference, content), "title": reference.label, "url": url}}
        for reference in answer.references
        if (url := reference_url(reference, base_url)) is not None
    ]


def usage(answer: Answer) -> Json:
    read, written = answer.usage.prompt_tokens, answer.usage.completion_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def extension(answer: Answer, base_url: str) -> Json:
    """The field `coteach` of a reply: what OpenAI has no place for."""
    return {
        "trace_id": answer.trace.trace_id,
        "route": answer.route,
        "kind": answer.kind or None,
        "coverage": answer.coverage,
        "course": answer.trace.course_id,
        "notice": answer.notice,
        "source": answer.evidence[0].source if answer.route == "direct" and answer.evidence else None,
        "reviewer": answer.evidence[0].reviewer if answer.route == "direct" and answer.evidence else None,
        "degraded": answer.degraded,
        "reasoning": answer.reasoning,
        "concepts": list(answer.trace.concepts),
        "resolved": answer.trace.resolved,
        "added": list(answer.trace.added),
        "choices": list(answer.trace.choices),
        "references": [{**_fields(one), "url": reference_url(one, base_url)} for one in answer.references],
        "timings": answer.trace.timings,
    }


def _fields(reference: Reference) -> Json:
    """As `asdict`, whose copies of every value take ten times as long; this is done twice for every answer."""
    where = reference.locator
    return {**vars(reference), "locator": None if where is None else dict(vars(where))}


def told(answer: Told, base_url: str) -> Json:
    """The field `coteach` of a reply, with the session by which a client without a history of its own goes on."""
    return {**extension(answer.answer, base_url), "session": answer.session_id}


def completion(reply: Told, *, request_id: str, created: int, model: str, base_url: str) -> Json:
    """A whole reply."""
    answer = reply.answer
    content = answer.text + footnotes(answer, base_url)
    message = {
        "role": "assistant",
        "content": content,
        "refusal": None,
        "annotations": annotations(answer, content, base_url),
    }
    return {
        "id": request_id,
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": usage(answer),
        "coteach": told(reply, base_url),
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
    """One server-sent event."""
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"


DONE = "data: [DONE]\n\n"


def _history(messages: Sequence[ChatMessage]) -> list[Message]:
    roles: dict[str, Role] = {"user": "user", "assistant": "assistant"}
    return [Message(roles[one.role], one.text) for one in messages if one.role in roles and one.text.strip()]


def _place(reference: Reference, content: str) -> Json:
    mark = f"[{reference.number}]"
    start = max(content.find(mark), 0)
    return {"start_index": start, "end_index": start + len(mark)}
