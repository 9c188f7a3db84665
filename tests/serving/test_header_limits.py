"""A client that has not asked yet can take neither memory nor connections: over real sockets."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn

from serving.gateway import protocol


async def _app(scope: dict[str, object], receive: object, send: object) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b"ok"})  # type: ignore[operator]


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.5)
    monkeypatch.setattr(protocol, "MOST_CONNECTIONS", 20)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        number: int = held.getsockname()[1]
    config = uvicorn.Config(_app, port=number, http=protocol.BoundedHttp, lifespan="off", log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield number
    server.should_exit = True
    thread.join(10)


def talk(port: int, *parts: bytes, then: float = 10.0) -> bytes:
    """What comes back until the server closes, or a while after the last part."""
    with socket.create_connection(("127.0.0.1", port), timeout=then) as line:
        try:
            for part in parts:
                line.sendall(part)
            said = b""
            while more := line.recv(65_536):
                said += more
                if said.endswith(b"ok"):
                    return said
        except ConnectionError:
            return said if "said" in locals() else b""
        return said


def test_an_ordinary_request_is_answered_twice_over_one_connection(port: int) -> None:
    ask = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    assert b"200 OK" in talk(port, ask)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        for _ in range(2):
            line.sendall(ask)
            said = b""
            while not said.endswith(b"ok"):
                said += line.recv(65_536)
            assert b"200 OK" in said
            time.sleep(0.7)


def test_headers_without_an_end_are_not_kept(port: int) -> None:
    endless = [
        b"GET / HTTP/1.1\r\nHost: a\r\n",
        *[b"x-%d: " % number + b"a" * 8_000 + b"\r\n" for number in range(200)],
    ]
    began = time.monotonic()
    assert b"200 OK" not in talk(port, *endless)
    assert time.monotonic() - began < 5


def test_one_header_of_a_megabyte_is_refused(port: int) -> None:
    said = talk(port, b"GET / HTTP/1.1\r\nHost: a\r\nx: " + b"a" * 1_000_000 + b"\r\n\r\n")
    assert b"200 OK" not in said


def test_just_too_long_headers_are_refused_with_their_status(port: int) -> None:
    said = talk(port, b"GET / HTTP/1.1\r\nHost: a\r\nx: " + b"a" * 33_000 + b"\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 431")


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_half_open_connection_is_closed(port: int, begun: bytes) -> None:
    began = time.monotonic()
    assert b"408" in talk(port, begun)
    assert time.monotonic() - began < 5


def test_no_more_connections_are_kept_than_there_may_be(port: int) -> None:
    lines = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(30)]
    said = [line.recv(100) for line in lines]  # all are closed in the end: those too many at once
    assert sum(b"503" in one for one in said) >= 9
    for line in lines:
        line.close()
    time.sleep(0.2)
    assert b"200 OK" in talk(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
