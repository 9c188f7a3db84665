"""JSON schemas of clients, read before a model fills them: what they may hold, and how large they may be.

A schema comes from whoever has a key, and is matched against what a model wrote: so references are put in, nothing may
lead back to itself, and no pattern is searched.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from serving.assistant.generation.form_filling import ClientForm
from serving.gateway.errors import GatewayError

PARAM = "response_format"

MOST_PARTS = 200
"""Schemas within a schema, once its references are put in. A choice, as the two below."""

LONGEST = 8_000
"""Bytes of a schema as JSON. It stands in the prompt."""

DEEPEST = 12

_SCALAR = frozenset(
    "type enum const title description default examples format minimum maximum exclusiveMinimum exclusiveMaximum "
    "multipleOf minItems maxItems uniqueItems minLength maxLength required".split()
)
_ONE, _LISTED, _NAMED = frozenset({"items"}), frozenset({"anyOf", "oneOf", "allOf"}), frozenset({"properties"})
_ELSEWHERE = frozenset({"$defs", "definitions", "$schema", "$id"})
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def read_form_schema(asked: Mapping[str, Any]) -> ClientForm:
    """The form in `json_schema` of a request. `GatewayError` 400 for one that is not filled, with what is wrong."""
    schema, name = asked.get("schema"), asked.get("name")
    if not isinstance(schema, Mapping):
        raise _refusal("needs a 'schema', an object")
    if not isinstance(name, str) or re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) is None:
        raise _refusal("needs a 'name' of up to 64 letters, digits, '_' and '-'")
    if len(orjson.dumps(schema)) > LONGEST:
        raise _refusal(f"may have {LONGEST} bytes as JSON")
    named = {**_definitions(schema, "definitions"), **_definitions(schema, "$defs")}
    whole = _SchemaReader(named).read(schema, "schema", ())
    if whole.get("type") != "object":
        raise _refusal("must be of the type object at its top")
    return ClientForm(name, whole)


@dataclass
class _SchemaReader:
    """Puts in what is referred to, and counts."""

    named: Mapping[str, Any]
    parts: int = field(default=0)

    def read(self, schema: Any, place: str, through: tuple[str, ...]) -> dict[str, Any]:
        self.parts += 1
        if self.parts > MOST_PARTS or len(place.split(".")) > 2 * DEEPEST:
            raise _refusal(f"may have {MOST_PARTS} parts, {DEEPEST} below each other")
        if not isinstance(schema, Mapping):
            raise _refusal(f"has no schema at {place}")
        if (target := schema.get("$ref")) is not None:
            return self._follow_reference(target, schema, place, through)
        return {
            key: self._value(key, value, f"{place}.{key}", through) for key, value in schema.items() if _is_read(key)
        }

    def _follow_reference(
        self, target: object, schema: Mapping[str, Any], place: str, through: tuple[str, ...]
    ) -> dict[str, Any]:
        if not isinstance(target, str) or target not in self.named:
            raise _refusal(f"refers to {str(target)[:60]!r} at {place}, which is not in its $defs")
        if target in through:
            raise _refusal(f"leads back to itself at {place}")
        beside = {key: value for key, value in schema.items() if key in ("title", "description", "default")}
        return self.read(self.named[target], place, (*through, target)) | beside

    def _value(self, key: str, value: Any, place: str, through: tuple[str, ...]) -> Any:
        if key in _ONE:
            return self.read(value, place, through)
        if key in _LISTED and isinstance(value, list) and value:
            return [self.read(each, f"{place}.{number}", through) for number, each in enumerate(value)]
        if key in _NAMED and isinstance(value, Mapping):
            return {str(name): self.read(each, f"{place}.{name}", through) for name, each in value.items()}
        if key == "additionalProperties" and isinstance(value, bool):
            return value
        if key not in _SCALAR or not _is_scalar(key, value):
            raise _refusal(f"holds {place[:100]}, which is not filled")
        return value


def _is_read(key: str) -> bool:
    return key not in _ELSEWHERE


def _is_scalar(key: str, value: Any) -> bool:
    """Whether a keyword has a value that the matching of schemas takes."""
    if key == "type":
        return all(one in _TYPES for one in (value if isinstance(value, list) and value else [value]))
    if key in ("enum", "examples"):
        return isinstance(value, list)
    if key == "required":
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if key in ("title", "description", "format"):
        return isinstance(value, str)
    if key == "uniqueItems":
        return isinstance(value, bool)
    if key.startswith(("min", "max", "exclusive", "multiple")):
        return isinstance(value, int | float) and not isinstance(value, bool) and (key != "multipleOf" or value > 0)
    return True


def _definitions(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = schema.get(key)
    return {f"#/{key}/{name}": one for name, one in found.items()} if isinstance(found, Mapping) else {}


def _refusal(what: str) -> GatewayError:
    message = f"The schema of {PARAM} {what}."
    return GatewayError(message, code="unsupported_parameter", param=PARAM)
