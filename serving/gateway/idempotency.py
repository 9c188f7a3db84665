"""`Idempotency-Key`: a request that is sent again gets the answer of the first, also while that is being written.

Kept in memory by each gateway, for the newest few answers: it is there for the retries of a client, not as a store.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from serving.gateway.errors import GatewayError

MOST_KEPT = 512
LONGEST_KEY = 255


class Repeats:
    """Answers by who asked and the key they gave."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[str, asyncio.Task[bytes]]] = OrderedDict()
        self._most = most

    async def once(self, who: str, key: str, asked: bytes, work: Callable[[], Awaitable[bytes]]) -> bytes:
        """The answer to `asked`, made once for a key. `GatewayError` 422 for a key that came with another request."""
        if len(key) > LONGEST_KEY:
            raise GatewayError(f"An Idempotency-Key has at most {LONGEST_KEY} characters.", param="Idempotency-Key")
        digest = hashlib.sha256(asked).hexdigest()
        known = self._kept.get((who, key))
        if known is None:
            known = self._kept[who, key] = (digest, asyncio.ensure_future(_make(work)))
            known[1].add_done_callback(lambda made: self._drop_failed((who, key), made))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        if known[0] != digest:
            message = "This Idempotency-Key came with another request before."
            raise GatewayError(message, status=422, code="idempotency_key_reused", param="Idempotency-Key")
        return await asyncio.shield(known[1])

    def _drop_failed(self, name: tuple[str, str], made: "asyncio.Task[bytes]") -> None:
        if made.cancelled() or made.exception() is not None:
            self._kept.pop(name, None)


async def _make(work: Callable[[], Awaitable[bytes]]) -> bytes:
    return await work()
