"""How near a name is to what somebody types to find it: one order for every search by name."""

from collections.abc import Sequence

from knowledge_graph.sources.terms import fold_name

NOT_NAMED = 6
"""The rank of what has no name that holds the words sought."""


def name_rank(sought: str, names: Sequence[str]) -> int:
    """0 for the name itself, 2 for one that begins with the text, 4 for one that holds all its words; one more where
    that is a further name, not the first. Plurals, case and hyphens do not count.

    >>> [name_rank("list", [one]) for one in ("Lists", "list comprehension", "linked list", "array")]
    [0, 2, 4, 6]
    >>> name_rank("list", ["array", "list"])
    1
    """
    wanted = fold_name(sought)
    if not wanted:
        return NOT_NAMED
    ranks = (_rank(wanted, fold_name(name)) + (place > 0) for place, name in enumerate(names))
    return min(min(ranks, default=NOT_NAMED), NOT_NAMED)


def _rank(wanted: str, name: str) -> int:
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 2
    return 4 if all(word in name for word in wanted.split()) else NOT_NAMED
