"""robots.txt (RFC 9309): what a site asks crawlers to leave alone, and how long to wait between pages."""

from datetime import timedelta
from urllib.parse import urljoin

from protego import Protego

from knowledge_graph.sources.web.errors import WebError, WebRefused
from knowledge_graph.sources.web.fetching import WebClient

_MAX_AGE = timedelta(days=1)
"""RFC 9309, 2.4: not to be used for longer than a day."""
_LONGEST_DELAY_SECONDS = 60.0
"""A site that asks for more is asked once a minute; its catalogue would take days otherwise."""
_ALLOW_ALL, _ALLOW_NONE = "", "User-agent: *\nDisallow: /"


class Robots:
    """Asks each site once per object, and makes the client keep the crawl delay it wants."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._rules: dict[str, Protego] = {}
        self.unreachable: dict[str, WebError] = {}
        """Sites whose robots.txt could not be had; nothing of them may be read (RFC 9309, 2.3.1.4)."""

    def allows(self, url: str) -> bool:
        """Whether a page may be read."""
        return bool(self._rules_of(url).can_fetch(url, self._agent))

    def crawl_delay(self, url: str) -> float | None:
        """Seconds the site wants between requests, at most 60; `None` when it does not say."""
        delay = self._rules_of(url).crawl_delay(self._agent)
        return None if delay is None else min(float(delay), _LONGEST_DELAY_SECONDS)

    @property
    def _agent(self) -> str:
        return self._client.settings.user_agent.partition("/")[0]

    def _rules_of(self, url: str) -> Protego:
        place = urljoin(url, "/robots.txt")
        if place not in self._rules:
            self._rules[place] = Protego.parse(self._text(place))
            if (delay := self.crawl_delay(url)) is not None:
                self._client.keep_apart(url, delay)
        return self._rules[place]

    def _text(self, place: str) -> str:
        try:
            return self._client.get(place, max_age=_MAX_AGE).text
        except WebRefused as error:
            if 400 <= error.status < 500 and error.status != 429:
                return _ALLOW_ALL
            self.unreachable[place] = error
        except WebError as error:
            self.unreachable[place] = error
        return _ALLOW_NONE
