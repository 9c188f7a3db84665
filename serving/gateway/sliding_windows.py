"""Counts of sliding windows for the `limits` library, by a monotonic clock and in bounded memory.

Instead of the library's own storage in memory: that one reads the time of day, so a clock that jumps empties or freezes
its windows, and it starts a thread that walks through all addresses.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import floor

from limits.storage import SlidingWindowCounterSupport, Storage

MOST_KEYS = 50_000
"""Callers that are counted, a choice (some 20 MB); the one not seen for longest is forgotten for a new one."""


@dataclass(slots=True)
class _Window:
    number: int
    before: int = 0
    count: int = 0


class Windows(Storage, SlidingWindowCounterSupport):
    """For each key the count of the window now and of the one before. Not shared with other processes."""

    STORAGE_SCHEME = ["coteach-memory"]  # noqa: RUF012  the base class declares it so

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, most_keys: int = MOST_KEYS) -> None:
        super().__init__()
        self._clock, self._most_keys = clock, most_keys
        self._windows: OrderedDict[str, _Window] = OrderedDict()

    def __len__(self) -> int:
        return len(self._windows)

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        window, passed = self._now(key, expiry)
        weighted = window.before * (1 - passed) + window.count
        if floor(weighted) + amount > limit:
            return False
        window.count += amount
        return True

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """Count before, seconds it still weighs, count now, seconds until it is forgotten."""
        window, passed = self._now(key, expiry)
        left = (1 - passed) * expiry
        return window.before, left if window.before else 0.0, window.count, left + expiry

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        self.clear(key)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        window, _ = self._now(key, expiry)
        window.count += amount
        return window.count

    def get(self, key: str) -> int:
        window = self._windows.get(key)
        return 0 if window is None else window.count

    def get_expiry(self, key: str) -> float:
        return time.time()

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        count = len(self._windows)
        self._windows.clear()
        return count

    def clear(self, key: str) -> None:
        self._windows.pop(key, None)

    def _now(self, key: str, expiry: int) -> tuple[_Window, float]:
        """The key's window brought up to now, and the part of it that has passed, 0..1."""
        number, passed = divmod(self._clock() / expiry, 1)
        window = self._windows.get(key)
        if window is None:
            window = self._windows[key] = _Window(int(number))
            if len(self._windows) > self._most_keys:
                self._windows.popitem(last=False)
        else:
            self._windows.move_to_end(key)
        gone = int(number) - window.number
        if gone:
            window.before, window.count = (window.count if gone == 1 else 0), 0
            window.number = int(number)
        return window, passed
