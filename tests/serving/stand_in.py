"""A stand-in for a model server on loopback: real HTTP and real sockets, canned words. It says that it is one.

Each behaviour is a way in which a real server fails.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

NAME = "stand-in-not-a-model"

Behaviour = Literal[
    "answers", "dies midway", "ends early", "hangs", "stalls", "refuses", "breaks", "garbles", "nothing"
]


@dataclass
class StandIn:
    """What it does with a chat completion, the words it says, and what it was asked.

    `pause` is how long it waits after each word, `headers` those of every request.
    `finish` is why it says that it ended; `refusal` for a refusal.
    `chooses` is what it says to a request that is not streamed, `likely` the likeliest first tokens with their
    logarithmic probabilities; `knows_choices` and `knows_schemas` whether it takes those or calls them a bad request;
    `looks` counts those at its health.
    """

    behaviour: Behaviour = "answers"
    chooses: str = "yes"
    likely: Mapping[str, float] = field(default_factory=dict)
    knows_choices: bool = True
    knows_schemas: bool = True
    looks: int = 0
    finish: str = "stop"
    pause: float = 0.0
    headers: list[dict[str, str]] = field(default_factory=list)
    words: Sequence[str] = ("A stack ", "is last in, ", "first out [1].")
    url: str = ""
    name: str = NAME
    writes: Callable[[str], str] | None = None
    """What it says to the last message of a streamed request, instead of its words."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    dead: bool = False
    open: set[asyncio.StreamWriter] = field(default_factory=set)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open.add(writer)
        if self.dead:
            writer.transport.abort()
        try:
            path, body, headers = await _read(reader)
            self.headers.append(headers)
            if self.behaviour == "hangs" and path != "/v1/models":
                await reader.read()
            elif path == "/v1/chat/completions":
                self.asked.append(json.loads(body))
                await (self.complete(reader, writer) if self.asked[-1].get("stream") else self.choose(writer))
            elif path == "/tokenize":
                await _reply(writer, 200, {"count": len(json.loads(body)["prompt"].split())})
            elif path == "/v1/models":
                await _reply(writer, 200, {"object": "list", "data": [_model(self.name)]})
            else:
                self.looks += 1
                await _reply(writer, 200, {"status": f"ok, {NAME}"})
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open.discard(writer)
            writer.close()

    async def complete(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.behaviour in ("refuses", "breaks"):
            status = 400 if self.behaviour == "refuses" else 500
            await _reply(writer, status, {"error": {"message": f"{NAME} {self.behaviour}", "type": "x", "code": None}})
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        words = [] if self.behaviour == "nothing" else list(self.words)
        if self.writes is not None:
            words = [self.writes(self.asked[-1]["messages"][-1]["content"])]
        for place, word in enumerate(words):
            if place == 2 and self.behaviour != "answers":
                await self.fail(reader, writer)
                return
            writer.write(_event({"choices": [_choice(word, None)]}))
            await writer.drain()
            await asyncio.sleep(self.pause)
        if self.finish == "refusal":
            said = {"index": 0, "delta": {"refusal": "I cannot help with that."}, "finish_reason": None}
            writer.write(_event({"choices": [said]}))
        writer.write(_event({"choices": [_choice("", "stop" if self.finish == "refusal" else self.finish)]}))
        usage = {"prompt_tokens": 7, "completion_tokens": len(words), "total_tokens": 7 + len(words)}
        writer.write(_event({"choices": [], "usage": usage}) + b"data: [DONE]\n\n")
        await writer.drain()

    async def choose(self, writer: asyncio.StreamWriter) -> None:
        is_unknown = ("structured_outputs" in self.asked[-1] and not self.knows_choices) or (
            "response_format" in self.asked[-1] and not self.knows_schemas
        )
        if self.behaviour in ("refuses", "breaks") or is_unknown:
            status = 500 if self.behaviour == "breaks" else 400
            await _reply(writer, status, {"error": {"message": f"{NAME} {self.behaviour}", "type": "x", "code": None}})
            return
        listed = [{"token": token, "logprob": logprob, "bytes": None} for token, logprob in self.likely.items()]
        first = {"token": self.chooses, "logprob": 0.0, "bytes": None, "top_logprobs": listed}
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": self.chooses},
            "finish_reason": "stop",
            "logprobs": {"content": [first]} if listed else None,
        }
        usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
        await _reply(writer, 200, _completion({"choices": [choice], "usage": usage}))

    async def fail(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.behaviour == "dies midway":
            self.dead = True  # closing the listener here would trip asyncio over connections it is just accepting
            writer.transport.abort()
        elif self.behaviour == "garbles":
            writer.write(b"data: {not json\n\n")
            await writer.drain()
        elif self.behaviour == "stalls":
            await reader.read()


@asynccontextmanager
async def stand_in(
    behaviour: Behaviour = "answers", words: Sequence[str] | None = None, finish: str = "stop"
) -> AsyncIterator[StandIn]:
    """A running stand-in on a free port; nothing of it is left afterwards."""
    one = StandIn(behaviour, finish=finish) if words is None else StandIn(behaviour, words=words, finish=finish)
    server = await asyncio.start_server(one.handle, "127.0.0.1", 0)
    one.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield one
    finally:
        await _turns()
        server.close()
        for writer in list(one.open):
            writer.transport.abort()
        await _turns()


async def _turns() -> None:
    """A few turns of the loop: connections just accepted get their handler, aborted ones are let go."""
    for _ in range(10):
        await asyncio.sleep(0)


async def _read(reader: asyncio.StreamReader) -> tuple[str, bytes, dict[str, str]]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-le")), 0
    )
    pairs = (line.decode().partition(":") for line in head.split(b"\r\n")[1:] if b":" in line)
    named = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return head.split(b" ")[1].decode(), await reader.readexactly(length), named


async def _reply(writer: asyncio.StreamWriter, status: int, body: dict[str, Any]) -> None:
    text = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", "Content-Type: application/json", f"Content-Length: {len(text)}"]
    writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + text)
    await writer.drain()


def _completion(fields: dict[str, Any]) -> dict[str, Any]:
    return {"id": "x", "object": "chat.completion", "created": 0, "model": NAME, **fields}


def _event(fields: dict[str, Any]) -> bytes:
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": NAME, **fields}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _choice(text: str, finish: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": {"content": text}, "finish_reason": finish}


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "tests"}
