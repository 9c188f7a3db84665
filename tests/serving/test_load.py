"""Who is let in while others are worked on: as many as can be answered in time, and refusals at once beyond that."""

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI

from serving.gateway.load_shedding import Shedding
from serving.llm.load import AT_WORK, PLACE, Load, make_room


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
    while not load.is_full and len(places) < 1000:
        places.append(load.enter())
    return len(places)


def test_as_many_are_let_in_as_can_be_answered_in_time() -> None:
    clock = Clock()
    load = Load(patience_s=0.7, clock=clock)
    busy(load, clock, seconds=0.01, times=200)
    assert 60 <= let_in(load) <= 75


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
    assert load.is_full
    PLACE.set(place)
    make_room()
    make_room()
    place.give_back()
    assert not load.is_full


def test_few_are_worked_on_at_a_time_in_the_order_in_which_they_came() -> None:
    at_work, most, begun = 0, 0, []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        nonlocal at_work, most
        begun.append(scope["number"])
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0.001)
        at_work -= 1

    async def ask(number: int, shedding: Shedding) -> None:
        scope = {"type": "http", "method": "POST", "path": "/v1/chat/completions", "headers": [], "number": number}
        await shedding(scope, None, None)  # type: ignore[arg-type]

    async def all_at_once() -> None:
        shedding = Shedding(inside, load=Load(patience_s=0))
        await asyncio.gather(*(ask(number, shedding) for number in range(50)))

    asyncio.run(all_at_once())
    assert most == AT_WORK
    assert begun == list(range(50))


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

    async def ask(shedding: Shedding) -> None:
        scope = {"type": "http", "method": "POST", "path": "/v1/chat/completions", "headers": []}
        await shedding(scope, None, None)  # type: ignore[arg-type]

    async def all_at_once() -> None:
        shedding = Shedding(inside, load=Load(patience_s=0))
        await asyncio.gather(*(ask(shedding) for _ in range(AT_WORK + 1)))

    asyncio.run(all_at_once())


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/livez"])
def test_beyond_that_questions_are_refused_with_a_time_to_come_back(path: str) -> None:
    load = Load(patience_s=0.01, clock=Clock())
    load.enter()
    sent: list[dict[str, Any]] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "headers": [], "app": FastAPI()}
    asyncio.run(Shedding(inside, load=load)(scope, None, send))  # type: ignore[arg-type]
    headers = dict(sent[0]["headers"])
    assert sent[0]["status"] == (503 if path == "/v1/chat/completions" else 200)
    assert (b"retry-after" in headers) is (path == "/v1/chat/completions")
