"""Fixtures of the access tests: a store in a file, and a whole gateway."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from gateways import Gateway, running

from serving.settings import Settings
from serving.store.database import Store, sqlite_url

Result = TypeVar("Result")


@pytest.fixture
def use(home: Path) -> Callable[..., Any]:
    """Run a coroutine function over a gateway with these settings."""

    def run(
        work: Callable[[Gateway], Awaitable[Result]], *, client: Any = ("127.0.0.1", 50_000), **settings: Any
    ) -> Result:
        async def whole() -> Result:
            async with running(Settings(home=home, **settings), client=client) as gateway:
                return await work(gateway)

        return asyncio.run(whole())

    return run


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(sqlite_url(tmp_path / "store.db"))
    yield opened
    opened.close()
