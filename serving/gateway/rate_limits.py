"""How much one caller may do: questions per minute and course, other requests, logins of an address, open answers.

Who is over a limit gets 429 in OpenAI's shape with `Retry-After`; every answer says what is left in OpenAI's
`x-ratelimit-*` headers. Counts are kept in this process, or by URL where `limits` keeps them (`redis://…`).
"""

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from typing import Literal

import structlog
from fastapi import FastAPI
from limits import RateLimitItemPerMinute
from limits.errors import ConfigurationError, StorageError
from limits.storage import storage_from_string
from limits.strategies import SlidingWindowCounterRateLimiter

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.errors import GatewayError
from serving.gateway.sliding_windows import Windows
from serving.settings import Settings

log = structlog.get_logger(__name__)

What = Literal["questions", "requests", "logins"]

OTHER_REQUESTS = 10
"""Requests that ask no question, allowed for each one that does. A choice."""

MINUTE = 60.0


@dataclass(frozen=True)
class Allowance:
    """What a caller has left: of `limit` per minute `remaining`, and seconds until there is more."""

    limit: int
    remaining: int
    reset_s: float

    def headers(self) -> list[tuple[bytes, bytes]]:
        values = {"limit": str(self.limit), "remaining": str(self.remaining), "reset": span(self.reset_s)}
        return [(f"x-ratelimit-{name}-requests".encode(), value.encode()) for name, value in values.items()]


def span(seconds: float) -> str:
    """Seconds as OpenAI writes them: `20ms`, `1s`, `1m0s`."""
    if 0 < seconds < 1:
        return f"{max(round(seconds * 1000), 1)}ms"
    minutes, rest = divmod(ceil(seconds), 60)
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"


def address_block(host: str | None) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 one, which is what one household gets."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False).network_address)


class Limits:
    """The limits of one app."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], float] = time.monotonic,
        on_refused: Callable[[str], None] = lambda what: None,
    ) -> None:
        url = settings.limits_url
        self._is_remote = url is not None
        try:
            storage = Windows(clock=clock) if url is None else storage_from_string(url, wrap_exceptions=True)
        except ConfigurationError as error:
            told = f"COTEACH_LIMITS_URL names no place to count in, such as redis://host:6379: {error}. "
            told += "For Redis: `pip install 'coteach[redis]'`."
            raise CoteachError(told) from error
        self._limiter = SlidingWindowCounterRateLimiter(storage)
        self._per_minute: dict[What, int] = {
            "questions": settings.requests_per_minute,
            "requests": settings.requests_per_minute * OTHER_REQUESTS,
            "logins": settings.logins_per_minute,
        }
        self._most_open = settings.concurrent_answers
        self._open: Counter[str] = Counter()
        self._on_refused = on_refused

    async def admit(
        self, who: str, what: What, *, course_id: str | None = None, per_minute: int | None = None
    ) -> Allowance | None:
        """Count one; what is left, `None` without a limit. `per_minute` is the caller's own number of questions.

        Raises `GatewayError` 429 with the seconds to wait. A storage that cannot be reached lets everybody through.
        """
        limit = self._limit(what, per_minute)
        if limit <= 0:
            return None
        item = RateLimitItemPerMinute(limit, namespace=what)
        names = (who, course_id or "")
        try:
            is_admitted, allowance = (
                await asyncio.to_thread(self._hit, item, *names) if self._is_remote else self._hit(item, *names)
            )
        except StorageError as error:
            log.warning("limits_not_counted", reason=type(error).__name__)
            return None
        if not is_admitted:
            self._on_refused(what)
            raise too_many(what, allowance)
        return allowance

    async def check(self, who: str, what: What) -> None:
        """Raise `GatewayError` 429 when the next one would be refused; nothing is counted."""
        limit = self._limit(what, None)
        if limit <= 0 or self._is_remote:
            return
        item = RateLimitItemPerMinute(limit, namespace=what)
        if not self._limiter.test(item, who, ""):
            raise too_many(what, self._allowance(item, who, ""))

    @contextmanager
    def writing(self, who: str) -> Iterator[None]:
        """One more answer is being written for a caller while this is open. Raises `GatewayError` 429."""
        release = self.take(who)
        try:
            yield
        finally:
            release()

    def take(self, who: str) -> Callable[[], None]:
        """As `writing`; call what comes back when the answer is over."""
        if 0 < self._most_open <= self._open[who]:
            self._on_refused("open")
            message = f"{self._most_open} answers are being written for you already. Wait until one is done."
            raise GatewayError(message, status=429, headers={"Retry-After": "1"})
        self._open[who] += 1
        is_over = False

        def release() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                self._open[who] -= 1
                if self._open[who] <= 0:
                    del self._open[who]

        return release

    def _limit(self, what: What, per_minute: int | None) -> int:
        if per_minute is None or what == "logins":
            return self._per_minute[what]
        return per_minute * (OTHER_REQUESTS if what == "requests" else 1)

    def _hit(self, item: RateLimitItemPerMinute, who: str, course: str) -> tuple[bool, Allowance]:
        is_admitted = self._limiter.hit(item, who, course)
        return is_admitted, self._allowance(item, who, course)

    def _allowance(self, item: RateLimitItemPerMinute, who: str, course: str) -> Allowance:
        stats = self._limiter.get_window_stats(item, who, course)
        reset_s = min(max(stats.reset_time - time.time(), 0.0), MINUTE)
        return Allowance(item.amount, int(stats.remaining), reset_s)


def too_many(what: What, allowance: Allowance) -> GatewayError:
    wait = max(ceil(allowance.reset_s), 1)
    message = f"Too many {what}: {allowance.limit} per minute are allowed. Try again in {wait} s."
    headers = {name.decode(): value.decode() for name, value in allowance.headers()}
    return GatewayError(message, status=429, headers=headers | {"Retry-After": str(wait)})


def install(app: FastAPI, settings: Settings) -> Limits:
    """Count this app's callers in `app.state.limits`; what is refused is counted by its metrics."""

    def count_refusal(what: str) -> None:
        if (metrics := getattr(app.state, "metrics", None)) is not None:
            metrics.limited.labels(what).inc()

    app.state.limits = Limits(settings, on_refused=count_refusal)
    return app.state.limits  # type: ignore[no-any-return]  # starlette's state has no types
