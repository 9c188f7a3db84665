"""Errors in OpenAI's shape, so that any OpenAI client shows their message; a small page for a browser.

`{"error": {"message", "type", "param", "code"}}`. OpenAI's own types: `invalid_request_error` for all a client did
wrong, also a wrong key (401, code `invalid_api_key`), `requests` for too many of them (429, code
`rate_limit_exceeded`), `server_error`. No answer holds a stack trace; a 500 names the request as the log does.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, Field
from sqlalchemy.exc import DataError, SQLAlchemyError
from starlette.exceptions import HTTPException

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import TableDamaged
from serving.index.engine import IndexUnreachable
from serving.store.database_errors import StoreUnavailable
from serving.store.turns import NotYours

log = structlog.get_logger(__name__)

_TYPES = {429: "requests", 403: "permission_error"}
_CODES = {
    401: "invalid_api_key",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "request_too_large",
    429: "rate_limit_exceeded",
    500: "internal_error",
    503: "unavailable",
}

NOT_AGAIN = {"x-should-retry": "false"}
"""OpenAI's clients send a 429 and a 503 again by themselves, within seconds; not one with this header."""

PAGE_STYLE = (
    ":root{color-scheme:light dark;--bg:#faf9f6;--text:#20242a;--accent:#0b6170}"
    "@media (prefers-color-scheme:dark){:root{--bg:#15181b;--text:#e5e4e0;--accent:#78c6d0}}"
    "body{font:16px/1.5 system-ui;max-width:36rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere;"
    "background:var(--bg);color:var(--text)}h1{font-size:1.25rem}a{color:var(--accent)}"
)
"""The pages' own colours: a browser's blue on its dark grey is too faint to read."""

_SORRY = {
    401: ("A key is needed here", "需要密钥"),
    403: ("This is not open to you", "您没有权限"),
    404: ("There is no such page", "页面不存在"),
    500: ("Something went wrong here", "服务器出错了"),
    503: ("Not ready yet", "尚未就绪"),
}
_SORRY_OTHERWISE = ("This did not work", "未能完成")
"""What a person reads of an error, in English and in Chinese: who asks may have no language chosen yet."""

_DOORS = ("/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/models", "/v1/search")
"""What clients of OpenAI's protocol, and others, come for."""

_BARE = frozenset({"Not Found", "Method Not Allowed"})

_LONGEST_PARAM = 200
"""Characters of the name of a field that a client made up."""


class ErrorDetail(BaseModel):
    message: str
    type: str = Field(description="`invalid_request_error`, `permission_error`, `requests` or `server_error`.")
    param: str | None = None
    code: str | None = None


class ErrorReply(BaseModel):
    """Every error of this gateway."""

    error: ErrorDetail


RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorReply, "description": "The request cannot be answered; the message says why."},
    "5XX": {"model": ErrorReply, "description": "The gateway, its store or its home is not able to answer."},
}
"""The errors of every route, for its OpenAPI description."""


class GatewayError(CoteachError):
    """A request that cannot be answered. `code` is OpenAI's name for the error."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str | None = None,
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.param = param
        self.headers = dict(headers or {})


def error_body(error: GatewayError) -> dict[str, dict[str, str | None]]:
    """The error as OpenAI writes it. Text that is no text, such as half a surrogate pair, is replaced."""
    fallback = "invalid_request_error" if error.status < 500 else "server_error"
    return {
        "error": {
            "message": error.message.encode("utf-8", "replace").decode(),
            "type": _TYPES.get(error.status, fallback),
            "param": error.param and error.param.encode("utf-8", "replace").decode(),
            "code": error.code or _CODES.get(error.status),
        }
    }


def error_response(error: GatewayError) -> JSONResponse:
    """The error as OpenAI sends it."""
    headers = {"WWW-Authenticate": "Bearer"} | error.headers if error.status == 401 else error.headers
    return JSONResponse(error_body(error), status_code=error.status, headers=headers)


def error_page(error: GatewayError) -> HTMLResponse:
    """The error for a person in a browser, without a script; its colours follow the device."""
    english, chinese = _SORRY.get(error.status, _SORRY_OTHERWISE)
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{english} · {chinese}</title>"
    text = f"<h1>{english} · <span lang=zh-Hans>{chinese}</span></h1>"
    text += f"<p>{escape(error_body(error)['error']['message'] or '')}</p><p><a href='/'>coteach</a></p>"
    html = f"<html lang=en data-theme=auto><head>{head}<style>{PAGE_STYLE}</style></head><body><main>{text}</main>"
    html = f"<!doctype html>{html}</body></html>"
    return HTMLResponse(html, status_code=error.status, headers=error.headers)


def wants_page(accept: str) -> bool:
    """Whether a client shows HTML: browsers name it, API clients do not."""
    return "text/html" in accept and "application/json" not in accept


def answer_to(error: GatewayError, request: Request) -> Response:
    is_api = request.url.path.startswith("/v1/")
    is_page = not is_api and wants_page(request.headers.get("accept", ""))
    return error_page(error) if is_page else error_response(error)


def make_unexpected_error(request_id: str | None) -> GatewayError:
    """The message for a client after an unexpected exception."""
    named = f" It is in the log under {request_id}." if request_id else ""
    return GatewayError(f"Something went wrong here.{named}", status=500)


def install_error_handlers(app: FastAPI) -> None:
    """Give every error of `app` the same shape."""

    @app.exception_handler(GatewayError)
    async def _ours(request: Request, error: GatewayError) -> Response:
        return answer_to(error, request)

    @app.exception_handler(NotYours)
    async def _not_yours(request: Request, error: NotYours) -> Response:
        return answer_to(GatewayError(str(error), status=404), request)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")[:_LONGEST_PARAM]
        message = f"{where}: {first['msg']}" if where else str(first["msg"])
        return answer_to(GatewayError(f"The request cannot be read: {message}.", param=where or None), request)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        return answer_to(_from_http(error, request), request)

    @app.exception_handler(TableDamaged)
    async def _answer_damaged(request: Request, error: TableDamaged) -> Response:
        log.error("table_not_read", reason=str(error))
        message = "This source cannot be read just now. The course's staff can mend it with `coteach build`."
        damaged = GatewayError(message, status=503, code="source_damaged", headers={"Retry-After": "60"})
        return answer_to(damaged, request)

    @app.exception_handler(IndexUnreachable)
    async def _away(request: Request, error: IndexUnreachable) -> Response:
        log.error("index_not_reached", reason=str(error))
        message = "The course material cannot be searched just now. Try again in a moment."
        away = GatewayError(message, status=503, code="index_unavailable", headers={"Retry-After": "5"})
        return answer_to(away, request)

    @app.exception_handler(DataError)
    async def _not_kept(request: Request, error: DataError) -> Response:
        return answer_to(GatewayError("The request holds characters or numbers that cannot be kept."), request)

    @app.exception_handler(SQLAlchemyError)
    @app.exception_handler(StoreUnavailable)
    async def _store(request: Request, error: Exception) -> Response:
        log.error("store_error", kind=type(error).__name__, reason=_without_values(error))
        if (metrics := getattr(request.app.state, "metrics", None)) is not None:
            metrics.store_errors.inc()
        message = "What was sent could not be kept just now. Try again in a moment."
        failed = GatewayError(message, status=503, code="store_unavailable", headers={"Retry-After": "5"})
        return answer_to(failed, request)


def _from_http(error: HTTPException, request: Request) -> GatewayError:
    headers, message = dict(error.headers or {}), str(error.detail)
    if error.status_code in (404, 405) and message in _BARE:
        message = _nothing_at(request.method, request.url.path)
    return GatewayError(message, status=error.status_code, headers=headers)


def _nothing_at(method: str, path: str) -> str:
    """What is told to whoever asks for a route that there is not: mostly a client's base address, or a service of
    OpenAI's that this endpoint does not have."""
    asked = f"{method} {path[:_LONGEST_PARAM]}"
    if f"/v1{path}" in _DOORS:
        return f"There is no {asked} here: the base address of a client ends with /v1."
    return f"There is no {asked} here. There are {', '.join(_DOORS)}; /openapi.json describes them all."


def _without_values(error: Exception) -> str:
    """The first line of what the database said; the rest repeats the statement with its values."""
    return (str(error).splitlines() or [""])[0][:300]
