"""What may be asked of the web and how patiently; where the values come from is for the caller."""

import re
from dataclasses import dataclass
from importlib.metadata import version

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.web.addresses import without_user

OPENALEX_URL = "https://api.openalex.org"
"""The documented value of `scholar_url`."""


_MAIL = re.compile(r"[!-?A-~]+@[!-~]+")


class WebSettingsWrong(CoteachError):
    """A setting that cannot be meant as it stands."""


@dataclass(frozen=True)
class WebSettings:
    """Nothing is asked of an engine whose URL is `None`: recorded replies are replayed instead."""

    search_url: str | None = None
    """A SearXNG instance, such as `http://localhost:8888`; a path below the host is kept."""
    scholar_url: str | None = None
    """An OpenAlex API: `OPENALEX_URL`, or a mirror of it."""
    scholar_key: str | None = None
    """OpenAlex's free API key. Without one it answers a few searches a day. Never shown, never stored."""
    mailto: str | None = None
    """Whom to write to when our requests are a burden; sent to OpenAlex and in the User-Agent."""
    send_questions: bool = False
    """Whether students' unanswered questions may leave the house; concepts of the course always may."""
    max_queries: int = 50
    """Queries sent for one course."""
    max_failures: int = 3
    """After so many failures in a row a host is not asked again."""
    max_age_days: float = 30.0
    """Replies younger than this are taken from the cache without asking."""
    delay_seconds: float = 1.0
    """Least time between two requests to one host."""
    connect_seconds: float = 10.0
    read_seconds: float = 20.0
    """Longest silence while a reply is read."""
    total_seconds: float = 60.0
    """Longest time for the body of one reply, however steadily it trickles."""
    attempts: int = 4
    """Requests made for one page before giving up: 429, 5xx and broken connections are tried again."""
    backoff_seconds: float = 1.0
    """Pause before the second attempt; it doubles with each."""
    longest_wait_seconds: float = 60.0
    """Longest pause between attempts. A server that asks for a longer one is not asked again."""
    max_bytes: int = 10_000_000
    """Largest page read. Search replies have 100 kB, catalogue pages up to 2 MB."""
    max_redirects: int = 5

    def __post_init__(self) -> None:
        for name in ("search_url", "scholar_url"):
            value = getattr(self, name)
            if value is not None and not value.lower().startswith(("http://", "https://")):
                raise WebSettingsWrong(
                    f"{name}: expected an address with http:// or https://, found {without_user(value)!r}."
                )
        if self.mailto is not None and not _MAIL.fullmatch(self.mailto):
            raise WebSettingsWrong(f"mailto: expected an e-mail address, found {self.mailto!r}.")
        for name in ("max_failures", "attempts", "max_bytes", "connect_seconds", "read_seconds", "total_seconds"):
            if getattr(self, name) <= 0:
                raise WebSettingsWrong(f"{name}: expected more than 0, found {getattr(self, name)}.")
        for name in ("max_queries", "max_age_days", "delay_seconds", "backoff_seconds", "longest_wait_seconds"):
            if getattr(self, name) < 0:
                raise WebSettingsWrong(f"{name}: expected 0 or more, found {getattr(self, name)}.")

    @property
    def user_agent(self) -> str:
        """Who asks, and where to complain."""
        contact = f"; mailto:{self.mailto}" if self.mailto else ""
        return f"coteach/{version('coteach')} (teaching assistant of a course{contact})"
