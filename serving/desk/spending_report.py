"""What was asked, and spent on the model server: by day, course, key and person, in tokens and in money, and who is
near a cap."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from sqlalchemy.orm import Session

from serving.settings import Settings
from serving.store.course_controls import course_controls
from serving.store.spending import (
    CapUnit,
    SpendingLine,
    SpendingScope,
    key_caps,
    spending_by_course,
    spending_by_day,
    spending_by_key,
    spending_by_person,
)

NEAR = 0.8
"""The share of a cap from which a person counts as near it. A choice."""

SHOWN_PEOPLE = 20

MILLION = 1_000_000

CapOf = Literal["everything", "course", "key", "student"]

UNITS: tuple[CapUnit, ...] = get_args(CapUnit)


@dataclass(frozen=True)
class Prices:
    """Prices per million tokens; `None` where none is set."""

    prompt: float | None
    completion: float | None
    currency: str

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """In `currency`; `None` without a price."""
        if self.prompt is None and self.completion is None:
            return None
        return ((self.prompt or 0) * prompt_tokens + (self.completion or 0) * completion_tokens) / MILLION


@dataclass(frozen=True)
class CostLine:
    """A sum with what it cost at today's prices."""

    name: str
    label: str
    prompt_tokens: int
    completion_tokens: int
    tokens: int
    answers: int
    questions: int
    cost: float | None


@dataclass(frozen=True)
class DayCaps:
    """What the settings allow on one day (UTC), in one unit; 0 for no cap."""

    student: int
    course: int
    key: int
    everything: int


def day_caps(settings: Settings, unit: CapUnit) -> DayCaps:
    if unit == "tokens":
        shared = (settings.key_tokens_per_day, settings.tokens_per_day)
        return DayCaps(settings.student_tokens_per_day, settings.course_tokens_per_day, *shared)
    shared = (settings.key_questions_per_day, settings.questions_per_day)
    return DayCaps(settings.student_questions_per_day, settings.course_questions_per_day, *shared)


@dataclass(frozen=True)
class CapStanding:
    """How much of a cap is used today, 0..; `is_near` from eight tenths on, `is_reached` from all of it."""

    of: CapOf
    name: str
    label: str
    unit: CapUnit
    used: int
    cap: int

    @property
    def share(self) -> float:
        return self.used / self.cap

    @property
    def is_near(self) -> bool:
        return self.share >= NEAR

    @property
    def is_reached(self) -> bool:
        return self.used >= self.cap


@dataclass(frozen=True)
class SpendingReport:
    """Sums from `first` to `last` (UTC, both counted), and today's caps, those first that are used most. Keys and
    people are told to whom every course is open alone: they are of no one course."""

    first: date
    last: date
    currency: str
    total: CostLine
    days: Sequence[CostLine]
    courses: Sequence[CostLine]
    keys: Sequence[CostLine]
    people: Sequence[CostLine]
    caps: Sequence[CapStanding]


def prices_of(settings: Settings) -> Prices:
    prompt, completion = settings.price_per_million_prompt_tokens, settings.price_per_million_completion_tokens
    return Prices(prompt, completion, settings.currency)


def read_spending(
    db: Session, scope: SpendingScope, settings: Settings, *, today: date, may_see_people: bool
) -> SpendingReport:
    """The report of a period; `may_see_people` opens keys and people."""
    prices = prices_of(settings)
    days = spending_by_day(db, scope)
    keys = spending_by_key(db, scope) if may_see_people else []
    people = spending_by_person(db, scope, limit=SHOWN_PEOPLE) if may_see_people else []
    total = SpendingLine(
        "",
        sum(one.prompt_tokens for one in days),
        sum(one.completion_tokens for one in days),
        sum(one.answers for one in days),
        sum(one.questions for one in days),
    )
    return SpendingReport(
        scope.first,
        scope.last,
        prices.currency,
        _cost(total, prices),
        [_cost(one, prices) for one in days],
        [_cost(one, prices) for one in spending_by_course(db, scope)],
        [_cost(one, prices) for one in keys],
        [_cost(one, prices) for one in people],
        _standings(db, settings, today, scope.courses, may_see_people=may_see_people),
    )


def _cost(line: SpendingLine, prices: Prices) -> CostLine:
    spent = (line.prompt_tokens, line.completion_tokens)
    counts = (line.tokens, line.answers, line.questions)
    return CostLine(line.name, line.label, *spent, *counts, prices.cost(*spent))


def _standings(
    db: Session, settings: Settings, today: date, courses: Collection[str] | None, *, may_see_people: bool
) -> list[CapStanding]:
    scope = SpendingScope(today, today, courses)
    controls = {one.course_id: one for one in course_controls(db)}
    spent = {one.name: one for one in spending_by_course(db, scope)}
    visible = (spent.keys() | controls.keys()) - {""} if courses is None else set(courses)
    found: list[CapStanding] = []
    for unit in UNITS:
        caps = day_caps(settings, unit)
        for one in sorted(visible):
            own = getattr(controls.get(one), f"{unit}_per_day", None)
            if (cap := caps.course if own is None else own) > 0:
                used = spent[one].amount_in(unit) if one in spent else 0
                found.append(CapStanding("course", one, "", unit, used, cap))
        if may_see_people:
            found += _of_all(db, caps, scope, unit)
    return sorted(found, key=lambda one: -one.share)


def _of_all(db: Session, caps: DayCaps, scope: SpendingScope, unit: CapUnit) -> list[CapStanding]:
    """Standings of everything together, of keys, and of the students who are near."""
    own, found = key_caps(db) if unit == "tokens" else {}, list[CapStanding]()
    if caps.everything:
        used = sum(one.amount_in(unit) for one in spending_by_course(db, scope))
        found.append(CapStanding("everything", "", "", unit, used, caps.everything))
    keys: Mapping[str, SpendingLine] = {one.name: one for one in spending_by_key(db, scope) if one.name}
    for key_id, line in keys.items():
        if (cap := own.get(key_id, caps.key)) > 0:
            found.append(CapStanding("key", key_id, line.label, unit, line.amount_in(unit), cap))
    if (cap := caps.student) > 0:
        spent = spending_by_person(db, scope, by=unit)
        people = [CapStanding("student", one.name, "", unit, one.amount_in(unit), cap) for one in spent]
        found += [one for one in people if one.is_near]
    return found
