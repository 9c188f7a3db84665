"""Whose word counts, and what is told of a statement about nothing."""

import difflib
from collections.abc import Callable, Iterable
from itertools import islice

from knowledge_graph.lake.records import Statement
from knowledge_graph.sources.bounded_report import TOLD_PER_KIND
from knowledge_graph.sources.contradictions import worded

SPELLING = "Check the spelling, or remove the line if the course no longer speaks of it."
_COMPARED = 5_000
"""Names among which one meant is looked for."""
_AUTHORITY = {"teacher": 0, "dataset": 1, "seed": 2}


def by_authority(statements: Iterable[Statement]) -> list[Statement]:
    """A teacher's first; those of one authority as they come."""
    return sorted(statements, key=lambda each: _AUTHORITY[each.given_by])


class Misses:
    """Statements about nothing, told with the name that may have been meant, as long as people read on."""

    def __init__(self) -> None:
        self._told = 0

    def no_effect(self, statement: Statement, name: str, known: Callable[[], Iterable[str]]) -> str:
        """What is told; `known` are the names there are, the likeliest first."""
        self._told += 1
        pool = islice(known(), _COMPARED) if self._told <= TOLD_PER_KIND else ()
        near = difflib.get_close_matches(name, list(pool), n=1)
        meant = f" (did you mean '{near[0]}'?)" if near else ""
        return f"No concept is called '{name}'{meant}: that {worded(statement)} has no effect."
