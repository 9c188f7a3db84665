"""An LMS of `tests/support/lms.py`, and a gateway that it is registered in."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lms import Lms, running_lms
from lti_gateway import Tool, Use, connected

from serving.store.database import sqlite_url


@pytest.fixture
def lms() -> Iterator[Lms]:
    with running_lms() as one:
        yield one


@pytest.fixture
def use(home: Path, lms: Lms) -> Use:
    """Run a coroutine function over a gateway that the LMS is registered in."""

    def run(work: Callable[[Tool], Awaitable[Any]], **options: Any) -> Any:
        async def whole() -> Any:
            async with connected(home, lms, **options) as tool:
                return await work(tool)

        return asyncio.run(whole())

    return run


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, home: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return sqlite_url(home / "store.db")
    server = request.getfixturevalue("postgres")
    url: str = server.url(server.new_database(template=request.getfixturevalue("migrated")))
    return url
