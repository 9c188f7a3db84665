"""Errors in OpenAI's shape, so that any OpenAI client shows their message."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from knowledge_graph.problems import CoteachError


class GatewayError(CoteachError):
    """A request that cannot be answered. `code` is OpenAI's name for the error."""

    def __init__(self, message: str, *, status: int = 400, code: str | None = None, param: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.param = param


def error_response(error: GatewayError) -> JSONResponse:
    """The error as OpenAI sends it."""
    kind = "invalid_request_error" if error.status < 500 else "server_error"
    body = {"message": error.message, "type": kind, "param": error.param, "code": error.code}
    return JSONResponse({"error": body}, status_code=error.status)


def install_error_handlers(app: FastAPI) -> None:
    """Give every error of `app` the same shape."""

    @app.exception_handler(GatewayError)
    async def _ours(request: Request, error: GatewayError) -> JSONResponse:
        return error_response(error)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        message = f"{where}: {first['msg']}" if where else str(first["msg"])
        return error_response(GatewayError(f"The request cannot be read: {message}.", param=where or None))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        return error_response(GatewayError(str(error.detail), status=error.status_code))
