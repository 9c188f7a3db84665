"""`/queue`: the TA console. Left what is open, approved, in the FAQ or proposed for it, and the course's rules; beside
it what is chosen.

What is chosen is built by `console_item.py`, `console_standing.py` and `console_proposal.py`, the lists by
`console_lists.py`, the rules by `console_rules.py`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice

from nicegui import ui
from nicegui.events import KeyEventArguments
from sqlalchemy.orm import Session

from knowledge_graph.lake.gone_courses import read_gone
from serving.desk.discovery.proposals import Proposal
from serving.desk.queue import Reason, open_questions
from serving.desk.queue_groups import QueueGroup, of_reason, others_like
from serving.gateway.discovery import proposals_for
from serving.gateway.review import open_groups
from serving.pages.console_item import ItemPane
from serving.pages.console_lists import Lists
from serving.pages.console_proposal import key_of, show_proposal
from serving.pages.console_reading import FaqRow, faq_rows, list_approved, open_item, standing_of
from serving.pages.console_rules import CourseRules, rules_of
from serving.pages.console_standing import show_faq, show_standing
from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.parts import add_styles, block, open_courses, press, text, text_with_commands
from serving.pages.visits import TaVisit, Visit
from serving.pages.words import words
from serving.pages.working import caller_still, carry_out, look_up
from serving.store.tables.review import ReviewedAnswer

LOOK_SECONDS = 3.0
"""How often an open page looks for new questions. A choice."""

MOST_OPEN = 200
"""Questions in the list at once. A choice: a day's work; the rest moves up."""

MOST_GONE = 5
"""Courses without a folder that are named above the list. A choice: the questions stay in sight."""


@ui.page("/queue", response_timeout=PATIENCE_SECONDS)
async def queue_page(visit: TaVisit) -> None:
    say = words("console", visit.lang)
    courses = await open_courses(visit)
    with frame(visit, say("title"), active="console"):
        add_styles()
        console = Console(visit, courses)
        await console.build()


class Console:
    """One open console."""

    def __init__(self, visit: Visit, courses: dict[str, str]) -> None:
        self.visit, self.courses = visit, courses
        self.say = words("console", visit.lang)
        self.course_id: str | None = None
        self.reason: Reason | None = None
        self.sought = ""
        self.chosen: str | None = None
        self.groups: list[QueueGroup] = []
        self.open: dict[Reason, int] = {}
        self.approved: list[ReviewedAnswer] = []
        self.faq: list[FaqRow] = []
        self.proposals: list[Proposal] | None = None
        self.rules: CourseRules | None = None
        self._proposed_for: str | None = None
        self._pane: ItemPane | None = None
        self._drawn: object = None

    @property
    def scope(self) -> list[str] | None:
        """The courses looked at; `None` for all, with questions of no course."""
        if self.course_id is not None:
            return [self.course_id]
        return None if self.visit.caller.courses is None else sorted(self.visit.caller.courses)

    @property
    def one_course(self) -> str | None:
        """The course that is chosen, or the only one."""
        return self.course_id or (next(iter(self.courses)) if len(self.courses) == 1 else None)

    async def build(self) -> None:
        await self._read_queue()
        self.lists, self._drawn = Lists(self), self._queue
        if gone := await asyncio.to_thread(self._gone):
            with block("warn gone").props('role="status"'), block(tag="ul"):
                for told in gone:
                    text_with_commands(told, tag="li")
        with block("desk") as self.root:
            with block("desk-list"):
                self.lists.build()
            with block("desk-pane"):
                press(self.say("back"), self.close, look="quiet").classes("back")
                self.place = block("pane")
                with self.place:
                    text(self.say("nothing_chosen"), "empty")
        ui.keyboard(self._key, repeating=False, ignore=["input", "select", "textarea"])
        ui.timer(LOOK_SECONDS, self.look)

    def _gone(self) -> list[str]:
        """Of each course of theirs that has no folder any more, what that means and what to do."""
        own = self.visit.caller.courses
        gone = {
            course: new
            for course, new in read_gone(self.visit.service.data_dir).items()
            if own is None or course in own
        }
        told = [
            self.say("renamed" if new else "removed", course=course, new=new or "")
            for course, new in islice(gone.items(), MOST_GONE)
        ]
        return [*told, self.say("gone_too", count=len(gone) - MOST_GONE)] if len(gone) > MOST_GONE else told

    async def look(self) -> None:
        """Take up what others did meanwhile, without touching what is being written."""
        if await caller_still(self.visit, "ta") is None:
            return
        await self._read_queue()
        self._redraw_queue()
        if self._pane is not None and self.chosen not in self._question_ids:
            is_open = await look_up(self.visit, lambda db: self._is_open(db))
            if not is_open and self._pane is not None:
                self._pane.is_gone()

    async def choose_course(self, course_id: str) -> None:
        self.course_id = course_id or None
        await self.renew()

    async def choose_reason(self, reason: Reason | None) -> None:
        self.reason = reason
        await self.renew()

    async def seek(self, sought: str | None) -> None:
        self.sought = sought or ""
        await self.renew()

    async def turn_to_list(self) -> None:
        """Another list is looked at; what is proposed is looked for again, which no other renewal waits for."""
        self._proposed_for = None
        await self.renew()

    async def renew(self) -> None:
        """Read every list again. What something else was chosen during is not shown: that is being read too."""
        if await caller_still(self.visit, "ta") is None:
            return
        await self._read_queue()
        self._redraw_queue()
        scope, sought = self.scope, self.sought
        approved = await look_up(self.visit, lambda db: list_approved(db, courses=scope, sought=sought))
        listed = [self.course_id] if self.course_id else list(self.courses)
        faq = await asyncio.to_thread(faq_rows, self.visit.service.data_dir, listed, sought)
        if (scope, sought) == (self.scope, self.sought):
            self.approved, self.faq = approved, faq
            self.lists.refresh_answers()
        if self.lists.shows_proposed and self._proposed_for != self.one_course:
            await self._propose()
        if self.lists.shows_rules:
            self.rules = await rules_of(self.visit, self.one_course)
            self.lists.rules.refresh()

    async def _propose(self) -> None:
        """Look for proposals in one course; some seconds where much was asked, so the list says that it looks."""
        course_id = self._proposed_for = self.one_course
        self.proposals = None
        self.lists.show_proposed.refresh()
        if course_id is None:
            return
        found = await proposals_for(self.visit.service, course_id)
        if course_id == self.one_course:
            self.proposals = found
            self.lists.show_proposed.refresh()

    async def open_question(self, question_id: str) -> None:
        opened = await carry_out(self.visit, "ta", lambda db, caller: open_item(db, question_id, caller))
        if opened is None:
            await self.done()
            return
        alike = others_like(self.groups, opened.item.same_as)
        pane = ItemPane(self.visit, self.say, self.courses, opened, alike, on_done=self.done, on_claim=self.renew)
        await self._show(question_id, pane.build)
        self._pane = pane

    async def open_answer(self, answer_id: str) -> None:
        standing = await carry_out(self.visit, "ta", lambda db, caller: standing_of(db, answer_id, caller))
        if standing is None:
            return
        await self._show(answer_id, lambda: show_standing(self.visit, self.say, self.courses, standing, self.done))

    async def open_faq(self, row: FaqRow) -> None:
        async def build() -> None:
            show_faq(self.visit, self.say, self.courses, row, self.done)

        await self._show(f"{row.course_id}/{row.origin_id}", build)

    async def open_proposal(self, proposal: Proposal) -> None:
        async def drop_proposal() -> None:
            self.proposals = [one for one in self.proposals or () if one is not proposal]
            await self.done()

        async def build() -> None:
            show_proposal(self.visit, self.say, self.courses, proposal, drop_proposal)

        await self._show(key_of(proposal), build)

    async def done(self) -> None:
        """Something was decided: the pane is empty again, the lists are new."""
        self.close()
        await self.renew()

    def close(self) -> None:
        self.chosen, self._pane = None, None
        self.root.classes(remove="chosen")
        self.place.clear()
        with self.place:
            text(self.say("nothing_chosen"), "empty")
        self.lists.refresh()

    async def _show(self, key: str, build: Callable[[], Awaitable[object]]) -> None:
        self.chosen, self._pane = key, None
        self.root.classes(add="chosen")
        self.place.clear()
        self.lists.refresh()
        with self.place:
            await build()
        self.root.client.run_javascript("scrollTo(0, 0)")

    async def _key(self, event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.meta or event.modifiers.alt:
            return
        if await caller_still(self.visit, "ta") is None:
            return
        step = {"j": 1, "k": -1}.get(str(event.key))
        if step is None or not self.groups:
            return
        ids = [group.item.question_id for group in self.groups]
        place = ids.index(self.chosen) + step if self.chosen in ids else 0
        await self.open_question(ids[max(0, min(place, len(ids) - 1))])

    @property
    def _queue(self) -> object:
        return list(self.groups), dict(self.open), self.reason, self.course_id

    @property
    def _question_ids(self) -> set[str]:
        return {item.question_id for group in self.groups for item in group.items}

    def _redraw_queue(self) -> None:
        """Draw the queue where it has changed: a click on what is drawn anew at that moment would be lost."""
        if self._drawn != self._queue:
            self._drawn = self._queue
            self.lists.queue.refresh()

    async def _read_queue(self) -> None:
        reason = self.reason
        groups, self.open = await open_groups(self.visit.service, self.scope)
        self.groups = of_reason(groups, reason)[:MOST_OPEN]

    def _is_open(self, db: Session) -> bool:
        """Whether the question that is shown waits still, though not in this list."""
        listed = open_questions(db, courses=None, limit=10 * MOST_OPEN)
        return self.chosen in {item.question_id for item in listed}
