"""`Editor`: where a TA words a question and its answer, ticks what it rests on, and sees it as a student will."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from html import escape

from nicegui import ui

from serving.desk.course_tables import CourseTables
from serving.desk.material_units import MaterialUnit
from serving.desk.suggestions import Suggestion, suggestions
from serving.gateway.links import reference_path
from serving.pages.markdown import render_markdown
from serving.pages.parts import block, choice, heading, link, press, text
from serving.pages.provenance import display_name
from serving.pages.visits import Visit
from serving.pages.words import PageTexts
from serving.pages.working import caller_still

Changed = Callable[[], Awaitable[object]]


class Editor:
    """`course_id` is whose answer it will be, `None` until one is chosen. `own` is the `origin_id` of what is edited,
    which is no material for itself. `on_begin` is called at the first change."""

    def __init__(
        self,
        visit: Visit,
        say: PageTexts,
        *,
        course_id: str | None,
        courses: Mapping[str, str],
        question: str,
        answer: str = "",
        draft: str = "",
        rests: Mapping[str, MaterialUnit] | None = None,
        own: str = "",
        on_begin: Changed | None = None,
    ) -> None:
        self.visit, self.say, self.courses = visit, say, courses
        self.course_id = course_id
        self.question, self.answer = question, answer
        self._draft = draft
        self._asks_course = course_id is None
        self._ticked: dict[str, MaterialUnit] = dict(rests or {})
        self._own = own
        self._on_begin = on_begin

    @property
    def rests(self) -> list[MaterialUnit]:
        """The units ticked, those of the chosen course."""
        return [unit for unit in self._ticked.values() if unit.course_id == self.course_id]

    def build(self) -> None:
        say = self.say
        with block("editor", tag="section"):
            heading(say("your_answer"), 2)
            if self._asks_course:
                choice(self.courses, None, say("answer_course"), self._choose_course)
            question = ui.textarea(say("question"), value=self.question, on_change=self._question_written)
            question.props("outlined dense autogrow debounce=200 input-class=editor-question")
            self._area = ui.textarea(say("answer"), value=self.answer, on_change=self._answer_written)
            self._area.props("outlined dense autogrow debounce=200 input-class=editor-answer")
            with block("bar"):
                text(say("markdown"), "small muted grow")
                if self._draft:
                    press(say("use_ai"), self._use_draft, look="quiet")
            with block("preview", tag="section"):
                text(say("preview"), "small muted")
                self._preview = ui.html("", sanitize=False)
                self._show()
        with block("material", tag="section"):
            heading(say("suggestions"), 2)
            text(say("rests_hint"), "small muted")
            with block("bar"):
                search = ui.input(say("search_material")).props("outlined dense clearable type=search").classes("grow")
                search.on("keydown.enter", lambda: self.find(search.value or self.question))
            self._found = block("suggestions")
        ui.timer(0.01, lambda: self.find(self.question), once=True)

    async def find(self, words: str) -> None:
        """Look for material that may answer `words`, and list it."""
        if await caller_still(self.visit, "ta") is None:
            return
        self._found.clear()
        with self._found:
            text(self.say("looking"), "muted")
        service = self.visit.service
        found = await asyncio.to_thread(
            suggestions,
            await service.knowledge(),
            self.course_id,
            words,
            tables=CourseTables(service.data_dir),
            overlay=service.overlay.current,
            address=reference_path,
        )
        self._found.clear()
        with self._found:
            self._show_ticked()
            for one in found:
                self._suggestion(one)
            if not found:
                text(self.say("no_suggestions"), "muted")

    def _show_ticked(self) -> None:
        """What was ticked before, so that it can be taken off."""
        for unit in list(self._ticked.values()):
            with block("suggestion ticked"):
                text(unit.label, "name", tag="strong")
                text(unit.text, "clamp small")
                self._tick([unit], value=True)

    def _suggestion(self, one: Suggestion) -> None:
        is_kept = one.units and all(unit.unit in self._ticked for unit in one.units)
        if is_kept or (self._own and one.origin_id == self._own):
            return
        with block("suggestion"):
            link(one.label, one.url or "", "name")
            if one.kind != "passage" and one.title not in one.label:
                text(one.title, "small name")
            text(one.text, "clamp small")
            if one.units:
                self._tick(list(one.units), value=False)
            elif one.source in ("search", "scholar"):
                text(self.say("cannot_rest"), "small muted")

    def _tick(self, units: list[MaterialUnit], *, value: bool) -> None:
        ui.checkbox(self.say("rests"), value=value, on_change=lambda event: self._ticks(units, event.value)).props(
            "dense"
        )

    async def _ticks(self, units: list[MaterialUnit], is_ticked: bool) -> None:
        for unit in units:
            if is_ticked:
                self._ticked[unit.unit] = unit
            else:
                self._ticked.pop(unit.unit, None)
        await self._begun()

    async def _question_written(self, event: object) -> None:
        self.question = getattr(event, "value", "") or ""
        await self._begun()

    async def _answer_written(self, event: object) -> None:
        self.answer = getattr(event, "value", "") or ""
        self._show()
        await self._begun()

    async def _choose_course(self, course_id: str) -> None:
        self.course_id = course_id
        await self.find(self.question)

    def _use_draft(self) -> None:
        self._area.set_value(self._draft)

    async def _begun(self) -> None:
        if self._on_begin is not None:
            begin, self._on_begin = self._on_begin, None
            await begin()

    def _show(self) -> None:
        """The answer with its label, as the chat shows it."""
        if not self.answer.strip():
            self._preview.set_content(f'<p class="muted">{escape(self.say("preview_empty"))}</p>')
            return
        label = self.say("from_faq", name=display_name(self.visit.caller.name, self.say("a_ta")))
        self._preview.set_content(f'<p class="label">{escape(label)}</p>{render_markdown(self.answer)}')
