"""A real HTTP server on loopback that says what a test scripts, faults included, and a clock that stands still."""

import gzip
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from knowledge_graph.sources.web.fetching import Clock, WebClient
from knowledge_graph.sources.web.settings import WebSettings


@dataclass(frozen=True)
class Said:
    """One scripted reply. With an `ETag` header a conditional request that names it gets a 304."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hangs:
    """The request is read and nothing is ever said."""


@dataclass(frozen=True)
class Closes:
    """The connection is closed at once, without a byte."""


@dataclass(frozen=True)
class Endless:
    """A body of `chunk` without end, or until the client leaves."""

    chunk: bytes = b"x" * 65_536
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Scripted = Said | Hangs | Closes | Endless


def html(text: str, **headers: str) -> Said:
    return Said(text.encode(), headers={"Content-Type": "text/html; charset=utf-8", **_named(headers)})


def as_json(value: object, status: int = 200, **headers: str) -> Said:
    body = json.dumps(value, ensure_ascii=False).encode()
    return Said(body, status, {"Content-Type": "application/json", **_named(headers)})


def zipped(body: bytes) -> Said:
    return Said(gzip.compress(body), headers={"Content-Type": "text/html", "Content-Encoding": "gzip"})


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


class Loopback:
    """`url` is where it listens, `asked` what it was asked. The last reply scripted for a path is said from then on."""

    def __init__(self, server: "_Server") -> None:
        self._server = server
        self.url = f"http://127.0.0.1:{server.server_address[1]}"

    @property
    def asked(self) -> list[Asked]:
        return self._server.asked

    def says(self, path: str, *replies: Scripted) -> None:
        self._server.script[path] = list(replies)

    def paths(self) -> list[str]:
        return [each.path for each in self.asked]


@contextmanager
def loopback() -> Iterator[Loopback]:
    """A server for the duration of a test; a proxy of this machine is not used for it."""
    server = _Server(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setenv("no_proxy", "127.0.0.1")
        try:
            yield Loopback(server)
        finally:
            server.ended.set()
            server.shutdown()
            server.server_close()
            thread.join()


@dataclass
class StillClock:
    """Time that passes only when somebody sleeps, or by `tick` seconds at every look; `slept` lists the sleeps."""

    time: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)
    slept: list[float] = field(default_factory=list)
    tick: float = 0.0

    def passes(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)

    def clock(self) -> Clock:
        def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            self.passes(seconds)

        def seconds() -> float:
            self.passes(self.tick)
            return self.time.timestamp()

        return Clock(lambda: self.time, seconds, sleep)


def web_client(time: StillClock, cache: Path | None = None, **settings: Any) -> WebClient:
    """A client that waits for nothing real; give `settings` to change that."""
    defaults = {"delay_seconds": 0.0, "connect_seconds": 5.0, "read_seconds": 5.0}
    return WebClient(WebSettings(**{**defaults, **settings}), cache=cache, clock=time.clock())


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self.script: dict[str, list[Scripted]] = {}
        self.asked: list[Asked] = []
        self.ended = threading.Event()

    def next_reply(self, path: str) -> Scripted:
        replies = self.script.get(path)
        if not replies:
            return Said(b"nothing here", 404, {"Content-Type": "text/plain"})
        return replies.pop(0) if len(replies) > 1 else replies[0]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves in the middle is part of many tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query = dict(parse_qsl(address.query, keep_blank_values=True))
        headers = {key.lower(): value for key, value in self.headers.items()}
        self.server.asked.append(Asked(address.path, query, headers))
        reply = self.server.next_reply(address.path)
        if isinstance(reply, Hangs):
            self.server.ended.wait(30)
        elif isinstance(reply, Endless):
            self._send(reply.status, {"Content-Type": "text/html", **reply.headers}, b"")
            while not self.server.ended.is_set():
                self.wfile.write(reply.chunk)
        elif isinstance(reply, Said):
            self._say(reply)

    def _say(self, reply: Said) -> None:
        etag = reply.headers.get("ETag")
        if etag and self.headers.get("If-None-Match") == etag:
            self._send(304, {"ETag": etag}, b"")
        else:
            self._send(reply.status, {**reply.headers, "Content-Length": str(len(reply.body))}, reply.body)

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Tests read `asked` instead."""
