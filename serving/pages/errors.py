"""What is shown in the place of a page that cannot be built: one sentence and a way back, without any script."""

from html import escape

from fastapi import Request
from fastapi.responses import Response

from serving.gateway.errors import GatewayError
from serving.pages.plain_page import lang_of, plain_page
from serving.pages.words import words


def error_key(error: GatewayError) -> str:
    """The words for an error of the gateway; its own message is for programs."""
    if error.code == "not_built":
        return "not_built"
    if error.status == 429:
        return "rate_limit_exceeded"
    return "not_found" if error.status == 404 else "other"


def error_page(request: Request, key: str, *, status: int) -> Response:
    """`key` is one of `words/errors.yaml`."""
    say = words("errors", lang_of(request))
    body = (
        f'<section class="card login"><h1>{escape(say("title"))}</h1><p>{escape(say(key))}</p>'
        f'<p><a href="/">{escape(say("back"))}</a></p></section>'
    )
    return plain_page(request, say("title"), body, status=status)


async def say_error(request: Request, error: Exception) -> Response:
    """The handler of `GatewayError` for pages."""
    assert isinstance(error, GatewayError)
    page = error_page(request, error_key(error), status=error.status)
    page.headers.update(error.headers)
    return page


async def say_unexpected(request: Request, error: Exception) -> Response:
    """The handler of everything nobody foresaw; the log has it."""
    return error_page(request, "other", status=500)
