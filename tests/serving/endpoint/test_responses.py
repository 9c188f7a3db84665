"""`/v1/responses` as the official client asks it, with strict validation: whole, streamed, and one after another."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import course_rows as rows
import openai
import pytest
from gateways import Gateway, bearer, running
from openai.types.responses import Response, ResponseStreamEvent
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from stand_in import stand_in

from serving.gateway.answer_object import AnswerObject
from serving.gateway.parameters import RESPONSE_PARAMETERS
from serving.gateway.signed_links import ResponseIds
from serving.settings import Settings

QUESTION = "What is a stack?"
DIFFERENCE = "What is the difference between a stack and a queue?"
OWN = {"session_id"}

VALID: dict[str, Any] = {
    "instructions": "Be short.",
    "previous_response_id": None,
    "stream": False,
    "stream_options": {"include_obfuscation": False},
    "max_output_tokens": 50,
    "temperature": 0.5,
    "top_p": 0.9,
    "text": {"format": {"type": "text"}, "verbosity": "medium"},
    "metadata": {"video": "02 stacks"},
    "store": False,
    "user": "u-1",
    "safety_identifier": "s-1",
    "session_id": None,
}
INVALID: dict[str, Any] = {
    "input": 3,
    "model": 3,
    "instructions": ["x"],
    "previous_response_id": "resp_nope",
    "stream": "yes",
    "stream_options": {"include_obfuscation": True},
    "max_output_tokens": 0,
    "temperature": "hot",
    "top_p": 0,
    "text": {"format": {"type": "json_object"}},
    "metadata": {"course": 3},
    "store": "no",
    "user": 4,
    "safety_identifier": ["x"],
    "session_id": 5,
}
REFUSED = [one for one in RESPONSE_PARAMETERS if not one.is_honoured]


def client_of(gateway: Gateway, key: str = "none") -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url="http://coteach.test/v1",
        api_key=key,
        http_client=gateway.client,
        max_retries=0,
        _strict_response_validation=True,
    )


@pytest.fixture
def post_all(use: Any) -> Any:
    """One request after the other; the replies."""

    def posted(each: list[dict[str, Any]], **settings: Any) -> list[Any]:
        async def work(gateway: Gateway) -> list[Any]:
            body = {"model": "coteach:ds", "input": QUESTION}
            return [await gateway.client.post("/v1/responses", json=body | more) for more in each]

        replies: list[Any] = use(work, requests_per_minute=0, **settings)
        return replies

    return posted


def test_the_table_has_every_parameter_of_the_official_client() -> None:
    assert {one.name for one in RESPONSE_PARAMETERS} == set(ResponseCreateParamsStreaming.__annotations__) | OWN


def test_an_honoured_parameter_is_taken_with_a_valid_value_and_with_null(post_all: Any) -> None:
    asked = [{name: value} for name, valid in VALID.items() for value in (valid, None)]
    for each, reply in zip(asked, post_all(asked), strict=True):
        assert (each, reply.status_code) == (each, 200), reply.text


def test_an_honoured_parameter_with_a_wrong_value_is_refused_by_its_name(post_all: Any) -> None:
    assert set(INVALID) == {one.name for one in RESPONSE_PARAMETERS if one.is_honoured}
    for name, reply in zip(INVALID, post_all([{name: value} for name, value in INVALID.items()]), strict=True):
        assert (name, reply.status_code) == (name, 404 if name == "previous_response_id" else 400)
        assert reply.json()["error"]["param"].startswith(name)


def test_what_is_not_supported_is_400_by_its_name_and_what_asks_for_nothing_passes(post_all: Any) -> None:
    for one, reply in zip(REFUSED, post_all([{one.name: "something"} for one in REFUSED]), strict=True):
        error = reply.json()["error"]
        assert (reply.status_code, error["code"], error["param"]) == (400, "unsupported_parameter", one.name)
    neutral = [{one.name: value} for one in REFUSED for value in (None, *one.neutral)]
    assert {reply.status_code for reply in post_all(neutral)} == {200}


def test_items_that_are_no_messages_of_text_are_400_by_their_place(post_all: Any) -> None:
    strange: list[dict[str, Any]] = [
        {"type": "function_call_output", "call_id": "x", "output": "42"},
        {"type": "reasoning", "id": "x", "summary": []},
        {"role": "user", "content": [{"type": "input_image", "image_url": "x"}]},
        {"role": "assistant", "content": "x", "tool_calls": "x"},
    ]
    for reply in post_all([{"input": [one, {"role": "user", "content": QUESTION}]} for one in strange]):
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "unsupported_parameter")
        assert reply.json()["error"]["param"].startswith("input.0.")


async def whole_and_streamed(gateway: Gateway, **more: Any) -> tuple[Response, list[ResponseStreamEvent]]:
    client = client_of(gateway)
    whole = await client.responses.create(model="coteach:ds", input=QUESTION, **more)
    stream = await client.responses.create(model="coteach:ds", input=QUESTION, stream=True, **more)
    return whole, [event async for event in stream]


def test_the_official_client_reads_an_answer_with_its_annotations_whole_and_streamed(use: Any) -> None:
    whole, events = use(whole_and_streamed)
    assert whole.output_text.startswith(rows.STACK)
    assert (whole.status, whole.id.startswith("resp_")) == ("completed", True)
    noted = whole.output[0].content[0].annotations
    assert noted[0].url == "http://127.0.0.1:8080/courses/ds/videos/02%20stacks?t=192" or noted[0].url.endswith(
        "?t=192"
    )
    assert "[1]" in whole.output_text[noted[0].start_index : noted[0].end_index]
    said = "".join(one.delta for one in events if one.type == "response.output_text.delta")
    assert said == whole.output_text
    last = events[-1]
    assert last.type == "response.completed"
    assert last.response.output_text == said
    assert [one.type for one in events if one.type.endswith("annotation.added")]
    assert [one.sequence_number for one in events] == list(range(len(events)))


def test_a_citation_without_a_mark_in_the_text_stands_for_the_whole_text(use: Any) -> None:
    whole, _ = use(
        lambda gateway: whole_and_streamed(gateway, metadata={"footnotes": "never"}), model_admission="always"
    )
    noted = whole.output[0].content[0].annotations
    assert whole.output_text == rows.STACK
    assert whole.output_text[noted[0].start_index : noted[0].end_index] == rows.STACK


def test_an_answer_that_was_cut_is_incomplete(use: Any) -> None:
    whole, events = use(lambda gateway: whole_and_streamed(gateway, max_output_tokens=5))
    assert (whole.status, whole.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert events[-1].type == "response.incomplete"


def test_the_published_schema_is_parsed_by_the_official_client(use: Any) -> None:
    async def work(gateway: Gateway) -> Any:
        return await client_of(gateway).responses.parse(model="coteach:ds", input=QUESTION, text_format=AnswerObject)

    parsed = use(work).output_parsed
    assert parsed.answer.startswith(rows.STACK)
    assert parsed.references[0].number == 1


def test_an_answer_goes_on_from_the_one_before_with_and_without_a_key(use: Any) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        found = []
        for key in ("none", gateway.key()):
            client = client_of(gateway, key)
            first = await client.responses.create(model="coteach:ds", input=QUESTION)
            then = await client.responses.create(
                model="coteach:ds", input="Where is it taught?", previous_response_id=first.id
            )
            found.append((first.coteach, then.coteach, then.previous_response_id == first.id))
        return found

    for first, then, is_named in use(work):
        assert then["session"] == first["session"]
        assert "stack" in then["resolved"]
        assert is_named


def test_from_the_middle_a_new_conversation_branches_off_that_knows_what_was_said_before(use: Any) -> None:
    async def work(gateway: Gateway) -> tuple[Any, ...]:
        client = client_of(gateway)

        async def asked(text: str, before: str | None = None) -> Any:
            return await client.responses.create(model="coteach:ds", input=text, previous_response_id=before)

        first = await asked(QUESTION)
        await asked("What is a queue?", first.id)
        branch = await asked("When is the deadline of homework 3?", first.id)
        last = await asked("Hm.", branch.id)
        from serving.store.turns import history_of

        session = last.coteach["session"]
        said = gateway.store.read(lambda db: history_of(db, session))
        return first.coteach, branch.coteach, session, [one.content for one in said if one.role == "user"]

    first, branch, session, said = use(work)
    assert branch["session"] != first["session"]
    assert session == branch["session"]
    assert said == [QUESTION, "When is the deadline of homework 3?", "Hm."]


def test_nobody_goes_on_from_anothers_answer_or_from_an_id_that_was_made_up(use: Any) -> None:
    async def work(gateway: Gateway) -> list[int]:
        asked = {"model": "coteach:ds", "input": QUESTION}
        mine, other = gateway.key(), gateway.key()
        first = (await gateway.client.post("/v1/responses", json=asked, headers=bearer(mine))).json()
        made_up = "resp_" + first["coteach"]["trace_id"] + "A" * 43
        followed = [(first["id"], mine), (first["id"], other), (made_up, mine), (made_up, None), (first["id"], None)]
        return [
            (
                await gateway.client.post(
                    "/v1/responses", json=asked | {"previous_response_id": one}, headers=bearer(key) if key else {}
                )
            ).status_code
            for one, key in followed
        ]

    assert use(work) == [200, 404, 404, 404, 404]


def test_an_id_is_read_by_its_secret_alone() -> None:
    ids = ResponseIds(b"one")
    made = ids.make("a" * 32)
    assert ids.read(made) == "a" * 32
    for wrong in ("", "resp_", made[:-1], made + "A", made.replace("a", "b", 1), "x" + made):
        assert ids.read(wrong) is None
    assert ResponseIds(b"two").read(made) is None


@asynccontextmanager
async def over_model(home: Path, behaviour: Any = "answers", **more: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    async with (
        stand_in(behaviour, **more) as model,
        running(Settings(home=home, llm_url=model.url, model_admission="always", requests_per_minute=0)) as gateway,
    ):
        yield client_of(gateway)


def test_what_a_model_writes_is_streamed_with_its_tokens(home: Path) -> None:
    async def run() -> list[ResponseStreamEvent]:
        async with over_model(home) as client:
            stream = await client.responses.create(model="coteach:ds", input=DIFFERENCE, stream=True)
            return [event async for event in stream]

    events = asyncio.run(run())
    deltas = [one for one in events if one.type == "response.output_text.delta"]
    assert len(deltas) > 1
    last = events[-1]
    assert last.type == "response.completed"
    assert last.response.usage is not None
    assert last.response.usage.output_tokens > 0


def test_an_answer_that_breaks_off_ends_with_a_failed_response(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from serving.assistant.turn import Delta
    from serving.gateway.conversations import Conversations

    async def breaking(self: Conversations, *_: Any) -> Any:
        yield Delta("A stack")
        raise RuntimeError("power cut")

    monkeypatch.setattr(Conversations, "ask", breaking)

    async def run() -> list[ResponseStreamEvent]:
        async with running(Settings(home=home)) as gateway:
            stream = await client_of(gateway).responses.create(model="coteach:ds", input=QUESTION, stream=True)
            return [event async for event in stream]

    last = asyncio.run(run())[-1]
    assert last.type == "response.failed"
    assert last.response.error is not None
    assert last.response.error.code == "server_error"


def test_a_repeated_request_is_answered_once_and_its_key_is_of_one_route(use: Any) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        key = {"Idempotency-Key": "k"}
        asked = {"model": "coteach:ds", "input": QUESTION}
        first, again = [await gateway.client.post("/v1/responses", json=asked, headers=key) for _ in range(2)]
        chat = {"model": "coteach:ds", "messages": [{"role": "user", "content": QUESTION}]}
        other = await gateway.client.post("/v1/chat/completions", json=chat, headers=key)
        return [first.json()["id"], again.json()["id"], other.status_code]

    first, again, other = use(work)
    assert (first == again, other) == (True, 200)
