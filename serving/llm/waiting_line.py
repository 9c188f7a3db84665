"""A queue for requests of which only a few may run at once: shorter ones go first, and none waits for ever.

Everyone in the line is due at a moment: when it came, and up to `passing_s` seconds later the longer it is. Who is due
first goes first. So a long one is passed only by shorter ones that come within those seconds after it, and what has
waited longer goes before everything that comes. A moment that is due stays what it is, so the line is a heap and
nothing in it is ever worked out again. The rule is J. R. Jackson's, "Some problems in queueing with dynamic
priorities", Naval Research Logistics Quarterly 7 (1960): the order of arrival plus an urgency number.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count


def due_at(arrived_s: float, share: float, *, passing_s: float) -> float:
    """When something is due that came at `arrived_s`. `share`: its length, 0 for nothing to 1 for what counts as long;
    more counts as 1."""
    return arrived_s + passing_s * min(max(share, 0.0), 1.0)


class WaitingLine:
    """`at_once` places, 0 for any number, and those who wait for one. `passing_s` 0: first come, first served."""

    def __init__(self, at_once: int, *, passing_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once, self._passing_s, self._clock = at_once, passing_s, clock
        self._taken = 0
        self._numbers = count()
        self._waiting: list[tuple[float, int, float, asyncio.Future[None]]] = []

    @property
    def has_room(self) -> bool:
        """Whether a place is free, and nobody waits for it."""
        return self._at_once == 0 or (self._taken < self._at_once and not self._waiting)

    @property
    def length(self) -> int:
        """How many wait for a place."""
        return sum(not turn.done() for *_, turn in self._waiting)

    def find_passed(self, share: float) -> Iterator[float]:
        """The lengths of those who wait and whom one that came now would pass. `share` as in `due_at`."""
        due = due_at(self._clock(), share, passing_s=self._passing_s)
        return (length for later, _, length, turn in self._waiting if later > due and not turn.done())

    def place(self) -> "LinePlace":
        """A place that is not taken yet."""
        return LinePlace(self)

    async def enter(self, share: float) -> None:
        """Take a place when it is its turn, to be left once. `share` as in `due_at`."""
        if self.has_room:
            self._taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        due = due_at(self._clock(), share, passing_s=self._passing_s)
        heappush(self._waiting, (due, next(self._numbers), share, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was its turn when its client left
                self.leave()
            raise

    def leave(self) -> None:
        """The place goes to who is due first among those who still wait."""
        while self._waiting:
            *_, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._taken -= 1


class LinePlace:
    """One place of a line: taken once, and given back once, however often that is said."""

    def __init__(self, line: WaitingLine) -> None:
        self._line, self._is_taken = line, False

    async def take(self, share: float) -> None:
        await self._line.enter(share)
        self._is_taken = True

    def give_back(self) -> None:
        if self._is_taken:
            self._is_taken = False
            self._line.leave()
