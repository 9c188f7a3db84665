"""Replies as OpenAPI describes them. `chat_schemas` writes what is sent; a test holds the two together."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from knowledge_graph.lake.records import Allowed
from serving.assistant.composing.composed import Coverage
from serving.assistant.graded_work.sessions import By
from serving.assistant.guardrails.ending import Finish
from serving.assistant.plan import Route


class UrlCitation(BaseModel):
    start_index: int
    end_index: int
    title: str
    url: str


class Annotation(BaseModel):
    type: Literal["url_citation"]
    url_citation: UrlCitation


class ReplyMessage(BaseModel):
    role: Literal["assistant"]
    content: str | None
    refusal: str | None = Field(description="Why a schema of the client's own was not filled; null for all else.")
    annotations: list[Annotation]


class ReplyChoice(BaseModel):
    index: int
    message: ReplyMessage
    finish_reason: Finish
    logprobs: None


class ReplyUsage(BaseModel):
    """Tokens of the language model; 0 when none was needed."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class NotHonoured(BaseModel):
    """A part of the request that was not honoured."""

    param: str
    message: str


class AnswerPart(BaseModel):
    """One of several questions in a message, and how it was answered."""

    question: str
    question_kind: str
    coverage: Coverage
    sufficiency: float
    stored: bool = Field(description="A stored answer was given, word for word.")


class RuleReply(BaseModel):
    """A course's rule about graded work, under which an answer was given."""

    course_id: str
    assessment: str = Field(description="What the work is called.")
    number: int = Field(description="Which of its items, from 1.")
    allows: Allowed
    turn: int = Field(description="Position of this message among those of the session about the item, from 1.")
    by: By = Field(description="What it was recognised by; `session`: the message goes on from one that was.")


class Extension(BaseModel):
    """What OpenAI has no place for."""

    trace_id: str
    route: Route
    kind: str | None
    coverage: Coverage | None
    sufficiency: float | None = Field(description="How sure the composer is, 0 to 1; null where nothing was composed.")
    parts: list[AnswerPart] = Field(description="Of several questions in a message, each; empty for one.")
    course: str | None
    notice: str
    source: str | None
    reviewer: str | None
    degraded: bool = Field(description="The model should have written it and could not.")
    finish_reason: Finish
    confidence: float | None = Field(description="How sure the answer is, 0 to 1; null where nothing was measured.")
    reasoning: str
    concepts: list[str]
    resolved: str
    added: list[str]
    choices: list[str]
    references: list[dict[str, Any]]
    timings: dict[str, float]
    rule: RuleReply | None = Field(description="The rule about graded work it was given under; null for all else.")
    session: str | None
    stored: bool
    warnings: list[NotHonoured]


class FlatCitation(BaseModel):
    type: Literal["url_citation"]
    start_index: int
    end_index: int
    title: str
    url: str


class OutputText(BaseModel):
    type: Literal["output_text"]
    text: str
    annotations: list[FlatCitation]
    logprobs: list[None]


class OutputRefusal(BaseModel):
    """Why a schema of the client's own was not filled."""

    type: Literal["refusal"]
    refusal: str


class OutputMessage(BaseModel):
    id: str
    type: Literal["message"]
    role: Literal["assistant"]
    status: Literal["in_progress", "completed", "incomplete"]
    content: list[OutputText | OutputRefusal]


class CachedTokens(BaseModel):
    cached_tokens: int
    cache_write_tokens: int


class ReasoningTokens(BaseModel):
    reasoning_tokens: int


class ResponseUsage(BaseModel):
    input_tokens: int
    input_tokens_details: CachedTokens
    output_tokens: int
    output_tokens_details: ReasoningTokens
    total_tokens: int


class ResponseFailure(BaseModel):
    code: str
    message: str


class Incomplete(BaseModel):
    reason: Literal["max_output_tokens", "content_filter"]


class TextFormat(BaseModel):
    format: dict[str, Any]


class ResponseReply(BaseModel):
    """A whole response. A stream has it in OpenAI's events, the last of which holds it whole."""

    id: str
    object: Literal["response"]
    created_at: int
    status: Literal["completed", "incomplete", "in_progress", "failed"]
    access_programs: None
    background: Literal[False]
    error: ResponseFailure | None
    incomplete_details: Incomplete | None
    instructions: str | None
    max_output_tokens: int | None
    metadata: dict[str, str]
    model: str
    output: list[OutputMessage]
    parallel_tool_calls: Literal[False]
    previous_response_id: str | None
    temperature: float | None
    text: TextFormat
    tool_choice: Literal["none"]
    tools: list[None]
    top_p: float | None
    truncation: Literal["disabled"]
    usage: ResponseUsage | None = None
    user: str | None = None
    coteach: Extension


class DeletedResponse(BaseModel):
    id: str
    object: Literal["response"] = "response"
    deleted: Literal[True] = True


class ChatCompletion(BaseModel):
    """A whole answer. A stream has the same in pieces, as OpenAI's chunks."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ReplyChoice]
    usage: ReplyUsage
    coteach: Extension
