"""Recorded search replies: `snippets.jsonl`, one `{query, results: [{headline, text, url, fetched_at}]}` a line."""

from collections.abc import Mapping

from knowledge_graph.problems import Problem, display_path
from knowledge_graph.records import CourseCard, Snippet
from knowledge_graph.sources.fields import (
    LONGEST_QUESTION,
    LONGEST_TEXT,
    Fields,
    Told,
    excess,
    lower_keys,
    texts_of,
    to_date,
)
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.markup import MarkupError, load_json

_FORM = '{"query": "...", "results": [{"headline": "...", "text": "...", "url": "...", "fetched_at": "..."}]}'
_FETCHED_NAMES = ("fetched_at", "fetched", "date", "time")
_QUERY_NAMES: Fields = {"query": ("query", "q", "keyword", "问题", "查询"), "fetched_at": _FETCHED_NAMES}
_RESULT_NAMES: Fields = {
    "headline": ("headline", "title", "标题"),
    "text": ("text", "snippet", "abstract", "content", "摘要", "内容"),
    "url": ("url", "link", "链接"),
    "fetched_at": _FETCHED_NAMES,
}


def read_snippets(folder: CourseFolder, card: CourseCard) -> tuple[tuple[Snippet, ...], tuple[Problem, ...]]:
    """Every recorded result in file order; `position` is its place in its reply, 1 = the engine's first.

    A line that is not such a reply, and a result without headline or text, is left out with a problem that names it.
    """
    snippets: list[Snippet] = []
    told = Told()
    for path in input_files(folder, "search_snippets"):
        told.file = display_path(path, folder.path)
        decoded = read_text(path, told)
        if decoded is None:
            continue
        lines = decoded.text.split("\n")
        if not decoded.text.strip():
            told.error(None, "The file is empty.", f"Write one reply a line: {_FORM}.")
        for number, line in enumerate(lines, start=1):
            if line.strip():
                snippets += _read_line(line, number, card, told)
    return tuple(snippets), tuple(told.problems)


def _read_line(line: str, number: int, card: CourseCard, told: Told) -> list[Snippet]:
    try:
        reply = load_json(line)
    except MarkupError as error:
        told.error(number, f"Not valid JSON: {error}.", f"Write one reply a line: {_FORM}.")
        return []
    if not isinstance(reply, Mapping):
        told.error(number, f"Expected an object, found {type(reply).__name__}.", f"Write one reply a line: {_FORM}.")
        return []
    fields = lower_keys(reply)
    values, results = texts_of(fields, _QUERY_NAMES, number, told), fields.get("results")
    query = values["query"]
    if not query or not isinstance(results, list):
        missing = "no query" if not query else "no list 'results'"
        told.error(number, f"The reply has {missing}; it was left out.", f"Write one reply a line: {_FORM}.")
        return []
    if long := excess("query", query, LONGEST_QUESTION):
        told.error(
            number, f"The reply to '{query[:60]}' was left out: {long}.", "Shorten the query, or remove the line."
        )
        return []
    fetched = values["fetched_at"]
    read = [_result(item, place, query, fetched, number, card, told) for place, item in enumerate(results, start=1)]
    return [snippet for snippet in read if snippet is not None]


def _result(
    item: object, position: int, query: str, fetched_at: str | None, line: int, card: CourseCard, told: Told
) -> Snippet | None:
    values = texts_of(lower_keys(item) if isinstance(item, Mapping) else {}, _RESULT_NAMES, line, told)
    headline, text = values["headline"], values["text"]
    if not headline or not text:
        missing = "headline" if text else "text"
        message = f"Result {position} of '{query[:60]}' has no {missing}; it was left out."
        told.error(line, message, f"Add its '{missing}', or remove it.")
        return None
    if long := excess("headline", headline, LONGEST_QUESTION) or excess("text", text, LONGEST_TEXT):
        message = f"Result {position} of '{query[:60]}' was left out: {long}."
        told.error(line, message, "Shorten it, or remove it.")
        return None
    fetched = values["fetched_at"] or fetched_at
    when = to_date(fetched) if fetched else None
    if fetched and when is None:
        told.warning(line, f"'fetched_at' is not a date: '{fetched}'.", "Write it as 2024-05-31T08:00:00Z.")
    return Snippet(card.course_id, query, position, headline, text, values["url"], when, lang_of(text, card.lang))
