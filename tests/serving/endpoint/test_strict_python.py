"""Every kind of reply and event of both protocols, by the official Python client with strict validation.

A field that its types do not have passes there, so what is added to them is named: `coteach`, and `annotations` of the
last chunk.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from gateways import Gateway, running
from openai.lib._parsing._completions import type_to_response_format_param
from pydantic import BaseModel
from stand_in import stand_in

from serving.gateway.answer_object import AnswerObject
from serving.settings import Settings

WRITTEN = "What is the difference between a stack and a queue?"
SAID: Any = [{"role": "user", "content": "What is a stack?"}]
ASKED_MODEL: Any = [{"role": "user", "content": WRITTEN}]


class Term(BaseModel):
    term: str


OBJECT: Any = type_to_response_format_param(AnswerObject)
FORM: Any = type_to_response_format_param(Term)


def as_text(form: Any) -> Any:
    return {"format": {"type": "json_schema", **form["json_schema"]}}


CHAT: dict[str, dict[str, Any]] = {
    "composed": {"messages": SAID},
    "cut": {"messages": SAID, "max_tokens": 5},
    "written by a model": {"messages": ASKED_MODEL},
    "as the published object": {"messages": SAID, "response_format": OBJECT},
    "as a form": {"messages": SAID, "response_format": FORM},
    "not stored": {"messages": SAID, "store": False},
}
RESPONSES: dict[str, dict[str, Any]] = {
    "composed": {"input": "What is a stack?", "instructions": "Be short.", "user": "u-1"},
    "cut": {"input": "What is a stack?", "max_output_tokens": 5},
    "written by a model": {"input": WRITTEN},
    "as the published object": {"input": "What is a stack?", "text": as_text(OBJECT)},
    "as a form": {"input": "What is a stack?", "text": as_text(FORM)},
    "not stored": {"input": "What is a stack?", "store": False},
}


def added(model: Any) -> Iterator[str]:
    """The fields of a reply, however deep, that the client's types do not have."""
    if isinstance(model, list):
        for one in model:
            yield from added(one)
    if isinstance(model, BaseModel):
        yield from model.model_extra or {}
        for name in type(model).model_fields:
            yield from added(getattr(model, name))


@pytest.fixture
def got(home: Path) -> Callable[..., Any]:
    """What a coroutine function gets by the strict client of a gateway whose model fills forms with `chooses`."""

    def run(work: Callable[[openai.AsyncOpenAI], Awaitable[Any]], chooses: Any, **model_server: Any) -> Any:
        async def whole() -> Any:
            async with stand_in(**model_server) as model:
                model.chooses = json.dumps(chooses)
                settings = Settings(home=home, llm_url=model.url, model_admission="always", requests_per_minute=0)
                async with running(settings) as gateway:
                    return await work(strict(gateway))

        return asyncio.run(whole())

    return run


def strict(gateway: Gateway) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url="http://coteach.test/v1",
        api_key=gateway.key(),
        http_client=gateway.client,
        max_retries=0,
        _strict_response_validation=True,
    )


@pytest.mark.parametrize("chooses", [{"term": "stack"}, {"term": "Moriarty of 1789"}], ids=["filled", "refused"])
def test_every_kind_of_chat_completion_whole_and_streamed(got: Any, chooses: Any) -> None:
    async def work(client: openai.AsyncOpenAI) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for name, more in CHAT.items():
            whole = await client.chat.completions.create(model="coteach:ds", **more)
            options = {"include_usage": True}
            stream = await client.chat.completions.create(
                model="coteach:ds", stream=True, stream_options=options, **more
            )
            found[name] = [whole, *[one async for one in stream]]
        return found

    for name, (whole, *chunks) in got(work, chooses).items():
        assert set(added(whole)) == {"coteach"}, name
        assert set(added(chunks)) == {"coteach", "annotations"}, name
        said = "".join(one.choices[0].delta.content or "" for one in chunks if one.choices)
        assert said == (whole.choices[0].message.content or ""), name
        ends = [one.choices[0].finish_reason for one in chunks if one.choices]
        assert [one for one in ends if one] == [whole.choices[0].finish_reason], name
        assert chunks[-1].usage.completion_tokens == whole.usage.completion_tokens, name


@pytest.mark.parametrize("chooses", [{"term": "stack"}, {"term": "Moriarty of 1789"}], ids=["filled", "refused"])
def test_every_kind_of_response_whole_streamed_and_read_again(got: Any, chooses: Any) -> None:
    async def work(client: openai.AsyncOpenAI) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for name, more in RESPONSES.items():
            user = {"X-Coteach-User": more.get("user", "")}
            whole = await client.responses.create(model="coteach:ds", **more)
            kept = more.get("store", True)
            again = await client.responses.retrieve(whole.id, extra_headers=user) if kept else whole
            stream = await client.responses.create(model="coteach:ds", stream=True, **more)
            found[name] = [whole, again, *[one async for one in stream]]
        return found

    for name, (whole, again, *events) in got(work, chooses).items():
        assert set(added([whole, again, *events])) == {"coteach"}, name
        assert again.output == whole.output, name
        last = events[-1]
        assert last.type == f"response.{whole.status}", name
        assert last.response.output[0].content == whole.output[0].content, name


@pytest.mark.parametrize("behaviour", ["breaks", "dies midway"])
def test_what_comes_of_a_model_that_fails_keeps_to_the_types_too(got: Any, behaviour: str) -> None:
    async def work(client: openai.AsyncOpenAI) -> list[Any]:
        whole = await client.chat.completions.create(model="coteach:ds", messages=ASKED_MODEL)
        stream = await client.responses.create(model="coteach:ds", input=WRITTEN, stream=True)
        return [whole, *[one async for one in stream]]

    whole, *events = got(work, None, behaviour=behaviour)
    assert whole.coteach["degraded"]
    assert set(added([whole, *events])) == {"coteach"}
    assert events[-1].type == "response.completed"
