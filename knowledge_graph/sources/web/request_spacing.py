"""Turns: requests to one host keep their distance in time, whichever thread makes them."""

import threading
from collections.abc import Callable


class Turns:
    """When each host may be asked again. `seconds` is a clock that never goes back, `least` the least pause (s)."""

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
