"""What is fetched from an LMS: JSON objects of bounded size, in bounded time, from the address itself and no other."""

import json
from collections.abc import Mapping
from typing import Any

import httpx

from knowledge_graph.lake.problems import CoteachError
from serving.store.platforms import is_safe_address

SECONDS = 10.0
MOST_BYTES = 256_000
"""A key set has some kilobytes, and so has what a platform says of itself. A choice."""


class PlatformUnreachable(CoteachError):
    """What an LMS was asked for did not come, or cannot be read."""


async def fetch_object(
    http: httpx.AsyncClient,
    address: str,
    *,
    bearer: str | None = None,
    sent: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The JSON object at an address, or what it answers to `sent`. Redirects are not followed.

    Raises `PlatformUnreachable`, also for an address that anybody on the way could change.
    """
    if not is_safe_address(address):
        raise PlatformUnreachable(f"An address of an LMS begins with https://; found {address[:200]!r}.")
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {bearer}"} if bearer else {})
    method = "GET" if sent is None else "POST"
    try:
        async with http.stream(method, address, headers=headers, json=sent, timeout=SECONDS) as reply:
            body = await _body_of(reply)
            status = reply.status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise PlatformUnreachable(f"{address} did not answer ({type(error).__name__}).") from error
    if not 200 <= status < 300:
        raise PlatformUnreachable(f"{address} answered with status {status}.")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise PlatformUnreachable(f"{address} did not answer with JSON.") from error
    if not isinstance(found, dict):
        raise PlatformUnreachable(f"{address} answered with JSON that is no object.")
    return found


async def _body_of(reply: httpx.Response) -> bytes:
    body = bytearray()
    async for part in reply.aiter_bytes():
        body += part
        if len(body) > MOST_BYTES:
            raise PlatformUnreachable(f"{reply.url} answers with more than {MOST_BYTES} bytes.")
    return bytes(body)
