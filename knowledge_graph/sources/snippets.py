"""Recorded search replies: `snippets.jsonl`, one `{query, results: [{headline, text, url, fetched_at}]}` a line."""

import json
from collections.abc import Callable, Mapping
from typing import Literal

from knowledge_graph.problems import Problem, display_path
from knowledge_graph.records import CourseCard, Snippet
from knowledge_graph.sources.encodings import decode
from knowledge_graph.sources.fields import Fields, Told, lower_keys, text_of, to_date
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of

_FORM = '{"query": "...", "results": [{"headline": "...", "text": "...", "url": "...", "fetched_at": "..."}]}'
_NAMES: Fields = {
    "query": ("query", "q", "keyword", "问题", "查询"),
    "headline": ("headline", "title", "标题"),
    "text": ("text", "snippet", "abstract", "content", "摘要", "内容"),
    "url": ("url", "link", "链接"),
    "fetched_at": ("fetched_at", "fetched", "date", "time"),
}
Tell = Callable[[int, str, str, Literal["error", "warning"]], None]


def read_snippets(folder: CourseFolder, card: CourseCard) -> tuple[tuple[Snippet, ...], tuple[Problem, ...]]:
    """Every recorded result in file order; `position` is its place in its reply, 1 = the engine's first.

    A line that is not such a reply, and a result without text, is left out with a problem that names the line.
    """
    snippets: list[Snippet] = []
    told = Told()
    for path in input_files(folder, "search_snippets"):
        told.file = display_path(path, folder.path)
        decoded = decode(path.read_bytes())
        if decoded.defect:
            told.warning(None, decoded.defect, "Save the file as UTF-8.")
        lines = decoded.text.split("\n")
        if not decoded.text.strip():
            told.error(None, "The file is empty.", f"Write one reply a line: {_FORM}.")
        for number, line in enumerate(lines, start=1):
            if line.strip():
                snippets += _read_line(line, number, card, told)
    return tuple(snippets), tuple(told.problems)


def _read_line(line: str, number: int, card: CourseCard, told: Told) -> list[Snippet]:
    try:
        reply = json.loads(line)
    except json.JSONDecodeError as error:
        told.error(number, f"Not valid JSON: {error.msg} at column {error.colno}.", f"Write one reply a line: {_FORM}.")
        return []
    if not isinstance(reply, Mapping):
        told.error(number, f"Expected an object, found {type(reply).__name__}.", f"Write one reply a line: {_FORM}.")
        return []
    fields = lower_keys(reply)
    query, results = text_of(fields, _NAMES["query"]), fields.get("results")
    if not query or not isinstance(results, list):
        missing = "no query" if not query else "no list 'results'"
        told.error(number, f"The reply has {missing}; it was left out.", f"Write one reply a line: {_FORM}.")
        return []
    fetched_at = text_of(fields, _NAMES["fetched_at"])
    read = [_result(item, place, query, fetched_at, number, card, told) for place, item in enumerate(results, start=1)]
    return [snippet for snippet in read if snippet is not None]


def _result(
    item: object, position: int, query: str, fetched_at: str | None, line: int, card: CourseCard, told: Told
) -> Snippet | None:
    fields = lower_keys(item) if isinstance(item, Mapping) else {}
    headline, text = text_of(fields, _NAMES["headline"]), text_of(fields, _NAMES["text"])
    if not text:
        told.error(
            line, f"Result {position} of '{query}' has no text; it was left out.", "Add its 'text', or remove it."
        )
        return None
    fetched = text_of(fields, _NAMES["fetched_at"]) or fetched_at
    when = to_date(fetched) if fetched else None
    if fetched and when is None:
        told.warning(line, f"'fetched_at' is not a date: '{fetched}'.", "Write it as 2024-05-31T08:00:00Z.")
    url = text_of(fields, _NAMES["url"])
    return Snippet(card.course_id, query, position, headline or "", text, url, when, lang_of(text, card.lang))
