"""Whose word counts, and what is told of a statement about nothing."""

import difflib
from collections.abc import Iterable

from knowledge_graph.records import Statement
from knowledge_graph.sources.contradictions import worded

SPELLING = "Check the spelling, or remove the line if the course no longer speaks of it."
_AUTHORITY = {"teacher": 0, "dataset": 1, "seed": 2}


def by_authority(statements: Iterable[Statement]) -> list[Statement]:
    """A teacher's first; those of one authority as they come."""
    return sorted(statements, key=lambda each: _AUTHORITY[each.given_by])


def no_effect(statement: Statement, name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    meant = f" (did you mean '{near[0]}'?)" if near else ""
    return f"No concept is called '{name}'{meant}: that {worded(statement)} has no effect."
