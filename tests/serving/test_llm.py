"""The client of the model server against a stand-in that fails in each way a server can."""

import asyncio
import time
from contextlib import aclosing

import anyio
import openai
import pytest
from anyio._backends._asyncio import SocketStream
from openai.types.chat import ChatCompletionChunk
from stand_in import NAME, Behaviour, StandIn, stand_in

from serving.llm.client import LlmTimes, OpenAiModel
from serving.llm.language_model import Completion, LlmError, LlmRejected, LlmTimeout, LlmUnavailable
from serving.llm.messages import Message
from serving.llm.waiting_line import WaitingLine

HELLO = [Message("user", "hello")]


async def ask(server: StandIn, times: LlmTimes | None = None) -> Completion:
    model = OpenAiModel(server.url, times=times)
    try:
        return await model.complete(HELLO, max_tokens=50)
    finally:
        await model.aclose()


def try_it(behaviour: Behaviour, times: LlmTimes | None = None) -> Completion:
    async def run() -> Completion:
        async with stand_in(behaviour) as server:
            return await ask(server, times)

    return asyncio.run(run())


def test_a_whole_answer_comes_with_the_token_counts_of_the_server() -> None:
    assert try_it("answers") == Completion("A stack is last in, first out [1].", NAME, 7, 3)


def test_the_request_is_what_the_settings_say() -> None:
    async def run() -> StandIn:
        async with stand_in() as server:
            await ask(server)
            return server

    asked = asyncio.run(run()).asked[0]
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == (NAME, 0.2, 50)
    assert asked["messages"] == [{"role": "user", "content": "hello"}]


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        ("dies midway", LlmUnavailable),
        ("ends early", LlmUnavailable),
        ("breaks", LlmUnavailable),
        ("refuses", LlmRejected),
        ("garbles", LlmRejected),
    ],
)
def test_each_failure_has_its_place_in_the_tree(behaviour: Behaviour, expected: type[LlmError]) -> None:
    with pytest.raises(expected):
        try_it(behaviour)


def test_a_refused_connection_is_noticed_at_once() -> None:
    async def run() -> float:
        async with stand_in() as server:
            url = server.url
        model = OpenAiModel(url, model="m")
        started = time.monotonic()
        with pytest.raises(LlmUnavailable, match="No connection"):
            await model.complete(HELLO)
        await model.aclose()
        return time.monotonic() - started

    assert asyncio.run(run()) < 1.0


def test_a_connection_that_closes_while_it_opens_is_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """anyio then looks at a socket that is gone; seen when a model server was killed while fifty asked it."""

    def closed(stream: SocketStream, *_: object) -> object:
        stream._transport.abort()
        raise AttributeError("'NoneType' object has no attribute 'getpeername'")

    async def run() -> bool:
        async with stand_in() as server:
            monkeypatch.setattr(anyio.TypedAttributeProvider, "extra", closed)
            with pytest.raises(LlmUnavailable, match="getpeername"):
                await ask(server)
            model = OpenAiModel(server.url)
            try:
                return await model.is_alive()
            finally:
                await model.aclose()

    assert asyncio.run(run()) is False


def test_a_server_that_hangs_with_open_sockets_is_noticed_within_four_seconds() -> None:
    started = time.monotonic()
    with pytest.raises(LlmUnavailable, match="no longer reacts"):
        try_it("hangs")
    assert time.monotonic() - started < 4.0


def test_a_healthy_server_that_falls_silent_is_a_timeout() -> None:
    with pytest.raises(LlmTimeout, match="sent nothing"):
        try_it("stalls", LlmTimes(stall=0.3, probe=0.1))


def test_the_whole_answer_has_a_deadline() -> None:
    with pytest.raises(LlmTimeout):
        try_it("stalls", LlmTimes(stall=60, whole=0.3, probe=0.1))


def test_a_live_server_is_told_from_a_dead_one() -> None:
    async def run() -> list[bool]:
        async with stand_in() as server:
            model = OpenAiModel(server.url)
            alive = await model.is_alive()
        dead = await model.is_alive()
        await model.aclose()
        return [alive, dead]

    assert asyncio.run(run()) == [True, False]


def test_many_who_wait_look_at_the_servers_health_together() -> None:
    async def run() -> int:
        async with stand_in("stalls") as server:
            model = OpenAiModel(server.url, times=LlmTimes(stall=1.0, probe=0.2))
            waiting = [model.complete([Message("user", str(number))], max_tokens=5) for number in range(20)]
            failed = await asyncio.gather(*waiting, return_exceptions=True)
            await model.aclose()
            assert {type(error) for error in failed} == {LlmTimeout}
            return server.looks

    assert 2 <= asyncio.run(run()) <= 16


def test_a_server_that_serves_another_model_is_seen_to_do_so_unless_a_name_was_chosen() -> None:
    async def sources() -> tuple[list[str], list[str]]:
        async with stand_in() as server:
            found, chosen = OpenAiModel(server.url), OpenAiModel(server.url, model=server.name)
            first = [await found.source(), await chosen.source()]
            server.name = "another"
            second = [await found.source(), await chosen.source()]
            [_ async for _ in found.stream([Message("user", "hello")], max_tokens=5, temperature=0.0)]
            assert server.asked[-1]["model"] == "another"
            await found.aclose()
            await chosen.aclose()
            return first, second

    first, second = asyncio.run(sources())
    assert first[0] == first[1]
    assert second == ["another", first[1]]


async def in_a_line_of_one(server: StandIn, times: LlmTimes | None = None) -> OpenAiModel:
    """A client that asks the server one thing at a time, and knows its model already."""
    model = OpenAiModel(server.url, times=times, line=WaitingLine(1, passing_s=10))
    await model.model_name()
    return model


def test_the_shorter_request_is_sent_first_of_those_that_wait() -> None:
    async def run() -> list[int]:
        async with stand_in() as server:
            server.pause = 0.02
            model = await in_a_line_of_one(server)
            one_by_one = [
                asyncio.create_task(model.complete(HELLO, max_tokens=most)) for most in (1000, 4000, 2000, 40, 3000)
            ]
            await asyncio.sleep(0)
            chosen = asyncio.create_task(model.choose(HELLO, ["yes", "no"]))
            await asyncio.gather(*one_by_one, chosen)
            await model.aclose()
            return [asked["max_tokens"] for asked in server.asked]

    assert asyncio.run(run()) == [1000, 5, 40, 2000, 3000, 4000]


@pytest.mark.parametrize("behaviour", ["ends early", "breaks", "refuses", "stalls"])
def test_a_request_that_fails_gives_its_place_back(behaviour: Behaviour) -> None:
    async def run() -> int:
        async with stand_in(behaviour) as server:
            model = await in_a_line_of_one(server, LlmTimes(stall=0.2))
            for _ in range(2):
                with pytest.raises(LlmError):
                    await model.complete(HELLO)
            await model.aclose()
            return len(server.asked)

    assert asyncio.run(run()) == 2


def test_a_reader_that_leaves_gives_its_place_back() -> None:
    async def run() -> Completion:
        async with stand_in() as server:
            model = await in_a_line_of_one(server)
            async with aclosing(model.stream(HELLO)) as pieces:
                async for _ in pieces:
                    break
            found = await asyncio.wait_for(model.complete(HELLO), 10)
            await model.aclose()
            return found

    assert asyncio.run(run()).text == "A stack is last in, first out [1]."


class Opened(openai.AsyncStream[ChatCompletionChunk]):
    """A stream that a server has opened."""

    def __init__(self) -> None:
        self.is_closed = False

    async def close(self) -> None:
        self.is_closed = True


def test_a_stream_that_opens_just_when_its_reader_leaves_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> bool:
        model, opened = OpenAiModel("http://127.0.0.1:9/v1", model="m"), Opened()
        answers = asyncio.get_running_loop().create_future()

        async def create(**_: object) -> Opened:
            await answers
            return opened

        monkeypatch.setattr(model._client.chat.completions, "create", create)
        async with aclosing(model.stream([Message("user", "Why?")])) as pieces:
            reader = asyncio.ensure_future(anext(pieces))
            await asyncio.sleep(0.05)
            answers.set_result(None)
            await asyncio.sleep(0)  # now it is open, and its reader does not know yet
            reader.cancel()
            await asyncio.wait({reader})
        await model.aclose()
        return opened.is_closed

    assert asyncio.run(run())


def test_who_waits_too_long_for_a_turn_is_told_as_of_a_silent_server() -> None:
    async def run() -> None:
        async with stand_in() as server:
            server.pause = 5
            model = await in_a_line_of_one(server, LlmTimes(first_token=0.3))
            async with aclosing(model.stream(HELLO)) as first:
                assert (await anext(first)).text
                began = time.perf_counter()
                with pytest.raises(LlmTimeout):
                    await model.complete(HELLO)
                assert time.perf_counter() - began < 4
                assert len(server.asked) == 1
            await model.aclose()

    asyncio.run(run())
