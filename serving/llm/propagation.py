"""Passes a request's id and its W3C trace context on to the model server.

https://www.w3.org/TR/trace-context/
"""

import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_REQUEST_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)

PASSED_ON: ContextVar[Mapping[str, str]] = ContextVar("passed_on", default=MappingProxyType({}))
"""Headers for every request to the model server that is made for this one."""


def accept_id(shown: str | None) -> str:
    """The id that a client or proxy gave a request, else a new one."""
    return shown if shown is not None and _REQUEST_ID.fullmatch(shown) else secrets.token_hex(8)


def child_of(traceparent: str | None) -> str | None:
    """The trace context for what is called from here: the same trace, a span of our own. `None` without a valid one."""
    found = _TRACEPARENT.fullmatch(traceparent or "")
    if found is None or found[1] == "ff" or set(found[2]) == {"0"} or set(found[3]) == {"0"}:
        return None
    return f"00-{found[2]}-{secrets.token_hex(8)}-{found[4]}"
