"""What httpx raises and what servers refuse, as `WebError`s with the next step for a person."""

from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx

from knowledge_graph.sources.encodings import decode
from knowledge_graph.sources.web.addresses import Address
from knowledge_graph.sources.web.errors import (
    WebError,
    WebNotFollowed,
    WebRefused,
    WebTimeout,
    WebUnexpected,
    WebUnreachable,
)

_LONGEST_SAID = 200
"""Characters quoted of what a server says about its refusal."""


def refusal(address: Address, response: httpx.Response, body: bytes, now: datetime) -> WebRefused:
    """A status other than 200, with the server's own words when they are no HTML page."""
    status, wait = response.status_code, _retry_after(response.headers.get("retry-after"), now)
    said = address.discreet(" ".join(decode(body).text.split()))[:_LONGEST_SAID]
    plain = response.headers.get("content-type", "").startswith(("application/json", "text/plain"))
    found = f"{status} {response.reason_phrase}".strip() + (f" ({said})" if said and plain else "")
    remedy = _remedy(status) if wait is None else f"{_remedy(status)} The server asks for a pause of {wait:g} s."
    return WebRefused(address.shown, status, expected="a page (200)", found=found, remedy=remedy, retry_after=wait)


def check_followed(address: Address, url: httpx.URL, may_follow: Callable[[str], bool]) -> None:
    """Raise `WebNotFollowed` when the caller does not go where a redirect leads."""
    target = address.display_target(url)
    if not may_follow(target):
        raise WebNotFollowed(address.shown, target)


def web_error(address: Address, error: httpx.HTTPError | httpx.InvalidURL) -> WebError:
    """The `WebError` of anything that httpx raises while a page is read."""
    found = address.discreet(str(error) or type(error).__name__)
    if isinstance(error, httpx.TimeoutException):
        expected = "a connection in time" if isinstance(error, httpx.ConnectTimeout) else "a reply in time"
        remedy = "Check that the server is well, or allow more time."
        return WebTimeout(address.shown, expected=expected, found=f"silence ({type(error).__name__})", remedy=remedy)
    if isinstance(error, httpx.TooManyRedirects):
        return _make_unexpected_reply(address, "few redirects", "a long row of them")
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol) or "location header" in found:
        return _make_unexpected_reply(address, "an http or https address", found)
    if isinstance(error, httpx.DecodingError):
        return _make_unexpected_reply(address, "a reply that can be unpacked", found)
    remedy = "Check the address, the network and that the server is running."
    return WebUnreachable(address.shown, expected="a connection that holds", found=found, remedy=remedy)


def _make_unexpected_reply(address: Address, expected: str, found: str) -> WebUnexpected:
    return WebUnexpected(address.shown, expected=expected, found=found, remedy="Check the address in a browser.")


def _retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds to wait, from either form of Retry-After (RFC 9110, 10.2.3); `None` when it says nothing."""
    if not header:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - now).total_seconds())
    except (ValueError, TypeError):
        return None


def _remedy(status: int) -> str:
    if status == 429:
        return "Try again later, ask for less, or raise the delay between requests."
    if status in (401, 403):
        return "Check that this machine, or its key, may read it."
    if status in (404, 410):
        return "Check the address; the page may be gone."
    return "Try again later." if status >= 500 else "Check the address."
