"""OpenAlex: scholars, papers and research trends as question and answer pairs (LittleMu 3.2.2).

https://developers.openalex.org. A query for a person ("Who is ...?") asks /authors. Any other asks /works for papers;
one that is a concept also asks /authors for the people behind them and, when a topic bears its name, /works by year.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from knowledge_graph.lake.records import Lang, ScholarRecord, SearchQuery
from knowledge_graph.sources.web import scholarly
from knowledge_graph.sources.web.engine import EngineReply
from knowledge_graph.sources.web.errors import WebError, WebRefused
from knowledge_graph.sources.web.fetching import WebClient, WebPage
from knowledge_graph.sources.web.json_fields import Fields, object_of, objects_in
from knowledge_graph.sources.web.scholarly import CourseQuery, SearchResults

PAPERS = 5
"""Papers asked for of a query."""
SCHOLARS = 3
"""Scholars asked for of a query."""
_TOPICS = 5
"""Topics among which one that bears the concept's name is looked for."""
_WORK_FIELDS = "id,doi,display_name,publication_year,authorships,primary_location,abstract_inverted_index"
_AUTHOR_FIELDS = "id,display_name,last_known_institutions,works_count,cited_by_count,topics"
_TOPIC_FIELDS = "id,display_name,description,keywords"
_WHO = re.compile(r"who (?:is|was) (?P<en>.+)|谁是(?P<before>.+)|(?P<after>.+)是谁", re.IGNORECASE)
_NO_NAME = frozenset("the a an of that which who this your my our in for".split())
_MOST_WORDS_OF_A_NAME = 5
_KEY = "Get a free key at openalex.org/settings/api and set it; without one few searches a day are answered."
_ADDRESS = "Check that the address is an OpenAlex API, such as https://api.openalex.org."


class OpenAlex:
    """The API at `url`; answers are worded in the language of the course."""

    def __init__(self, client: WebClient, url: str, lang: Lang) -> None:
        self._client = client
        self._url = url.rstrip("/")
        self._lang = lang

    @property
    def name(self) -> str:
        return "academic search"

    def ask(self, query: SearchQuery) -> EngineReply[ScholarRecord]:
        """The records of a query, papers first; raises `WebError` when there are none and something failed."""
        asked, errors = CourseQuery(query, self._lang), list[WebError]()
        person = person_in(query.query)
        records = self._person(asked, person, errors) if person else self._subject(asked, errors)
        if errors and not records:
            raise errors[0]
        numbered = tuple(replace(record, position=place) for place, record in enumerate(records, start=1))
        return EngineReply(numbered, errors[0] if errors else None)

    def _person(self, asked: CourseQuery, name: str, errors: list[WebError]) -> list[ScholarRecord]:
        params = {"search": _plain(name), "per_page": str(SCHOLARS), "select": _AUTHOR_FIELDS}
        return scholarly.scholars(asked, self._results("authors", params, errors))

    def _subject(self, asked: CourseQuery, errors: list[WebError]) -> list[ScholarRecord]:
        params = {"search": _plain(asked.query.query), "per_page": str(PAPERS), "select": _WORK_FIELDS}
        works = self._results("works", params, errors)
        found = scholarly.papers(asked, works)
        concept = (asked.query.concept_id or "").partition(":")[2]
        if concept:
            found += self._people(asked, works, errors) + self._trend(asked, concept, errors)
        return found

    def _people(self, asked: CourseQuery, works: SearchResults, errors: list[WebError]) -> list[ScholarRecord]:
        ids = scholarly.first_authors(works, SCHOLARS)
        if not ids:
            return []
        params = {"filter": f"ids.openalex:{'|'.join(ids)}", "per_page": str(SCHOLARS), "select": _AUTHOR_FIELDS}
        authors = self._results("authors", params, errors)
        wanted = [author for each in ids for author in authors.items if scholarly.short_id(author) == each]
        return scholarly.scholars(asked, replace(authors, items=wanted))

    def _trend(self, asked: CourseQuery, concept: str, errors: list[WebError]) -> list[ScholarRecord]:
        params = {"search": _plain(asked.query.query), "per_page": str(_TOPICS), "select": _TOPIC_FIELDS}
        topic = scholarly.find_topic(concept, self._results("topics", params, errors))
        if topic is None:
            return []
        params = {"filter": f"topics.id:{scholarly.short_id(topic)}", "group_by": "publication_year"}
        return scholarly.trend(asked, topic, self._results("works", params, errors, needed="group_by"))

    def _results(
        self, path: str, params: Mapping[str, str], errors: list[WebError], *, needed: str = "results"
    ) -> SearchResults:
        """The objects of one reply; none, with its error in `errors`, when it could not be had."""
        settings = self._client.settings

        def check(page: WebPage) -> Fields:
            return object_of(page, needed, _ADDRESS)

        private = {"mailto": settings.mailto, "api_key": settings.scholar_key}
        try:
            page = self._client.get(
                f"{self._url}/{path}",
                params,
                max_age=timedelta(days=settings.max_age_days),
                private={name: value for name, value in private.items() if value},
                check=check,
                stale_if_error=True,
            )
        except WebError as error:
            errors.append(_explain(error))
            return SearchResults((), "")
        if page.stale_because:
            errors.append(_explain(page.stale_because))
        return SearchResults(objects_in(check(page), needed), page.fetched_at)


def person_in(question: str) -> str | None:
    """The name in a question for a person, `None` in any other: not in "Who is the inventor of the B-tree?"."""
    asked = _WHO.fullmatch(question.strip().rstrip("?？.。! "))
    if asked is None:
        return None
    name = next(filter(None, asked.groups())).strip()
    words = name.casefold().split()
    return name if len(words) <= _MOST_WORDS_OF_A_NAME and "的" not in name and _NO_NAME.isdisjoint(words) else None


def _plain(query: str) -> str:
    """The words of a query, without what OpenAlex takes for operators and wildcards."""
    return " ".join(re.sub(r"[?*~\"“”()|&!:,;？，；：]+|\b(?:AND|OR|NOT)\b", " ", query).split())


def _explain(error: WebError) -> WebError:
    if not isinstance(error, WebRefused) or error.status not in (401, 403, 429):
        return error
    return WebRefused(error.url, error.status, expected="a reply in JSON", found=error.found, remedy=_KEY)
