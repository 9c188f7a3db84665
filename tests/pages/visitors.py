"""`Visitors`: people with browsers of their own, and what their pages may not do."""

from collections.abc import Iterable
from typing import Any, Literal
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize, WebError

PATIENCE_MS = 15_000

DESK: ViewportSize = {"width": 1280, "height": 860}

_LEFT: WeakKeyDictionary[Browser, dict[tuple[str, str], list[BrowserContext]]] = WeakKeyDictionary()
"""Of each browser what visitors have left behind empty, by site and language."""


def empty(context: BrowserContext, url: str) -> None:
    """Close the pages of somebody who leaves, and forget all that a site can keep but its files."""
    *others, last = context.pages or [context.new_page()]
    for page in others:
        page.close()
    kept = {"origin": url, "storageTypes": "all"}
    context.new_cdp_session(last).send("Storage.clearDataForOrigin", kept)
    last.close()
    context.unroute_all()
    context.set_offline(False)
    context.clear_cookies()


OFFLINE = "net::ERR_INTERNET_DISCONNECTED"
"""What the browser itself says of a page that a test took offline, if it is so for long."""


class Visitors:
    """Browsers, each with cookies of its own.

    Who comes later takes over what somebody left, emptied but for the files of the site and what was compiled of them:
    without those a page takes twice the processor time.
    """

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._contexts: list[tuple[str, BrowserContext]] = []
        self.foreign: list[str] = []
        self.errors: list[str] = []

    def comes(
        self,
        *,
        key: str | None = None,
        cookies: Iterable[Any] = (),
        locale: str = "en-GB",
        viewport: ViewportSize = DESK,
        color_scheme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce"] | None = None,
    ) -> Page:
        """A new visitor, who has opened no page; with a `key` they have logged in, without the page for it."""
        context = self._context(locale)
        context.on("request", self._look)
        context.on("console", self._hear)
        context.on("weberror", self._fail)
        self._contexts.append((locale, context))
        context.add_cookies(list(cookies))
        if key is not None:
            answer = context.request.post("/login", data={"key": key})
            assert answer.ok, answer.text()
        page = context.new_page()
        if viewport != DESK:
            page.set_viewport_size(viewport)
        if color_scheme != "light" or reduced_motion is not None:
            page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        return page

    def leave(self) -> None:
        for locale, context in self._contexts:
            empty(context, self._url)
            context.remove_listener("request", self._look)
            context.remove_listener("console", self._hear)
            context.remove_listener("weberror", self._fail)
            _LEFT.setdefault(self._browser, {}).setdefault((self._url, locale), []).append(context)
        self._contexts.clear()
        assert self.foreign == [], "A page asked another host for something."
        assert self.errors == [], f"A page's scripts failed: {self.errors}"

    def _context(self, locale: str) -> BrowserContext:
        left = _LEFT.get(self._browser, {}).get((self._url, locale))
        if left:
            return left.pop()
        context = self._browser.new_context(base_url=self._url, locale=locale, color_scheme="light", viewport=DESK)
        context.set_default_timeout(PATIENCE_MS)
        return context

    def _look(self, request: Request) -> None:
        own = (self._url, self._url.replace("http", "ws", 1), "data:", "blob:")
        if not request.url.startswith(own):
            self.foreign.append(request.url)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and OFFLINE not in message.text:
            self.errors.append(message.text)

    def _fail(self, error: WebError) -> None:
        self.errors.append(str(error.error))
