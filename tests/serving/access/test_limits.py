"""Rate limits: counted by a clock that nobody sets, in a bounded amount of memory."""

import asyncio
import time
from contextlib import suppress
from typing import Any

import pytest

from serving.gateway.errors import GatewayError
from serving.gateway.rate_limits import Limits, address_block, span
from serving.gateway.sliding_windows import Windows
from serving.settings import Settings

HOURS = 5 * 3600.0


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def limits(clock: Clock, **settings: Any) -> Limits:
    return Limits(Settings(**settings), clock=clock)


def admitted(limit: Limits, who: str, count: int, **more: Any) -> int:
    """How many of so many requests are let through."""

    async def ask() -> int:
        passed = 0
        for _ in range(count):
            with suppress(GatewayError):
                await limit.admit(who, "questions", **more)
                passed += 1
        return passed

    return asyncio.run(ask())


def test_so_many_a_minute_and_more_when_the_minute_is_over() -> None:
    clock = Clock()
    limit = limits(clock, requests_per_minute=3)
    assert admitted(limit, "key:a", 5) == 3
    clock.now += 125
    assert admitted(limit, "key:a", 5) == 3


def test_each_caller_and_course_has_its_own_and_a_key_may_have_another() -> None:
    limit = limits(Clock(), requests_per_minute=2)
    assert admitted(limit, "key:a", 3, course_id="ds") == 2
    assert admitted(limit, "key:a", 3, course_id="ml") == 2
    assert admitted(limit, "key:b", 3, course_id="ds") == 2
    assert admitted(limit, "key:c", 9, course_id="ds", per_minute=7) == 7


def test_zero_is_no_limit() -> None:
    assert admitted(limits(Clock(), requests_per_minute=0), "key:a", 500) == 500


def test_who_is_refused_is_told_when_to_come_again_in_openais_words() -> None:
    clock = Clock()
    limit = limits(clock, requests_per_minute=1)
    admitted(limit, "key:a", 1)
    with pytest.raises(GatewayError) as refused:
        asyncio.run(limit.admit("key:a", "questions"))
    wait = int(refused.value.headers["Retry-After"])
    assert 1 <= wait <= 60
    assert refused.value.headers["x-ratelimit-limit-requests"] == "1"
    assert refused.value.headers["x-ratelimit-remaining-requests"] == "0"
    assert refused.value.headers["x-ratelimit-reset-requests"].endswith("s")
    clock.now += wait + 1
    assert admitted(limit, "key:a", 1) == 1


@pytest.mark.parametrize("jump", [HOURS, -HOURS, 400 * 86_400.0, -400 * 86_400.0])
def test_a_clock_that_jumps_neither_locks_anybody_out_nor_ends_the_limits(
    jump: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, day = Clock(), time.time()
    limit = limits(clock, requests_per_minute=3)
    assert admitted(limit, "key:a", 2) == 2

    monkeypatch.setattr(time, "time", lambda: day + jump)

    assert admitted(limit, "key:a", 5) == 1
    assert admitted(limit, "key:new", 5) == 3
    clock.now += 125
    assert admitted(limit, "key:a", 5) == 3


def test_a_million_addresses_take_a_bounded_amount_of_memory() -> None:
    windows = Windows(clock=Clock(), most_keys=1000)
    for number in range(1_000_000):
        windows.acquire_sliding_window_entry(f"{number}", 5, 60)
    assert len(windows) == 1000


def test_who_keeps_asking_is_not_forgotten_for_a_flood_of_others() -> None:
    windows = Windows(clock=Clock(), most_keys=10)
    passed = 0
    for number in range(100):
        passed += windows.acquire_sliding_window_entry("the one", 5, 60)
        windows.acquire_sliding_window_entry(f"{number}", 5, 60)
    assert passed == 5


def test_the_window_slides() -> None:
    clock = Clock()
    clock.now = 1020.0  # a window of a minute begins here
    windows = Windows(clock=clock)
    assert sum(windows.acquire_sliding_window_entry("a", 10, 60) for _ in range(20)) == 10
    clock.now += 60 + 30  # half of the next one: half of the ten still count
    assert sum(windows.acquire_sliding_window_entry("a", 10, 60) for _ in range(20)) == 5


def test_answers_that_are_open_are_counted_until_they_end() -> None:
    limit = limits(Clock(), concurrent_answers=2)
    ends = [limit.take("key:a"), limit.take("key:a")]
    with pytest.raises(GatewayError) as refused:
        limit.take("key:a")
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "1")
    ends[0]()
    ends[0]()  # told twice, counted once
    with limit.writing("key:a"), pytest.raises(GatewayError):
        limit.take("key:a")
    with limit.writing("key:a"):
        pass


@pytest.mark.parametrize(
    ("host", "block"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        (None, "unknown"),
        ("nonsense", "unknown"),
    ],
)
def test_an_address_is_what_one_household_gets(host: str | None, block: str) -> None:
    assert address_block(host) == block


@pytest.mark.parametrize(("seconds", "written"), [(0, "0s"), (0.02, "20ms"), (0.9, "900ms"), (6, "6s"), (361, "6m1s")])
def test_seconds_are_written_as_openai_writes_them(seconds: float, written: str) -> None:
    assert span(seconds) == written
