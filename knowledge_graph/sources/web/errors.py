"""What can go wrong on the web: one tree, so that a caller may catch `WebError` alone.

WebError
├── WebUnreachable   no connection, or it broke
├── WebTimeout       no reply in time
├── WebNotAsked      nothing was sent: the host had failed too often in a row
├── WebRefused       a reply with a status other than 200
├── WebTooLarge      more bytes than are read
├── WebUnexpected    a reply of another kind than asked for, or an address that cannot be asked
│   └── WebNotFollowed  a redirect to where the caller does not go
└── WebCacheUnusable the cache on disk cannot be read or written
"""

from knowledge_graph.lake.problems import CoteachError

_WORTH_ANOTHER_TRY = frozenset({408, 425, 429, 500, 502, 503, 504})


class WebError(CoteachError):
    """A page that was not read: `url` (without anything secret), what was expected and found, what to do next."""

    def __init__(self, url: str, *, expected: str, found: str, remedy: str) -> None:
        self.url = url
        self.found = found
        self.message = f"Expected {expected}, found {found}."
        self.remedy = remedy
        super().__init__(f"{url}: {self.message} {remedy}")

    @property
    def is_passing(self) -> bool:
        """Whether the same request may well succeed a little later."""
        return isinstance(self, WebUnreachable | WebTimeout)

    @property
    def is_of_one_page(self) -> bool:
        """Whether it says nothing about the other pages of the host."""
        is_gone = isinstance(self, WebRefused) and self.status in (404, 410)
        return is_gone or isinstance(self, WebTooLarge | WebNotFollowed)


class WebUnreachable(WebError):
    """No connection could be made, or it broke before the reply was complete."""


class WebTimeout(WebError):
    """The reply did not come, or did not end, in time."""


class WebNotAsked(WebError):
    """Nothing was sent, because the last requests to this host had all failed."""


class WebRefused(WebError):
    """The server answered with another status than 200. `retry_after` is the pause it asked for, in seconds."""

    def __init__(
        self, url: str, status: int, *, expected: str, found: str, remedy: str, retry_after: float | None = None
    ) -> None:
        super().__init__(url, expected=expected, found=found, remedy=remedy)
        self.status = status
        self.retry_after = retry_after

    @property
    def is_passing(self) -> bool:
        return self.status in _WORTH_ANOTHER_TRY


class WebTooLarge(WebError):
    """The reply is larger than what is read."""


class WebUnexpected(WebError):
    """The reply is not of the kind that was asked for, or the address is none that can be asked."""


class WebNotFollowed(WebUnexpected):
    """The page is somewhere else, at `target`, where the caller does not follow; nothing was asked there."""

    def __init__(self, url: str, target: str) -> None:
        remedy = "Check the address in a browser."
        super().__init__(url, expected="a page", found=f"a redirect to {target}, which is not followed", remedy=remedy)
        self.target = target


class WebCacheUnusable(WebError):
    """The cache on disk cannot be read or written."""
