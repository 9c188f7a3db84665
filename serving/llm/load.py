"""How many questions a process works on at once, and whether one more could still be answered in time.

What counts is work of this process: a question that has come to wait for the model server makes room for others, so
that short direct answers never stand behind long ones. Few are worked on at a time and the others wait in order: with
all of them at work a refusal would stand behind a step of each.
"""

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar

FORGOTTEN = 0.97
"""What is left of earlier measurements after each question: the last thirty or so tell how long one takes. A choice."""

REMEMBERED = 1 / (1 - FORGOTTEN)
"""How many questions the estimate rests on; from the start, so that a first slow one does not turn others away."""

AT_FIRST_S = 0.02
"""What a question is taken to cost before any was answered. A choice."""

AT_WORK = 8
"""Questions that are worked on at a time: enough that one may wait for the store or a thread. A choice."""


class Load:
    """The questions of one process. `patience_s`: nobody is let in who would wait longer; 0 lets everybody in."""

    def __init__(self, *, patience_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience_s, self._clock = patience_s, clock
        self._turns = asyncio.Semaphore(AT_WORK)
        self._inside = 0
        self._busy_s, self._done = AT_FIRST_S * REMEMBERED, REMEMBERED
        self._since = clock()

    @property
    def wait_s(self) -> float:
        """How long one more question would take: as many as are inside, one after the other."""
        return (self._inside + 1) * self._busy_s / self._done

    @property
    def is_full(self) -> bool:
        return self._patience_s > 0 and self._inside > 0 and self.wait_s > self._patience_s

    def enter(self) -> "LoadPlace":
        self._measure()
        self._inside += 1
        return LoadPlace(self, self._turns)

    def leave(self) -> None:
        self._measure()
        self._inside -= 1
        self._busy_s *= FORGOTTEN
        self._done = self._done * FORGOTTEN + 1

    def _measure(self) -> None:
        now = self._clock()
        if self._inside:
            self._busy_s += now - self._since
        self._since = now


class LoadPlace:
    """A question's place among those that are worked on; given back once."""

    def __init__(self, load: Load, turns: asyncio.Semaphore) -> None:
        self._load: Load | None = load
        self._turns, self._has_turn = turns, False

    async def wait_for_turn(self) -> None:
        """Wait until those before are through, or wait for the model."""
        await self._turns.acquire()
        self._has_turn = True

    def give_back(self) -> None:
        load, self._load = self._load, None
        if load is not None:
            load.leave()
        if self._has_turn:
            self._has_turn = False
            self._turns.release()


PLACE: ContextVar[LoadPlace | None] = ContextVar("place", default=None)
"""The place of the question that is worked on here."""


def make_room() -> None:
    """Said before the model server is waited for: what follows costs this process next to nothing."""
    if (place := PLACE.get()) is not None:
        place.give_back()
