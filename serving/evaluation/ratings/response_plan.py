"""Which questions a system is rated on, in which courses, and by whom (LittleMu 4.2.1).

The paper: 1,000 responses of each model in 20 courses, 400 to queries that are the same for all models and 600 to
queries of volunteers, each conversation labelled twice by different annotators. Pure.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.problems import CoteachError

COURSES, SHARED, FREE, RATERS_EACH = 20, 20, 30, 2
"""Of the paper: courses, shared and free queries in each course, raters of each response."""


class PlanRefused(CoteachError):
    """A plan for which there are too few courses, queries or raters."""


@dataclass(frozen=True)
class PlannedResponse:
    """One response to be rated. `query` is `None` where a volunteer asks what they like."""

    number: int
    course_id: str
    query: str | None
    raters: tuple[str, ...]


@dataclass(frozen=True)
class Size:
    """How many courses, shared and free queries per course, and raters per response."""

    courses: int = COURSES
    shared: int = SHARED
    free: int = FREE
    raters_each: int = RATERS_EACH


def plan_responses(
    queries: Mapping[str, Sequence[str]], raters: Sequence[str], *, seed: int, size: Size | None = None
) -> tuple[PlannedResponse, ...]:
    """The responses of one system; the same arguments give every system the same shared queries in the same order.

    `queries` are candidates by course: courses and queries are drawn from them with the seed. Raters take turns, and
    the volunteer's conversation in a course, its free queries, is rated by the same ones throughout. Raises
    `PlanRefused`.
    """
    wanted = size or Size()
    distinct = {course: sorted(set(listed)) for course, listed in queries.items()}
    _require(distinct, raters, wanted)
    draw = random.Random(seed)
    fit = sorted(course for course, listed in distinct.items() if len(listed) >= wanted.shared)
    planned: list[PlannedResponse] = []
    for place, course in enumerate(sorted(draw.sample(fit, wanted.courses))):
        in_course: list[str | None] = [*draw.sample(distinct[course], wanted.shared), *[None] * wanted.free]
        whole = place * (wanted.shared + 1) + wanted.shared
        for number, query in enumerate(in_course):
            turn = place * (wanted.shared + 1) + number if query is not None else whole
            pair = _in_turn(raters, turn, wanted.raters_each)
            planned.append(PlannedResponse(len(planned) + 1, course, query, pair))
    return tuple(planned)


def _in_turn(raters: Sequence[str], turn: int, each: int) -> tuple[str, ...]:
    listed = sorted(set(raters))
    return tuple(listed[(turn * each + place) % len(listed)] for place in range(each))


def _require(queries: Mapping[str, Sequence[str]], raters: Sequence[str], wanted: Size) -> None:
    enough = [course for course, listed in queries.items() if len(listed) >= wanted.shared]
    if len(enough) < wanted.courses:
        raise PlanRefused(
            f"Expected {wanted.courses} courses with {wanted.shared} different queries each; found {len(enough)} of "
            f"{len(queries)}. Give more queries, or ask for fewer."
        )
    if len(set(raters)) < wanted.raters_each:
        raise PlanRefused(
            f"Expected at least {wanted.raters_each} raters, for each response has as many; found "
            f"{', '.join(sorted(set(raters))) or 'none'}."
        )
