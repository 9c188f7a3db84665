"""Waiting for an answer with an eye on its client: lines that keep a connection open, and an end when nobody waits.

A proxy ends a connection on which nothing is sent; a whole answer that nobody will read is not worth a model's time.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from typing import Any, Generic, TypeVar

from starlette.requests import Request

Part = TypeVar("Part")
Result = TypeVar("Result")


class Silence:
    """Nothing has come for a while."""


SILENCE = Silence()


class PartsInTime(Generic[Part]):
    """Parts as they come, and a `Silence` whenever none has come for so long. `aclose` ends the parts too."""

    def __init__(self, parts: AsyncGenerator[Part, None], seconds: float) -> None:
        self._parts, self._seconds = parts, seconds
        self._coming: asyncio.Future[Part | None] | None = None

    async def next(self) -> Part | Silence | None:
        """The next part, or a `Silence` where it takes longer; `None` behind the last. Raises what the parts raise."""
        if self._coming is None:
            self._coming = asyncio.ensure_future(anext(self._parts, None))
        if not (await asyncio.wait({self._coming}, timeout=self._seconds))[0]:
            return SILENCE
        here, self._coming = self._coming, None
        return here.result()

    async def aclose(self) -> None:
        if self._coming is not None and not self._coming.done():
            self._coming.cancel()
            await asyncio.wait({self._coming})
        await self._parts.aclose()


async def unless_left(work: Coroutine[Any, Any, Result], request: Request) -> Result | None:
    """The result; `None`, and the work is stopped, when the client leaves before it is there."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_wait_until_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, leaving):
            if not task.done():
                task.cancel()
                await asyncio.wait({task})


async def _wait_until_left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
