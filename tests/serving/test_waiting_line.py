"""Who goes first of those who wait: the shorter, unless a longer one has waited long; and nobody waits for ever."""

import asyncio
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.llm.waiting_line import WaitingLine, due_at

Arrival = tuple[float, float]
"""When it came, in seconds, and its length from 0 to 1."""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def order_of(arrivals: list[Arrival], *, passing_s: float) -> list[int]:
    """The numbers of those who come while the only place is taken, in the order in which they get it."""
    clock, served = Clock(), list[int]()
    line = WaitingLine(1, passing_s=passing_s, clock=clock)

    async def one(number: int, share: float) -> None:
        await line.enter(share)
        served.append(number)
        line.leave()

    async def all_of_them() -> None:
        await line.enter(0)
        tasks = []
        for number, (came, share) in enumerate(arrivals):
            clock.now = came
            tasks.append(asyncio.create_task(one(number, share)))
            await asyncio.sleep(0)
        line.leave()
        await asyncio.gather(*tasks)

    asyncio.run(all_of_them())
    return served


def test_a_shorter_one_that_comes_later_goes_first() -> None:
    assert order_of([(0, 1.0), (1, 0.1)], passing_s=10) == [1, 0]


def test_those_of_one_length_go_in_the_order_in_which_they_came() -> None:
    assert order_of([(0, 0.3), (0, 0.3), (1, 0.3), (2, 0.3)], passing_s=10) == [0, 1, 2, 3]


def test_a_long_one_is_passed_no_more_by_what_comes_too_late() -> None:
    late = [(float(second), 0.0) for second in range(1, 20)]
    served = order_of([(0, 1.0), *late], passing_s=10)
    assert served.index(0) == 9  # those of the seconds 1 to 9; the one of the tenth came later


def test_what_is_longer_than_long_waits_no_longer_than_what_is_long() -> None:
    assert due_at(5, 1, passing_s=10) == due_at(5, 40, passing_s=10) == 15


def test_without_passing_all_go_in_the_order_in_which_they_came() -> None:
    assert order_of([(0, 1.0), (1, 0.0), (2, 0.5)], passing_s=0) == [0, 1, 2]


ARRIVALS = st.lists(st.tuples(st.floats(0, 60), st.floats(0, 2)), min_size=1, max_size=25).map(sorted)


@given(ARRIVALS, st.floats(0, 20))
def test_nobody_is_passed_by_who_comes_later_than_the_bound(arrivals: list[Arrival], passing_s: float) -> None:
    served = order_of(arrivals, passing_s=passing_s)
    assert sorted(served) == list(range(len(arrivals)))
    for place, number in enumerate(served):
        for before in served[:place]:
            assert arrivals[before][0] <= arrivals[number][0] + passing_s


@given(ARRIVALS)
def test_of_those_who_came_together_the_shortest_goes_first(arrivals: list[Arrival]) -> None:
    together = [(0.0, share) for _, share in arrivals]
    lengths = [min(together[number][1], 1.0) for number in order_of(together, passing_s=5)]
    assert all(one <= other for one, other in pairwise(lengths))


def test_a_long_one_gets_its_turn_in_a_stream_of_short_ones_that_never_ends() -> None:
    """One place, a new short one each second, each takes a second: the line never empties."""
    clock, turns = Clock(), list[str]()
    line = WaitingLine(1, passing_s=10, clock=clock)

    async def one(name: str, share: float) -> None:
        await line.enter(share)
        turns.append(name)

    async def hours() -> None:
        await line.enter(0)
        tasks = [asyncio.create_task(one("short", 0)), asyncio.create_task(one("long", 1))]
        await asyncio.sleep(0)
        while "long" not in turns and clock.now < 3600:
            clock.now += 1
            tasks.append(asyncio.create_task(one("short", 0)))
            await asyncio.sleep(0)
            line.leave()
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(hours())
    assert turns[-1] == "long"
    assert 10 <= len(turns) <= 12


@pytest.mark.parametrize("seed", range(5))
def test_places_are_neither_lost_nor_doubled_when_clients_leave_at_any_moment(seed: int) -> None:
    line, random = WaitingLine(3, passing_s=1), Random(seed)
    inside, most = 0, 0

    async def one() -> None:
        nonlocal inside, most
        place = line.place()
        try:
            await place.take(random.random())
            inside += 1
            most = max(most, inside)
            try:
                await asyncio.sleep(0)
            finally:
                inside -= 1
        finally:
            place.give_back()
            place.give_back()

    async def many() -> None:
        tasks = []
        for _ in range(300):
            tasks.append(asyncio.create_task(one()))
            if random.random() < 0.5:
                random.choice(tasks).cancel()
            if random.random() < 0.5:
                await asyncio.sleep(0)
        await asyncio.gather(*tasks, return_exceptions=True)
        for _ in range(3):
            assert line.has_room
            await line.enter(1)
        assert not line.has_room

    asyncio.run(many())
    assert most == 3


def test_a_line_of_any_number_lets_everybody_in() -> None:
    async def many() -> None:
        line = WaitingLine(0, passing_s=10)
        for _ in range(1000):
            await asyncio.wait_for(line.enter(1), 1)
        assert line.has_room

    asyncio.run(many())
