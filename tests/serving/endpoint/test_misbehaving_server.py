"""Ways in which a model server misbehaves. Each ends soon in a valid answer, of the material where the model failed."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import course_rows as rows
import openai
import pytest
from gateways import running

from serving.assistant.generation.writer import LONGEST_ANSWER
from serving.settings import Settings

QUESTION = "What is the difference between a stack and a queue?"
SECONDS = 12.0
"""Within which every answer must be there, on a machine that does other things too. A choice."""

MANNERS: dict[str, Any] = {
    "model_admission": "always",
    "requests_per_minute": 0,
    "llm_connect_seconds": 1.0,
    "llm_first_token_seconds": 1.0,
    "llm_stall_seconds": 0.6,
    "llm_probe_seconds": 0.3,
    "deadline_seconds": 5.0,
    "patience_seconds": 0,
}


def http(status: int, body: bytes, kind: str = "application/json", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def refused(status: int, message: str = "no", **headers: str) -> bytes:
    return http(status, json.dumps({"error": {"message": message, "type": "x", "code": None}}).encode(), **headers)


STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def event(**fields: Any) -> bytes:
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", **fields}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def said(delta: Any, finish: str | None = None) -> bytes:
    return event(choices=[{"index": 0, "delta": delta, "finish_reason": finish}])


DONE = b"data: [DONE]\n\n"
END = said({}, "stop") + DONE
ANSWER = "A stack is last in, first out [1]. A queue is first in, first out [2]."
WHOLE = {
    "id": "x",
    "object": "chat.completion",
    "created": 0,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}],
}

FAILS: Mapping[str, bytes] = {
    "closes at once": b"",
    "400": refused(400),
    "401 that tells the key": refused(401, "Incorrect API key provided: sk-abcdefgh12345678"),
    "403": refused(403),
    "404": refused(404, "The model does not exist."),
    "408": refused(408),
    "413": refused(413, "context too long"),
    "422": refused(422),
    "429": refused(429, Retry_After="1"),
    "500": refused(500),
    "502 as HTML": http(502, b"<html>Bad gateway</html>", "text/html"),
    "503": refused(503, Retry_After="60"),
    "504": refused(504),
    "a redirect to nowhere": http(307, b"", Location="http://127.0.0.1:9/v1/chat/completions"),
    "HTML with 200": http(200, b"<html>Welcome</html>", "text/html"),
    "nothing with 200": http(200, b"", "text/event-stream"),
    "half of what it announced": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n"
    + said({"content": "A stack"}),
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "packed wrongly": STREAM.replace(b"Connection", b"Content-Encoding: gzip\r\nConnection") + b"not gzip at all",
    "no JSON": STREAM + b"data: {not json\n\n" + DONE,
    "bytes that are no text": STREAM + b"data: \xff\xfe\xff\n\n" + DONE,
    "an error within the stream": STREAM + b'data: {"error": {"message": "out of memory", "code": 500}}\n\n',
    "an end without its end": STREAM + said({"content": "A stack is "}),
    "only the end": STREAM + DONE,
    "no choices": STREAM + event(choices=[]) + DONE,
    "choices that are null": STREAM + event(choices=None) + DONE,
    "a delta that is null": STREAM + event(choices=[{"index": 0, "delta": None, "finish_reason": "stop"}]) + DONE,
    "content that is a list": STREAM + said({"content": [{"type": "text", "text": "A stack"}]}) + END,
    "blanks alone": STREAM + said({"content": " \n\t "}) + END,
    "a tool call": STREAM
    + said({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]})
    + said({}, "tool_calls")
    + DONE,
    "a refusal": STREAM + said({"refusal": "I cannot help with that."}) + END,
    "a content filter": STREAM + said({"content": "A stack"}) + said({}, "content_filter") + DONE,
    "thoughts without an end": STREAM + said({"content": "<think>secret thoughts and so on"}) + END,
    "reasoning in a field of its own alone": STREAM + said({"reasoning_content": "secret thoughts"}) + END,
}
"""What is sent to a request for an answer; then the connection is closed."""

HANGS = {"nothing, for long": b"", "a word, then nothing": STREAM + said({"content": "A stack "})}
"""What is sent; then the connection stays open."""

WORKS: Mapping[str, bytes] = {
    "an unknown reason to end": STREAM + said({"content": ANSWER}) + said({}, "because") + DONE,
    "no usage": STREAM + said({"content": ANSWER}) + END,
    "usage that is odd": STREAM + said({"content": ANSWER}) + said({}, "stop") + event(choices=[], usage={}) + DONE,
    "thoughts before the answer": STREAM + said({"content": f"<think>secret thoughts</think>{ANSWER}"}) + END,
    "controls within the text": STREAM + said({"content": ANSWER.replace("in,", "in\x00\x1b[31m,")}) + END,
    "a word of 200,000 characters": STREAM + said({"content": ANSWER + " " + "x" * 200_000}) + END,
    "an answer that does not end": STREAM + said({"content": "A stack is last in, first out [1]. "}) * 20_000,
    "an answer of one long piece": STREAM + said({"content": "A stack is last in, first out [1]. " * 50_000}) + END,
    "a whole answer where a stream was asked for": http(200, json.dumps(WHOLE).encode()),
}
"""What a careful client can use, or give the material instead."""


@asynccontextmanager
async def server(say: Callable[[], tuple[bytes, bool]]) -> AsyncIterator[str]:
    """A model server that lists one model and looks healthy, and says to questions what `say` gives; its address."""
    held: set[asyncio.StreamWriter] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path, hangs = head.split(b" ")[1], False
            if path.endswith(b"/chat/completions"):
                answer, hangs = say()
            elif path.endswith(b"/models"):
                listed = {"object": "list", "data": [{"id": "m", "object": "model", "created": 0, "owned_by": "x"}]}
                answer = http(200, json.dumps(listed).encode())
            else:
                answer = http(200, b"{}")
            writer.write(answer)
            await writer.drain()
            if hangs:
                held.add(writer)
                return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        if writer not in held:
            writer.close()

    listening = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
    finally:
        listening.close()
        for writer in held:
            writer.transport.abort()
        for _ in range(10):
            await asyncio.sleep(0)


Asked = tuple[Any, list[Any], float]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Asked]:
    """What one gateway answers while its model server misbehaves in one way after the other: whole, and streamed."""
    home = rows.write_home(tmp_path_factory.mktemp("misbehaving"))
    ways = {name: (sent, name in HANGS) for name, sent in {**FAILS, **HANGS, **WORKS}.items()}
    return asyncio.run(all_told(home, ways))


async def all_told(home: Path, ways: Mapping[str, tuple[bytes, bool]]) -> dict[str, Asked]:
    now: list[tuple[bytes, bool]] = [(b"", False)]
    found: dict[str, Asked] = {}
    async with server(lambda: now[0]) as url, running(Settings(home=home, llm_url=url, **MANNERS)) as gateway:
        client = openai.AsyncOpenAI(
            base_url="http://coteach.test/v1",
            api_key="none",
            http_client=gateway.client,
            max_retries=0,
            _strict_response_validation=True,
        )
        asked: dict[str, Any] = {"model": "coteach:ds", "messages": [{"role": "user", "content": QUESTION}]}
        for name, way in ways.items():
            now[0] = way
            began = time.monotonic()
            try:
                whole = await client.chat.completions.create(**asked)
                chunks = [one async for one in await client.chat.completions.create(**asked, stream=True)]
            except openai.APIError as error:
                error.add_note(f"The model server: {name}")
                raise
            found[name] = whole, chunks, time.monotonic() - began
    return found


def assert_valid(found: Asked) -> None:
    whole, chunks, seconds = found
    text = whole.choices[0].message.content
    assert seconds < 2 * SECONDS
    assert whole.choices[0].finish_reason in ("stop", "length", "content_filter")
    assert chunks[-1].choices[0].finish_reason in ("stop", "length", "content_filter")
    for shown in (text, "".join(one.choices[0].delta.content or "" for one in chunks)):
        assert shown.strip()
        assert len(shown) < LONGEST_ANSWER + 10_000
        assert not {"secret", "sk-abc", "\x00", "\x1b", "<think>", "out of memory"} & {
            one for one in ("secret", "sk-abc", "\x00", "\x1b", "<think>", "out of memory") if one in shown
        }


@pytest.mark.parametrize("way", [*FAILS, *HANGS])
def test_where_the_model_server_fails_the_material_answers(told: Mapping[str, Asked], way: str) -> None:
    whole, chunks, _ = told[way]
    assert_valid(told[way])
    assert whole.coteach["degraded"]
    assert chunks[-1].coteach["degraded"]
    assert rows.STACK in whole.choices[0].message.content
    assert whole.choices[0].message.annotations


@pytest.mark.parametrize("way", WORKS)
def test_what_can_be_used_is_used_and_what_cannot_is_left_out(told: Mapping[str, Asked], way: str) -> None:
    assert_valid(told[way])


def test_there_are_all_the_ways_that_were_found() -> None:
    assert len(FAILS) + len(HANGS) + len(WORKS) >= 33
