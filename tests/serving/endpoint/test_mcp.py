"""The tools of MCP as the SDK's own client calls them: over HTTP by both protocols, and on standard streams."""

import asyncio
import re
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
import uvicorn
from gateways import bearer

from serving.gateway.api_description import describe_api
from serving.gateway.app import create_app
from serving.settings import Settings
from serving.store.keys import make_key

pytest.importorskip("mcp", reason="needs the extra coteach[mcp]")

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from serving.gateway.mcp_server import make_server

DOCS = Path(__file__).resolve().parents[3] / "docs"
TOOLS = {"ask", "search", "explain_concept", "study_path", "open_source"}


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[tuple[str, Callable[..., str]]]:
    """A gateway on a socket: its address, and what makes keys."""
    app = create_app(settings)
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
        running = asyncio.create_task(server.serve(sockets=[sock]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            store = app.state.service.store
            yield (
                f"http://127.0.0.1:{sock.getsockname()[1]}",
                lambda **more: store.write(lambda db: make_key(db, role="student", **more)),
            )
        finally:
            server.should_exit = True
            await running


def over_http(
    home: Path, work: Callable[[Client], Awaitable[Any]], *, mode: str = "auto", courses: list[str] | None = None
) -> Any:
    """Run `work` with a client that has a key for these courses."""

    async def run() -> Any:
        async with (
            served(Settings(home=home, access="keys", port=0)) as (url, key),
            httpx2.AsyncClient(headers=bearer(key(courses=courses))) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
        ):
            return await work(client)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_assistant_searches_explains_finds_a_path_and_reads_what_it_cites(home: Path, mode: str) -> None:
    async def work(client: Client) -> list[Any]:
        names = {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search", {"query": "plate on the stack", "course": "ds"})
        url = found.structured_content["data"][0]["url"]
        source = await client.call_tool("open_source", {"url": url})
        concept = await client.call_tool("explain_concept", {"concept": "stack", "course": "ds"})
        path = await client.call_tool("study_path", {"concept": "stack", "course": "ds"})
        return [names, url, *(one.structured_content for one in (source, concept, path))]

    names, url, source, concept, path = over_http(home, work, mode=mode)
    assert names == TOOLS
    assert "/courses/ds/videos/02%20stacks?t=192" in url
    assert rows.CUES[0]["text"] in source["text"]
    assert concept["definition"] == rows.STACK
    assert [one["name"] for one in path["steps"]] == ["list"]


def test_an_assistant_asks_and_goes_on_from_the_answer(home: Path) -> None:
    async def work(client: Client) -> list[Any]:
        first = await client.call_tool("ask", {"question": "What is a stack?", "course": "ds"})
        session = first.structured_content["coteach"]["session"]
        again = {"question": "and where is it explained?", "course": "ds", "session": session}
        return [one.structured_content for one in (first, await client.call_tool("ask", again))]

    first, second = over_http(home, work)
    assert rows.STACK in first["answer"]
    assert "http" in str(first["coteach"]["references"][0])
    assert first["coteach"]["route"] == "direct"
    assert second["coteach"]["session"] == first["coteach"]["session"]
    assert "stack" in second["coteach"]["resolved"].lower()


def test_what_is_wrong_with_a_question_is_told_to_the_assistant(home: Path) -> None:
    async def work(client: Client) -> list[Any]:
        asked = {"question": "What is a stack?"}
        wrong = [{**asked, "course": "nope"}, {**asked, "course": "ds", "session": "0" * 32}]
        return [await client.call_tool("ask", sent) for sent in wrong]

    told = over_http(home, work)
    assert all(one.is_error for one in told)
    assert "'nope' does not exist" in told[0].content[0].text


def test_an_answer_asked_as_a_tool_counts_as_a_question_and_needs_a_key_for_asking(home: Path) -> None:
    async def run() -> tuple[list[int], str]:
        settings = Settings(home=home, access="keys", port=0, requests_per_minute=2)
        async with served(settings) as (url, key), httpx2.AsyncClient() as http:

            async def ask(with_key: dict[str, str]) -> httpx2.Response:
                params = {"name": "ask", "arguments": {"question": "What is a stack?", "course": "ds"}}
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
                accept = {"Accept": "application/json, text/event-stream"}
                return await http.post(f"{url}/mcp", json=body, headers=with_key | accept)

            asking = bearer(key())
            statuses = [(await ask(asking)).status_code for _ in range(3)]
            return statuses, (await ask(bearer(key(scopes=["material"])))).text

    statuses, told = asyncio.run(run())
    assert statuses == [200, 200, 429]
    assert "takes the scope 'ask'" in told


def test_agents_and_readers_are_told_the_tools_that_there_are(home: Path) -> None:
    described_as = re.compile(r"the tools (?:are )?(\S.*?)(?: for agents|, and show)", re.IGNORECASE | re.DOTALL)
    app = create_app(Settings(home=home))
    told = [describe_api(app, "http://host", has_mcp=True), (DOCS / "for-serving-consumers.md").read_text()]
    app.state.service.store.close()
    there = [tool.name for tool in asyncio.run(make_server(lambda _: pytest.fail("nobody calls")).list_tools())]
    for text in told:
        found = described_as.search(text)
        assert found is not None
        named = re.sub(r"\([^)]*\)|`", "", found[1])
        assert re.split(r"\s*,\s*|\s+and\s+", named) == there


def test_what_is_wrong_with_a_call_is_told_to_the_assistant(home: Path) -> None:
    async def work(client: Client) -> list[Any]:
        wrong = [
            ("explain_concept", {"concept": "stak"}),
            ("search", {"query": "x", "course": "nope"}),
            ("open_source", {"url": "https://example.org"}),
        ]
        return [await client.call_tool(name, sent) for name, sent in wrong]

    told = over_http(home, work)
    assert all(one.is_error for one in told)
    texts = [one.content[0].text for one in told]
    assert "Did you mean 'stack'" in texts[0]
    assert "'nope' does not exist" in texts[1]
    assert "Not an address of a source" in texts[2]


def test_a_key_for_one_course_learns_nothing_of_the_other(home: Path) -> None:
    async def work(client: Client) -> str:
        calls = [
            ("search", {"query": "what is a stack"}),
            ("search", {"query": "what is a stack", "course": "ds"}),
            ("explain_concept", {"concept": "stack"}),
            ("open_source", {"url": "/courses/ds/videos/02 stacks?t=192"}),
        ]
        return " ".join([str(await client.call_tool(name, sent)) for name, sent in calls])

    told = over_http(home, work, courses=["sjjg"])
    assert rows.STACK not in told
    assert "Stacks and queues" not in told


def test_without_a_key_that_is_needed_no_tool_is_listed(home: Path) -> None:
    async def run() -> int:
        async with served(Settings(home=home, access="keys", port=0)) as (url, _), httpx2.AsyncClient() as http:
            asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            return (await http.post(f"{url}/mcp", json=asked)).status_code

    assert asyncio.run(run()) == 401


def test_what_is_no_json_is_refused_in_the_gateways_own_words(home: Path) -> None:
    async def run() -> tuple[int, str]:
        async with served(Settings(home=home, port=0)) as (url, _), httpx2.AsyncClient() as http:
            reply = await http.post(f"{url}/mcp", content=b"hello", headers={"content-type": "text/plain"})
            return reply.status_code, reply.json()["error"]["message"]

    assert asyncio.run(run()) == (400, "Expected the content type application/json, found 'text/plain'.")


def test_the_command_serves_a_home_on_standard_streams(home: Path) -> None:
    async def run() -> list[Any]:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "coteach", "mcp", "--home", str(home), "--course", "ds"]
        )
        async with Client(stdio_client(command)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            found = await client.call_tool("search", {"query": "plate on the stack"})
            source = await client.call_tool("open_source", {"url": found.structured_content["data"][0]["url"]})
            return [names, source.structured_content]

    names, source = asyncio.run(run())
    assert names == TOOLS
    assert rows.CUES[0]["text"] in source["text"]
