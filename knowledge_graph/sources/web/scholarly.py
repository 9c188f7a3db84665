"""Objects of the OpenAlex API to scholar records: pure, a reply in, records out. `openalex.py` does the asking."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.lake.records import Lang, ScholarRecord, SearchQuery
from knowledge_graph.sources.fields import LONGEST_QUESTION
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.web.json_fields import (
    Fields,
    address_in,
    count_in,
    object_in,
    objects_in,
    text_in,
    whole_number,
)
from knowledge_graph.sources.web.wording import (
    Paper,
    Scholar,
    Trend,
    paper_answer,
    scholar_answer,
    trend_answer,
    trend_question,
    who_question,
)
from knowledge_graph.text.sentences import normal_form

LONGEST_ABSTRACT = 3_000
"""Characters of an abstract that are kept; the few longer ones are reports, or whole introductions."""
TREND_YEARS = 10
_TOPICS_OF_A_SCHOLAR = 3
_MOST_WORDS = 20_000
"""Positions of an abstract that are looked at, so that a broken index cannot fill the memory."""


@dataclass(frozen=True)
class SearchResults:
    """The objects of one reply, and when it was fetched."""

    items: Sequence[Fields]
    fetched_at: str


@dataclass(frozen=True)
class CourseQuery:
    """A query and the language of the course that asks it."""

    query: SearchQuery
    lang: Lang


def papers(asked: CourseQuery, works: SearchResults) -> list[ScholarRecord]:
    """A record for each work that has a title, and authors or an abstract."""
    return _records(asked, "paper", works, [(work, *_paper(work, asked.lang)) for work in works.items])


def scholars(asked: CourseQuery, authors: SearchResults) -> list[ScholarRecord]:
    """A record for each author of whom more than the name is known; of namesakes the first."""
    pairs = [(author, *_scholar(author, asked.lang)) for author in authors.items]
    first = {question: pair for pair in reversed(pairs) if (question := pair[1])}
    return _records(asked, "scholar", authors, [pair for pair in pairs if first.get(pair[1]) is pair])


def trend(asked: CourseQuery, topic: Fields, years: SearchResults) -> list[ScholarRecord]:
    """The works of a topic by year, the last ten years; none when they were not counted."""
    name, unfinished = text_in(topic, "display_name"), int(years.fetched_at[:4] or 0)
    counts = {count_in(group, "key"): count_in(group, "count") for group in years.items}
    shown = range(unfinished - TREND_YEARS, unfinished + 1)
    known = tuple((year, works) for year in shown if (works := counts.get(year)) is not None)
    answer = trend_answer(Trend(name, text_in(topic, "description"), known, unfinished), asked.lang)
    return _records(asked, "trend", years, [(topic, trend_question(name, asked.lang) if name else "", answer)])


def first_authors(works: SearchResults, count: int) -> list[str]:
    """Ids of the first authors of works, each once, at most `count`."""
    firsts = [object_in(named[0], "author") for work in works.items if (named := objects_in(work, "authorships"))]
    return list(dict.fromkeys(known for author in firsts if (known := short_id(author))))[:count]


def find_topic(concept: str, topics: SearchResults) -> Fields | None:
    """The first topic whose name or one of whose keywords holds the concept (in normal form), word for word."""
    for topic in topics.items:
        words = topic.get("keywords")
        names = [text_in(topic, "display_name"), *(words if isinstance(words, list) else [])]
        if any(f" {concept} " in f" {normal_form(name, 'en')} " for name in names if isinstance(name, str)):
            return topic
    return None


def short_id(item: Fields) -> str:
    """`A5023888391` of `https://openalex.org/A5023888391`; empty when it has none."""
    return text_in(item, "id").rpartition("/")[2]


def abstract_of(work: Fields) -> str:
    """The abstract from its inverted index, word -> positions."""
    places: dict[int, str] = {}
    index = object_in(work, "abstract_inverted_index")
    for word, positions in index.items():
        for position in positions if isinstance(positions, list) else ():
            if (place := whole_number(position)) is not None:
                places[place] = word
        if len(places) > _MOST_WORDS:
            return ""
    text = text_in({"abstract": " ".join(places[place] for place in sorted(places))}, "abstract")
    return text if len(text) <= LONGEST_ABSTRACT else f"{text[:LONGEST_ABSTRACT].rpartition(' ')[0]} …"


def _paper(work: Fields, lang: Lang) -> tuple[str, str]:
    named = (text_in(object_in(each, "author"), "display_name") for each in objects_in(work, "authorships"))
    venue = text_in(object_in(object_in(work, "primary_location"), "source"), "display_name")
    doi = text_in(work, "doi").removeprefix("https://doi.org/")
    paper = Paper(tuple(filter(None, named)), count_in(work, "publication_year"), venue, abstract_of(work), doi)
    return text_in(work, "display_name"), paper_answer(paper, lang)


def _scholar(author: Fields, lang: Lang) -> tuple[str, str]:
    name = text_in(author, "display_name")
    institutions = [text_in(each, "display_name") for each in objects_in(author, "last_known_institutions")]
    topics = [text_in(each, "display_name") for each in objects_in(author, "topics")]
    works, citations = count_in(author, "works_count"), count_in(author, "cited_by_count")
    known = Scholar(name, next(iter(institutions), ""), works, citations, tuple(topics[:_TOPICS_OF_A_SCHOLAR]))
    return who_question(name, lang) if name else "", scholar_answer(known, lang)


def _records(
    asked: CourseQuery,
    kind: Literal["scholar", "paper", "trend"],
    results: SearchResults,
    pairs: Iterable[tuple[Fields, str, str]],
) -> list[ScholarRecord]:
    query = asked.query
    return [
        ScholarRecord(
            course_id=query.course_id,
            kind=kind,
            record_id=short_id(item),
            query=query.query,
            position=position,
            question=question,
            answer=answer,
            url=address_in(item, "doi") or address_in(item, "id"),
            fetched_at=results.fetched_at,
            lang=lang_of(answer, asked.lang),
        )
        for position, (item, question, answer) in enumerate(pairs, start=1)
        if question and answer and short_id(item) and len(question) <= LONGEST_QUESTION
    ]
