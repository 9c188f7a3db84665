"""Questions and tokens of the model server: added to the day's counts, summed up for a cap, read by day, course, key
and person.

Days are UTC. Counts of single people are kept for a month; those of courses and keys are nobody's and stay.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from sqlalchemy import Row, Select, delete, func, select
from sqlalchemy.orm import Session

from serving.store.tables.budget import PersonSpending, Spending
from serving.store.tables.identity import ApiKey, Person
from serving.store.upserting import add_up

PERSON_DAYS = 31
"""How long it is kept what single people spent. A choice: enough for who looks at a month."""

_SUMS = ("prompt_tokens", "completion_tokens", "answers", "questions")

CapUnit = Literal["tokens", "questions"]
"""What a cap limits: tokens of the model server, or questions, whoever answers them."""


@dataclass(frozen=True)
class TokensSpent:
    """What one question cost, or that it was asked: of whom, in which course (empty: all at once), with which key
    (empty: none)."""

    day: date
    person_id: str
    course_id: str
    key_id: str
    prompt_tokens: int
    completion_tokens: int
    answers: int = 1
    questions: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def amount_in(self, unit: CapUnit) -> int:
        """How much of it a cap counts."""
        return self.tokens if unit == "tokens" else self.questions


@dataclass(frozen=True)
class DayTotals:
    """Tokens, or questions, of one day: all, and those of one person, course and key."""

    person: int = 0
    course: int = 0
    key: int = 0
    all: int = 0


@dataclass(frozen=True)
class SpendingScope:
    """Days from `first` to `last`, both counted, of `courses`; `None`: of all, and of questions to all at once."""

    first: date
    last: date
    courses: Collection[str] | None = None


@dataclass(frozen=True)
class SpendingLine:
    """A sum over a day, a course, a key or a person; `label` is what the key is known by."""

    name: str
    prompt_tokens: int
    completion_tokens: int
    answers: int
    questions: int
    label: str = ""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def amount_in(self, unit: CapUnit) -> int:
        return self.tokens if unit == "tokens" else self.questions


def add_spent(db: Session, spent: Sequence[TokensSpent]) -> None:
    """Add to the counts; for people who are not kept, to those of course and key alone."""
    people = {one.person_id for one in spent}
    known = set(db.scalars(select(Person.person_id).where(Person.person_id.in_(people))))
    add_up(db, Spending, _sum_by(spent, ("day", "course_id", "key_id")), key=("day", "course_id", "key_id"), sums=_SUMS)
    own = [one for one in spent if one.person_id in known]
    names = ("person_id", "day", "course_id")
    add_up(db, PersonSpending, _sum_by(own, names), key=names, sums=_SUMS)


def _sum_by(spent: Sequence[TokensSpent], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """One row for each of what `names` tell apart: PostgreSQL changes no row twice in one statement."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in spent:
        named = {name: getattr(one, name) for name in names}
        row = found.setdefault(tuple(named.values()), named | dict.fromkeys(_SUMS, 0))
        for name in _SUMS:
            row[name] += getattr(one, name)
    return list(found.values())


def totals_of(
    db: Session, day: date, *, person_id: str, course_id: str, key_id: str, unit: CapUnit = "tokens"
) -> DayTotals:
    """What was spent or asked on a day by one person, on one course, with one key (0 for an empty id), and by all."""
    of_day = select(func.coalesce(func.sum(_column_for(Spending, unit)), 0)).where(Spending.day == day)
    of_person = select(func.coalesce(func.sum(_column_for(PersonSpending, unit)), 0))
    return DayTotals(
        person=_number(db, of_person.where(PersonSpending.day == day, PersonSpending.person_id == person_id)),
        course=_number(db, of_day.where(Spending.course_id == course_id)) if course_id else 0,
        key=_number(db, of_day.where(Spending.key_id == key_id)) if key_id else 0,
        all=_number(db, of_day),
    )


def _column_for(table: type[Spending | PersonSpending], unit: CapUnit) -> Any:
    return table.prompt_tokens + table.completion_tokens if unit == "tokens" else table.questions


def _number(db: Session, query: Select[Any]) -> int:
    return int(db.scalar(query) or 0)


def spending_by_day(db: Session, scope: SpendingScope) -> list[SpendingLine]:
    """Each day on which something was spent, the first one first."""
    return sorted((_line(row) for row in _lines(db, scope, Spending, Spending.day)), key=lambda one: one.name)


def spending_by_course(db: Session, scope: SpendingScope) -> list[SpendingLine]:
    """The dearest first; what was asked of all courses at once has no name."""
    return _dearest([_line(row) for row in _lines(db, scope, Spending, Spending.course_id)])


def spending_by_key(db: Session, scope: SpendingScope) -> list[SpendingLine]:
    """The dearest first, with the keys' labels; what was asked without a key has no name."""
    labels: dict[str, str] = {row[0]: row[1] for row in db.execute(select(ApiKey.key_id, ApiKey.label))}
    found = _lines(db, scope, Spending, Spending.key_id)
    return _dearest([_line(row, label=labels.get(row[0], "")) for row in found])


def spending_by_person(
    db: Session, scope: SpendingScope, *, limit: int = 50, by: CapUnit = "tokens"
) -> list[SpendingLine]:
    """Those who spent, or asked, most, by their random ids."""
    found = _dearest([_line(row) for row in _lines(db, scope, PersonSpending, PersonSpending.person_id)])
    return sorted(found, key=lambda one: -one.amount_in(by))[:limit]


def key_caps(db: Session) -> dict[str, int]:
    """The caps that keys have of their own, by key."""
    return {row[0]: row[1] for row in db.execute(select(ApiKey.key_id, ApiKey.tokens_per_day)) if row[1] is not None}


def forget_spending(db: Session, *, before: date) -> None:
    """Delete what single people spent before a day."""
    db.execute(delete(PersonSpending).where(PersonSpending.day < before))


def _lines(db: Session, scope: SpendingScope, table: Any, by: Any) -> Sequence[Row[Any]]:
    sums = [func.sum(getattr(table, name)) for name in _SUMS]
    query = select(by, *sums).where(table.day >= scope.first, table.day <= scope.last).group_by(by)
    if scope.courses is not None:
        query = query.where(table.course_id.in_(sorted(scope.courses)))
    return db.execute(query).all()


def _line(row: Any, *, label: str = "") -> SpendingLine:
    return SpendingLine(str(row[0]), int(row[1]), int(row[2]), int(row[3]), int(row[4]), label)


def _dearest(lines: list[SpendingLine]) -> list[SpendingLine]:
    return sorted(lines, key=lambda one: (-one.tokens, one.name))
