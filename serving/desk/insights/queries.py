"""Counts from the store, by course and period. Queries return counts or a few rows, never the turns themselves.

In SQL that SQLite and PostgreSQL both read; where they differ (the day of a time) it is said in one function.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Text,
    and_,
    case,
    cast,
    func,
    literal,
    or_,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import Session

from serving.desk.insights.citations import Cited
from serving.desk.insights.counts import Cell
from serving.desk.insights.latency import Percentile
from serving.desk.insights.opinions import Disliked, SatisfactionCell, ThumbCell
from serving.desk.insights.scope import InsightScope
from serving.desk.insights.sessions import SessionCell
from serving.desk.insights.unanswered import Open
from serving.store.answered_questions import is_answered_in_full, is_question
from serving.store.ratings import Rated
from serving.store.tables.conversation import Feedback, RestsOn, TurnRow
from serving.store.tables.rating import Rating

PERCENTS = (50, 95, 99)


def read_cells(db: Session, scope: InsightScope) -> list[Cell]:
    """All turns, counted by what they have in common."""
    columns = (
        _day(db),
        TurnRow.outcome,
        TurnRow.route,
        TurnRow.degraded,
        TurnRow.model,
        TurnRow.index_version,
    )
    query = select(*columns, func.count(), func.min(TurnRow.asked_at)).where(*_within(scope)).group_by(*columns)
    return [Cell(*row) for row in _rows(db, query)]


def read_thumbs(db: Session, scope: InsightScope) -> list[ThumbCell]:
    """Thumbs on answers of the period, whenever they were given."""
    columns = (_day(db), TurnRow.route, TurnRow.form, Feedback.thumb, cast(Feedback.reasons, Text))
    query = (
        select(*columns, func.count())
        .join_from(Feedback, TurnRow, Feedback.trace_id == TurnRow.trace_id)
        .where(*_within(scope))
        .group_by(*columns)
    )
    return [
        ThumbCell(day, route, form, thumb, tuple(json.loads(reasons)), n)
        for day, route, form, thumb, reasons, n in _rows(db, query)
    ]


def read_satisfaction(db: Session, scope: InsightScope) -> list[SatisfactionCell]:
    """Rated answers by the day they were given; each counts with the mean of its experts."""
    value = func.avg(cast(Rating.value, Integer) * 1.0).label("value")
    answers: Any = (
        select(_day(db).label("day"), value)
        .join_from(Rating, TurnRow, Rating.trace_id == TurnRow.trace_id)
        .where(Rating.form == "satisfaction", *_within(scope))
        .group_by(TurnRow.trace_id, TurnRow.asked_at)
        .subquery()
        .c
    )
    query: Any = select(answers.day, func.count(), func.sum(answers.value)).group_by(answers.day)
    return sorted(
        (SatisfactionCell(day, n, float(satisfying)) for day, n, satisfying in _rows(db, query)),
        key=lambda cell: cell.day,
    )


def read_ratings(db: Session, scope: InsightScope, form: str) -> list[Rated]:
    """Every value of one form on answers of the period: experts give thousands, not hundreds of thousands."""
    query = (
        select(Rating.trace_id, Rating.person_id, Rating.item, Rating.value)
        .join_from(Rating, TurnRow, Rating.trace_id == TurnRow.trace_id)
        .where(Rating.form == form, *_within(scope))
        .order_by(Rating.trace_id, Rating.person_id, Rating.item)
    )
    return [Rated(*row) for row in _rows(db, query)]


def read_sessions(db: Session, scope: InsightScope) -> list[SessionCell]:
    """Sessions by the day of their first turn in the period, and by their rounds in it."""
    first = func.min(_day(db)).label("day")
    sessions: Any = (
        select(first, func.count().label("rounds")).where(*_within(scope)).group_by(TurnRow.session_id).subquery().c
    )
    query: Any = select(sessions.day, sessions.rounds, func.count()).group_by(sessions.day, sessions.rounds)
    return sorted((SessionCell(*row) for row in _rows(db, query)), key=lambda cell: (cell.day, cell.rounds))


def read_timing(db: Session, scope: InsightScope) -> list[Percentile]:
    """Milliseconds to the whole answer, by route; a percentile is the value at the nearest rank above."""
    ranked: Any = (
        select(
            TurnRow.route,
            TurnRow.total_ms,
            func.row_number().over(partition_by=TurnRow.route, order_by=TurnRow.total_ms).label("rank"),
            func.count().over(partition_by=TurnRow.route).label("n"),
        )
        .where(
            TurnRow.total_ms.is_not(None), TurnRow.route.is_not(None), TurnRow.outcome == "answered", *_within(scope)
        )
        .subquery()
        .c
    )
    at = {percent: (ranked.n * percent + 99) // 100 for percent in PERCENTS}
    query: Any = select(ranked.route, ranked.total_ms, ranked.rank, ranked.n).where(
        or_(*(ranked.rank == rank for rank in at.values()))
    )
    found = [
        Percentile(route, percent, n, total_ms)
        for route, total_ms, rank, n in _rows(db, query)
        for percent in PERCENTS
        if rank == (n * percent + 99) // 100
    ]
    return sorted(found, key=lambda one: (one.route, one.percent))


def read_cited(db: Session, scope: InsightScope) -> list[Cited]:
    """How often each video, document and entry was a reference, most first."""
    origin = func.coalesce(RestsOn.video_id, RestsOn.document, RestsOn.origin_id, RestsOn.url)
    columns = (RestsOn.course_id, RestsOn.source, origin)
    query = (
        select(*columns, func.count())
        .join_from(RestsOn, TurnRow, RestsOn.trace_id == TurnRow.trace_id)
        .where(RestsOn.is_reference, *_within(scope))
        .group_by(*columns)
    )
    found: Counter[tuple[str | None, str, str]] = Counter()
    for course_id, source, name, n in _rows(db, query):
        if name is not None:
            found[course_id, source, name] += n
    return sorted(
        (Cited(*key, n) for key, n in found.items()),
        key=lambda one: (-one.n, one.course_id or "", one.source, one.name),
    )


def read_open(db: Session, scope: InsightScope, *, limit: int) -> list[Open]:
    """Questions that got no answer, each with how often it was asked; most asked first, then in order of the text."""
    is_open = or_(
        TurnRow.outcome == "failed",
        and_(TurnRow.outcome == "answered", TurnRow.route == "ask_ta"),
    )
    query = (
        select(TurnRow.question, func.count())
        .where(is_open, *_within(scope))
        .group_by(TurnRow.question)
        .order_by(func.count().desc(), TurnRow.question)
        .limit(limit)
    )
    return [Open(*row) for row in _rows(db, query)]


def read_disliked(db: Session, scope: InsightScope, *, limit: int) -> list[Disliked]:
    """Answers with thumbs down or found not to satisfy, those most often first, then the newest."""
    opinions = union_all(
        select(Feedback.trace_id, literal(1).label("down"), literal(0).label("bad")).where(Feedback.thumb < 0),
        select(Rating.trace_id, literal(0), literal(1)).where(Rating.form == "satisfaction", Rating.value == "0"),
    ).subquery()
    down, bad = func.sum(opinions.c.down), func.sum(opinions.c.bad)
    query = (
        select(TurnRow.trace_id, TurnRow.course_id, TurnRow.question, down, bad)
        .join_from(opinions, TurnRow, opinions.c.trace_id == TurnRow.trace_id)
        .where(*_within(scope))
        .group_by(TurnRow.trace_id, TurnRow.course_id, TurnRow.question, TurnRow.asked_at)
        .order_by((down + bad).desc(), TurnRow.asked_at.desc(), TurnRow.trace_id)
        .limit(limit)
    )
    return [Disliked(*row) for row in _rows(db, query)]


def read_latest(db: Session, scope: InsightScope, *, last: int) -> list[tuple[str | None, int, int]]:
    """For each course: its id, how many of its `last` questions there are, and how many were answered in full.

    A question that was answered without the model is not answered in full.
    """
    newest = func.row_number().over(partition_by=TurnRow.course_id, order_by=TurnRow.asked_at.desc())
    latest: Any = (
        select(TurnRow.course_id, case((is_answered_in_full(), 1), else_=0).label("answered"), newest.label("age"))
        .where(is_question(), *_within(scope))
        .subquery()
        .c
    )
    query: Any = (
        select(latest.course_id, func.count(), func.sum(latest.answered))
        .where(latest.age <= last)
        .group_by(latest.course_id)
    )
    return [(course_id, asked, int(answered)) for course_id, asked, answered in _rows(db, query)]


def _rows(db: Session, query: Any) -> Iterable[Any]:
    return db.execute(query)


def _within(scope: InsightScope) -> Sequence[ColumnElement[bool]]:
    period = (TurnRow.asked_at >= scope.since, TurnRow.asked_at < scope.until)
    return period if scope.courses is None else (*period, TurnRow.course_id.in_(scope.courses))


def _day(db: Session) -> ColumnElement[str]:
    """The day in UTC, `YYYY-MM-DD`. SQLite keeps times as text in UTC, PostgreSQL with their zone."""
    asked_at: Any = TurnRow.asked_at
    if db.get_bind().dialect.name == "postgresql":
        return func.to_char(func.timezone("UTC", asked_at), "YYYY-MM-DD", type_=Text)
    return func.substr(type_coerce(asked_at, Text), 1, 10, type_=Text)
