"""A client's own `response_format`: filled by an admitted model with what the answer says, refused where it invents."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import course_rows as rows
import openai
import pytest
from gateways import Gateway, running
from openai.lib._parsing._completions import type_to_response_format_param
from pydantic import BaseModel
from stand_in import StandIn, stand_in

from serving.assistant.generation.form_filling import ClientForm, FormUnfilled, format_path, leaves, read_form
from serving.gateway.client_schemas import MOST_PARTS, read_form_schema
from serving.gateway.errors import GatewayError
from serving.settings import Settings


class Place(BaseModel):
    lecture: str | None
    numbers: list[int]


class Card(BaseModel):
    term: str
    meaning: str
    level: Literal["easy", "hard"]
    place: Place


GOOD = {"term": "stack", "meaning": rows.STACK, "level": "easy", "place": {"lecture": None, "numbers": []}}
QUESTION = "What is a stack?"


def over(home: Path, says: Any, work: Callable[[openai.AsyncOpenAI, StandIn], Awaitable[Any]], **more: Any) -> Any:
    """Run `work` with the official client of a gateway whose model says `says` to whoever wants JSON."""
    text = says if isinstance(says, str) else json.dumps(says)

    async def run() -> Any:
        async with stand_in() as model:
            model.chooses = text
            settings = {"model_admission": "always", "requests_per_minute": 0} | more
            async with running(Settings(home=home, llm_url=model.url, **settings)) as gateway:
                return await work(client_of(gateway), model)

    return asyncio.run(run())


def client_of(gateway: Gateway) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url="http://coteach.test/v1",
        api_key="none",
        http_client=gateway.client,
        max_retries=0,
        _strict_response_validation=True,
    )


async def parsed(client: openai.AsyncOpenAI, model: StandIn | None = None) -> Any:
    return await client.chat.completions.parse(
        model="coteach:ds", messages=[{"role": "user", "content": QUESTION}], response_format=Card
    )


def test_a_form_is_filled_for_both_protocols_whole_and_streamed_and_costs_tokens(home: Path) -> None:
    async def work(client: openai.AsyncOpenAI, model: StandIn) -> list[Any]:
        whole = await parsed(client)
        chat: Any = {"model": "coteach:ds", "messages": [{"role": "user", "content": QUESTION}]}
        async with client.chat.completions.stream(**chat, response_format=Card) as stream:
            streamed = await stream.get_final_completion()
        response = await client.responses.parse(model="coteach:ds", input=QUESTION, text_format=Card)
        async with client.responses.stream(model="coteach:ds", input=QUESTION, text_format=Card) as events:
            of_events = await events.get_final_response()
        return [whole, streamed, response, of_events, [one for one in model.asked if "response_format" in one]]

    whole, streamed, response, of_events, asked = over(home, GOOD, work)
    found = [one.choices[0].message.parsed for one in (whole, streamed)]
    found += [one.output_parsed for one in (response, of_events)]
    assert found == [Card.model_validate(GOOD)] * 4
    assert whole.choices[0].message.annotations
    assert (whole.usage.prompt_tokens, response.usage.input_tokens) == (7, 7)
    kept_to = asked[0]["response_format"]["json_schema"]
    assert (kept_to["name"], kept_to["schema"]["required"]) == ("Card", ["term", "meaning", "level", "place"])
    assert "$ref" not in json.dumps(kept_to)
    assert rows.STACK in asked[0]["messages"][-1]["content"]


INVENTED: dict[str, Any] = {
    "'meaning'": GOOD | {"meaning": "A stack is a tree of hash tables that Knuth sold to IBM in 1789."},
    "'place.numbers[1]'": GOOD | {"place": {"lecture": None, "numbers": [0x1F1F, 41]}},
    "'place.lecture'": GOOD | {"place": {"lecture": "Lecture of Professor Moriarty", "numbers": []}},
    "does not fit at 'level'": GOOD | {"level": "medium"},
    "no whole JSON": '{"term": "sta',
}


@pytest.mark.parametrize("why", INVENTED)
def test_what_the_sources_do_not_bear_or_the_schema_does_not_allow_leaves_the_form_unfilled(
    home: Path, why: str
) -> None:
    async def work(client: openai.AsyncOpenAI, model: StandIn) -> list[Any]:
        response = await client.responses.parse(model="coteach:ds", input=QUESTION, text_format=Card)
        async with client.responses.stream(model="coteach:ds", input=QUESTION, text_format=Card) as events:
            kinds = [one.type async for one in events]
        return [(await parsed(client)).choices[0].message, response.output[0].content[0], kinds]

    message, part, kinds = over(home, INVENTED[why], work)
    assert (message.parsed, message.content) == (None, None)
    assert why in message.refusal
    assert (part.type, part.refusal) == ("refusal", message.refusal)
    assert "response.refusal.done" in kinds
    assert "response.output_text.delta" not in kinds


def test_without_an_admitted_model_a_schema_of_ones_own_is_400_and_the_model_is_not_asked(home: Path) -> None:
    async def work(client: openai.AsyncOpenAI, model: StandIn) -> tuple[Any, list[Any]]:
        with pytest.raises(openai.BadRequestError) as refused:
            await parsed(client)
        return refused.value, model.asked

    for mode in ("never", "exam"):
        error, asked = over(home, GOOD, work, model_admission=mode, exam_seconds=0.1)
        assert (error.code, error.param) == ("unsupported_parameter", "response_format")
        assert "admitted" in error.message
        assert not [one for one in asked if "response_format" in one]


def test_what_nothing_answers_is_said_as_a_refusal(home: Path) -> None:
    async def work(client: openai.AsyncOpenAI, model: StandIn) -> Any:
        reply = await client.chat.completions.parse(
            model="coteach:ds", messages=[{"role": "user", "content": "asdf qwer zxcv"}], response_format=Card
        )
        return reply.choices[0].message, [one for one in model.asked if "response_format" in one]

    message, asked = over(home, GOOD, work)
    assert message.refusal
    assert asked == []


def test_a_server_that_knows_no_schemas_is_asked_in_words_and_its_block_of_code_is_read(home: Path) -> None:
    async def work(client: openai.AsyncOpenAI, model: StandIn) -> tuple[Any, list[bool]]:
        model.knows_schemas = False
        found = (await parsed(client)).choices[0].message.parsed
        return found, ["response_format" in one for one in model.asked if not one.get("stream")]

    found, asked = over(home, f"```json\n{json.dumps(GOOD)}\n```", work)
    assert (found, asked) == (Card.model_validate(GOOD), [True, False])


def test_a_failing_model_server_is_a_refusal_too(home: Path) -> None:
    async def work(client: openai.AsyncOpenAI, model: StandIn) -> Any:
        model.behaviour = "breaks"
        return (await parsed(client)).choices[0].message

    assert "the model failed (LlmUnavailable)" in over(home, GOOD, work).refusal


def form_of(schema: dict[str, Any]) -> ClientForm:
    return read_form_schema({"name": "x", "schema": schema})


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "string"}, "object at its top"),
        (fields(a={"type": "string", "pattern": "(a+)+$"}), "schema.properties.a.pattern"),
        (fields(a={"$ref": "#/$defs/A"}), "'#/$defs/A' at schema.properties.a"),
        (fields(a={"$ref": "https://example.org/x"}), "https://example.org/x"),
        ({**fields(a={"$ref": "#/$defs/A"}), "$defs": {"A": fields(a={"$ref": "#/$defs/A"})}}, "leads back to itself"),
        (fields(a={"type": "text"}), "a.type"),
        (fields(a=True), "no schema at schema.properties.a"),
        (fields(a={"enum": "x"}), "a.enum"),
        (fields(a={"multipleOf": 0}), "a.multipleOf"),
        (fields(**{f"f{number}": {"type": "string"} for number in range(MOST_PARTS)}), f"{MOST_PARTS} parts"),
        (fields(a={"description": "x" * 9000}), "8000 bytes"),
    ],
)
def test_a_schema_that_is_not_filled_is_refused_by_the_place_in_it(schema: dict[str, Any], told: str) -> None:
    with pytest.raises(GatewayError, match="response_format") as refused:
        form_of(schema)
    assert (told in refused.value.message, refused.value.param) == (True, "response_format")


def test_references_that_double_at_every_step_are_refused_and_not_put_in() -> None:
    doubling = {f"A{n}": {"anyOf": [{"$ref": f"#/$defs/A{n + 1}"}] * 2} for n in range(40)} | {"A40": {"type": "null"}}
    with pytest.raises(GatewayError, match="parts"):
        form_of({**fields(a={"$ref": "#/$defs/A0"}), "$defs": doubling})


def test_a_schema_as_the_official_client_makes_it_is_read_without_references() -> None:
    param: Any = type_to_response_format_param(Card)
    form = read_form_schema(param["json_schema"])
    assert json.loads(json.dumps(form.schema))["properties"]["place"]["properties"]["numbers"]["type"] == "array"
    assert read_form(json.dumps(GOOD), form) == GOOD
    with pytest.raises(FormUnfilled, match="no whole JSON"):
        read_form('{"term": NaN}', form)


def test_texts_and_numbers_are_found_with_their_places_and_choices_are_not_texts() -> None:
    value = {"a": ["x", {"b": 2}], "c": True, "d": None}
    assert [(format_path(path), leaf) for path, leaf in leaves(value)] == [("'a[0]'", "x"), ("'a[1].b'", 2)]
