"""Summaries of the ratings on the forms: means of aspects, rate of satisfaction, counts of relevance. Pure.

An answer rated by several experts counts once, with the mean of theirs ("the final score is determined by average",
LittleMu 4.2.1): two ratings of one answer are not two answers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from models.statistics.intervals import Interval, mean, wilson
from serving.feedback.rating_forms import ASPECTS, DONT_KNOW, IRRELEVANT, RELEVANCE, RELEVANT


class ExpertRating(Protocol):
    """One value by one expert."""

    @property
    def trace_id(self) -> str: ...
    @property
    def item(self) -> str: ...
    @property
    def value(self) -> str: ...


@dataclass(frozen=True)
class AspectMean:
    """The mean of an aspect over `score.n` answers, of which `once` were rated by one expert only."""

    name: str
    score: Interval
    once: int


@dataclass(frozen=True)
class Relevance:
    """References by how they were rated. `of_all` counts "I don't know" in the denominator, as Course Hero's Table 4
    does; `of_known` leaves it out. Both are shares of relevant ones; `irrelevant_of_all` is that table's other row.
    """

    counts: dict[str, int]
    rated: int
    relevant: int
    irrelevant: int
    dont_know: int
    of_all: Interval
    of_known: Interval
    irrelevant_of_all: Interval


def aspects(rows: Iterable[ExpertRating]) -> list[AspectMean]:
    """The six aspects, in the order of the form."""
    values = _by_item(rows)
    return [_aspect(item.name, values.get(item.name, {})) for item in ASPECTS.items]


def measure_satisfaction(rows: Iterable[ExpertRating]) -> Interval:
    """The share of answers that satisfy; one on which experts differ counts in part."""
    answers = _by_item(rows).get("", {})
    return wilson(sum(_mean(given) for given in answers.values()), len(answers))


def relevance(values: Iterable[str]) -> Relevance:
    """Ratings of references, each counted (Course Hero 3.1: 1,378 of 1,960 relevant, 70.3%; 76.1% of those known)."""
    found = Counter(values)
    counts = {choice.value: found[choice.value] for choice in RELEVANCE.choices}
    relevant, irrelevant = _sum(counts, RELEVANT), _sum(counts, IRRELEVANT)
    rated = relevant + irrelevant + counts[DONT_KNOW]
    return Relevance(
        counts=counts,
        rated=rated,
        relevant=relevant,
        irrelevant=irrelevant,
        dont_know=counts[DONT_KNOW],
        of_all=wilson(relevant, rated),
        of_known=wilson(relevant, relevant + irrelevant),
        irrelevant_of_all=wilson(irrelevant, rated),
    )


def _by_item(rows: Iterable[ExpertRating]) -> dict[str, dict[str, list[float]]]:
    """Values by item and answer."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row.item][row.trace_id].append(float(row.value))
    return found


def _aspect(name: str, answers: Mapping[str, Sequence[float]]) -> AspectMean:
    once = sum(len(given) == 1 for given in answers.values())
    return AspectMean(name, mean([_mean(given) for given in answers.values()]), once)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _sum(counts: Mapping[str, int], names: Iterable[str]) -> int:
    return sum(counts[name] for name in names)
