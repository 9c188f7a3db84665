"""`/insights`: how the answers do, by course and period: asked, answered, liked, cited, left open.

The figures are those of `/v1/insights`. Charts are in `insights_charts.py`, the parts of the page in
`insights_panels.py`.
"""

from datetime import timedelta
from urllib.parse import urlencode

from nicegui import ui

from serving.desk.insights.queries import read_cells
from serving.desk.insights.scope import scope_of
from serving.gateway.insights import insights_for
from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.insights_charts import days_of, routes_by_day
from serving.pages.insights_experiments import show_experiments
from serving.pages.insights_panels import Panels
from serving.pages.insights_reading import list_experiments
from serving.pages.parts import add_styles, block, choice, heading, link, open_courses, text
from serving.pages.visits import TaVisit
from serving.pages.words import words
from serving.pages.working import look_up
from serving.store.tables.base import now

PERIODS = (7, 30, 90, 365)
"""Days that can be chosen. A choice."""


@ui.page("/insights", response_timeout=PATIENCE_SECONDS)
async def insights_page(visit: TaVisit, course: str = "", days: int = 30) -> None:
    say = words("insights", visit.lang)
    courses = await open_courses(visit)
    course_id = course if course in courses else None
    length = days if days in PERIODS else 30
    with frame(visit, say("title"), active="insights"):
        add_styles()
        with block("bar"):
            heading(say("title"), 1, "grow")

            def go(course: str, days: int) -> None:
                ui.navigate.to(f"/insights?{urlencode({'course': course, 'days': days})}")

            named = {"": say("all_courses"), **courses}
            choice(named, course_id or "", say("course"), lambda value: go(value, length))
            periods = {str(n): say(f"days_{n}") for n in PERIODS}
            choice(periods, str(length), say("period"), lambda value: go(course_id or "", int(value)))
        last = now().date()
        first = last - timedelta(days=length - 1)
        found = await insights_for(visit.service, visit.caller, course_id=course_id, first=first, last=last)
        scope = scope_of(visit.caller, course_id=course_id, first=first, last=last, today=last)
        cells = await look_up(visit, lambda db: read_cells(db, scope))
        every_day = days_of(first, last)
        panels = Panels(visit, say, courses, found, scope.courses, every_day, routes_by_day(cells, every_day))
        panels.alerts()
        if not found["counts"]["asked"] and not found["counts"]["small_talk"]:
            text(say("nothing_asked"), "empty")
        else:
            panels.build()
        with block("bar"):
            link(say("model_card"), "/models")
            link(say("spending"), "/spending")
        if visit.caller.is_at_least("teacher"):
            show_experiments(await look_up(visit, lambda db: list_experiments(db, visit.caller)), say)
