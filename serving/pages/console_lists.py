"""The left side of the console: the queue with its reasons, the approved answers, the FAQ, what is proposed for it, and
the course's rules."""

from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from nicegui import ui

from serving.desk.queue import REASONS, Reason
from serving.desk.queue_groups import QueueGroup
from serving.pages.console_proposal import facts_of, key_of
from serving.pages.console_reading import age_of
from serving.pages.console_rules import show_rules
from serving.pages.parts import block, choice, text
from serving.pages.provenance import display_name
from serving.store.tables.base import now

if TYPE_CHECKING:
    from serving.pages.console import Console


class Lists:
    """Four lists and the rules, of which one is shown."""

    def __init__(self, console: "Console") -> None:
        self.console = console
        self.say = console.say

    def build(self) -> None:
        say, console = self.say, self.console
        courses = {"": say("all_courses"), **console.courses}
        if len(console.courses) > 1:
            choice(courses, "", say("course"), console.choose_course)
        with ui.tabs().props("dense no-caps align=left") as tabs:
            self._queue_tab = ui.tab("queue", "")
            ui.tab("approved", say("approved"))
            ui.tab("faq", say("faq"))
            ui.tab("proposed", say("proposed"))
            ui.tab("rules", say("rules"))
        with ui.tab_panels(tabs, value="queue").classes("panels"):
            with ui.tab_panel("queue"):
                self.queue()
            with ui.tab_panel("approved"):
                self._search("search_approved")
                self.show_approved()
            with ui.tab_panel("faq"):
                self._search("search_faq")
                self.faq()
            with ui.tab_panel("proposed"):
                self.show_proposed()
            with ui.tab_panel("rules"):
                self.rules()
        self._tabs = tabs
        tabs.on_value_change(lambda: console.turn_to_list())  # from here on: what is listed first has been read

    @property
    def shows_proposed(self) -> bool:
        return bool(self._tabs.value == "proposed")

    @property
    def shows_rules(self) -> bool:
        return bool(self._tabs.value == "rules")

    def refresh(self) -> None:
        self.queue.refresh()
        self.refresh_answers()
        self.show_proposed.refresh()

    def refresh_answers(self) -> None:
        self.show_approved.refresh()
        self.faq.refresh()

    @ui.refreshable_method
    def queue(self) -> None:
        console, say = self.console, self.say
        total = sum(console.open.values())
        self._queue_tab.props["label"] = f"{say('queue')} ({total})"
        ui.page_title(f"({total}) {say('title')}" if total else say("title"))
        with block("filters").props("role=group"):
            self._filter(None, say("all_reasons"), total)
            for reason in REASONS:
                if console.open.get(reason):
                    self._filter(reason, say(f"reason_{reason}"), console.open[reason])
        if not console.groups:
            text(say("nothing_open"), "empty")
        with block("list"):
            for group in console.groups:
                self._row(group)
        if console.groups:
            text(say("keys"), "small muted keys")

    @ui.refreshable_method
    def show_approved(self) -> None:
        say, console = self.say, self.console
        if not console.approved:
            text(say("nothing_approved"), "empty")
        with block("list"):
            for answer in console.approved:
                facts = say(
                    "reviewed_by", name=display_name(answer.reviewer, say("a_ta")), day=f"{answer.updated_at:%Y-%m-%d}"
                )
                marks = [("stale", say("stale"))] if answer.is_stale else []
                self._entry(
                    answer.answer_id,
                    answer.question,
                    [facts, self._course(answer.course_id)],
                    marks,
                    partial(console.open_answer, answer.answer_id),
                )

    @ui.refreshable_method
    def faq(self) -> None:
        say, console = self.say, self.console
        if not console.faq:
            text(say("nothing_faq"), "empty")
        with block("list"):
            for row in console.faq:
                facts = [self._course(row.course_id), row.reviewer]
                key = f"{row.course_id}/{row.origin_id}"
                self._entry(key, row.question, facts, [], partial(console.open_faq, row))

    @ui.refreshable_method
    def show_proposed(self) -> None:
        say, console = self.say, self.console
        if console.proposals is None:
            text(say("proposed_looking" if console.one_course is not None else "proposed_course"), "empty").props(
                "role=status"
            )
        elif not console.proposals:
            text(say("nothing_proposed"), "empty")
        with block("list"):
            for one in console.proposals or ():
                facts = [*facts_of(one.group, say), *one.concepts[:1]]
                self._entry(key_of(one), one.group.question, facts, [], partial(console.open_proposal, one))

    @ui.refreshable_method
    def rules(self) -> None:
        say, rules = self.say, self.console.rules
        if rules is None:
            text(say("rules_course"), "empty")
        else:
            show_rules(rules, say)

    def _row(self, group: QueueGroup) -> None:
        say, console, item = self.say, self.console, group.item
        key, n = age_of(item.asked_at, now())
        facts = [say(key, n=n) if n else say(key), self._course(item.course_id)]
        if group.others:
            facts.insert(0, say("in_wordings", n=len(group.items)))
        if group.waiting > 1:
            facts.insert(0, say("waiting", n=group.waiting))
        if item.resting:
            facts.insert(0, say("resting", n=item.resting))
        marks: list[tuple[str, str]] = [(item.reason, say(f"reason_{item.reason}"))]
        if item.claimed_by is not None:
            is_mine = item.claimed_by == console.visit.caller.person_id
            name = display_name(item.claimed_name, say("another_ta"))
            marks.append(("mine", say("yours")) if is_mine else ("taken", say("with", name=name)))
        self._entry(item.question_id, item.question, facts, marks, lambda: console.open_question(item.question_id))

    def _entry(
        self, key: str, question: str, facts: list[str], marks: list[tuple[str, str]], on_click: Callable[[], object]
    ) -> None:
        chips = "".join(f'<span class="chip reason {escape(look)}">{escape(told)}</span>' for look, told in marks)
        below = escape(" · ".join(fact for fact in facts if fact))
        markup = f'<span class="entry-text">{escape(question)}</span><span class="entry-facts">{chips}{below}</span>'
        entry = ui.html(markup, sanitize=False, tag="button").classes("entry").props("type=button")
        if self.console.chosen == key:
            entry.props("aria-current=true")
        entry.on("click", lambda: on_click())

    def _filter(self, reason: Reason | None, told: str, n: int) -> None:
        is_on = self.console.reason == reason
        button = ui.html(f"{escape(told)} <b>{n}</b>", sanitize=False, tag="button").classes("filter")
        button.props(f"type=button aria-pressed={'true' if is_on else 'false'}")
        button.on("click", lambda: self.console.choose_reason(reason))

    def _search(self, label: str) -> None:
        search = ui.input(self.say(label), on_change=lambda event: self.console.seek(event.value))
        search.props("outlined dense clearable debounce=300 type=search").classes("wide-field")

    def _course(self, course_id: str | None) -> str:
        """The course, where more than one is listed."""
        if self.console.course_id is not None or len(self.console.courses) < 2:
            return ""
        return self.console.courses.get(course_id or "", course_id or self.say("no_course"))
