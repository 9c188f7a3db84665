"""Every parameter of the official client, made from its types, with every kind of value: honoured, 400 by its name, or
ignored with a warning where that is set. None in silence."""

import json
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest
from gateways import Gateway
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import TypeAdapter, ValidationError

from serving.gateway.parameters import CHAT_PARAMETERS, RESPONSE_PARAMETERS, Parameter

PATHS: dict[str, tuple[Any, dict[str, Any], tuple[Parameter, ...]]] = {
    "/v1/chat/completions": (
        CompletionCreateParamsStreaming,
        {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]},
        CHAT_PARAMETERS,
    ),
    "/v1/responses": (
        ResponseCreateParamsStreaming,
        {"model": "coteach:ds", "input": "What is a stack?"},
        RESPONSE_PARAMETERS,
    ),
}

VALUES: tuple[Any, ...] = (None, True, 0, 1, -1, 0.5, 3.7, "", "auto", "x", [], [1], {}, {"type": "text"}, {"a": 1})
"""One of every kind that JSON has, and some that stand between."""

READ_LAZILY = frozenset({"messages", "input", "tools", "functions"})
"""Whose types are iterables, which say nothing before they are read."""


def cases(path: str) -> Iterator[tuple[str, Any, bool]]:
    """Each parameter of the official client with each value, and whether its type takes it."""
    types, asked, _ = PATHS[path]
    for name, hint in sorted(get_type_hints(types).items()):
        adapter = TypeAdapter(hint)
        for value in VALUES:
            try:
                adapter.validate_python(value, strict=True)
                is_valid = True
            except ValidationError:
                is_valid = False
            if value is not None or name not in asked:
                yield name, value, is_valid


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_every_value_of_every_parameter_is_honoured_or_refused_by_its_name(use: Any, path: str) -> None:
    _, asked, table = PATHS[path]
    honoured = {one.name for one in table if one.is_honoured}
    neutral = {one.name: one.neutral for one in table}

    async def work(gateway: Gateway) -> list[str]:
        wrong: list[str] = []
        for name, value, is_valid in cases(path):
            reply = await gateway.client.post(path, json=asked | {name: value})
            told = reply.json() if reply.headers["content-type"] == "application/json" else {}
            param = (told.get("error") or {}).get("param") or ""
            is_taken = value is None or (
                (is_valid or name in READ_LAZILY) and (name in honoured or value in neutral[name])
            )
            fits = is_taken if reply.status_code == 200 else reply.status_code in (400, 404) and param.startswith(name)
            if reply.status_code == 200 and name == "stream" and value is True:
                fits = reply.text.rstrip().endswith(("[DONE]", "}"))
            if not fits:
                wrong.append(f"{name}={json.dumps(value)}: {reply.status_code} {param}")
        return wrong

    assert use(work, requests_per_minute=0, patience_seconds=0) == []


@pytest.mark.parametrize("path", PATHS)
def test_where_it_is_set_each_refused_parameter_is_ignored_with_a_warning_of_its_name(use: Any, path: str) -> None:
    _, asked, table = PATHS[path]
    refused = [one.name for one in table if not one.is_honoured]

    async def work(gateway: Gateway) -> list[tuple[int, list[str]]]:
        replies = [await gateway.client.post(path, json=asked | {name: "something"}) for name in refused]
        return [(one.status_code, [each["param"] for each in one.json()["coteach"]["warnings"]]) for one in replies]

    found = use(work, requests_per_minute=0, patience_seconds=0, unknown_parameters="ignore")
    assert found == [(200, [name]) for name in refused]
