"""A whole gateway for the tests of the endpoint, run as those of access run it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from gateways import Gateway, running

from serving.settings import Settings

Result = TypeVar("Result")


@pytest.fixture
def use(home: Path) -> Callable[..., Any]:
    """Run a coroutine function over a gateway with these settings."""

    def run(work: Callable[[Gateway], Awaitable[Result]], **settings: Any) -> Result:
        async def whole() -> Result:
            async with running(Settings(home=home, **settings), client=("127.0.0.1", 50_000)) as gateway:
                return await work(gateway)

        return asyncio.run(whole())

    return run


@pytest.fixture
def ask_all(use: Callable[..., Any]) -> Callable[..., Any]:
    """The same question with one set of parameters after the other, to one gateway; the replies."""

    def asked(each: list[dict[str, Any]], **settings: Any) -> list[Any]:
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}

        async def work(gateway: Gateway) -> list[Any]:
            return [await gateway.client.post("/v1/chat/completions", json=body | more) for more in each]

        replies: list[Any] = use(work, requests_per_minute=0, **settings)
        return replies

    return asked


@pytest.fixture
def ask(use: Callable[..., Any]) -> Callable[..., Any]:
    """One question with more parameters; the reply."""

    def asked(text: str = "What is a stack?", headers: dict[str, str] | None = None, **more: Any) -> Any:
        settings = more.pop("settings", {})
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": text}], **more}

        async def work(gateway: Gateway) -> Any:
            return await gateway.client.post("/v1/chat/completions", json=body, headers=headers or {})

        return use(work, **settings)

    return asked
