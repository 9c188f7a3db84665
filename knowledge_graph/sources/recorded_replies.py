"""Recorded replies, as snippets and scholar records share them: one `{"query": ..., "results": [...]}` a line."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Protocol, TypeVar

from knowledge_graph.sources.encodings import decode
from knowledge_graph.sources.fields import LONGEST_QUESTION, Fields, ProblemLog, excess, lower_keys, texts_of, to_date
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.markup import MarkupError, load_json

FETCHED_NAMES = ("fetched_at", "fetched", "date", "time")
_QUERY_NAMES: Fields = {"query": ("query", "q", "keyword", "问题", "查询"), "fetched_at": FETCHED_NAMES}


class QueryRecord(Protocol):
    """A record that says which query it answers, and where in the reply it stood."""

    @property
    def query(self) -> str: ...
    @property
    def position(self) -> int: ...


Record = TypeVar("Record", bound=QueryRecord)


@dataclass(frozen=True)
class Result:
    """One result of a reply: its fields as they are named, its place (1 = first) and the line it stands in."""

    query: str
    position: int
    line: int
    fields: Mapping[str, object]
    reply_fetched_at: str | None

    def read_fetched_at(self, own: str | None, log: ProblemLog) -> str | None:
        """When the result was fetched, its `own` date before the reply's, as ISO 8601; `None` when no date is given."""
        fetched = own or self.reply_fetched_at
        when = to_date(fetched) if fetched else None
        if fetched and when is None:
            log.warning(self.line, f"'fetched_at' is not a date: '{fetched}'.", "Write it as 2024-05-31T08:00:00Z.")
        return when


def results_in(path: Path, form: str, log: ProblemLog) -> Iterator[Result]:
    """Every result in file order. A line that is no reply is reported, with its `form` as the remedy, and left out."""
    decoded = read_text(path, log)
    if decoded is None:
        return
    if not decoded.text.strip():
        log.error(None, "The file is empty.", f"Write one reply a line: {form}.")
    for number, line in enumerate(decoded.text.split("\n"), start=1):
        if line.strip():
            yield from _results_of(line, number, form, log)


def format_records(records: Iterable[Record], fields: Callable[[Record], Mapping[str, str | None]]) -> str:
    """The lines that record replies, by query in the order they come and by position; fields of `None` are left out."""
    first: dict[str, int] = {}
    ordered = sorted(records, key=lambda each: (first.setdefault(each.query, len(first)), each.position))
    replies: list[object] = [
        {"query": query, "results": [_known(fields(record)) for record in group]}
        for query, group in groupby(ordered, key=lambda each: each.query)
    ]
    text = _lines(replies, plain=False)
    # Some texts, damaged or phonetic ones, would be taken for another encoding.
    return text if decode(text.encode()).text == text else _lines(replies, plain=True)


def _known(fields: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value is not None}


def _lines(replies: list[object], *, plain: bool) -> str:
    return "".join(f"{json.dumps(reply, ensure_ascii=plain)}\n" for reply in replies)


def _results_of(line: str, number: int, form: str, log: ProblemLog) -> list[Result]:
    try:
        reply = load_json(line)
    except MarkupError as error:
        log.error(number, f"Not valid JSON: {error}.", f"Write one reply a line: {form}.")
        return []
    if not isinstance(reply, Mapping):
        log.error(number, f"Expected an object, found {type(reply).__name__}.", f"Write one reply a line: {form}.")
        return []
    fields = lower_keys(reply)
    values, results = texts_of(fields, _QUERY_NAMES, number, log), fields.get("results")
    query = values["query"]
    if not query or not isinstance(results, list):
        missing = "no query" if not query else "no list 'results'"
        log.error(number, f"The reply has {missing}; it was left out.", f"Write one reply a line: {form}.")
        return []
    if long := excess("query", query, LONGEST_QUESTION):
        message = f"The reply to '{query[:60]}' was left out: {long}."
        log.error(number, message, "Shorten the query, or remove the line.")
        return []
    return [
        Result(query, place, number, lower_keys(item) if isinstance(item, Mapping) else {}, values["fetched_at"])
        for place, item in enumerate(results, start=1)
    ]
