"""A gateway that an LMS of `lms.py` is registered in, and a browser of a sort, which follows what both say."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from gateways import Gateway, running
from lms import Lms
from sqlalchemy import select

from serving.gateway.access import LAUNCH_COOKIE
from serving.settings import Settings
from serving.store.platforms import PlatformAddresses, PlatformGrant, add_platform, connect_context
from serving.store.tables.identity import Login
from serving.store.tables.lti import LtiPlatform

TOOL = "http://127.0.0.1:8080"
IN_FRAME = {"Accept": "text/html", "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"}
OWN_FORM = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}


def addresses_of(lms: Lms, **changed: Any) -> PlatformAddresses:
    named = {"issuer": lms.base, "client_id": lms.client_id, "auth_url": f"{lms.base}/auth"}
    return PlatformAddresses(**(named | {"jwks_url": f"{lms.base}/jwks"} | changed))


@dataclass
class Tool:
    """The gateway, the LMS and one browser between them."""

    gateway: Gateway
    lms: Lms
    platform: LtiPlatform

    async def begin(self, hint: str, **changed: Any) -> httpx.Response:
        """The browser comes from the LMS to the tool's login."""
        path = self.lms.login_address(hint, **changed).removeprefix(self.lms.tool)
        return await self.gateway.client.get(path, headers=IN_FRAME)

    async def form(self, hint: str, **changed: Any) -> dict[str, str]:
        """What the LMS has the browser post, after it was sent there by the tool."""
        sent = await self.begin(hint, **changed)
        assert sent.status_code == 302, sent.text
        where, asked = sent.headers["location"].partition("?")[::2]
        assert where == f"{self.lms.base}/auth"
        address, fields = self.lms.authorize(dict(parse_qsl(asked)))
        assert address == f"{self.lms.tool}/lti/launch"
        return fields

    async def post(self, fields: dict[str, str]) -> httpx.Response:
        return await self.gateway.client.post("/lti/launch", data=fields, headers=IN_FRAME)

    async def launch(self, hint: str = "student", **changed: Any) -> httpx.Response:
        return await self.post(await self.form(hint, **changed))

    async def asked_for_content(self, hint: str = "teacher") -> httpx.Response:
        return await self.launch(hint, message="content")

    async def choose(self, page: httpx.Response, item: str, at: str = "") -> httpx.Response:
        fields = {"asked": hidden(page.text, "asked"), "item": item, "at": at}
        return await self.gateway.client.post("/lti/choose", data=fields, headers=OWN_FORM)


def hidden(page: str, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return unescape(found[1])


def told(page: httpx.Response) -> str:
    """What a refusal says."""
    found = re.search(r'role="alert">([^<]*)<', page.text)
    assert found is not None, page.text
    return unescape(found[1])


def place_of(reply: httpx.Response) -> dict[str, str]:
    """Where a launch leads to."""
    assert reply.status_code == 303, reply.text
    parts = urlsplit(reply.headers["location"])
    assert (parts.scheme, parts.netloc, parts.path) == ("", "", "/")
    return dict(parse_qsl(parts.query))


@asynccontextmanager
async def connected(
    home: Path,
    lms: Lms,
    *,
    grant: PlatformGrant | None = None,
    course: str | None = "ds",
    store_url: str | None = None,
    settings: dict[str, Any] | None = None,
) -> AsyncIterator[Tool]:
    """The LMS is registered with its deployment; its course is `course`, or not connected for `None`."""
    lms.tool = TOOL
    allowed = grant or PlatformGrant("Simulator", ("ds",))
    chosen = {"access": "keys", "public_url": TOOL, "store_url": store_url} | (settings or {})
    async with running(Settings(home=home, **chosen)) as gateway:

        def register(db: Any) -> LtiPlatform:
            platform = add_platform(db, addresses_of(lms), allowed, [lms.deployment_id])
            if course is not None:
                connect_context(db, platform, lms.deployment_id, lms.context_id, course_id=course, by="test")
            return platform

        platform = gateway.store.write(register)
        await gateway.app.state.lti.refresh()
        gateway.client.base_url = httpx.URL(TOOL.replace("http:", "https:"))  # so that secure cookies are sent back
        yield Tool(gateway, lms, platform)


Work = Callable[[Tool], Any]

Use = Callable[..., Any]
"""`use(work, **options)`: runs `async def work(tool)` over a gateway that the LMS is registered in."""


def refuse(
    use: Use, work: Callable[[Tool], Awaitable[httpx.Response]], why: str, status: int = 403, **options: Any
) -> None:
    """A launch is refused for this reason, nobody is logged in, and the page may be seen in the LMS's frame."""

    async def whole(tool: Tool) -> tuple[httpx.Response, int]:
        reply = await work(tool)
        return reply, len(tool.gateway.store.read(lambda db: db.scalars(select(Login)).all()))

    reply, logins = use(whole, **options)
    assert (reply.status_code, logins, LAUNCH_COOKIE in reply.cookies) == (status, 0, False)
    assert why in told(reply)
    assert "frame-ancestors 'self' http://localhost:" in reply.headers["content-security-policy"]
    assert "x-frame-options" not in reply.headers
