"""Which classes make the best semester: an exact search over the few that fit. Pure.

Branch and bound, classes of more weight first. A branch is left when even its bound, each component of the weight at
its best for as many more classes as there is room for, is no better than what was found. No library: a term's
candidates are few (`MOST_CANDIDATES`): 16 with up to three sections each took 30 ms at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import add
from typing import NamedTuple

from knowledge_graph.lake.records import Offering
from serving.assistant.composing.semester.offers import Class

MOST_CANDIDATES = 16
"""Classes that are searched over; 24 of them took up to 140 ms. Whoever asks says which of more are meant. A choice."""
MOST_CLASSES = 8
"""Classes of one semester. A choice."""


class Weight(NamedTuple):
    """What speaks for a class, or for several, added up; compared from the left."""

    wanted: float = 0.0
    """Whether the student asks for it."""
    required: float = 0.0
    """Whether the student's program names it."""
    ahead: float = 0.0
    """Minus the levels that it skips."""
    builds: float = 0.0
    """Whether it builds on what was passed."""
    asked: float = 0.0
    """Its credits, where the student names a number of them."""
    opens: float = 0.0
    """How many classes need it."""
    credits: float = 0.0
    level: float = 0.0
    """Minus its level: of two that are equal otherwise the first one first."""

    def plus(self, other: "Weight") -> "Weight":
        return Weight(*map(add, self, other))


@dataclass(frozen=True)
class ClassOption:
    """A class that may be taken: its credits, the sections with room in them, and what speaks for it."""

    one: Class
    credits: float
    sections: tuple[Offering, ...]
    weight: Weight


@dataclass(frozen=True)
class ChosenClass:
    """A candidate in the section that it is taken in."""

    candidate: ClassOption
    section: Offering


def clash(one: Offering, other: Offering) -> bool:
    """Whether two sections meet at the same time on a day."""
    return any(a.day == b.day and a.start < b.end and b.start < a.end for a in one.meetings for b in other.meetings)


def exclude(one: Class, other: Class) -> bool:
    """Whether the record of one says that both are not counted."""
    return other.key in one.needs.excludes or one.key in other.needs.excludes


def _fit(one: ChosenClass, other: ChosenClass) -> bool:
    return not clash(one.section, other.section) and not exclude(one.candidate.one, other.candidate.one)


def best(
    candidates: Sequence[ClassOption], *, passed: frozenset[str], most_credits: float, most_classes: int = MOST_CLASSES
) -> tuple[ChosenClass, ...]:
    """The classes whose weights add up to most, within the credits, without clashes, each with what it needs.

    In the order of their weight; of equal choices that of the first sections. At most `MOST_CANDIDATES` may be given.
    """
    ordered = sorted(candidates, key=lambda one: (*(-part for part in one.weight), one.one.key))
    return _Search(ordered, passed, most_credits, most_classes).run()


class _Search:
    def __init__(
        self, candidates: Sequence[ClassOption], passed: frozenset[str], most_credits: float, most_classes: int
    ) -> None:
        self._candidates, self._passed = candidates, passed
        self._most_credits, self._most_classes = most_credits, most_classes
        self._tops = [self._top_sums(place) for place in range(len(candidates) + 1)]
        self._least = [
            min((one.credits for one in candidates[place:] if one.credits > 0), default=1.0)
            for place in range(len(candidates) + 1)
        ]
        self._free = [sum(one.credits == 0 for one in candidates[place:]) for place in range(len(candidates) + 1)]
        self._best: tuple[ChosenClass, ...] = ()
        self._best_weight = Weight()

    def run(self) -> tuple[ChosenClass, ...]:
        self._from(0, (), 0.0, self._best_weight)
        return self._best

    def _top_sums(self, place: int) -> list[list[float]]:
        """For each part of the weight, the sums of its greatest values among the candidates from `place` on."""
        later = self._candidates[place:]
        sums = []
        for part in range(len(Weight._fields)):
            greatest = sorted((max(0.0, one.weight[part]) for one in later), reverse=True)
            sums.append(list(accumulate(greatest, initial=0.0)))
        return sums

    def _bound(self, place: int, taken: int, credits: float, weight: Weight) -> Weight:
        room = self._most_credits - credits
        more = min(
            self._most_classes - taken,
            int(room / self._least[place] + 1e-9) + self._free[place],
            len(self._candidates) - place,
        )
        found = Weight(*(value + tops[more] for value, tops in zip(weight, self._tops[place], strict=True)))
        return found._replace(
            asked=min(found.asked, self._most_credits), credits=min(found.credits, self._most_credits)
        )

    def _from(self, place: int, taken: tuple[ChosenClass, ...], credits: float, weight: Weight) -> None:
        if weight > self._best_weight and self._is_whole(taken):
            self._best, self._best_weight = taken, weight
        if place == len(self._candidates) or self._bound(place, len(taken), credits, weight) <= self._best_weight:
            return
        one = self._candidates[place]
        if credits + one.credits <= self._most_credits and len(taken) < self._most_classes:
            added = weight.plus(one.weight)
            for section in one.sections:
                if all(
                    not clash(section, other.section) and not exclude(one.one, other.candidate.one) for other in taken
                ):
                    self._from(place + 1, (*taken, ChosenClass(one, section)), credits + one.credits, added)
        self._from(place + 1, taken, credits, weight)

    def _is_whole(self, taken: tuple[ChosenClass, ...]) -> bool:
        """Whether every class has what it needs, those that are taken beside it counted."""
        keys = frozenset(each.candidate.one.key for each in taken)
        return all(each.candidate.one.needs.met_by(self._passed, keys) for each in taken)
