"""`WebClient`: the one way this project reads the web. Asking, waiting, trying again and keeping; no parsing here.

Every page is a GET with an honest User-Agent, at most one at a time per host, bounded in time, size and redirects. What
was read is kept (`cache.py` says why not by hishel) and asked for again with its ETag or Last-Modified.
"""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from knowledge_graph.sources.encodings import decode
from knowledge_graph.sources.web.addresses import Address, address_of, discreet_log, host_of
from knowledge_graph.sources.web.cache import KeptPage, PageCache
from knowledge_graph.sources.web.errors import WebError, WebNotAsked, WebRefused, WebTimeout, WebTooLarge
from knowledge_graph.sources.web.failures import check_followed, refusal, web_error
from knowledge_graph.sources.web.settings import WebSettings

_SAID_BYTES = 2_000
"""Read of a refusal: enough for the sentence in which a server says why."""


@dataclass(frozen=True)
class Clock:
    """Time as the client sees it; tests bring their own."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    seconds: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Turns:
    """When each host may be asked again: requests to one host keep their distance in time, whichever thread makes them.

    `seconds` is a clock that never goes back, `least` the least pause (s).
    """

    def __init__(self, least: float, *, seconds: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._least, self._seconds, self._sleep = least, seconds, sleep
        self._turns: dict[str, float] = {}
        self._delays: dict[str, float] = {}
        self._lock = threading.Lock()

    def keep_apart(self, host: str, seconds: float) -> None:
        """Leave at least so much time between requests to a host, and never less than `least`."""
        self._delays[host] = seconds

    def take(self, host: str) -> None:
        """Wait until the host may be asked, and take that turn."""
        delay = max(self._least, self._delays.get(host, 0.0))
        with self._lock:
            now = self._seconds()
            turn = max(now, self._turns.get(host, now - delay) + delay)
            self._turns[host] = turn
        if turn > now:
            self._sleep(turn - now)


@dataclass(frozen=True)
class WebPage:
    """A page with status 200.

    `url` is where redirects led, without user, password and private parameters. `fetched_at` (ISO 8601, UTC, seconds)
    is when this content was first seen, not when it was last asked for. `from_cache`: the body was not sent this time.
    `changed`: the content is new, or other than the one kept. `stale_because`: the error that a kept page stands for.
    """

    url: str
    status: int
    content_type: str
    body: bytes
    fetched_at: str
    from_cache: bool
    changed: bool
    stale_because: WebError | None = None

    @property
    def media_type(self) -> str:
        """`text/html`, without parameters, in lower case; empty when the server named none."""
        return self.content_type.partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body by its declared charset when that fits every byte, else by what the bytes themselves say."""
        declared = self.content_type.lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
        if declared not in ("", "utf-8", "utf8"):
            try:
                return self.body.decode(declared)
            except (LookupError, UnicodeDecodeError):
                pass
        return decode(self.body).text


_Check = Callable[[WebPage], object]
_Follow = Callable[[str], bool]


@dataclass(frozen=True)
class _Reply:
    url: str
    status: int
    headers: httpx.Headers
    body: bytes


class WebClient:
    """Reads pages. Use as a context manager, or `close()` it. Without `cache` nothing is kept."""

    def __init__(self, settings: WebSettings, *, cache: Path | None = None, clock: Clock | None = None) -> None:
        self.settings = settings
        self._cache = None if cache is None else PageCache(cache)
        self._clock = clock or Clock()
        self._turns = Turns(settings.delay_seconds, seconds=self._clock.seconds, sleep=self._clock.sleep)
        self._failures: dict[str, int] = {}
        self._http = httpx.Client(
            # Other encodings than these can blow up a small reply beyond any limit in one step.
            headers={"User-Agent": settings.user_agent, "Accept-Encoding": "gzip, deflate"},
            timeout=httpx.Timeout(settings.read_seconds, connect=settings.connect_seconds),
            event_hooks={"request": [self._take_turn]},
        )

    def __enter__(self) -> "WebClient":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def get(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        *,
        max_age: timedelta | None = None,
        private: Mapping[str, str] | None = None,
        check: _Check | None = None,
        may_follow: _Follow | None = None,
        stale_if_error: bool = False,
    ) -> WebPage:
        """The page at `url` with `params` added to its query; raises `WebError`.

        A page kept and checked within `max_age` is given without asking; without `max_age` the server is always asked,
        conditionally when a page is kept. `private` parameters (keys) are sent, but neither shown nor kept. `check`
        raises a `WebError` for a page that is not what was asked for; it is not kept then. `may_follow` is asked for
        the address of each redirect before it is, and answers `False` for a `WebNotFollowed`. With `stale_if_error` the
        page that is kept stands for an error, and says so. After `max_failures` errors in a row a host is left alone.
        """
        address = address_of(url, params, private)
        kept = self._cache.find(address.shown) if self._cache else None
        if kept and max_age is not None and timedelta(0) <= kept.age(self._clock.now()) < max_age:
            return _page_of(kept, from_cache=True, changed=False)
        try:
            return self._fetch(address, kept, check, may_follow)
        except WebError as error:
            if stale_if_error and kept:
                return replace(_page_of(kept, from_cache=True, changed=False), stale_because=error)
            raise

    def keep_apart(self, url: str, seconds: float) -> None:
        """Leave at least so much time between requests to the host of `url`, and never less than the setting."""
        self._turns.keep_apart(host_of(httpx.URL(url)), seconds)

    def _fetch(self, address: Address, kept: KeptPage | None, check: _Check | None, follow: _Follow | None) -> WebPage:
        host = host_of(address.url)
        if self._failures.get(host, 0) >= self.settings.max_failures:
            found = f"{self._failures[host]} failures in a row at {host}"
            remedy = "Mend what failed first, then run it again."
            raise WebNotAsked(address.shown, expected="a host that answers", found=found, remedy=remedy)
        try:
            reply = self._persistent(address, kept, follow)
            fresh = self._merge(address, reply, kept)
            page = _page_of(fresh, from_cache=reply.status == 304, changed=kept is None or kept.body != fresh.body)
            if check:
                check(page)
        except WebError as error:
            self._failures[host] = self._failures.get(host, 0) + (0 if error.is_of_one_page else 1)
            raise
        self._failures[host] = 0
        if self._cache:
            self._cache.keep(fresh)
        return page

    def _merge(self, address: Address, reply: _Reply, kept: KeptPage | None) -> KeptPage:
        now = self._clock.now().astimezone(UTC).isoformat(timespec="seconds")
        first_seen = kept.first_seen if kept is not None and kept.body == reply.body else now
        headers = reply.headers
        media, etag, modified = (headers.get(name) for name in ("content-type", "etag", "last-modified"))
        if kept is not None and reply.status == 304:
            # It need not repeat the headers of the page it stands for (RFC 9110, 15.4.5).
            media, etag, modified = kept.content_type, etag or kept.etag, modified or kept.last_modified
        return KeptPage(address.shown, reply.url, media or "", reply.body, etag, modified, first_seen, now)

    def _persistent(self, address: Address, kept: KeptPage | None, follow: _Follow | None) -> _Reply:
        trying = Retrying(
            stop=stop_after_attempt(self.settings.attempts),
            retry=retry_if_exception(self._is_worth_waiting),
            wait=self._pause,
            sleep=self._clock.sleep,
            reraise=True,
        )
        with discreet_log(address):
            return trying(self._request, address, kept, follow)

    def _is_worth_waiting(self, error: BaseException) -> bool:
        if isinstance(error, WebRefused) and (error.retry_after or 0) > self.settings.longest_wait_seconds:
            return False
        return isinstance(error, WebError) and error.is_passing

    def _pause(self, state: RetryCallState) -> float:
        longest = self.settings.longest_wait_seconds
        pause = wait_exponential(multiplier=self.settings.backoff_seconds, max=longest)(state)
        error = state.outcome.exception() if state.outcome else None
        return max(pause, (error.retry_after or 0.0) if isinstance(error, WebRefused) else 0.0)

    def _request(self, address: Address, kept: KeptPage | None, may_follow: _Follow | None) -> _Reply:
        conditions = {"If-None-Match": kept and kept.etag, "If-Modified-Since": kept and kept.last_modified}
        headers = {name: value for name, value in conditions.items() if value}
        try:
            request = self._http.build_request("GET", address.url, headers=headers)
            for _ in range(self.settings.max_redirects + 1):
                # httpx itself would read the body of every redirect, however long.
                with closing(self._http.send(request, stream=True)) as response:
                    if response.next_request is None:
                        return self._read(address, response, kept)
                    request = response.next_request
                if may_follow:
                    check_followed(address, request.url, may_follow)
            raise httpx.TooManyRedirects("too many redirects")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise web_error(address, error) from error

    def _read(self, address: Address, response: httpx.Response, kept: KeptPage | None) -> _Reply:
        if response.status_code == 304 and kept:
            return _Reply(kept.url, 304, response.headers, kept.body)
        if response.status_code != 200:
            raise refusal(address, response, self._body(address, response, enough=_SAID_BYTES), self._clock.now())
        return _Reply(address.display_target(response.url), 200, response.headers, self._body(address, response))

    def _body(self, address: Address, response: httpx.Response, *, enough: int | None = None) -> bytes:
        """All of a reply, or its first `enough` bytes."""
        limit, body, started = self.settings.max_bytes, bytearray(), self._clock.seconds()
        for chunk in response.iter_bytes():
            body += chunk
            if enough is not None and len(body) >= enough:
                return bytes(body[:enough])
            if len(body) > limit:
                remedy = "Read something smaller, or raise max_bytes."
                raise WebTooLarge(address.shown, expected=f"at most {limit:,} bytes", found="more", remedy=remedy)
            if self._clock.seconds() - started > self.settings.total_seconds:
                expected = f"the whole reply within {self.settings.total_seconds:g} s"
                remedy = "Try again later, or raise total_seconds."
                raise WebTimeout(address.shown, expected=expected, found=f"{len(body):,} bytes", remedy=remedy)
        return bytes(body)

    def _take_turn(self, request: httpx.Request) -> None:
        """Called before every request, those to which redirects lead too."""
        if request.url.scheme not in ("http", "https"):
            raise httpx.UnsupportedProtocol(f"{request.url.scheme}:// is not read")
        self._turns.take(host_of(request.url))


def _page_of(kept: KeptPage, *, from_cache: bool, changed: bool) -> WebPage:
    return WebPage(kept.url, 200, kept.content_type, kept.body, kept.first_seen, from_cache, changed)
