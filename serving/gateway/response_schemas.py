"""Requests, replies and events of `/v1/responses` as OpenAI writes them. Pure. A request is read as a chat completion.

https://platform.openai.com/docs/api-reference/responses
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from serving.assistant.references import Reference
from serving.gateway.answer_object import AS_TEXT, AnswerObject, WantedFormat
from serving.gateway.chat_schemas import (
    LONGEST_INSTRUCTIONS,
    LONGEST_NAME,
    MODEL,
    ChatMessage,
    ChatQuestion,
    ChatReply,
    ChatRequest,
    ContentPart,
    Json,
    Metadata,
    RequestLimits,
    annotations,
    footnotes,
    read_request,
    sse,
)
from serving.gateway.errors import GatewayError
from serving.gateway.links import Links, locator_of
from serving.gateway.parameters import OF_RESPONSES, TOOLS_REMEDY, Warned, refuse_leftovers, warn_or_refuse
from serving.store.tables.conversation import TurnRow

_NAMES = {
    "messages": "input",
    "response_format": "text.format",
    "max_tokens": "max_output_tokens",
}
"""What chat completions call otherwise."""


_OF_TOOLS = ("tool_calls", "function_call", "audio")


class InputItem(BaseModel):
    """One item of `input`. Only messages are read."""

    model_config = ConfigDict(extra="allow", strict=True)
    type: str | None = None
    role: Literal["system", "developer", "user", "assistant"] | None = None
    content: str | list[ContentPart] | None = None

    @property
    def beside(self) -> dict[str, Any]:
        """Its other fields, of which a chat message makes nothing but a warning."""
        return {name: value for name, value in (self.model_extra or {}).items() if name not in ChatMessage.model_fields}

    @property
    def unread(self) -> str | None:
        """What it is, when it is no message, or what of it is none."""
        extra = self.model_extra or {}
        if (named := next((name for name in _OF_TOOLS if extra.get(name)), None)) is not None:
            return named
        return None if self.type in (None, "message") and self.role is not None else (self.type or "role")[:40]


class TextOptions(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    format: dict[str, Any] | None = None
    verbosity: Literal["medium"] | None = None


class ResponseStreamOptions(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    include_obfuscation: Literal[False] | None = None


class ResponseRequest(BaseModel):
    """A request for a response: the parameters that are honoured. Others are refused by name (`parameters`)."""

    model_config = ConfigDict(extra="allow", strict=True)
    input: str | list[InputItem]
    model: str = MODEL
    instructions: str | None = None
    previous_response_id: str | None = Field(default=None, max_length=LONGEST_NAME)
    stream: bool = False
    stream_options: ResponseStreamOptions | None = None
    max_output_tokens: int | None = Field(default=None, ge=1)
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    text: TextOptions | None = None
    metadata: Metadata | None = None
    store: bool = True
    user: str | None = Field(default=None, max_length=LONGEST_NAME)
    safety_identifier: str | None = Field(default=None, max_length=LONGEST_NAME)
    session_id: str | None = Field(default=None, max_length=64)

    @model_validator(mode="before")
    @classmethod
    def _null_is_unset(cls, body: Any) -> Any:
        return {name: value for name, value in body.items() if value is not None} if isinstance(body, dict) else body


def read_response_request(request: ResponseRequest, terms: RequestLimits, goes_on_from: str | None) -> ChatQuestion:
    """The question in a request. Raises `GatewayError`: 404 for an unknown model, 400 for what cannot be honoured."""
    ignores = terms.ignores_unknown
    warnings = refuse_leftovers(request.model_extra or {}, OF_RESPONSES, ignores=ignores)
    warnings += warn_or_refuse(_unread(request), ignores=ignores)
    try:
        asked = read_request(_as_chat(request), terms)
    except GatewayError as error:
        error.param = _rename(error.param) if error.param else None
        raise
    own = [replace(one, param=_rename(one.param)) for one in asked.warnings]
    return replace(asked, warnings=(*warnings, *own), goes_on_from=goes_on_from, instructed_by="instructions")


def _as_chat(request: ResponseRequest) -> ChatRequest:
    items = [InputItem(role="user", content=request.input)] if isinstance(request.input, str) else request.input
    said = [
        ChatMessage(role=one.role, content=one.content, **one.beside)
        for one in items
        if one.role and one.unread is None
    ]
    if request.instructions:
        said.insert(0, ChatMessage(role="developer", content=request.instructions))
    return ChatRequest(
        model=request.model,
        messages=said or [ChatMessage(role="user", content="")],
        max_tokens=request.max_output_tokens,
        temperature=request.temperature,
        top_p=request.top_p,
        response_format=_format(request.text),
        metadata=request.metadata,
        store=request.store,
        session_id=request.session_id,
    )


def _format(text: TextOptions | None) -> Json | None:
    """A format as chat completions name it: there the schema is one level deeper."""
    wanted = text.format if text is not None else None
    if wanted is None or wanted.get("type") != "json_schema":
        return wanted
    return {"type": "json_schema", "json_schema": {name: value for name, value in wanted.items() if name != "type"}}


def _unread(request: ResponseRequest) -> list[Warned | None]:
    items = request.input if isinstance(request.input, list) else []
    found = [f"input.{place}.{kind}" for place, one in enumerate(items) if (kind := one.unread) is not None]
    found += [f"text.{name[:40]}" for name in (request.text or TextOptions()).model_extra or {}]
    options = request.stream_options or ResponseStreamOptions()
    found += [f"stream_options.{name[:40]}" for name in options.model_extra or {}]
    return [Warned(one, f"'{one}' is not supported: input is messages of text. {TOOLS_REMEDY}") for one in found]


def _rename(param: str) -> str:
    name, dot, rest = param.partition(".")
    return _NAMES.get(name, name) + dot + rest


@dataclass(frozen=True)
class Frame:
    """What stands around an answer: the ids of response and message, and what of the request is given back."""

    response_id: str
    created: int
    request: ResponseRequest

    @property
    def message_id(self) -> str:
        return "msg_" + self.response_id.removeprefix("resp_")[:32]

    def response(self, status: str, output: Sequence[Json] = (), **more: Any) -> Json:
        asked = self.request
        wanted = asked.text.format if asked.text is not None and asked.text.format is not None else {"type": "text"}
        return {
            "id": self.response_id,
            "object": "response",
            "created_at": self.created,
            "status": status,
            "access_programs": None,
            "background": False,
            "error": None,
            "incomplete_details": None,
            "instructions": asked.instructions,
            "max_output_tokens": asked.max_output_tokens,
            "metadata": asked.metadata or {},
            "model": asked.model,
            "output": list(output),
            "parallel_tool_calls": False,
            "previous_response_id": asked.previous_response_id,
            "temperature": asked.temperature,
            "text": {"format": wanted},
            "tool_choice": "none",
            "tools": [],
            "top_p": asked.top_p,
            "truncation": "disabled",
            **({} if asked.user is None else {"user": asked.user}),
            **more,
        }

    def message(self, status: str, content: Sequence[Json] = ()) -> Json:
        return {
            "id": self.message_id,
            "type": "message",
            "role": "assistant",
            "status": status,
            "content": list(content),
        }


def output_text(text: str, noted: Sequence[Json] = ()) -> Json:
    return {"type": "output_text", "text": text, "annotations": list(noted), "logprobs": []}


def list_annotations(references: Sequence[Reference], text: str, links: Links) -> list[Json]:
    """The references that open, as `/v1/responses` writes annotations: flat."""
    return [{"type": one["type"], **one["url_citation"]} for one in annotations(references, text, links)]


_ENDED_BY = {"length": "max_output_tokens", "content_filter": "content_filter"}


def response(reply: ChatReply, frame: Frame) -> Json:
    """A whole reply."""
    answer, text, spent = reply.told.answer, reply.body + reply.notes, reply.usage
    part = output_text(text, list_annotations(answer.references, text, reply.links))
    if reply.refusal is not None:
        part = _refusal(reply.refusal)
    usage = _usage(spent.prompt_tokens, spent.completion_tokens)
    return _whole(frame, part, answer.finish, usage=usage, coteach=reply.extension)


def _whole(frame: Frame, part: Json, finish: str, **more: Any) -> Json:
    ended_by = _ENDED_BY.get(finish)
    status = "completed" if ended_by is None else "incomplete"
    details = None if ended_by is None else {"reason": ended_by}
    return frame.response(status, [frame.message(status, [part])], incomplete_details=details, **more)


def _refusal(text: str) -> Json:
    return {"type": "refusal", "refusal": text}


_GIVEN_BACK = frozenset(
    "instructions max_output_tokens metadata model previous_response_id temperature text top_p".split()
)
"""Fields of a request that are stored to be read again. `user` is not: the store knows nobody by name."""


def pack_reply(reply: ChatReply, frame: Frame) -> Json:
    """What is stored of a reply, for `response_again`: what neither its turn nor the present can say."""
    asked, spent = frame.request, reply.usage
    request = asked.model_dump(include=set(_GIVEN_BACK), exclude_none=True)
    if asked.instructions is not None:
        request["instructions"] = asked.instructions[:LONGEST_INSTRUCTIONS]  # as many as were read
    return {
        "created_at": frame.created,
        "request": request,
        "body": None if reply.asked.wanted.is_text else reply.body,
        "is_object": reply.is_object,
        "refusal": reply.refusal,
        "has_footnotes": reply.has_footnotes and reply.asked.wanted.is_text,
        "usage": [spent.prompt_tokens, spent.completion_tokens],
        "warnings": reply.warnings,
    }


def response_again(response_id: str, turn: TurnRow, kept: Json, links: Links) -> Json:
    """A response as it was given, with links that open now."""
    frame = Frame(response_id, kept["created_at"], ResponseRequest(**kept["request"], input=""))
    shown = turn.shown
    references = [_reference(one) for one in shown["references"]]
    opened = [{**one, "url": links.url(each)} for one, each in zip(shown["references"], references, strict=True)]
    text = turn.answer if kept["body"] is None else kept["body"]
    if kept["is_object"]:
        text = AnswerObject.model_validate_json(text).with_links(links, references).model_dump_json()
    if kept["has_footnotes"]:
        text += footnotes(shown["notice"], references, links)
    part = output_text(text, list_annotations(references, text, links))
    if kept["refusal"] is not None:
        part = _refusal(kept["refusal"])
    told = {**shown, "references": opened, "session": turn.session_id, "stored": True, "warnings": kept["warnings"]}
    return _whole(frame, part, shown["finish_reason"], usage=_usage(*kept["usage"]), coteach=told)


def _reference(shown: Json) -> Reference:
    """The reference that a turn's `shown` tells of."""
    told = {name: value for name, value in shown.items() if name not in ("locator", "url")}
    where = shown["locator"]
    return Reference(**told, locator=None if where is None else locator_of(where))


def _usage(read: int, written: int) -> Json:
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + written,
    }


class ResponseEvents:
    """The events of one streamed response, in order and numbered. Whether a client's form is filled or refused is known
    at the end, so its part begins there."""

    def __init__(self, frame: Frame, wanted: WantedFormat = AS_TEXT) -> None:
        self._frame = frame
        self._begins_late = wanted.form is not None
        self._numbers = count()
        self._text: list[str] = []

    def begin(self) -> Iterator[str]:
        for name in ("response.created", "response.in_progress"):
            yield self._event(name, response=self._frame.response("in_progress"))
        yield self._event("response.output_item.added", output_index=0, item=self._frame.message("in_progress"))
        if not self._begins_late:
            yield self._part("response.content_part.added", part=output_text(""))

    def text(self, delta: str) -> str:
        self._text.append(delta)
        return self._part("response.output_text.delta", delta=delta, logprobs=[])

    def end(self, reply: ChatReply) -> Iterator[str]:
        """What of the text was not said, its annotations, and the whole response."""
        whole = response(reply, self._frame)
        message = whole["output"][0]
        text = message["content"][0]
        if text["type"] == "refusal":
            yield from self._refusal_events(text)
            yield from self._done(whole)
            return
        if self._begins_late:
            yield self._part("response.content_part.added", part=output_text(""))
        if rest := text["text"].removeprefix("".join(self._text)):
            yield self.text(rest)
        for place, one in enumerate(text["annotations"]):
            yield self._part("response.output_text.annotation.added", annotation_index=place, annotation=one)
        yield self._part("response.output_text.done", text=text["text"], logprobs=[])
        yield from self._done(whole)

    def _refusal_events(self, part: Json) -> Iterator[str]:
        yield self._part("response.content_part.added", part={"type": "refusal", "refusal": ""})
        yield self._part("response.refusal.delta", delta=part["refusal"])
        yield self._part("response.refusal.done", refusal=part["refusal"])

    def _done(self, whole: Json) -> Iterator[str]:
        message = whole["output"][0]
        yield self._part("response.content_part.done", part=message["content"][0])
        yield self._event("response.output_item.done", output_index=0, item=message)
        yield self._event(f"response.{whole['status']}", response=whole)

    def fail(self, message: str) -> str:
        failed = self._frame.response("failed", error={"code": "server_error", "message": message})
        return self._event("response.failed", response=failed)

    def close(self) -> str:
        return ""

    def _part(self, name: str, **more: Any) -> str:
        return self._event(name, item_id=self._frame.message_id, output_index=0, content_index=0, **more)

    def _event(self, name: str, **more: Any) -> str:
        return f"event: {name}\n" + sse({"type": name, "sequence_number": next(self._numbers), **more})
