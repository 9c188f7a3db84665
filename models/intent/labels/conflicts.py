"""Question texts to which people gave more than one category.

Belongs here: finding and telling them. Nothing is decided: every row keeps its own label, and the share of the rows
of its text that agree is shown, not used in training.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.categories import Category
from models.intent.labels.files import LabelRow
from models.intent.labels.question_text import question_key

_QUOTED = 60
"""Characters of a question that a message quotes."""


@dataclass(frozen=True)
class Conflict:
    """One question text with different labels."""

    question: str
    """As the first row writes it."""
    counts: Mapping[Category, int]
    """Rows with each category, the most frequent first."""
    places: tuple[tuple[str, int], ...]
    """File and line of the first row with each category, in that order."""


def conflicts(rows: Sequence[LabelRow]) -> list[Conflict]:
    """Every conflict, those with the most rows first, then by their text."""
    found = [_conflict(same) for same in _by_text(rows).values() if len({row.category for row in same}) > 1]
    return sorted(found, key=lambda one: (-sum(one.counts.values()), one.question))


def agreements(rows: Sequence[LabelRow]) -> dict[str, float]:
    """Id of each labelled row -> the share of the labelled rows with its question text that have its category."""
    shares: dict[str, float] = {}
    for same in _by_text(rows).values():
        counts = Counter(row.category for row in same)
        shares |= {row.id: counts[row.category] / len(same) for row in same}
    return shares


def tell_conflicts(found: Sequence[Conflict], told: BoundedTold) -> None:
    """A warning for each conflict at the first row that differs; of many conflicts the first are told one by one."""
    placed = sorted((*sorted(one.places)[1], number) for number, one in enumerate(found))
    for file, some in groupby(placed, key=itemgetter(0)):
        told.file = file
        for _, line, number in some:
            told.warning(
                line, f"{describe_conflict(found[number])}; all were kept.", "Decide on one label for the text."
            )
        told.close()


def describe_conflict(one: Conflict) -> str:
    """The conflict as a clause: 'big o' is simple (2 rows, intents/a.csv:2) and complex (1 row, intents/a.csv:9)."""
    parts = [
        f"{category} ({count} row{'s' * (count > 1)}, {file}:{line})"
        for (category, count), (file, line) in zip(one.counts.items(), one.places, strict=True)
    ]
    return f"'{one.question[:_QUOTED]}' is {' and '.join(parts)}"


def _by_text(rows: Sequence[LabelRow]) -> dict[str, list[LabelRow]]:
    found: dict[str, list[LabelRow]] = {}
    for row in rows:
        if row.category is not None:
            found.setdefault(question_key(row.question), []).append(row)
    return found


def _conflict(same: Sequence[LabelRow]) -> Conflict:
    counts = dict(Counter(row.category for row in same if row.category is not None).most_common())
    first = {row.category: (row.file, row.line) for row in reversed(same)}
    return Conflict(same[0].question, counts, tuple(first[category] for category in counts))
