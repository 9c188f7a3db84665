"""The gateway's log: one line per request and whatever modules tell, as JSON on standard error.

A line has the route's template, never the path or the query, and no header: questions, keys and cookies do not reach
it. Parts of the gateway leave what a line should say in the request's `Noted`.
"""

import hashlib
import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import structlog
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.gateway.errors import answer_to, make_unexpected_error
from serving.llm.propagation import PASSED_ON, accept_id, child_of
from serving.settings import Settings

log = structlog.get_logger("coteach.gateway")

_KEY = "coteach.noted"

QUIET = frozenset({"/livez", "/readyz", "/healthz", "/metrics"})
"""Routes that a machine asks every few seconds: no line unless something is wrong."""


@dataclass(slots=True)
class Noted:
    """What is known of one request. `headers` go out with the answer; `at_end` is called when the request is over."""

    request_id: str = ""
    trace_id: str | None = None
    course: str | None = None
    person_id: str | None = None
    w3c_trace: str | None = None
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    at_end: list[Callable[[], None]] = field(default_factory=list)


def notes_of(connection: HTTPConnection) -> Noted:
    """The notes of a request; its parts may write into them."""
    return notes_in(connection.scope)


def notes_in(scope: Scope) -> Noted:
    return cast(Noted, scope.setdefault(_KEY, Noted()))


def route_of(scope: Scope) -> str:
    """The template of the route that took a request, `/courses/{course_id}/map`; `other` for pages and none."""
    return str(getattr(scope.get("route"), "path", None) or "other")


def person_digest(person_id: str | None) -> str | None:
    """Tells requests of one person apart in the log without naming the person in the store."""
    return None if person_id is None else hashlib.sha256(person_id.encode()).hexdigest()[:12]


class RequestLog:
    """Outermost: gives a request its id, ends it with one line, and turns what nobody foresaw into a plain 500."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        notes, began, status = notes_in(scope), time.perf_counter(), 0
        shown = Headers(scope=scope)
        notes.request_id = accept_id(shown.get("x-request-id"))
        traceparent = child_of(shown.get("traceparent"))
        structlog.contextvars.bind_contextvars(request_id=notes.request_id)
        passed = {"X-Request-Id": notes.request_id} | ({"traceparent": traceparent} if traceparent else {})
        PASSED_ON.set(passed)

        async def answering(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = (b"x-request-id", notes.request_id.encode())
                message["headers"] = [*message.get("headers", ()), named, *notes.headers]
            await send(message)

        try:
            await self._app(scope, receive, answering)
        except Exception:
            log.exception("unexpected_error", route=route_of(scope), method=scope["method"])
            if status:
                raise
            request = Request(scope)
            await answer_to(make_unexpected_error(notes.request_id), request)(scope, receive, answering)
        finally:
            for end in notes.at_end:
                end()
            _write_line(scope, notes, status, began)
            structlog.contextvars.unbind_contextvars("request_id")


def _write_line(scope: Scope, notes: Noted, status: int, began: float) -> None:
    route = route_of(scope)
    if route in QUIET and status < 400:
        return
    log.info(
        "request",
        method=scope["method"],
        route=route,
        status=status,
        ms=round((time.perf_counter() - began) * 1000, 1),
        trace_id=notes.trace_id,
        trace=notes.w3c_trace or _trace_of(scope),
        course=notes.course,
        person=person_digest(notes.person_id),
    )


def _trace_of(scope: Scope) -> str | None:
    """The W3C trace that a request belongs to, if it says so."""
    parent = child_of(Headers(scope=scope).get("traceparent"))
    return parent.split("-")[1] if parent else None


class _StandardError:
    """Writes to whatever standard error is now."""

    def msg(self, line: str) -> None:
        sys.stderr.write(line + "\n")

    log = debug = info = warning = warn = error = critical = exception = fatal = msg


def configure(settings: Settings) -> None:
    """structlog, and uvicorn's own lines, written as `log_format` says. For a process that is the gateway."""
    shared = _processors(settings)
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *shared, _renderer(settings)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: _StandardError(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(settings)],
        )
    )
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = [handler] if name == "uvicorn" else []


def _processors(settings: Settings) -> list[Any]:
    found = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    return [*found, structlog.processors.format_exc_info] if settings.log_format == "json" else found


def _renderer(settings: Settings) -> Any:
    if settings.log_format == "json":
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    return structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)


def install(app: FastAPI) -> None:
    """The request log around everything else: call it last of all that adds middleware."""
    app.add_middleware(RequestLog)
