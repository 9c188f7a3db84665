"""The answer object: an answer as data, for clients that ask for `response_format` with its published schema.

`coteach_answer` is filled without a model. A client's own schema is a form that an admitted model fills
(`client_forms`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field

from knowledge_graph.text.sentences import split_sentences
from serving.assistant.answer import Answer
from serving.assistant.composing.composed import Coverage
from serving.assistant.generation.form_filling import ClientForm
from serving.assistant.plan import Route
from serving.assistant.references import Reference
from serving.gateway.client_schemas import read_form_schema
from serving.gateway.errors import GatewayError
from serving.gateway.links import Links

SCHEMA_NAME = "coteach_answer"

_MARK = re.compile(r"(?<!\s)\s*+\[(\d{1,3})\]")
_SAYS_NOTHING = frozenset({"title", "description", "default", "additionalProperties", "$defs", "$schema"})
_SAFE_BOUNDS = (-(2**53) + 1, 2**53 - 1)
"""What JavaScript's libraries bound every whole number by."""


class Sentence(BaseModel):
    """A sentence, and the numbers of the references that it cites."""

    model_config = ConfigDict(extra="forbid")
    text: str
    citations: list[int]


class AnswerReference(BaseModel):
    """One source, by its number in the answer."""

    model_config = ConfigDict(extra="forbid")
    number: int
    label: str
    source: str
    url: str | None


class AnswerObject(BaseModel):
    """An answer with its sentences, their references, and how well the material covers the question."""

    model_config = ConfigDict(extra="forbid")
    answer: str
    sentences: list[Sentence]
    references: list[AnswerReference]
    route: Route
    kind: str | None = Field(description="The kind of question; null where nothing was composed.")
    coverage: Coverage | None = Field(description="How well the material covers it; null where nothing was composed.")
    path: list[str] = Field(description="Concepts to know before, in order.")

    def with_links(self, links: Links, references: Sequence[Reference]) -> "AnswerObject":
        """The same with links that open for another reader, or at another time."""
        urls = {one.number: links.url(one) for one in references}
        opened = [one.model_copy(update={"url": urls[one.number]}) for one in self.references]
        return self.model_copy(update={"references": opened})


def answer_object(answer: Answer, links: Links, path: Sequence[str]) -> AnswerObject:
    return AnswerObject(
        answer=answer.text,
        sentences=[
            Sentence(text=_MARK.sub("", one).strip(), citations=[int(mark) for mark in _MARK.findall(one)])
            for one in split_sentences(answer.text, answer.lang)
        ],
        references=[
            AnswerReference(number=one.number, label=one.label, source=one.source, url=links.url(one))
            for one in answer.references
        ],
        route=answer.route,
        kind=answer.kind or None,
        coverage=answer.coverage,
        path=list(path),
    )


@dataclass(frozen=True)
class WantedFormat:
    """How an answer is wanted: as text, as the answer object, or as a client's own `form`."""

    is_object: bool = False
    form: ClientForm | None = None

    @property
    def is_text(self) -> bool:
        return not self.is_object and self.form is None


AS_TEXT = WantedFormat()


def read_format(response_format: Mapping[str, Any] | None) -> WantedFormat:
    """The format that is asked for. `GatewayError` 400 for what is neither text nor a schema that can be filled."""
    if response_format is None or response_format == {"type": "text"}:
        return AS_TEXT
    asked = response_format.get("json_schema")
    schema = asked.get("schema") if isinstance(asked, Mapping) else None
    if response_format.get("type") == "json_schema" and isinstance(asked, Mapping):
        if schema is None and asked.get("name") == SCHEMA_NAME:
            return WantedFormat(is_object=True)
        if isinstance(schema, Mapping) and _plain(schema) == _plain(AnswerObject.model_json_schema()):
            return WantedFormat(is_object=True)
        return WantedFormat(form=read_form_schema(asked))
    message = (
        f"response_format can be text, the published schema '{SCHEMA_NAME}' (GET /v1/schemas/{SCHEMA_NAME}), or a "
        "'json_schema' of your own where a language model is admitted."
    )
    raise GatewayError(message, code="unsupported_parameter", param="response_format")


def _plain(schema: Mapping[str, Any]) -> str:
    """A schema without what only describes it, its references replaced by what they name."""
    if len(orjson.dumps(schema)) > 20_000:
        return ""
    return orjson.dumps(_resolve(schema, schema.get("$defs") or {}, 0), option=orjson.OPT_SORT_KEYS).decode()


def _resolve(part: Any, named: Mapping[str, Any], depth: int) -> Any:
    if depth > 30:
        return None
    if isinstance(part, list):
        return [_resolve(one, named, depth + 1) for one in part]
    if not isinstance(part, dict):
        return part
    target = part.get("$ref")
    if isinstance(target, str):
        return _resolve(named.get(target.rpartition("/")[2]), named, depth + 1)
    is_fields = "type" not in part and all(isinstance(one, dict) for one in part.values())
    kept = {
        key: _resolve(value, named, depth + 1)
        for key, value in part.items()
        if is_fields or not (key in _SAYS_NOTHING or (key in ("minimum", "maximum") and value in _SAFE_BOUNDS))
    }
    if isinstance(kept.get("required"), list):
        kept["required"] = sorted(map(str, kept["required"]))
    return kept
