"""An answer as data: the schema that `GET /v1/schemas/coteach_answer` publishes."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Sentence(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str
    citations: list[int]


class AnswerReference(BaseModel):
    model_config = ConfigDict(extra="forbid")
    number: int
    label: str
    source: str
    url: str | None


class AnswerObject(BaseModel):
    model_config = ConfigDict(extra="forbid")
    answer: str
    sentences: list[Sentence]
    references: list[AnswerReference]
    route: Literal["direct", "teach", "chat", "explain", "clarify", "refuse", "ask_ta"]
    kind: str | None
    coverage: Literal["full", "partial", "none"] | None
    path: list[str]
