"""The stand-in of a model server in a thread of its own, for what is tested from outside any event loop: commands."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from stand_in import Behaviour, StandIn, stand_in


@contextmanager
def standing_in(behaviour: Behaviour = "answers", words: Sequence[str] | None = None) -> Iterator[StandIn]:
    """A running stand-in; it is gone when the block ends."""
    ready, loop = threading.Event(), asyncio.new_event_loop()
    made: list[StandIn] = []
    over = asyncio.Event()

    async def serve() -> None:
        async with stand_in(behaviour, words) as one:
            made.append(one)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert ready.wait(10)
        yield made[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
