"""`/rate`: batches of answers to rate, and the form for one answer after the other.

The form is in `rating_form.py`, making a batch and its results in `rating_batches.py`.
"""

from datetime import UTC, timedelta

from nicegui import ui

from serving.feedback.rating_forms import FORMS
from serving.pages.confirmation import confirm
from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.parts import add_styles, block, chip, choice, heading, open_courses, press, text
from serving.pages.rating_batches import ask_for_batch, show_results
from serving.pages.rating_form import RatingForm
from serving.pages.rating_reading import ShownBatch, list_batches, one_batch
from serving.pages.visits import TaVisit, Visit
from serving.pages.words import words
from serving.pages.working import caller_still, carry_out, look_up
from serving.store.batches import BatchUnknown, finish_batch
from serving.store.daily_sample import daily_batch
from serving.store.tables.base import now


@ui.page("/rate", response_timeout=PATIENCE_SECONDS)
async def rating_page(visit: TaVisit, batch: str = "") -> None:
    say = words("rating", visit.lang)
    courses = await open_courses(visit)
    with frame(visit, say("title"), active="rating"):
        add_styles()
        page = RatingPage(visit, courses)
        if batch:
            await page.open(batch)
        else:
            await page.build()


class RatingPage:
    """The list of batches; `open` shows one."""

    def __init__(self, visit: Visit, courses: dict[str, str]) -> None:
        self.visit, self.courses = visit, courses
        self.say = words("rating", visit.lang)
        self.batches: list[ShownBatch] = []

    async def open(self, batch_id: str) -> None:
        try:
            shown = await look_up(self.visit, lambda db: one_batch(db, self.visit.caller, batch_id))
        except BatchUnknown:
            ui.navigate.to("/rate")
            return
        await RatingForm(self.visit, shown).build()

    async def build(self) -> None:
        say = self.say
        heading(say("title"), 1)
        with block("bar"):
            if self.visit.caller.is_at_least("teacher"):
                press(say("new_batch"), self._new, look="primary")
            daily = choice(self.courses, None, say("daily"), self._daily)
            daily.set_visibility(bool(self.courses))
        await self._read()
        self.show_batches()

    @ui.refreshable_method
    def show_batches(self) -> None:
        say = self.say
        if not self.batches:
            text(say("no_batches"), "empty")
        with block("rows"):
            for one in self.batches:
                self._row(one)

    def _row(self, one: ShownBatch) -> None:
        say, batch, form = self.say, one.batch, FORMS[one.form]
        with block("record", tag="article"):
            with block("grow"):
                with block("line"):
                    text(batch.name, "name", tag="strong")
                    chip(form.zh if say.lang == "zh" else form.en)
                    if batch.course_id:
                        chip(self.courses.get(batch.course_id, batch.course_id))
                parts = [
                    f"{each.name or say('anybody')} {say('done_of', done=each.done, total=each.total)}"
                    for each in one.progress
                ]
                text(" · ".join(parts), "small muted")
            with block("measure wide-measure"):
                text(say("progress", done=one.done, total=one.total), "small")
                block("progress").style(f"--share:{round(100 * one.done / one.total) if one.total else 100}%")
            with block("actions stack"):
                if one.mine_left:
                    label = f"{say('rate')} ({one.mine_left})"
                    press(label, lambda: ui.navigate.to(f"/rate?batch={batch.batch_id}"), look="primary")
                elif one.done == one.total:
                    chip(say("finished"), "good")
                press(say("results"), lambda: show_results(self.visit, one), look="quiet")
                if one.may_manage and one.done < one.total:
                    press(say("end_batch"), lambda: self._end(one), look="quiet")

    async def _new(self) -> None:
        await ask_for_batch(self.visit, self.courses, self._renew)

    async def _end(self, one: ShownBatch) -> None:
        async def end(_: str) -> None:
            await carry_out(
                self.visit, "ta", lambda db, caller: finish_batch(db, one.batch.batch_id), done=self.say("ended")
            )
            await self._renew()

        confirm(self.say("end_sure"), self.say("end_batch"), self.say("cancel"), end)

    async def _daily(self, course_id: str) -> None:
        """Draw yesterday's sample of a course, or find it when it was drawn."""
        day = now().astimezone(UTC).date() - timedelta(days=1)
        made = await carry_out(
            self.visit,
            "ta",
            lambda db, caller: (daily_batch(db, course_id, day),) if caller.may_see(course_id) else None,
        )
        if made is None:
            return
        if made[0] is None:
            ui.notify(self.say("daily_none"), type="info", position="bottom")
        else:
            ui.navigate.to(f"/rate?batch={made[0].batch_id}")

    async def _read(self) -> None:
        if await caller_still(self.visit, "ta") is None:
            return
        self.batches = await look_up(self.visit, lambda db: list_batches(db, self.visit.caller))

    async def _renew(self) -> None:
        await self._read()
        self.show_batches.refresh()
