"""Responses read again and deleted by whom they were given to, with the official client; and those not stored."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import urlsplit

import openai
import pytest
from gateways import Gateway, bearer, running
from openai.types.responses.response_retrieve_params import ResponseRetrieveParamsStreaming
from sqlalchemy import func, select
from stand_in import stand_in

from serving.gateway.answer_object import AnswerObject
from serving.gateway.parameters import RETRIEVAL_PARAMETERS
from serving.settings import Settings
from serving.store.tables.base import Base
from serving.store.tables.conversation import ChatSession, ReplyRow, TraceRow, TurnRow
from serving.store.tables.review import TaQuestion

QUESTION = "What is a stack?"
ASKED: dict[str, Any] = {"model": "coteach:ds", "input": QUESTION}
GIVEN_BACK: dict[str, Any] = {
    "instructions": "Answer in one sentence.",
    "max_output_tokens": 60,
    "temperature": 0.5,
    "top_p": 0.9,
    "metadata": {"video": "02 stacks"},
}
PUBLISHED: Any = {"type": "json_schema", "name": "coteach_answer", "schema": AnswerObject.model_json_schema()}
NOT_STORED = {"user"}
"""What is not given back: the store knows nobody by a name that a service gave them."""


def client_of(gateway: Gateway, key: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url="http://coteach.test/v1",
        api_key=key,
        http_client=gateway.client,
        max_retries=0,
        _strict_response_validation=True,
    )


def rows_of(gateway: Gateway) -> dict[str, int]:
    """How many rows there are of what hangs on an answer."""
    tables: tuple[type[Base], ...] = (ChatSession, TurnRow, TraceRow, ReplyRow, TaQuestion)
    return {
        one.__tablename__: gateway.store.read(lambda db, one=one: db.scalar(select(func.count()).select_from(one)))
        for one in tables
    }


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {name: value for name, value in one.items() if name not in NOT_STORED} == {
        name: value for name, value in other.items() if name not in NOT_STORED
    }


def test_a_response_is_read_again_as_it_was_given_whole_streamed_and_by_its_schema(use: Any) -> None:
    async def work(gateway: Gateway) -> list[tuple[Any, Any]]:
        client = client_of(gateway, gateway.key()).with_options(default_headers={"X-Coteach-User": "u-1"})
        whole = await client.responses.create(**ASKED, **GIVEN_BACK, user="u-1")
        cut = await client.responses.create(**ASKED, max_output_tokens=5, previous_response_id=whole.id)
        bare = await client.responses.create(**ASKED, extra_body={"metadata": {"footnotes": "never"}})
        events = [one async for one in await client.responses.create(**ASKED, stream=True)]
        typed = await client.responses.create(**ASKED, text={"format": PUBLISHED})
        given = [whole, cut, bare, events[-1].response, typed]
        return [(one, await client.responses.retrieve(one.id)) for one in given]

    found = use(work, requests_per_minute=0)
    for given, again in found:
        assert same(again.model_dump(), given.model_dump()), given
    whole, cut, bare, streamed, typed = (again for _, again in found)
    assert {name: getattr(whole, name) for name in GIVEN_BACK} == GIVEN_BACK
    assert (whole.user, whole.coteach["stored"]) == (None, True)
    assert cut.status == "incomplete"
    assert cut.previous_response_id == whole.id
    assert bare.output_text != streamed.output_text
    assert AnswerObject.model_validate_json(typed.output_text).references[0].url


def test_a_filled_form_and_a_refusal_are_read_again_with_what_they_cost(home: Path) -> None:
    form = {
        "type": "json_schema",
        "name": "x",
        "schema": {"type": "object", "properties": {"term": {"type": "string"}}},
    }

    async def run() -> list[tuple[Any, Any]]:
        async with stand_in() as model:
            settings = Settings(home=home, llm_url=model.url, model_admission="always", requests_per_minute=0)
            async with running(settings) as gateway:
                client = client_of(gateway, gateway.key())
                found = []
                for model.chooses in ('{"term": "stack"}', '{"term": "Napoleon of Moriarty"}'):
                    given = await client.responses.create(**ASKED, text={"format": form})  # type: ignore[call-overload]
                    found.append((given, await client.responses.retrieve(given.id)))
                return found

    (filled, filled_again), (refused, refused_again) = asyncio.run(run())
    assert filled.output_text == filled_again.output_text == '{"term": "stack"}'
    assert filled_again.usage == filled.usage
    assert filled_again.usage.output_tokens > 0
    assert refused.output[0].content[0].type == "refusal"
    assert refused_again.output == refused.output


def test_a_response_is_read_again_with_links_that_open_now(use: Any) -> None:
    async def work(gateway: Gateway) -> tuple[str, str, int]:
        headers = bearer(gateway.key())
        given = (await gateway.client.post("/v1/responses", json=ASKED, headers=headers)).json()
        gateway.app.state.signer._seconds = 7200  # as if an hour had gone by
        again = (await gateway.client.get(f"/v1/responses/{given['id']}", headers=headers)).json()
        old, new = (one["output"][0]["content"][0] for one in (given, again))
        assert new["annotations"][0]["url"] in new["text"]
        assert new["annotations"][0]["url"] == again["coteach"]["references"][0]["url"]
        place = urlsplit(new["annotations"][0]["url"])
        opened = await gateway.client.get(f"{place.path}?{place.query}")
        return old["annotations"][0]["url"], new["annotations"][0]["url"], opened.status_code

    old, new, status = use(work, access="keys", link_hours=1)
    assert old.partition("s=")[0] == new.partition("s=")[0]
    assert old != new
    assert status == 200


def test_a_deleted_response_is_gone_with_all_that_hung_on_it_and_no_other_goes_on_from_it(use: Any) -> None:
    async def work(gateway: Gateway) -> Any:
        client = client_of(gateway, key := gateway.key())
        first = await client.responses.create(**ASKED)
        asked = {"trace_id": first.coteach["trace_id"]}
        await gateway.client.post("/v1/questions", json=asked, headers=bearer(key))
        then = await client.responses.create(**ASKED | {"input": "What is a queue?"}, previous_response_id=first.id)
        raw = await gateway.client.delete(f"/v1/responses/{first.id}", headers=bearer(key))
        assert (raw.status_code, raw.json()) == (200, {"id": first.id, "object": "response", "deleted": True})
        left, session = rows_of(gateway), then.coteach["session"]
        kept = (await gateway.client.get(f"/v1/sessions/{session}", headers=bearer(key))).json()
        found = []
        for asking in (
            client.responses.retrieve(first.id),
            client.responses.delete(first.id),
            client.responses.create(**ASKED, previous_response_id=first.id),
            client.responses.create(**ASKED, previous_response_id=first.id, stream=True),
        ):
            with pytest.raises(openai.NotFoundError) as gone:
                await asking
            found.append((gone.value.code, gone.value.param, first.id[:80] in gone.value.message))
        assert await client.responses.delete(then.id) is None
        return left, kept["title"], found, rows_of(gateway)

    left, title, found, at_last = use(work, requests_per_minute=0)
    assert left == {"sessions": 1, "turns": 1, "traces": 1, "replies": 1, "ta_questions": 0}
    assert title == "What is a queue?"
    previous = ("previous_response_not_found", "previous_response_id", True)
    assert found == [("not_found", None, True)] * 2 + [previous] * 2
    assert set(at_last.values()) == {0}


def test_without_a_key_the_id_shows_who_asked_and_another_ones_opens_nothing(use: Any) -> None:
    async def work(gateway: Gateway) -> list[int]:
        mine = (await gateway.client.post("/v1/responses", json=ASKED)).json()["id"]
        path, made_up = f"/v1/responses/{mine}", f"/v1/responses/{mine[:-4]}AAAA"
        others = [bearer(gateway.key(role)) for role in ("student", "ta", "admin")]
        replies = [await gateway.client.get(path, headers=one) for one in others]
        replies += [await gateway.client.delete(path, headers=one) for one in others]
        replies += [await gateway.client.get(made_up), await gateway.client.get(path)]
        replies += [await gateway.client.delete(path), await gateway.client.get(path)]
        return [one.status_code for one in replies]

    assert use(work, requests_per_minute=0) == [404] * 7 + [200, 200, 404]


def test_of_what_may_be_asked_when_reading_nothing_is_ignored_in_silence(use: Any) -> None:
    names = set(get_type_hints(ResponseRetrieveParamsStreaming))
    assert {one.name for one in RETRIEVAL_PARAMETERS} == names
    asked: dict[str, Any] = {"include": ["reasoning.encrypted_content"], "include_obfuscation": True}
    asked |= {"starting_after": 3, "stream": True}

    async def work(gateway: Gateway) -> list[Any]:
        client = client_of(gateway, gateway.key())
        given = await client.responses.create(**ASKED)
        await client.responses.retrieve(given.id, include_obfuscation=False, stream=False)
        found = []
        for name, value in asked.items():
            with pytest.raises(openai.BadRequestError) as refused:
                await client.responses.retrieve(given.id, **{name: value})
            found.append((refused.value.code, refused.value.param))
        with pytest.raises(openai.BadRequestError) as unknown:
            await client.responses.retrieve(given.id, extra_query={"depth": "2"})
        return [*found, unknown.value.param]

    assert use(work, requests_per_minute=0) == [*(("unsupported_parameter", name) for name in asked), "depth"]


def test_of_an_answer_that_is_not_to_be_stored_nothing_is_and_no_other_goes_on_from_it(use: Any) -> None:
    chat = {"model": "coteach:ds", "messages": [{"role": "user", "content": QUESTION}]}

    async def work(gateway: Gateway) -> Any:
        client = client_of(gateway, key := gateway.key())
        whole = await client.responses.create(**ASKED, store=False)
        stream = await client.responses.create(**ASKED, store=False, stream=True)
        streamed = [one async for one in stream][-1].response
        of_chat = (await gateway.client.post("/v1/chat/completions", json=chat | {"store": False})).json()
        stored = rows_of(gateway)
        statuses = []
        for asking in (
            client.responses.retrieve(whole.id),
            client.responses.delete(whole.id),
            client.responses.create(**ASKED, previous_response_id=streamed.id),
        ):
            with pytest.raises(openai.NotFoundError) as gone:
                await asking
            statuses.append(gone.value.status_code)
        trace = await gateway.client.get(f"/v1/traces/{whole.coteach['trace_id']}", headers=bearer(key))
        said = [whole.coteach, streamed.coteach, of_chat["coteach"]]
        return stored, statuses, trace.status_code, [(one["stored"], one["session"]) for one in said], whole

    stored, statuses, trace, said, whole = use(work, requests_per_minute=0)
    assert set(stored.values()) == {0}
    assert (statuses, trace) == ([404] * 3, 404)
    assert said == [(False, None)] * 3
    assert whole.output_text


def test_a_question_that_is_not_stored_still_knows_what_was_said_before(use: Any) -> None:
    async def work(gateway: Gateway) -> Any:
        client = client_of(gateway, gateway.key())
        first = await client.responses.create(**ASKED)
        then = await client.responses.create(
            model="coteach:ds", input="Where is it taught?", previous_response_id=first.id, store=False
        )
        return then.coteach["resolved"], rows_of(gateway)["turns"]

    resolved, turns = use(work)
    assert "stack" in resolved
    assert turns == 1


def test_an_answer_that_is_not_stored_leaves_nothing_when_its_client_leaves_or_it_fails(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from serving.assistant.assistant import Assistant
    from serving.gateway.conversations import Question
    from serving.store.caller import Caller

    async def breaking(self: Assistant, *args: Any, **more: Any) -> Any:
        raise RuntimeError("power cut")

    async def run() -> dict[str, int]:
        async with running(Settings(home=home)) as gateway:
            conversations = gateway.app.state.service.conversations
            asked = Question(QUESTION, "ds", is_kept=False)
            parts = conversations.ask(Caller("ming", is_new=True), asked)
            await anext(parts)
            await parts.aclose()
            monkeypatch.setattr(Assistant, "answer", breaking)
            await gateway.client.post("/v1/responses", json=ASKED | {"store": False})
            await conversations.aclose()
            return rows_of(gateway)

    assert set(asyncio.run(run()).values()) == {0}


def test_a_stopped_stream_can_be_deleted_and_is_not_read_as_if_it_were_whole(use: Any) -> None:
    async def work(gateway: Gateway) -> tuple[Any, int]:
        headers = bearer(gateway.key())
        given = (await gateway.client.post("/v1/responses", json=ASKED, headers=headers)).json()["id"]
        gateway.store.write(lambda db: db.delete(db.scalars(select(ReplyRow)).one()))
        read = await gateway.client.get(f"/v1/responses/{given}", headers=headers)
        return read, (await gateway.client.delete(f"/v1/responses/{given}", headers=headers)).status_code

    read, deleted = use(work)
    assert (read.status_code, deleted) == (404, 200)
    assert "stopped before it was whole" in read.json()["error"]["message"]


def test_metadata_keeps_to_the_limits_of_the_protocol(use: Any) -> None:
    async def work(gateway: Gateway) -> list[str]:
        over: list[dict[str, str]] = [{"k" * 65: "v"}, {"k": "v" * 513}, {f"k{number}": "v" for number in range(17)}]
        replies = [await gateway.client.post("/v1/responses", json=ASKED | {"metadata": one}) for one in over]
        assert [one.status_code for one in replies] == [400] * 3
        return [one.json()["error"]["param"].partition(".")[0] for one in replies]

    assert use(work, requests_per_minute=0) == ["metadata"] * 3
