"""The load of a process: how many questions it works on, and whether one more could still be answered in time.

What counts is work of this process: a question that has come to wait for the model server makes room for others, so
that short direct answers never stand behind long ones. Few are worked on at a time and the others wait in a line, the
shorter first: with all of them at work a refusal would stand behind a step of each.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar

from serving.llm.waiting_line import LinePlace, WaitingLine

FORGOTTEN = 0.97
"""What is left of earlier measurements after each question: the last thirty or so tell how long one takes. A choice."""

REMEMBERED = 1 / (1 - FORGOTTEN)
"""How many questions the estimate rests on; from the start, so that a first slow one does not turn others away."""

AT_FIRST_S = 0.02
"""What a short question is taken to cost before any was answered. A choice."""

AT_WORK = 8
"""Questions that are worked on at a time: enough that one may wait for the store or a thread. A choice."""

LONG_COSTS = 12
"""How many short questions a long one costs: 13 ms of processor for a FAQ's, 172 with a thousand characters, 300 with
three thousand (measured, two cores)."""


def weight_of(share: float) -> float:
    """What a question costs, in short ones. `share`: its length, 0 for nothing to 1 for what counts as long."""
    return 1 + (LONG_COSTS - 1) * min(max(share, 0.0), 1.0)


class Load:
    """The questions of one process. `patience_s`: nobody is let in who would wait longer; 0 lets everybody in.
    `passing_s`: so long may shorter ones pass a long one, and no longer than the patience."""

    def __init__(
        self, *, patience_s: float, passing_s: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._patience_s, self._clock = patience_s, clock
        passing_s = min(passing_s, patience_s) if patience_s > 0 else passing_s
        self._line = WaitingLine(AT_WORK, passing_s=passing_s, clock=clock)
        self._inside: list[float] = []
        self._busy_s, self._done = AT_FIRST_S * REMEMBERED, REMEMBERED
        self._since = clock()

    @property
    def waiting(self) -> int:
        """Questions that nobody works on yet."""
        return self._line.length

    def wait_s(self, share: float = 0.0) -> float:
        """How long one more question would take, itself with it. Those that go before it share the processor with it,
        so each costs it no more than it costs itself."""
        own = weight_of(share)
        passed = sum(min(weight_of(one), own) for one in self._line.find_passed(share))
        before = sum(min(one, own) for one in self._inside) - passed
        return (before + own) * self._busy_s / self._done

    def is_full(self, share: float = 0.0) -> bool:
        """Whether one more question would wait too long: a short one while a long one still would not."""
        return self._patience_s > 0 and bool(self._inside) and self.wait_s(share) > self._patience_s

    def enter(self, share: float = 0.0) -> "LoadPlace":
        self._measure()
        self._inside.append(weight_of(share))
        return LoadPlace(self, self._line.place(), share)

    def leave(self, share: float) -> None:
        self._measure()
        self._inside.remove(weight_of(share))
        self._busy_s *= FORGOTTEN
        self._done = self._done * FORGOTTEN + weight_of(share)

    def _measure(self) -> None:
        now = self._clock()
        if self._inside:
            self._busy_s += now - self._since
        self._since = now


class LoadPlace:
    """A question's place among those that are worked on; given back once."""

    def __init__(self, load: Load, in_line: LinePlace, share: float) -> None:
        self._load: Load | None = load
        self._in_line, self._share = in_line, share

    async def wait_for_turn(self) -> None:
        """Wait until those that go before are through, or wait for the model."""
        await self._in_line.take(self._share)

    def give_back(self) -> None:
        load, self._load = self._load, None
        if load is not None:
            load.leave(self._share)
        self._in_line.give_back()


PLACE: ContextVar[LoadPlace | None] = ContextVar("place", default=None)
"""The place of the question that is worked on here."""


def make_room() -> None:
    """Said before the model server is waited for: what follows costs this process next to nothing."""
    if (place := PLACE.get()) is not None:
        place.give_back()
