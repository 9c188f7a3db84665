"""Who is let in while others are worked on: as many as can be answered in time, and refusals at once beyond that."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fastapi import FastAPI

from serving.gateway.load_shedding import Shedding, Working
from serving.gateway.request_claims import question_length
from serving.llm.load import AT_FIRST_S, AT_WORK, LONG_COSTS, PLACE, Load, make_room


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def busy(load: Load, clock: Clock, *, seconds: float, times: int) -> None:
    for _ in range(times):
        place = load.enter()
        clock.now += seconds
        place.give_back()


def let_in(load: Load) -> int:
    places = []
    while not load.is_full() and len(places) < 1000:
        places.append(load.enter())
    return len(places)


def test_as_many_are_let_in_as_can_be_answered_in_time() -> None:
    clock = Clock()
    load = Load(patience_s=0.7, clock=clock)
    busy(load, clock, seconds=0.01, times=200)
    assert 60 <= let_in(load) <= 75


def test_a_short_one_is_let_in_while_a_long_one_would_wait_too_long() -> None:
    clock = Clock()
    load = Load(patience_s=0.7, passing_s=10, clock=clock)
    busy(load, clock, seconds=0.013, times=200)
    long_ones = 0
    while not load.is_full(1):
        load.enter(1)
        long_ones += 1
    assert long_ones == 4  # five of twelve short ones' cost are more than the patience
    assert not load.is_full(0)
    assert load.wait_s(0) == pytest.approx(0.013 * (long_ones + 1), rel=0.1)


def test_what_a_long_one_took_does_not_make_short_ones_look_slow() -> None:
    clock = Clock()
    load = Load(patience_s=0.7, clock=clock)
    for _ in range(200):
        place = load.enter(1)
        clock.now += 0.013 * LONG_COSTS
        place.give_back()
    assert load.wait_s() == pytest.approx(0.013, rel=0.05)


def test_short_ones_alone_are_let_in_as_many_as_can_be_answered_in_time_before_the_long_that_wait() -> None:
    """The flood of short ones is bounded itself, so that the long ones' turn comes."""
    load = Load(patience_s=0.7, passing_s=0.7, clock=Clock())
    load.enter(1)
    assert let_in(load) <= 0.7 / AT_FIRST_S


def test_the_first_ones_are_let_in_before_anything_was_measured() -> None:
    assert let_in(Load(patience_s=0.7, clock=Clock())) >= 30


def test_a_question_that_is_slow_by_itself_is_answered_when_it_is_alone() -> None:
    clock = Clock()
    load = Load(patience_s=0.7, clock=clock)
    busy(load, clock, seconds=5, times=100)
    assert let_in(load) == 1


def test_without_patience_everybody_is_let_in() -> None:
    assert let_in(Load(patience_s=0, clock=Clock())) == 1000


def test_who_waits_for_the_model_makes_room_once() -> None:
    clock = Clock()
    load = Load(patience_s=0.02, clock=clock)
    place = load.enter()
    assert load.is_full()
    PLACE.set(place)
    make_room()
    make_room()
    place.give_back()
    assert not load.is_full()


class AtWork:
    """An app that counts how many questions it works on, and in which order they came to it."""

    def __init__(self) -> None:
        self.now, self.most, self.begun = 0, 0, list[int]()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.begun.append(len(json.loads((await receive())["body"])["messages"][-1]["content"]))
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.001)
        self.now -= 1


def asked_at_once(lengths: list[int], *, passing_s: float) -> AtWork:
    """What an app saw of questions of so many characters, which came in this order at one moment."""
    inside = AtWork()
    working = Working(inside, load=Load(patience_s=0, passing_s=passing_s))

    async def ask(length: int) -> None:
        body = {"messages": [{"role": "user", "content": "x" * length}]}
        await working(ASKING, whole(json.dumps(body).encode()), None)  # type: ignore[arg-type]

    async def all_at_once() -> None:
        await asyncio.gather(*(ask(length) for length in lengths))

    asyncio.run(all_at_once())
    return inside


def whole(body: bytes) -> Callable[[], Awaitable[dict[str, Any]]]:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


ASKING = {"type": "http", "method": "POST", "path": "/v1/chat/completions", "headers": []}


def test_few_are_worked_on_at_a_time_in_the_order_in_which_they_came() -> None:
    seen = asked_at_once(list(range(1, 51)), passing_s=0)
    assert seen.most == AT_WORK
    assert seen.begun == list(range(1, 51))


def test_of_those_that_wait_the_shorter_question_goes_first() -> None:
    lengths = [900] * AT_WORK + [800, 30, 500, 31, 700]
    assert asked_at_once(lengths, passing_s=10).begun[AT_WORK:] == [30, 31, 500, 700, 800]


def test_the_shorter_pass_no_longer_than_the_patience() -> None:
    clock = Clock()
    load = Load(patience_s=0.7, passing_s=10, clock=clock)
    begun: list[str] = []

    async def wait(name: str, share: float) -> None:
        await load.enter(share).wait_for_turn()
        begun.append(name)

    async def full() -> None:
        places = [load.enter() for _ in range(AT_WORK)]
        for place in places:
            await place.wait_for_turn()
        waiting = [asyncio.create_task(wait("long", 1))]
        await asyncio.sleep(0)
        for number in (1, 2, 3):
            clock.now = 0.3 * number
            await asyncio.sleep(0)
            waiting.append(asyncio.create_task(wait(f"short after {clock.now:.1f} s", 0)))
            await asyncio.sleep(0)
        for place in places:
            place.give_back()
        await asyncio.gather(*waiting)

    asyncio.run(full())
    assert begun == ["short after 0.3 s", "short after 0.6 s", "long", "short after 0.9 s"]


@pytest.mark.parametrize(
    ("body", "length"),
    [
        (b'{"messages":[{"role":"user","content":"What is a heap?"}]}', 15),
        (b'{"input":"What is a heap?"}', 15),
        (b'{"input":[{"role":"user","content":[{"type":"input_text","text":"heap"},{"type":"input_image"}]}]}', 4),
        (b'{"messages":[{"role":"user","content":"long ago"},{"role":"assistant","content":"x"},{"role":"user",'
         b'"content":"and"},{"role":"user","content":"now?"}]}', 7),
        (b'{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":null}]}', 0),
        (b'{"messages":[1,2]}', 0),
        (b'{"messages":7}', 14),
        (b"[]", 2),
        (b"not json", 8),
        (b"", 0),
        (b'{"input":"' + b"x" * 70_000 + b'"}', 70_012),
    ],
)  # fmt: skip
def test_the_length_of_a_question_is_that_of_what_is_asked_now(body: bytes, length: int) -> None:
    assert question_length(body) == length


def test_who_waits_for_the_model_lets_the_next_one_work() -> None:
    there, all_are_there = 0, asyncio.Event()

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        nonlocal there
        there += 1
        if there > AT_WORK:
            all_are_there.set()
        make_room()
        async with asyncio.timeout(5):
            await all_are_there.wait()

    async def all_at_once() -> None:
        working = Working(inside, load=Load(patience_s=0))
        await asyncio.gather(*(working(ASKING, whole(b"{}"), None) for _ in range(AT_WORK + 1)))  # type: ignore[arg-type]

    asyncio.run(all_at_once())


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/livez"])
@pytest.mark.parametrize("stands", [Shedding, Working])
def test_beyond_that_questions_are_refused_with_a_time_to_come_back(
    stands: type[Shedding | Working], path: str
) -> None:
    load = Load(patience_s=0.01, clock=Clock())
    load.enter()
    sent: list[dict[str, Any]] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = ASKING | {"path": path, "app": FastAPI()}
    asyncio.run(stands(inside, load=load)(scope, whole(b"{}"), send))  # type: ignore[arg-type]
    headers = dict(sent[0]["headers"])
    assert sent[0]["status"] == (503 if path == "/v1/chat/completions" else 200)
    assert (b"retry-after" in headers) is (path == "/v1/chat/completions")
