"""Several servers of one model: stand-ins behind real sockets, two of them processes of which one is killed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError
from stand_in import NAME, Behaviour, StandIn, stand_in

from serving.gateway.app import create_app
from serving.llm.client import LlmTimes, OpenAiModel
from serving.llm.language_model import LlmError, LlmRejected, LlmTimeout, LlmUnavailable
from serving.llm.messages import Message
from serving.llm.model_client import open_model
from serving.llm.processes import free_port
from serving.llm.replicas import FIRST_PAUSE_S, LONGEST_PAUSE_S, Replicas
from serving.settings import Settings

HELLO = [Message("user", "hello")]
_SERVER = """
import asyncio, sys
from stand_in import StandIn

async def serve():
    server = StandIn(pause=float(sys.argv[2]))
    async with await asyncio.start_server(server.handle, "127.0.0.1", int(sys.argv[1])):
        await asyncio.Event().wait()

asyncio.run(serve())
"""


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def replicas(
    servers: Sequence[StandIn], *, times: LlmTimes | None = None, most_writing: int = 0, clock: Clock | None = None
) -> AsyncIterator[Replicas]:
    opened = [OpenAiModel(server.url, times=times) for server in servers]
    model = Replicas(opened, most_writing=most_writing, clock=clock or Clock())
    try:
        yield model
    finally:
        await model.aclose()


@contextmanager
def process(port: int, pause: float) -> Iterator[int]:
    """A stand-in as a process of its own; its id."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    with subprocess.Popen([sys.executable, "-c", _SERVER, str(port), str(pause)], env=environment) as running:
        try:
            for _ in range(200):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            yield running.pid
        finally:
            running.kill()


async def read_into(shown: list[str], model: Replicas) -> None:
    async with aclosing(model.stream(HELLO)) as pieces:
        async for piece in pieces:
            shown.append(piece.text)


async def text_of(model: Replicas) -> str:
    async with aclosing(model.stream(HELLO)) as pieces:
        return "".join([piece.text async for piece in pieces])


def test_the_least_busy_server_is_asked_and_as_busy_ones_in_turn() -> None:
    async def run() -> tuple[list[int], list[int]]:
        async with stand_in() as one, stand_in() as two, replicas([one, two]) as model:
            one.pause = two.pause = 0.1
            await asyncio.gather(*(text_of(model) for _ in range(8)))
            together = [len(server.asked) for server in (one, two)]
            one.pause = two.pause = 1.0
            slow = asyncio.create_task(text_of(model))
            await asyncio.sleep(0.3)  # it is within its first pause
            one.pause = two.pause = 0.0
            for _ in range(4):
                await text_of(model)
            await slow
            return together, sorted(len(server.asked) - 4 for server in (one, two))

    together, beside_a_slow_one = asyncio.run(run())
    assert together == [4, 4]
    assert beside_a_slow_one == [1, 4]


@pytest.mark.parametrize("behaviour", ["breaks", "gone"])
def test_what_one_server_cannot_answer_another_does(behaviour: Behaviour | str) -> None:
    async def run() -> list[str]:
        async with stand_in() as one, stand_in() as two:
            async with replicas([one, two]) as model:
                await text_of(model)
                await text_of(model)  # both are known to serve the model
                if behaviour == "gone":
                    one.dead = True
                else:
                    one.behaviour = "breaks"
                texts = [await text_of(model) for _ in range(6)]
                texts.append((await model.complete(HELLO)).text)
                assert (await model.choose(HELLO, ["yes", "no"])).choice == "yes"
                assert (await model.write_json(HELLO, {}, name="form", max_tokens=9)).text == "yes"
                assert list(model.working.values()) == [False, True]
            return texts

    assert asyncio.run(run()) == ["A stack is last in, first out [1]."] * 7


def test_a_server_that_failed_is_left_alone_for_longer_each_time_and_looked_at_before_it_is_asked() -> None:
    async def run() -> None:
        clock = Clock()
        async with stand_in() as one, stand_in() as two, replicas([one, two], clock=clock) as model:
            await text_of(model)
            await text_of(model)
            one.dead = True
            pause = FIRST_PAUSE_S
            for _ in range(7):
                for _ in range(2):
                    assert await text_of(model)
                resumes = model._replicas[0].resumes_at
                assert resumes == clock.now + min(pause, LONGEST_PAUSE_S)
                clock.now, pause = resumes, 2 * pause
            asked = len(one.asked)
            one.dead = False
            for _ in range(2):
                assert await text_of(model)
            assert one.looks > 0
            assert len(one.asked) == asked + 1
            assert model._replicas[0].failures == 0

    asyncio.run(run())


@pytest.mark.parametrize(
    ("behaviour", "expected"), [("refuses", LlmRejected), ("hangs", LlmTimeout), ("dies midway", LlmUnavailable)]
)
def test_what_no_other_server_can_mend_is_told(behaviour: Behaviour, expected: type[LlmError]) -> None:
    """A refused request would be refused again; a whole wait is over; what was begun was shown."""

    async def run() -> tuple[list[str], int]:
        shown = list[str]()
        times = LlmTimes(first_token=0.4, probe=5.0)
        async with stand_in(behaviour) as one, stand_in() as two, replicas([one, two], times=times) as model:
            model._turn = 1  # so that the first is asked first
            with pytest.raises(expected):
                await read_into(shown, model)
            return shown, len(two.asked)

    shown, asked = asyncio.run(run())
    assert asked == 0
    assert bool("".join(shown)) == (behaviour == "dies midway")


def test_when_none_can_be_asked_it_is_told_and_the_next_request_tries_again() -> None:
    async def run() -> None:
        async with stand_in() as one, stand_in() as two, replicas([one, two]) as model:
            await text_of(model)
            await text_of(model)
            one.dead = two.dead = True
            for _ in range(3):
                with pytest.raises(LlmUnavailable):
                    await text_of(model)
            assert not await model.is_alive()
            two.dead = False
            texts = list[str]()
            for _ in range(2):
                try:
                    texts.append(await text_of(model))
                except LlmUnavailable:
                    continue
            assert texts, "it is asked although it is to be left alone: nothing else can answer"
            assert await model.is_alive()

    asyncio.run(run())


def test_a_server_of_another_model_is_not_asked() -> None:
    async def run() -> tuple[int, str]:
        async with stand_in() as one, stand_in() as two:
            two.name = "another model"
            async with replicas([one, two]) as model:
                model._turn = 1
                for _ in range(4):
                    await text_of(model)
                return len(two.asked), await model.model_name()

    assert asyncio.run(run()) == (0, NAME)


def test_all_together_write_no_more_answers_than_may_be_written() -> None:
    async def run() -> Counter[bool]:
        async with stand_in() as one, stand_in() as two:
            one.pause = two.pause = 0.2
            async with replicas([one, two], most_writing=3) as model:
                came = await asyncio.gather(*(text_of(model) for _ in range(8)), return_exceptions=True)
                assert model._writing == 0
                return Counter(isinstance(one, str) for one in came)

    assert asyncio.run(run()) == {True: 3, False: 5}


def test_a_client_that_leaves_frees_its_server() -> None:
    async def run() -> list[int]:
        async with stand_in() as one, stand_in() as two:
            one.pause = two.pause = 0.2
            async with replicas([one, two]) as model:
                async with aclosing(model.stream(HELLO)) as pieces:
                    await anext(pieces)
                return [replica.open for replica in model._replicas]

    assert asyncio.run(run()) == [0, 0]


def test_the_setting_takes_one_address_or_several() -> None:
    one, two = (Settings(llm_url=url) for url in ("http://a/v1", "http://a/v1, http://b:8100/v1"))
    assert (one.llm_urls, two.llm_urls) == (("http://a/v1",), ("http://a/v1", "http://b:8100/v1"))
    assert isinstance(open_model(one), OpenAiModel)
    assert isinstance(open_model(two), Replicas)
    assert open_model(Settings()) is None
    for wrong in ("http://a/v1,", "http://a/v1,b", ",http://a/v1", "http://a /v1"):
        with pytest.raises(ValidationError, match="llm_url"):
            Settings(llm_url=wrong)


def test_no_question_fails_while_one_of_two_model_servers_is_killed(home: Path) -> None:
    """Through the gateway: streams that were begun on the killed server end with what the material says."""
    ports = [free_port(0), free_port(0)]
    urls = [f"http://127.0.0.1:{port}/v1" for port in ports]
    body = {"model": "coteach:ds", "messages": [{"role": "user", "content": "Compare a stack with a queue."}]}
    settings = Settings(
        home=home, llm_url=",".join(urls), model_admission="always", requests_per_minute=0, kept_answers=0
    )

    async def run(killed: int) -> list[httpx.Response]:
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://gateway", timeout=60) as client:

                async def asking(number: int) -> list[httpx.Response]:
                    return [await client.post("/v1/chat/completions", json=body) for _ in range(6)]

                async def killing() -> None:
                    await asyncio.sleep(0.5)
                    os.kill(killed, signal.SIGKILL)

                came, _ = await asyncio.gather(asyncio.gather(*map(asking, range(4))), killing())
                metrics = await client.get("/metrics")
                assert "coteach_model_servers_working 1.0" in metrics.text
                assert "coteach_model_server_up 1.0" in metrics.text
                return [reply for replies in came for reply in replies]

    with process(ports[0], 0.1) as killed, process(ports[1], 0.1):
        came = asyncio.run(run(killed))
    assert Counter(reply.status_code for reply in came) == {200: 24}
    said = [reply.json()["choices"][0]["message"]["content"] for reply in came]
    written = [text for text in said if "Written by a language model" in text]
    others = [text for text in said if text not in written]
    assert len(others) <= 4, "those that the killed server was writing, at most one for each who asked"
    assert all(text.startswith("The model server did not answer, so this is what the course") for text in others)
