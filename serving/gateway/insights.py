"""`/v1/insights`: what the answers came to, by course and period, as the insights page shows it."""

import asyncio
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query
from sqlalchemy.orm import Session

from serving.desk.discovery.similarity import Encode
from serving.desk.insights.alert import LAST, WINDOW, alerts, compute_ratios
from serving.desk.insights.citations import CitableMaterial
from serving.desk.insights.material import material_of
from serving.desk.insights.page import SHOWN, as_json, read_insights
from serving.desk.insights.queries import read_disliked, read_latest
from serving.desk.insights.scope import InsightScope, courses_of, known_courses, scope_of, week_before
from serving.desk.insights.weekly import weekly
from serving.gateway.access import Ta, no_such_course
from serving.gateway.errors import RESPONSES
from serving.gateway.refusals import refusals
from serving.gateway.service import Service, Shared
from serving.store.caller import Caller
from serving.store.tables.base import now

router = APIRouter(tags=["insights"], responses=RESPONSES)

Course = Annotated[str | None, Query(max_length=200, description="A course; without, all that the caller may see.")]
First = Annotated[date | None, Query(alias="from", description="First day, UTC. Without: 30 days in all.")]
Last = Annotated[date | None, Query(alias="to", description="Last day, UTC. Without: today.")]


@router.get("/v1/insights")
async def show_insights(
    caller: Ta, service: Shared, course: Course = None, first: First = None, last: Last = None
) -> dict[str, Any]:
    """Every figure with its 95% interval. A TA sees the courses of their key."""
    with refusals():
        return await insights_for(service, caller, course_id=course, first=first, last=last)


@router.get("/v1/insights/weekly")
async def show_weekly(caller: Ta, service: Shared, course: Course = None, last: Last = None) -> dict[str, Any]:
    """For the review meeting: the seven days up to `to` beside the seven before, what to look at, and what shifted."""
    if course is not None and not caller.may_see(course):
        raise no_such_course(course)
    with refusals():
        return await service.store.reading(lambda db: _weekly(db, caller, course, last or now().date()))


def _weekly(db: Session, caller: Caller, course_id: str | None, last: date) -> dict[str, Any]:
    scope = scope_of(caller, course_id=course_id, first=None, last=last, today=last)
    scope = replace(scope, since=scope.until - timedelta(days=7))
    newest, before = (read_insights(db, week) for week in (scope, week_before(scope)))
    return {"scope": asdict(scope), **asdict(weekly(newest, before, read_disliked(db, scope, limit=SHOWN)))}


async def insights_for(
    service: Service, caller: Caller, *, course_id: str | None, first: date | None, last: date | None
) -> dict[str, Any]:
    """What the route replies; the page takes it too. Raises `GatewayError` 404 for a course not open to the caller."""
    if course_id is not None and not caller.may_see(course_id):
        raise no_such_course(course_id)
    scope = scope_of(caller, course_id=course_id, first=first, last=last, today=now().date())
    material, encode = await _known(service, scope)
    found = await service.store.reading(lambda db: as_json(read_insights(db, scope, material=material, encode=encode)))
    return {**found, "alerts": await _alerts(service, caller, course_id)}


async def _alerts(service: Service, caller: Caller, course_id: str | None) -> list[dict[str, Any]]:
    """Alerts of the last 24 hours, whatever period is shown."""
    at = now()
    scope = InsightScope(courses_of(caller, course_id), at - WINDOW, at)
    rows = await service.store.reading(lambda db: read_latest(db, scope, last=LAST))
    settings = service.settings
    found = alerts(compute_ratios(rows), threshold=settings.answered_ratio, fewest=settings.answered_ratio_questions)
    return [asdict(one) for one in found]


async def _known(service: Service, scope: InsightScope) -> tuple[list[CitableMaterial], Encode | None]:
    """What the courses hold, and how to compare questions by meaning; nothing of either before the home is built."""
    if service.missing():
        return [], None
    knowledge = await service.knowledge()
    cards = {card.course_id: card.lang for card in knowledge.courses}
    courses = known_courses(scope, list(cards))
    material = await asyncio.to_thread(material_of, service.data_dir, courses)
    embedder = knowledge.dense.embedder if knowledge.dense else None
    speaks = embedder is not None and {cards[one] for one in courses} <= set(embedder.languages)
    return material, embedder.encode if embedder is not None and speaks else None
