"""Waiting for an answer with an eye on its client: lines that keep a connection open, and an end when nobody waits.

A proxy ends a connection on which nothing is sent; a whole answer that nobody will read is not worth a model's time.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from typing import Any, TypeVar

from starlette.requests import Request

Part = TypeVar("Part")
Result = TypeVar("Result")


class Silence:
    """Nothing has come for a while."""


SILENCE = Silence()


async def with_silences(parts: AsyncGenerator[Part, None], seconds: float) -> AsyncGenerator[Part | Silence, None]:
    """The same parts, and a `Silence` whenever none has come for so long."""
    async with aclosing(parts):
        while True:
            coming = asyncio.ensure_future(anext(parts, SILENCE))
            try:
                while not (await asyncio.wait({coming}, timeout=seconds))[0]:
                    yield SILENCE
            finally:
                if not coming.done():
                    coming.cancel()
                    await asyncio.wait({coming})
            part = coming.result()
            if part is SILENCE:
                return
            yield part


async def unless_left(work: Coroutine[Any, Any, Result], request: Request) -> Result | None:
    """The result; `None`, and the work is stopped, when the client leaves before it is there."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, leaving):
            if not task.done():
                task.cancel()
                await asyncio.wait({task})


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
