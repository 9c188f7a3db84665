"""`Visitors`: people with browsers of their own, and what their pages may not do."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

PATIENCE_MS = 15_000


class Visitors:
    """Browsers, each with cookies of its own."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._contexts: list[BrowserContext] = []
        self.foreign: list[str] = []
        self.errors: list[str] = []

    def comes(self, *, key: str | None = None, **options: Any) -> Page:
        """A new visitor, who has opened no page; with a `key` they have logged in, without the page for it.
        `options` as `Browser.new_context` has them."""
        chosen = {"locale": "en-GB", "color_scheme": "light", "viewport": {"width": 1280, "height": 860}, **options}
        context = self._browser.new_context(base_url=self._url, **chosen)
        context.set_default_timeout(PATIENCE_MS)
        context.on("request", self._look)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        self._contexts.append(context)
        if key is not None:
            answer = context.request.post("/login", data={"key": key})
            assert answer.ok, answer.text()
        return context.new_page()

    def leave(self) -> None:
        for context in self._contexts:
            context.close()
        assert self.foreign == [], "A page asked another host for something."
        assert self.errors == [], "A page's scripts failed."

    def _look(self, request: Request) -> None:
        own = (self._url, self._url.replace("http", "ws", 1), "data:", "blob:")
        if not request.url.startswith(own):
            self.foreign.append(request.url)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)
