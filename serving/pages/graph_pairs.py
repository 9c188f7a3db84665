"""The list of a course's prerequisites: how sure the machine is and why, accepted and rejected, and new ones."""

from collections.abc import Callable
from typing import cast

from nicegui import ui

from serving.pages.graph_correcting import Desk
from serving.pages.graph_reading import ShownPair, Which, evidence_of, shown_pairs
from serving.pages.parts import block, chip, heading, link, press, text

STEP = 40
"""Pairs shown at first, and how many more at a time. A choice."""

BECAUSE = {
    "below threshold": "because_threshold",
    "not among the most probable of its concept": "because_weaker",
    "weakest edge of a cycle": "because_cycle",
    "rejected by a teacher": "because_teacher",
}
"""`rejected_because` of the lake -> its words."""


class PairList:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.sought = ""
        self.which: Which = "accepted"
        self.shown = STEP

    def build(self) -> Callable[[], object]:
        """Put the list on the page; what is returned shows it anew."""
        say = self.desk.say
        self._adding()
        with block("bar"):
            search = ui.input(say("search_pairs"), on_change=lambda event: self.seek(event.value))
            search.props("outlined dense clearable debounce=250 type=search").classes("grow")
            kinds = {"accepted": say("accepted"), "rejected": say("rejected"), "all": say("all")}
            ui.toggle(kinds, value="accepted", on_change=lambda event: self.choose(event.value)).props(
                "no-caps unelevated dense"
            ).classes("segments")
        self.rows()
        return self.rows.refresh

    def seek(self, words: str | None) -> None:
        self.sought, self.shown = words or "", STEP
        self.rows.refresh()

    def choose(self, which: str) -> None:
        self.which, self.shown = cast(Which, which), STEP
        self.rows.refresh()

    def more(self) -> None:
        self.shown += STEP
        self.rows.refresh()

    @ui.refreshable_method
    def rows(self) -> None:
        say = self.desk.say
        found = shown_pairs(self.desk.graph, self.desk.edits, which=self.which, sought=self.sought)
        listed = found[: self.shown]
        text(say("found", shown=len(listed), total=len(found)) if found else say("nothing_found"), "small muted")
        with block("rows"):
            for one in listed:
                self._row(one)
        if len(found) > self.shown:
            press(say("more"), self.more)

    def _adding(self) -> None:
        """Two concepts and a button."""
        say, desk = self.desk.say, self.desk
        names = sorted(one.name for one in desk.graph.concepts)
        with block("card adding"):
            heading(say("add_prerequisite"), 2, "small-heading")
            with block("bar"):
                first = ui.select(names, label=say("known_first"), with_input=True).props("outlined dense clearable")
                text("→", "arrow", tag="span").props("aria-hidden=true")
                second = ui.select(names, label=say("needed_for"), with_input=True).props("outlined dense clearable")
                first.classes("grow")
                second.classes("grow")

                async def add() -> None:
                    if not first.value or not second.value or first.value == second.value:
                        ui.notify(say("choose_two"), type="warning", position="bottom")
                    elif await desk.correct("prerequisite", first.value, second.value):
                        first.value = second.value = None

                press(say("add"), add, look="primary")

    def _row(self, one: ShownPair) -> None:
        say, pair, desk = self.desk.say, one.pair, self.desk
        names = {"first": pair.prerequisite, "second": pair.concept}
        with block("record", tag="article"):
            with block("grow"):
                with block("line"):
                    text(pair.prerequisite, "name", tag="strong")
                    text("→", "arrow", tag="span")
                    text(pair.concept, "name", tag="strong")
                    if not one.is_accepted and one.edit is None and pair.rejected_because in BECAUSE:
                        chip(say(BECAUSE[pair.rejected_because]))
                    if one.edit is not None:
                        chip(f"{say('accepted' if one.is_accepted else 'rejected')} · {one.edit.by}", "waiting")
                self._evidence(one)
            if pair.concept_id:
                percent = round(pair.probability * 100)
                with block("measure").props(f'role=img aria-label="{say("probability", percent=percent)}"'):
                    text(f"{percent}%", "small")
                    block("meter").style(f"--share:{percent}%")
            with block("actions stack"):
                if not one.is_accepted:
                    press(
                        say("accept"),
                        lambda: desk.correct("prerequisite", pair.prerequisite, pair.concept),
                        label=say("accept_pair", **names),
                    )
                else:
                    press(
                        say("reject"),
                        lambda: desk.correct("no_prerequisite", pair.prerequisite, pair.concept),
                        label=say("reject_pair", **names),
                    )

    def _evidence(self, one: ShownPair) -> None:
        for place in evidence_of(one.pair.course_id, one.pair.evidence[:2], self.desk.titles):
            with block("quote"):
                link(place.label, place.url or "", "small")
                text(place.text, "small")
