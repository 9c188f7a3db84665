"""The exact search for the classes of a semester, against trying every choice; and prerequisites in a circle."""

import random
from collections.abc import Sequence
from itertools import combinations, product

import pytest

from knowledge_graph.lake.records import Meeting, Offering
from knowledge_graph.sources.catalog.needs import Needs
from serving.assistant.composing.semester.offers import Catalogue, Class
from serving.assistant.composing.semester.search import ChosenClass, ClassOption, Weight, best, clash, exclude
from serving.assistant.composing.semester.way import way_to
from serving.index.evidence import Evidence

NOWHERE = Evidence(0, "", "catalog", None, "", "")


def offering(code: str, section: str, meetings: tuple[Meeting, ...]) -> Offering:
    return Offering(
        course_id="c",
        offering_id=f"{code}/{section}",
        code=code,
        title=None,
        term="Spring",
        section=section,
        meetings=meetings,
        credits=3,
        seats=1,
        room=None,
        instructor=None,
        file="schedule.csv",
        row=1,
        lang="en",
    )


def candidates(generator: random.Random, count: int) -> list[ClassOption]:
    found = []
    for number in range(count):
        key = f"AB{1000 + number}"
        beside = frozenset({"AB1000"}) if generator.random() < 0.2 and number else frozenset()
        needs = Needs(
            before=(beside,), with_=beside, excludes=frozenset({"AB1001"} if generator.random() < 0.2 else ())
        )
        sections = []
        for section in range(generator.randint(1, 2)):
            start = 480 + 30 * generator.randint(0, 10)
            days = generator.choice([(1, 3), (2, 4), (1, 3, 5)])
            meetings = tuple(Meeting(day, start, start + 75) for day in days)
            sections.append(offering(key, str(section), meetings))
        credits = float(generator.choice([1, 2, 3, 3, 4]))
        asked = credits if generator.random() < 0.5 else 0.0
        weight = Weight(
            required=float(generator.random() < 0.3),
            builds=float(generator.random() < 0.3),
            asked=asked,
            opens=float(generator.randint(0, 3)),
            credits=credits,
            level=-float(generator.randint(1, 4)),
        )
        found.append(ClassOption(Class(key, key, key, None, needs, NOWHERE), credits, tuple(sections), weight))
    return found


def worth(taken: Sequence[ChosenClass]) -> Weight:
    total = Weight()
    for each in taken:
        total = total.plus(each.candidate.weight)
    return total


def is_possible(taken: Sequence[ChosenClass], most: float) -> bool:
    keys = frozenset(each.candidate.one.key for each in taken)
    return (
        sum(each.candidate.credits for each in taken) <= most
        and not any(
            clash(a.section, b.section) or exclude(a.candidate.one, b.candidate.one) for a, b in combinations(taken, 2)
        )
        and all(each.candidate.one.needs.met_by(frozenset(), keys) for each in taken)
    )


@pytest.mark.parametrize("seed", range(25))
def test_the_search_finds_what_trying_every_choice_finds(seed: int) -> None:
    given = candidates(random.Random(seed), 7)
    every = product(*([None, *(ChosenClass(one, section) for section in one.sections)] for one in given))
    choices = [[each for each in choice if each is not None] for choice in every]
    most = max(worth(choice) for choice in choices if is_possible(choice, 9))
    found = best(given, passed=frozenset(), most_credits=9)
    assert is_possible(found, 9)
    assert worth(found) == max(most, Weight())


def test_a_circle_of_prerequisites_ends() -> None:
    one = Class("A1", "A 1", "One", None, Needs(before=(frozenset({"B1"}),)), NOWHERE)
    other = Class("B1", "B 1", "Other", None, Needs(before=(frozenset({"A1"}),)), NOWHERE)
    assert [each.key for each in way_to(one, Catalogue({"A1": one, "B1": other}))] == ["B1", "A1"]
