"""One item of the queue, opened: the conversation it comes from, what students said, and how it is decided."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from nicegui import ui

from serving.desk.approved_answers import PREFIX
from serving.desk.course_tables import CourseTables
from serving.desk.decisions import approve, reject, withdraw
from serving.desk.material_units import MaterialUnit, units_there
from serving.desk.queue import QueueItem, claim, release
from serving.pages.confirmation import confirm
from serving.pages.console_answer import show_conversation, show_said
from serving.pages.console_changes import show_changes
from serving.pages.console_editor import Editor
from serving.pages.console_reading import OpenedItem
from serving.pages.console_rules import fold_rules, rules_of
from serving.pages.console_standing import show_history
from serving.pages.parts import block, chip, heading, press, text
from serving.pages.provenance import display_name
from serving.pages.visits import Visit
from serving.pages.words import PageTexts
from serving.pages.working import carry_out

Done = Callable[[], Awaitable[object]]


class ItemPane:
    """`alike` are open questions that ask the same in other words. `on_done` is called when the item was decided,
    `on_claim` when who works on it has changed."""

    def __init__(
        self,
        visit: Visit,
        say: PageTexts,
        courses: Mapping[str, str],
        opened: OpenedItem,
        alike: Sequence[QueueItem] = (),
        *,
        on_done: Done,
        on_claim: Done,
    ) -> None:
        self.visit, self.say, self.courses, self.opened = visit, say, courses, opened
        self.on_done, self.on_claim = on_done, on_claim
        self.item = opened.item
        mine = visit.caller.person_id
        self.alike = alike if opened.standing is None else ()
        self._also = {one.question_id for one in self.alike if one.claimed_by in (None, mine)}

    async def build(self) -> None:
        self._gone = text(self.say("gone"), "warn").props("role=status")
        self._gone.set_visibility(False)
        self._head()
        self._other_words()
        show_conversation(self.opened, self.say)
        show_said(self.opened, self.say)
        await self._rules()
        standing = self.opened.standing
        if standing is not None:
            show_changes(standing.changed_sources, self.say)
            self._standing_actions()
        self.editor = await self._editor()
        self.editor.build()
        self._actions()
        if standing is not None:
            show_history(standing, self.say)

    def is_gone(self) -> None:
        """Somebody else has decided."""
        self._gone.set_visibility(True)

    @ui.refreshable_method
    def _show_claim(self) -> None:
        say, item, mine = self.say, self.item, self.visit.caller.person_id
        if item.claimed_by == mine:
            chip(say("yours"), "good")
            press(say("release"), self._release, look="quiet")
        elif item.claimed_by is not None:
            chip(say("with", name=display_name(item.claimed_name, say("another_ta"))), "waiting")
        else:
            press(say("take"), self._claim, look="quiet")

    def _head(self) -> None:
        say, item = self.say, self.item
        with block("line"):
            chip(say(f"reason_{item.reason}"), f"reason {item.reason}")
            chip(self.courses.get(item.course_id or "", item.course_id or say("no_course")))
            if item.waiting > 1:
                chip(say("waiting", n=item.waiting))
            if item.resting:
                chip(say("resting", n=item.resting))
            block("grow")
            self._show_claim()
        text(item.question, "question-asked", tag="h1")
        for note in item.notes:
            if note and note not in {one.comment for one in self.opened.opinions}:
                with block("quote"):
                    text(say("note"), "small muted")
                    text(note, "prose")

    def _other_words(self) -> None:
        """The other wordings, each ticked unless another TA has it: what is decided is for those that stay ticked."""
        say = self.say
        if not self.alike:
            return
        with block("other-words", tag="section"):
            heading(say("other_words"), 2)
            text(say("other_words_hint"), "small muted")
            for one in self.alike:
                facts = [say("waiting", n=one.waiting)] if one.waiting > 1 else []
                if one.question_id not in self._also:
                    facts.append(say("with", name=display_name(one.claimed_name, say("another_ta"))))
                words = " · ".join([one.question, *facts])
                ui.checkbox(
                    words,
                    value=one.question_id in self._also,
                    on_change=lambda event, at=one.question_id: self._tick(at, is_ticked=event.value),
                ).props("dense")
                for note in one.notes:
                    text(note, "small quote")

    def _tick(self, question_id: str, *, is_ticked: bool) -> None:
        if is_ticked:
            self._also.add(question_id)
        else:
            self._also.discard(question_id)

    async def _rules(self) -> None:
        """What the course's staff want every answer to respect; nothing where they say nothing."""
        rules = await rules_of(self.visit, self.item.course_id)
        if rules is not None:
            fold_rules(rules, self.say)

    async def _editor(self) -> Editor:
        standing, turn = self.opened.standing, self.opened.turn
        return Editor(
            self.visit,
            self.say,
            course_id=self.item.course_id,
            courses=self.courses,
            question=standing.answer.question if standing else self.item.question,
            answer=standing.answer.answer if standing else "",
            draft=turn.answer if turn is not None else "",
            rests={unit.unit: unit for unit in await self._units_left()},
            own=f"{PREFIX}{standing.answer.answer_id}" if standing else "",
            on_begin=self._claim,
        )

    async def _units_left(self) -> list[MaterialUnit]:
        """What an answer that came back rests on, as it reads now."""
        standing = self.opened.standing
        if standing is None:
            return []
        tables = CourseTables(self.visit.service.data_dir)
        return await asyncio.to_thread(units_there, standing.units_left, standing.answer.course_id, tables)

    def _standing_actions(self) -> None:
        say = self.say
        with block("actions"):
            press(say("still_right"), self._still_right, look="primary", hint=say("still_right_hint"))
            press(say("withdraw"), self._withdraw, look="danger")

    def _actions(self) -> None:
        say = self.say
        with block("actions sticky"):
            standing = self.opened.standing
            press(
                say("save_edit" if standing else "approve"), self._approve, look="primary" if not standing else "plain"
            )
            if standing is None:
                press(say("reject"), self._reject, look="danger")

    async def _claim(self) -> None:
        if self.item.claimed_by is not None:
            return
        taken = await carry_out(self.visit, "ta", lambda db, caller: claim(db, self.item.question_id, caller))
        await self._renew(taken)

    async def _release(self) -> None:
        freed = await carry_out(
            self.visit, "ta", lambda db, caller: release(db, self.item.question_id, caller), done=self.say("released")
        )
        await self._renew(freed)

    async def _renew(self, item: QueueItem | None) -> None:
        if item is not None:
            self.item = item
            self._show_claim.refresh()
            await self.on_claim()

    async def _approve(self) -> None:
        editor, say = self.editor, self.say
        if not editor.answer.strip():
            ui.notify(say("empty_answer"), type="warning", position="bottom")
        elif editor.course_id is None:
            ui.notify(say("choose_course"), type="warning", position="bottom")
        else:
            await self._decide(editor.question, editor.answer, editor.rests, editor.course_id)

    async def _still_right(self) -> None:
        standing = self.opened.standing
        assert standing is not None
        units = await self._units_left()
        await self._decide(standing.answer.question, standing.answer.answer, units, standing.answer.course_id)

    async def _decide(self, question: str, answer: str, rests: list[MaterialUnit], course_id: str) -> None:
        done = await carry_out(
            self.visit,
            "ta",
            lambda db, caller: approve(
                db,
                self.item.question_id,
                question=question,
                answer=answer,
                rests=rests,
                by=caller,
                course_id=course_id,
                also=sorted(self._also),
            ),
            done=self.say("approved_done"),
        )
        if done is not None:
            await self.on_done()

    def _reject(self) -> None:
        say = self.say

        async def save(reply: str) -> None:
            done = await carry_out(
                self.visit,
                "ta",
                lambda db, caller: reject(db, self.item.question_id, reply=reply, by=caller, also=sorted(self._also)),
                done=say("rejected_done"),
            )
            if done is not None:
                await self.on_done()

        confirm(say("reject_title"), say("reject_do"), say("cancel"), save, field=say("reply"))

    def _withdraw(self) -> None:
        say, standing = self.say, self.opened.standing
        assert standing is not None

        async def save(_: str) -> None:
            answer_id = standing.answer.answer_id
            done = await carry_out(
                self.visit,
                "ta",
                lambda db, caller: withdraw(db, answer_id, by=caller),
                done=say("withdrawn_done"),
            )
            if done is not None:
                await self.on_done()

        confirm(say("withdraw_sure"), say("withdraw"), say("cancel"), save)
