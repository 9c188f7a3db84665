"""`read_insights`: every figure of the insights page, for one scope. What is counted is said in the other modules."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.orm import Session

from serving.insights import reading
from serving.insights.citing import Citing, Material, citing_of
from serving.insights.counting import Cell, Counts, Release, by_day, by_route, counted, releases
from serving.insights.opinions import (
    ReasonShare,
    SatisfactionCell,
    ThumbCell,
    Thumbs,
    reason_shares,
    satisfaction,
    thumbs,
    thumbs_by,
)
from serving.insights.rated import Aspect, Relevance, aspects, relevance
from serving.insights.scope import Scope
from serving.insights.sessions import Sessions, sessions_of
from serving.insights.timing import Timing, timing_of
from serving.insights.unanswered import MOST_QUESTIONS, Cluster, Encode, clusters
from serving.intervals import Interval

SHOWN = 20
"""Rows of a list on the page. A choice."""


@dataclass(frozen=True)
class Insights:
    """The page. Lists by day name only days with something on them, in UTC."""

    scope: Scope
    counts: Counts
    coverage: Interval
    days: list[tuple[str, Counts]]
    routes: list[tuple[str, int]]
    releases: list[Release]
    thumbs: Thumbs
    thumbs_by_day: list[tuple[str, Thumbs]]
    thumbs_by_route: list[tuple[str, Thumbs]]
    thumbs_by_form: list[tuple[str, Thumbs]]
    up_reasons: list[ReasonShare]
    down_reasons: list[ReasonShare]
    satisfaction: Interval
    satisfaction_by_day: list[tuple[str, Interval]]
    aspects: list[Aspect]
    relevance: Relevance
    sessions: Sessions
    timing: list[Timing]
    citing: Citing
    unanswered: list[Cluster]


def read_insights(
    db: Session, scope: Scope, *, material: Sequence[Material] = (), encode: Encode | None = None
) -> Insights:
    """All figures. `material` is what could be cited; with `encode` open questions are grouped by meaning."""
    cells = reading.read_cells(db, scope)
    thumb_cells = reading.read_thumbs(db, scope)
    satisfaction_cells = reading.read_satisfaction(db, scope)
    return Insights(
        scope=scope,
        **_asked(cells),
        **_liked(thumb_cells),
        satisfaction=satisfaction(satisfaction_cells),
        satisfaction_by_day=_days(satisfaction_cells),
        aspects=aspects(reading.read_ratings(db, scope, "aspects")),
        relevance=relevance(row.value for row in reading.read_ratings(db, scope, "relevance")),
        sessions=sessions_of(reading.read_sessions(db, scope)),
        timing=timing_of(reading.read_timing(db, scope)),
        citing=citing_of(reading.read_cited(db, scope), material, shown=SHOWN),
        unanswered=clusters(reading.read_open(db, scope, limit=MOST_QUESTIONS), encode=encode)[:SHOWN],
    )


def _asked(cells: Sequence[Cell]) -> dict[str, Any]:
    counts = counted(cells)
    return {
        "counts": counts,
        "coverage": counts.coverage,
        "days": by_day(cells),
        "routes": by_route(cells),
        "releases": releases(cells),
    }


def _liked(cells: Sequence[ThumbCell]) -> dict[str, Any]:
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
