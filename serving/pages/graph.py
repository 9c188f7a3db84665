"""`/graph`: a teacher looks at a course's concepts and prerequisites and corrects them.

The two lists are in `graph_concepts.py` and `graph_pairs.py`, the figures in `graph_quality.py`; what they show is
gathered in `graph_reading.py`.
"""

import asyncio
from functools import partial

from nicegui import ui

from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.graph_concepts import ConceptList
from serving.pages.graph_correcting import Desk
from serving.pages.graph_pairs import PairList
from serving.pages.graph_quality import show_quality
from serving.pages.graph_reading import Measured, is_in_effect, read_course_graph, read_measured, video_titles
from serving.pages.parts import add_styles, block, chip, choice, heading, open_courses, press, text
from serving.pages.visits import TeacherVisit
from serving.pages.words import words
from serving.pages.working import look_up
from serving.store.graph_edits import live_edits


@ui.page("/graph", response_timeout=PATIENCE_SECONDS)
async def graph_page(visit: TeacherVisit, course: str = "") -> None:
    say = words("graph", visit.lang)
    courses = await open_courses(visit)
    course_id = course if course in courses else next(iter(courses), "")
    with frame(visit, say("title"), active="teacher"):
        add_styles()
        heading(say("title"), 1)
        if not course_id:
            text(say("no_courses"), "empty")
            return
        with block("bar"):
            choice(courses, course_id, say("course"), lambda value: ui.navigate.to(f"/graph?course={value}"))
            text(say("intro"), "muted grow")
        data_dir = visit.service.data_dir
        graph = await asyncio.to_thread(read_course_graph, data_dir, course_id)
        if not graph.concepts:
            text(say("not_built"), "empty")
            return
        titles = await asyncio.to_thread(video_titles, data_dir, course_id)
        measured = await asyncio.to_thread(read_measured, data_dir, course_id)
        edits = await look_up(visit, lambda db: live_edits(db, course_id))
        _panels(Desk(visit, say, course_id, graph, titles, edits), measured)


def _panels(desk: Desk, measured: Measured) -> None:
    """Concepts, prerequisites, corrections and how good it all is, one at a time."""
    say = desk.say
    with ui.tabs().props("dense no-caps align=left") as tabs:
        concepts = ui.tab("concepts", f"{say('concepts')} ({len(desk.graph.concepts)})")
        ui.tab("prerequisites", f"{say('prerequisites')} ({len(desk.graph.arrows)})")
        corrections = ui.tab("corrections", "")
        ui.tab("quality", say("quality"))
    with ui.tab_panels(tabs, value=concepts).classes("panels"):
        with ui.tab_panel("concepts"):
            desk.follow(ConceptList(desk).build())
        with ui.tab_panel("prerequisites"):
            desk.follow(PairList(desk).build())
        with ui.tab_panel("corrections"):
            shown = _corrections(desk)
            shown()
            desk.follow(shown.refresh)
        with ui.tab_panel("quality"):
            show_quality(measured, say)

    def count() -> None:
        corrections.props["label"] = f"{say('corrections')} ({len(desk.edits)})"

    count()
    desk.follow(count)


def _corrections(desk: Desk) -> "ui.refreshable[[], None]":
    """What teachers have said, newest first, each with a way back."""
    say = desk.say

    @ui.refreshable
    def corrections() -> None:
        if not desk.edits:
            text(say("no_corrections"), "empty")
        with block("rows"):
            for edit in reversed(desk.edits):
                what = desk.worded(edit)
                with block("record"):
                    with block("grow"):
                        text(what)
                        if edit.definition:
                            text(edit.definition, "muted")
                        text(f"{edit.by} · {edit.at:%Y-%m-%d %H:%M}", "small muted")
                    is_old = is_in_effect(edit, desk.graph)
                    chip(say("in_effect" if is_old else "pending"), "good" if is_old else "waiting")
                    press(say("undo"), partial(desk.undo, edit), label=say("undo_this", what=what))

    return corrections
