"""`/graph`: a teacher looks at a course's concepts and prerequisites and corrects them.

The two lists are in `graph_concepts.py` and `graph_pairs.py`, their rows in `graph_markup.py`, the figures in
`graph_quality.py`; what they show is gathered in `graph_reading.py`.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from nicegui import ui

from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.graph_concepts import ConceptList
from serving.pages.graph_correcting import Desk
from serving.pages.graph_markup import word_edit
from serving.pages.graph_pairs import PairList
from serving.pages.graph_quality import show_quality
from serving.pages.graph_reading import is_in_effect, read_view
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
        view = await asyncio.to_thread(read_view, visit.service.data_dir, course_id)
        if not view.graph.concepts:
            text(say("not_built"), "empty")
            return
        edits = await look_up(visit, lambda db: live_edits(db, course_id))
        _panels(Desk(visit, say, course_id, view, edits))


def _panels(desk: Desk) -> None:
    """Concepts, prerequisites, corrections and how good it all is, one at a time; each is made when it is first
    opened, for few who come look at all of them."""
    say = desk.say
    makers: dict[str, Callable[[], Callable[[], object] | None]] = {
        "concepts": ConceptList(desk).build,
        "prerequisites": PairList(desk).build,
        "corrections": lambda: _corrections(desk),
        "quality": lambda: show_quality(desk.view.measured, say),
    }
    with ui.tabs().props("dense no-caps align=left") as tabs:
        ui.tab("concepts", f"{say('concepts')} ({len(desk.view.graph.concepts)})")
        ui.tab("prerequisites", f"{say('prerequisites')} ({len(desk.view.graph.arrows)})")
        corrections = ui.tab("corrections", "")
        ui.tab("quality", say("quality"))
    with ui.tab_panels(tabs, value="concepts").classes("panels"):
        places = {name: ui.tab_panel(name) for name in makers}

    def show(name: str) -> None:
        if (make := makers.pop(name, None)) is None:
            return
        with places[name]:
            refresh = make()
        if refresh is not None:
            desk.follow(refresh)

    def count() -> None:
        corrections.props["label"] = f"{say('corrections')} ({len(desk.edits)})"

    show("concepts")
    tabs.on_value_change(lambda event: show(event.value))
    count()
    desk.follow(count)


def _corrections(desk: Desk) -> Callable[[], object]:
    """What teachers have said, newest first, each with a way back; what is returned shows it anew."""
    say = desk.say

    @ui.refreshable
    def corrections() -> None:
        if not desk.edits:
            text(say("no_corrections"), "empty")
        with block("rows"):
            for edit in reversed(desk.edits):
                what = word_edit(edit, say)
                with block("record"):
                    with block("grow"):
                        text(what)
                        if edit.definition:
                            text(edit.definition, "muted")
                        text(f"{edit.by} · {edit.at:%Y-%m-%d %H:%M}", "small muted")
                    is_old = is_in_effect(edit, desk.view.graph)
                    chip(say("in_effect" if is_old else "pending"), "good" if is_old else "waiting")
                    press(say("undo"), partial(desk.undo, edit), label=say("undo_this", what=what))

    corrections()
    return corrections.refresh
