"""The layer before every route, as plain ASGI: which hosts are answered, how long and how slow a body may be, what a
browser may do with an answer, and which other sites' pages may ask.

Not Starlette's `BaseHTTPMiddleware`: it puts a task and a queue between a stream and its reader.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.gateway.access import LAUNCH_COOKIE
from serving.gateway.compression import as_unpacked, unpack
from serving.gateway.errors import GatewayError, answer_to
from serving.gateway.lti.tool import lti_of
from serving.gateway.request_claims import STREAMED, is_same_site
from serving.settings import Settings

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        # NiceGUI compiles Vue templates in the browser and writes its start into the page.
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws: wss:",
        # A course's own videos may be elsewhere; nothing else may.
        "media-src 'self' blob: https:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]

PRIVATE = (b"cache-control", b"no-store")
"""Header of answers that set no caching of their own: they are for one person."""

UPLOADS = re.compile(r"/v1/courses/[^/]+/(?:files/.+|package)|/files/[^/]+/(?:put|package)")
"""Routes whose body is a file."""

BESIDE_PLAYERS = re.compile(r"/$|/(?:courses|quiz)/")
"""The chat and what it opens in its panel: no page of TAs and teachers, and not one's own data."""

FORM_BYTES = 10_000
"""What a form has around the file that it sends. A choice."""

WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""An escaped NUL character in JSON, not an escaped backslash before `u0000`."""

SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Guard:
    """Refuses strange hosts, and sockets opened by other sites, and puts the security headers on every answer.

    `framers` are the origins of the LMSs whose pages may show ours in a frame: to somebody whom one of them sent, and
    while one of them sends somebody. Those of `players` may show the chat, and what it opens, to anybody.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str] = (),
        origins: tuple[str, ...] = (),
        framers: Callable[[], tuple[str, ...]] = tuple,
        players: tuple[str, ...] = (),
    ) -> None:
        self._app, self._hosts, self._origins = app, frozenset(hosts), origins
        self._framers, self._players = framers, players

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        is_host = not self._hosts or is_trusted(headers.get("host", ""), self._hosts)
        if scope["type"] == "websocket":
            if not is_host or not is_same_site("POST", headers, self._origins):
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = _with_security(message.get("headers", ()))
                framers = self._framers() if _is_from_lms(scope, headers) else ()
                if BESIDE_PLAYERS.match(scope["path"]):
                    framers = tuple(dict.fromkeys((*framers, *self._players)))
                message["headers"] = allow_framing(framers, added) if framers else added
            await send(message)

        if not is_host:
            refused = GatewayError("This host name is not one of this gateway's.", code="unknown_host")
            await answer_to(refused, Request(scope))(scope, receive, answering)
            return
        await self._app(scope, receive, answering)


@dataclass(frozen=True)
class BodyBounds:
    """How long a body may be, and how long it may take."""

    most_bytes: int
    seconds: float


class BodyLimit:
    """Reads a request's body whole before the app is called: not more than a number of bytes, nor for long.

    Uploads have bounds of their own and are not read here: their routes read them, once they know who sends them.
    """

    def __init__(self, app: ASGIApp, *, most_bytes: int, seconds: float, uploads: BodyBounds | None = None) -> None:
        self._app, self._most, self._seconds, self._uploads = app, most_bytes, seconds, uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in WITHOUT_BODY:
            await self._app(scope, receive, send)
            return
        if self._uploads is not None and UPLOADS.fullmatch(scope["path"]):
            await self._app({**scope, STREAMED: True}, _limit_body(receive, self._uploads), send)
            return
        headers = Headers(scope=scope)
        try:
            self._refuse_announced(headers.get("content-length"))
            async with asyncio.timeout(self._seconds):
                body = await self._read(receive)
            if (encoding := headers.get("content-encoding")) is not None:
                body = unpack(body, encoding, self._most)
                scope = as_unpacked(scope, len(body))
            refuse_no_text(body, headers.get("content-type", ""))
        except ClientDisconnect:
            return
        except TimeoutError:
            slow = GatewayError(f"The request did not arrive within {self._seconds:g} s.", status=408)
            await _refuse(slow, scope, receive, send)
            return
        except GatewayError as error:
            await _refuse(error, scope, receive, send)
            return
        await self._app(scope, replaying(body, receive), send)

    def _refuse_announced(self, length: str | None) -> None:
        if length is not None and length.isascii() and length.isdigit() and int(length[:20]) > self._most:
            raise self._too_long()

    async def _read(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            part = message.get("body", b"")
            size += len(part)
            if size > self._most:
                raise self._too_long()
            parts.append(part)
            more = message.get("more_body", False)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _too_long(self) -> GatewayError:
        return too_long(self._most)


def too_long(most: int) -> GatewayError:
    return GatewayError(f"The request is too long: at most {most} bytes are read.", status=413)


def _limit_body(receive: Receive, bounds: BodyBounds) -> Receive:
    """The same body; raises `GatewayError` 413 or 408, in the route that reads it, once it is too long or too slow."""
    size, until = 0, time.monotonic() + bounds.seconds

    async def receive_bounded() -> Message:
        nonlocal size
        try:
            async with asyncio.timeout(max(until - time.monotonic(), 0)):
                message = await receive()
        except TimeoutError:
            raise GatewayError(
                f"The upload did not arrive within {bounds.seconds:g} s.", status=408, headers={"Connection": "close"}
            ) from None
        size += len(message.get("body", b""))
        if size > bounds.most_bytes:
            error = too_long(bounds.most_bytes)
            error.headers["Connection"] = "close"
            raise error
        return message

    return receive_bounded


def refuse_no_text(body: bytes, content_type: str) -> None:
    """Raise `GatewayError` 400 for JSON with what is no text and no database keeps: NUL, half a surrogate pair."""
    if "json" not in content_type:
        return
    if b"\\u0000" in body and NUL.search(body):
        raise GatewayError("The request holds a NUL character, which is not text.")
    if SURROGATE.search(body):
        try:
            json.dumps(json.loads(body), ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise GatewayError("The request holds half a surrogate pair, which is not text.") from None
        except (ValueError, RecursionError):
            return  # no JSON: the route says so


def is_trusted(host: str, hosts: Collection[str]) -> bool:
    """Whether a `Host` header names one of `hosts`; `*.example.edu` is every name below it."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    name = name.lower().strip("[]")
    return name in hosts or any(one.startswith("*.") and name.endswith(one[1:]) for one in hosts)


def _with_security(headers: Collection[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    named = {name.lower() for name, _ in headers}
    added = [one for one in HEADERS if one[0] not in named]
    return [*headers, *added, *([] if b"cache-control" in named else [PRIVATE])]


def allow_framing(framers: tuple[str, ...], headers: Collection[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of an answer that these origins may frame too. `X-Frame-Options` knows no such list and goes."""
    listed = " ".join(framers).encode()
    found: list[tuple[bytes, bytes]] = []
    for name, value in headers:
        if name.lower() == b"content-security-policy":
            opened = value.replace(b"frame-ancestors 'none'", b"frame-ancestors " + listed)
            found.append((name, opened.replace(b"frame-ancestors 'self'", b"frame-ancestors 'self' " + listed)))
        elif name.lower() != b"x-frame-options":
            found.append((name, value))
    return found


def _is_from_lms(scope: Scope, headers: Headers) -> bool:
    return scope["path"].startswith("/lti/") or f"{LAUNCH_COOKIE}=" in headers.get("cookie", "")


async def _refuse(error: GatewayError, scope: Scope, receive: Receive, send: Send) -> None:
    """The rest of the body is not read, so the connection cannot be used again."""
    error.headers["Connection"] = "close"
    await answer_to(error, Request(scope))(scope, receive, send)


def replaying(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then whatever comes: the client going away."""
    is_told = False

    async def again() -> Message:
        nonlocal is_told
        if is_told:
            return await receive()
        is_told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def install(app: FastAPI, settings: Settings) -> None:
    """Body limit inside, other sites' pages around it, hosts and headers around both."""
    uploads = BodyBounds(settings.max_upload_bytes + FORM_BYTES, settings.upload_seconds)
    app.add_middleware(BodyLimit, most_bytes=settings.max_body_bytes, seconds=settings.body_seconds, uploads=uploads)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["*"],  # clients name themselves in headers of their own; no cookie is sent along
            expose_headers=["X-Request-Id", "Retry-After"],
        )
    tool = lti_of(app)
    app.add_middleware(
        Guard,
        hosts=settings.trusted_hosts,
        origins=settings.cors_origins,
        framers=lambda: tool.origins,
        players=settings.player_origins,
    )
