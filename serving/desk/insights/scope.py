"""`InsightScope`: which courses, and from when to when. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from knowledge_graph.lake.problems import CoteachError
from serving.store.caller import Caller

DAYS = 30
"""The period that is shown when none is named. A choice."""

EARLIEST, LATEST = date(2000, 1, 1), date(2999, 12, 31)
"""Days that figures may be asked for."""


class ScopeRefused(CoteachError):
    """A course or a period that figures cannot be made for."""


@dataclass(frozen=True)
class InsightScope:
    """`courses` is `None` for all, with what was asked of no course. UTC; `until` is just after the last moment."""

    courses: tuple[str, ...] | None
    since: datetime
    until: datetime


def scope_of(
    caller: Caller, *, course_id: str | None, first: date | None, last: date | None, today: date
) -> InsightScope:
    """Whole days in UTC, `last` included; the last `DAYS` up to today where not named.

    Raises `ScopeRefused` for a course the caller may not see and for a period that ends before it begins.
    """
    courses = courses_of(caller, course_id)
    last = last or today
    if not EARLIEST <= last <= LATEST or (first is not None and first < EARLIEST):
        raise ScopeRefused(f"Days lie between {EARLIEST} and {LATEST}; asked: {first or 'none'} to {last}.")
    first = first or last - timedelta(days=DAYS - 1)
    if first > last:
        raise ScopeRefused(f"The period ends before it begins: from {first} to {last}.")
    return InsightScope(courses, _start_of(first), _start_of(last + timedelta(days=1)))


def week_before(scope: InsightScope) -> InsightScope:
    """The same courses seven days earlier."""
    week = timedelta(days=7)
    return InsightScope(scope.courses, scope.since - week, scope.until - week)


def courses_of(caller: Caller, course_id: str | None) -> tuple[str, ...] | None:
    """The course named, else all that the caller may see."""
    if course_id is None:
        return None if caller.courses is None else tuple(sorted(caller.courses))
    if not caller.may_see(course_id):
        raise ScopeRefused(f"The course '{course_id[:60]}' is not open to you.")
    return (course_id,)


def known_courses(scope: InsightScope, courses: Sequence[str]) -> list[str]:
    """Those of `courses` that are within the scope, sorted."""
    return sorted(one for one in courses if scope.courses is None or one in scope.courses)


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
