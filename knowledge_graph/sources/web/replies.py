"""The replies to a course's queries: asked one by one, joined with the recorded ones. One failure stops no other."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import SearchQuery
from knowledge_graph.sources.recorded_replies import QueryRecord
from knowledge_graph.sources.web.engine import Engine
from knowledge_graph.sources.web.errors import WebError, WebNotAsked
from knowledge_graph.sources.web.queries import query_key

T = TypeVar("T")
Record = TypeVar("Record", bound=QueryRecord)


def fetch_replies(queries: Iterable[SearchQuery], engine: Engine[T]) -> tuple[tuple[T, ...], tuple[Problem, ...]]:
    """The records of every query that was answered, in the order of `queries`, and a problem for each that was not.

    A kept or partial reply is used when there is one, with a warning. Queries that are no longer sent, because the host
    failed `max_failures` times in a row, are counted in one problem; those of them that are kept are answered still.
    """
    records: list[T] = []
    problems: list[Problem] = []
    not_sent = 0
    for query in queries:
        error: WebError | None
        try:
            reply = engine.ask(query)
        except WebError as failure:
            error, is_answered = failure, False
        else:
            records += reply.records
            error, is_answered = reply.error, True
        if isinstance(error, WebNotAsked):
            not_sent += 1
        elif error is not None:
            problems.append(_problem(engine.name, query, error, is_answered=is_answered))
    if not_sent:
        message = f"{not_sent} further queries were not sent, as too many had failed in a row."
        problems.append(Problem(engine.name, None, message, "Mend what failed first, then run it again."))
    return tuple(records), tuple(problems)


def with_live(recorded: Sequence[Record], live: Sequence[Record]) -> tuple[Record, ...]:
    """Recorded replies, without those to a query that has live results; then the live ones."""
    answered = {query_key(record.query) for record in live}
    return (*(record for record in recorded if query_key(record.query) not in answered), *live)


def _problem(name: str, query: SearchQuery, error: WebError, *, is_answered: bool) -> Problem:
    message = (
        f"'{query.query[:60]}' was not answered in full; what is known of it is used. {error.url}: {error.message}"
    )
    if not is_answered:
        message = f"'{query.query[:60]}' was not answered. {error.url}: {error.message}"
    return Problem(name, None, message, error.remedy, "warning" if is_answered else "error")
