"""`read_insights`: every figure of the insights page, for one scope. The other modules here do the counting."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.orm import Session

from models.statistics.intervals import Interval
from serving.desk.discovery.similarity import Encode
from serving.desk.insights import queries
from serving.desk.insights.citations import CitableMaterial, Citing, citing_of
from serving.desk.insights.counts import AnswerCounts, Cell, ModelRelease, by_day, by_route, count_answers, releases
from serving.desk.insights.latency import Timing, timing_of
from serving.desk.insights.opinions import (
    ReasonShare,
    SatisfactionCell,
    ThumbCell,
    Thumbs,
    reason_shares,
    satisfaction,
    thumbs,
    thumbs_by,
)
from serving.desk.insights.ratings import AspectMean, Relevance, aspects, relevance
from serving.desk.insights.scope import InsightScope
from serving.desk.insights.sessions import Sessions, sessions_of
from serving.desk.insights.unanswered import MOST_QUESTIONS, Cluster, clusters

SHOWN = 20
"""Rows of a list on the page. A choice."""


@dataclass(frozen=True)
class Insights:
    """The page. Lists by day name only days with something on them, in UTC."""

    scope: InsightScope
    counts: AnswerCounts
    coverage: Interval
    days: list[tuple[str, AnswerCounts]]
    routes: list[tuple[str, int]]
    releases: list[ModelRelease]
    thumbs: Thumbs
    thumbs_by_day: list[tuple[str, Thumbs]]
    thumbs_by_route: list[tuple[str, Thumbs]]
    thumbs_by_form: list[tuple[str, Thumbs]]
    up_reasons: list[ReasonShare]
    down_reasons: list[ReasonShare]
    satisfaction: Interval
    satisfaction_by_day: list[tuple[str, Interval]]
    aspects: list[AspectMean]
    relevance: Relevance
    sessions: Sessions
    timing: list[Timing]
    citing: Citing
    unanswered: list[Cluster]


def read_insights(
    db: Session, scope: InsightScope, *, material: Sequence[CitableMaterial] = (), encode: Encode | None = None
) -> Insights:
    """All figures. `material` is what could be cited; with `encode` open questions are grouped by meaning."""
    cells = queries.read_cells(db, scope)
    thumb_cells = queries.read_thumbs(db, scope)
    satisfaction_cells = queries.read_satisfaction(db, scope)
    return Insights(
        scope=scope,
        **_questions_part(cells),
        **_thumbs_part(thumb_cells),
        satisfaction=satisfaction(satisfaction_cells),
        satisfaction_by_day=_days(satisfaction_cells),
        aspects=aspects(queries.read_ratings(db, scope, "aspects")),
        relevance=relevance(row.value for row in queries.read_ratings(db, scope, "relevance")),
        sessions=sessions_of(queries.read_sessions(db, scope)),
        timing=timing_of(queries.read_timing(db, scope)),
        citing=citing_of(queries.read_cited(db, scope), material, shown=SHOWN),
        unanswered=clusters(queries.read_open(db, scope, limit=MOST_QUESTIONS), encode=encode)[:SHOWN],
    )


def _questions_part(cells: Sequence[Cell]) -> dict[str, Any]:
    counts = count_answers(cells)
    return {
        "counts": counts,
        "coverage": counts.coverage,
        "days": by_day(cells),
        "routes": by_route(cells),
        "releases": releases(cells),
    }


def _thumbs_part(cells: Sequence[ThumbCell]) -> dict[str, Any]:
    return {
        "thumbs": thumbs(cells),
        "thumbs_by_day": thumbs_by(cells, "day"),
        "thumbs_by_route": thumbs_by(cells, "route"),
        "thumbs_by_form": thumbs_by(cells, "form"),
        "up_reasons": reason_shares(cells, up=True),
        "down_reasons": reason_shares(cells, up=False),
    }


def _days(cells: Sequence[SatisfactionCell]) -> list[tuple[str, Interval]]:
    return [(cell.day, satisfaction([cell])) for cell in cells]


def as_json(insights: Insights) -> dict[str, Any]:
    """As the API sends it: names of fields are those of the records, and each share comes with its interval."""
    told = asdict(insights)
    told["days"] = [
        {"day": day, **asdict(counts), "coverage": asdict(counts.coverage)} for day, counts in insights.days
    ]
    told["routes"] = [{"route": route, "n": n} for route, n in insights.routes]
    told["thumbs"] = _thumbs(insights.thumbs)
    for what in ("day", "route", "form"):
        groups: list[tuple[str, Thumbs]] = getattr(insights, f"thumbs_by_{what}")
        told[f"thumbs_by_{what}"] = [{what: name, **_thumbs(one)} for name, one in groups]
    told["satisfaction_by_day"] = [{"day": day, **asdict(one)} for day, one in insights.satisfaction_by_day]
    told["timing"] = [
        {"route": one.route, "n": one.n, **{f"p{percent}": ms for percent, ms in one.ms}} for one in insights.timing
    ]
    told["citing"]["most"] = [{**asdict(one), "title": title} for one, title in insights.citing.most]
    sessions = insights.sessions
    told["sessions"]["by_rounds"] = [{"rounds": rounds, "n": n} for rounds, n in sessions.by_rounds]
    told["sessions"]["by_day"] = [{"day": day, "mean_rounds": rounds} for day, rounds in sessions.by_day]
    return told


def _thumbs(thumbs: Thumbs) -> dict[str, Any]:
    return {**asdict(thumbs), "rate": asdict(thumbs.rate)}
