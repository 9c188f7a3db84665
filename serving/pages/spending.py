"""`/spending`: what the model server cost, by day, course, key and person, who is near a cap, and each course's switch.

Shows the figures of `/v1/spending` as plain HTML (`spending_view.py`), which works without JavaScript.
"""

from datetime import timedelta

from nicegui import ui

from serving.desk.spending_report import CostLine
from serving.gateway.costs import spending_for
from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.insights_figures import show_tile
from serving.pages.parts import add_styles, block, heading, open_courses, text
from serving.pages.spending_view import caps_html, choice_form, lines_html, money, switches_html
from serving.pages.visits import TaVisit
from serving.pages.words import PageTexts, words
from serving.store.tables.base import now

PERIODS = (7, 30, 90)
"""Periods on offer, in days. Not calibrated."""


@ui.page("/spending", response_timeout=PATIENCE_SECONDS)
async def spending_page(visit: TaVisit, course: str = "", days: str = "30") -> None:
    say = words("spending", visit.lang)
    courses = await open_courses(visit)
    course_id = course if course in courses else ""
    length = int(days) if days in map(str, PERIODS) else 30
    last = now().date()
    first = last - timedelta(days=length - 1)
    report = await spending_for(visit.service, visit.caller, course_id=course_id or None, first=first, last=last)
    switches = visit.service.switches
    await switches.refresh()
    controls = {one: row for one in courses if (row := switches.of(one)) is not None}
    with frame(visit, say("title"), active="insights"):
        add_styles()
        heading(say("title"), 1)
        text(say("lead"), "muted", tag="p")
        ui.html(choice_form(courses, course_id, PERIODS, length, say), sanitize=False)
        _tiles(report.total, report.currency, say)
        shown = {course_id: courses[course_id]} if course_id else courses
        tables = (
            lines_html(say("by_day"), report.days[::-1], say("day"), lambda one: one.name, say),
            lines_html(
                say("by_course"),
                report.courses,
                say("course"),
                lambda one: courses.get(one.name, one.name) or say("no_course"),
                say,
            ),
            lines_html(
                say("by_key"),
                report.keys,
                say("key"),
                lambda one: f"{one.label} {one.name}".strip() or say("no_key"),
                say,
            ),
            lines_html(say("by_person"), report.people, say("person"), lambda one: one.name, say),
        )
        markup = switches_html(shown, controls, say, may_change=visit.caller.is_at_least("teacher"))
        markup += caps_html(report, courses, say)
        markup += "".join(tables) or f'<p class="empty">{say("nothing")}</p>'
        ui.html(markup, sanitize=False).classes("spending")


def _tiles(total: CostLine, currency: str, say: PageTexts) -> None:
    with block("tiles"):
        told = say("read_and_written", prompt=f"{total.prompt_tokens:,}", completion=f"{total.completion_tokens:,}")
        show_tile(say("tokens"), f"{total.tokens:,}", told)
        show_tile(say("questions"), f"{total.questions:,}", say("answers_more", n=f"{total.answers:,}"))
        show_tile(say("cost"), money(total.cost, currency), say("no_price" if total.cost is None else "at_prices"))
