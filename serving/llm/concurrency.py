"""Works on many items concurrently, a fixed number at a time, whatever the work is."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def for_each(items: Sequence[T], work: Callable[[T], Awaitable[None]], *, at_once: int) -> None:
    """Do `work` for every item, in order of their beginning. The first exception ends all of it and is raised."""
    waiting = iter(items)

    async def worker() -> None:
        for item in waiting:
            await work(item)

    tasks = [asyncio.create_task(worker()) for _ in range(min(at_once, len(items)))]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
