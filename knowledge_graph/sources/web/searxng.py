"""SearXNG, any instance: its JSON search API, and `flatten` from a reply to (headline, text) snippets.

https://docs.searxng.org/dev/search_api.html. The JSON format is off by default; the errors say how to switch it on.
"""

import re
from datetime import timedelta
from urllib.parse import urldefrag

from knowledge_graph.lake.records import SearchQuery, Snippet
from knowledge_graph.sources.fields import LONGEST_QUESTION, LONGEST_TEXT
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.web.engine import EngineReply
from knowledge_graph.sources.web.errors import WebError, WebRefused, WebUnexpected
from knowledge_graph.sources.web.fetching import WebClient, WebPage
from knowledge_graph.sources.web.json_fields import Fields, address_in, object_of, objects_in, text_in

RESULTS_KEPT = 10
"""Results kept of one reply, the engine's first; a page has 20 to 40, and the later ones hardly speak of the query."""
_ENABLE = "Add 'json' to search.formats in the instance's settings.yml and restart it, or use an instance that has it."
_LIMITER = "Ask an instance of your own, with server.limiter: false in its settings.yml, or raise the delay."


class SearXNG:
    """The instance at `url`; a user and password in it are sent, and shown nowhere."""

    def __init__(self, client: WebClient, url: str) -> None:
        self._client = client
        self._place = f"{url.rstrip('/').removesuffix('/search')}/search"

    @property
    def name(self) -> str:
        return "web search"

    def ask(self, query: SearchQuery) -> EngineReply[Snippet]:
        """The snippets to a query; raises `WebError`."""
        # A word that begins with ! or : would choose an engine or a language.
        words = " ".join(re.sub(r"(?:^|\s)[!:]+", " ", query.query).split())
        params = {"q": words, "format": "json", "language": query.lang, "pageno": "1"}
        age = timedelta(days=self._client.settings.max_age_days)
        try:
            page = self._client.get(self._place, params, max_age=age, check=_check, stale_if_error=True)
        except WebRefused as error:
            raise _explain(error) from error
        trouble = page.stale_because and _explain(page.stale_because)
        return EngineReply(flatten(_check(page), query, page.fetched_at), trouble)


def flatten(reply: Fields, query: SearchQuery, fetched_at: str) -> tuple[Snippet, ...]:
    """The results that have a headline and a text, in the engine's order and numbered from 1; one for each address."""
    found: dict[str, Snippet] = {}
    for result in objects_in(reply, "results"):
        headline, text = text_in(result, "title"), text_in(result, "content")
        if not 0 < len(headline) <= LONGEST_QUESTION or not 0 < len(text) <= LONGEST_TEXT:
            continue
        place = address_in(result, "url")
        key = urldefrag(place).url.rstrip("/") if place else f"{headline}\n{text}"
        lang = lang_of(text, query.lang)
        snippet = Snippet(query.course_id, query.query, len(found) + 1, headline, text, place, fetched_at, lang)
        found.setdefault(key, snippet)
    return tuple(found.values())[:RESULTS_KEPT]


def _check(page: WebPage) -> Fields:
    """The reply; raises `WebUnexpected` for a page that is none, and for one without results as its engines failed."""
    reply = object_of(page, "results", _ENABLE)
    silent = reply.get("unresponsive_engines")
    if not reply["results"] and isinstance(silent, list) and silent:
        engines = sorted({": ".join(str(part) for part in each) for each in silent if isinstance(each, list) and each})
        remedy = "Look at the instance's engine statistics (/stats), and choose engines that answer it."
        found = f"none, as engines failed ({'; '.join(engines)[:300]})"
        raise WebUnexpected(page.url, expected="results", found=found, remedy=remedy)
    return reply


def _explain(error: WebError) -> WebError:
    remedies = {403: _ENABLE, 429: _LIMITER}
    if not isinstance(error, WebRefused) or error.status not in remedies:
        return error
    remedy = remedies[error.status]
    return WebRefused(error.url, error.status, expected="a reply in JSON", found=error.found, remedy=remedy)
