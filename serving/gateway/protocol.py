"""uvicorn's HTTP protocol, with limits on what a client may send before its request is complete.

Used by `--http serving.gateway.protocol:BoundedHttp`.

uvicorn itself reads headers of any length for as long as they come, and keeps connections that never send any.
"""

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEADER_BYTES = 32_768
"""Most bytes of a request's line and headers, nginx's default."""

HEADER_SECONDS = 10.0
"""From the connection, or the first byte of a further request, to the end of the headers. A choice."""

MOST_CONNECTIONS = 4_000
"""Open at once in one process; what comes beyond is closed. A choice, below the usual limit of open files."""

_TEXTS = {408: "Request Timeout", 431: "Request Header Fields Too Large", 503: "Service Unavailable"}


class BoundedHttp(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._timer: TimerHandle | None = None
        self._is_in_headers = True
        self._header_bytes = 0
        self._fed = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(503)
            return
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._fed = self._fed + len(data) if self._is_in_headers else 0
        if not self.transport.is_closing() and max(self._fed, self._header_bytes) > MOST_HEADER_BYTES:
            self._refuse(431)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._header_bytes = self._fed = 0
        if self._timer is None:
            self._begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._header_bytes += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._header_bytes += len(name) + len(value) + 4

    def on_headers_complete(self) -> None:
        self._end()
        if self._header_bytes <= MOST_HEADER_BYTES:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self._header_bytes <= MOST_HEADER_BYTES:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self._header_bytes <= MOST_HEADER_BYTES:
            super().on_message_complete()

    def _begin(self) -> None:
        self._is_in_headers = True
        self._timer = self.loop.call_later(HEADER_SECONDS, self._refuse, 408)

    def _end(self) -> None:
        self._is_in_headers = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: int) -> None:
        """Say so and close, whatever else comes."""
        self._end()
        if self.transport.is_closing():
            return
        text = _TEXTS[status]
        head = f"HTTP/1.1 {status} {text}\r\ncontent-type: text/plain\r\ncontent-length: {len(text)}\r\n"
        self.transport.write(f"{head}connection: close\r\n\r\n{text}".encode())
        self.transport.close()
