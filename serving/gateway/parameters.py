"""What happens to every parameter of a request: it is honoured, or refused by name. None is ignored silently.

`CHAT_PARAMETERS` and `RESPONSE_PARAMETERS` are the published tables (docs/endpoint.md), held by a test against the
official client's types. A parameter that is refused may still be sent with the value that asks for nothing, as many
clients do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from serving.gateway.errors import GatewayError

HEADER = "x-coteach-unknown-parameters"
"""By which one request says what the setting `unknown_parameters` says for all."""

_LONGEST_NAME = 100


@dataclass(frozen=True)
class Parameter:
    """One parameter. `neutral` are the values of a refused one that ask for nothing; `remedy` what to do instead."""

    name: str
    means: str
    is_honoured: bool = True
    neutral: tuple[object, ...] = ()
    remedy: str = ""


def _make_unsupported(name: str, means: str, *neutral: object, remedy: str = "") -> Parameter:
    return Parameter(name, means, is_honoured=False, neutral=neutral, remedy=remedy)


TOOLS_REMEDY = "This endpoint calls no tools: ask without them. A course as tools of your own model is at /mcp."

_OF_SCHEMAS = (
    "the published schema `coteach_answer`, or one of your own where a language model is admitted: filled with what "
    "the answer says, or a `refusal` where its sources do not bear a value."
)

CHAT_PARAMETERS = (
    Parameter(
        "messages",
        "Text parts. User messages in a row are one question; `system` and `developer` ask for tone "
        "and length, below the course's policy.",
    ),
    Parameter("model", "`coteach` or `coteach:<course id>`."),
    Parameter("stream", "`true` or `false`."),
    Parameter("stream_options", "`include_usage`; `include_obfuscation` only `false`."),
    Parameter(
        "max_tokens",
        "From 1. A model keeps to it, never above `COTEACH_MAX_TOKENS`; what is put together from "
        "the material ends with a whole sentence where one fits. `finish_reason` is then `length`.",
    ),
    Parameter("max_completion_tokens", "The same; it wins over `max_tokens`."),
    Parameter("stop", "A text or up to four; the answer ends before the first of them."),
    Parameter("temperature", "0 to 2, at most `COTEACH_TEMPERATURE_LIMIT`. Nothing is random where no model writes."),
    Parameter("top_p", "Above 0, up to 1. As with the temperature."),
    Parameter("seed", "A whole number, passed to the model server."),
    Parameter("n", "1."),
    Parameter("response_format", f"`text`, or `json_schema` with {_OF_SCHEMAS}"),
    Parameter(
        "metadata",
        "`course`, `session`, `video`, `at_ms`, `video_title`, `mode`; other keys are told of in `warnings`.",
    ),
    Parameter(
        "store",
        "`false`: nothing of the question and its answer is stored, so that no trace, feedback or TA finds it. Else it "
        "is kept as `COTEACH_RETENTION_DAYS` says, for its student and the TAs.",
    ),
    Parameter("user", "Tells apart the students behind one key."),
    Parameter("safety_identifier", "The same."),
    Parameter("session_id", "Not OpenAI's: as `metadata.session`."),
    _make_unsupported("audio", "Answers are text."),
    _make_unsupported("frequency_penalty", "Only 0.", 0),
    _make_unsupported("function_call", "Only `none`.", "none", remedy=TOOLS_REMEDY),
    _make_unsupported("functions", "Only an empty list.", [], remedy=TOOLS_REMEDY),
    _make_unsupported("logit_bias", "Only an empty object.", {}),
    _make_unsupported("logprobs", "Only `false`.", False),
    _make_unsupported("modalities", 'Only `["text"]`.', ["text"]),
    _make_unsupported("moderation", "There is none to choose."),
    _make_unsupported("parallel_tool_calls", "There are no tools to call.", remedy=TOOLS_REMEDY),
    _make_unsupported("prediction", "Answers are not edits of a text."),
    _make_unsupported("presence_penalty", "Only 0.", 0),
    _make_unsupported("prompt_cache_key", "Prompts are this endpoint's own."),
    _make_unsupported("prompt_cache_options", "The same."),
    _make_unsupported("prompt_cache_retention", "The same."),
    _make_unsupported("reasoning_effort", "Only `none`.", "none"),
    _make_unsupported("service_tier", "Only `auto` or `default`.", "auto", "default"),
    _make_unsupported("tool_choice", "Only `none`.", "none", remedy=TOOLS_REMEDY),
    _make_unsupported("tools", "Only an empty list.", [], remedy=TOOLS_REMEDY),
    _make_unsupported("top_logprobs", "Only 0.", 0),
    _make_unsupported("verbosity", "Only `medium`; say the length in a system message.", "medium"),
    _make_unsupported("web_search_options", "What is asked of the web is decided when a course is built."),
)

_OF_CHAT = {one.name: one for one in CHAT_PARAMETERS}

RESPONSE_PARAMETERS = (
    Parameter(
        "input",
        "A text, or a list of messages as chat completions take them; items of tools and of reasoning are refused.",
    ),
    Parameter("model", _OF_CHAT["model"].means),
    Parameter("instructions", "Tone and length, below the course's policy."),
    Parameter(
        "previous_response_id",
        "The `id` of a response that this one goes on from: what was said before comes from the store. From one in the "
        "middle of a conversation a new one branches off.",
    ),
    Parameter("stream", _OF_CHAT["stream"].means),
    Parameter("stream_options", "`include_obfuscation` only `false`."),
    Parameter("max_output_tokens", "As `max_tokens` of chat completions; `status` is then `incomplete`."),
    Parameter("temperature", _OF_CHAT["temperature"].means),
    Parameter("top_p", _OF_CHAT["top_p"].means),
    Parameter("text", f"`format`: `text`, or `json_schema` with {_OF_SCHEMAS}"),
    Parameter("metadata", _OF_CHAT["metadata"].means),
    Parameter("store", f"{_OF_CHAT['store'].means} What is kept is read and deleted at `/v1/responses/<id>`."),
    Parameter("user", _OF_CHAT["user"].means),
    Parameter("safety_identifier", "The same."),
    Parameter("session_id", _OF_CHAT["session_id"].means),
    _make_unsupported("access_programs", "There are none."),
    _make_unsupported("background", "Only `false`.", False),
    _make_unsupported("background_options", "Nothing runs in the background."),
    _make_unsupported("context_management", "What was said before is cut to the newest turns here.", []),
    _make_unsupported("conversation", "Go on from an answer by `previous_response_id`."),
    _make_unsupported("image", "Answers are text."),
    _make_unsupported("include", "Only an empty list: annotations come with every answer.", []),
    _make_unsupported("max_tool_calls", _OF_CHAT["parallel_tool_calls"].means, remedy=TOOLS_REMEDY),
    *(_OF_CHAT[name] for name in ("moderation", "parallel_tool_calls")),
    _make_unsupported("prompt", "Prompts are this endpoint's own."),
    *(_OF_CHAT[name] for name in ("prompt_cache_key", "prompt_cache_options", "prompt_cache_retention")),
    _make_unsupported("reasoning", 'Only `{"effort": "none"}` or an empty object.', {}, {"effort": "none"}),
    *(_OF_CHAT[name] for name in ("service_tier", "tool_choice", "tools", "top_logprobs")),
    _make_unsupported(
        "truncation", "Only `disabled` or `auto`: a question is read whole or refused.", "disabled", "auto"
    ),
)

RETRIEVAL_PARAMETERS = (
    _make_unsupported("include", "Annotations come with every answer."),
    _make_unsupported("include_obfuscation", "Only `false`.", "false"),
    _make_unsupported("starting_after", "A response is read whole."),
    _make_unsupported("stream", "Only `false`: a response is read whole.", "false"),
)
"""Parameters in the address of `GET /v1/responses/<id>`, where every value is text."""

Table = Mapping[str, Parameter]
OF_CHAT: Table = _OF_CHAT
OF_RESPONSES: Table = {one.name: one for one in RESPONSE_PARAMETERS}
OF_RETRIEVAL: Table = {one.name: one for one in RETRIEVAL_PARAMETERS}


@dataclass(frozen=True)
class Warned:
    """Something of a request that was not honoured, told in the reply's `coteach.warnings`."""

    param: str
    message: str

    def as_json(self) -> dict[str, str]:
        return {"param": self.param, "message": self.message}


def refuse_leftovers(left: Mapping[str, Any], table: Table, *, ignores: bool) -> list[Warned]:
    """What is left of a request beside the honoured parameters: `GatewayError` 400 by name, or, where such are ignored,
    what to warn of. Values that ask for nothing pass."""
    return warn_or_refuse([refusal(name, value, table) for name, value in left.items()], ignores=ignores)


def refusal(name: str, value: object, table: Table) -> Warned | None:
    """Why a parameter that is not honoured cannot be; `None` for a value that asks for nothing."""
    known = table.get(name)
    shown = name[:_LONGEST_NAME]
    if known is None:
        return None if value is None else Warned(shown, f"'{shown}' is no parameter of this endpoint.")
    if value is None or any(type(value) in _alike(one) and value == one for one in known.neutral):
        return None
    return Warned(shown, " ".join(part for part in (f"'{shown}' is not supported.", known.means, known.remedy) if part))


def warn_or_refuse(found: Sequence[Warned | None], *, ignores: bool) -> list[Warned]:
    """The warnings, or `GatewayError` 400 for the first of them."""
    warned = [one for one in found if one is not None]
    if warned and not ignores:
        first = warned[0]
        raise GatewayError(first.message, code="unsupported_parameter", param=first.param)
    return [Warned(one.param, f"Ignored: {one.message}") for one in warned]


def _alike(value: object) -> tuple[type, ...]:
    return (int, float) if type(value) in (int, float) else (type(value),)
