"""The list of a course's prerequisites: how sure the machine is and why, accepted and rejected, and new ones."""

from collections.abc import Callable
from typing import cast

from nicegui import ui
from nicegui.events import GenericEventArguments

from knowledge_graph.lake.records import StatementKind
from serving.pages.graph_correcting import Desk
from serving.pages.graph_markup import pair_row, show_rows
from serving.pages.graph_reading import Which, list_pairs
from serving.pages.parts import block, heading, press, text

STEP = 40
"""Pairs shown at first, and how many more at a time. A choice."""

_KINDS: dict[str, StatementKind] = {"accept": "prerequisite", "reject": "no_prerequisite"}
"""What is said by pressing a button."""


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
        say, view = self.desk.say, self.desk.view
        found = list_pairs(view.graph, self.desk.edits, which=self.which, sought=self.sought)
        listed = found[: self.shown]
        text(say("found", shown=len(listed), total=len(found)) if found else say("nothing_found"), "small muted")
        show_rows((pair_row(one, view.titles, say) for one in listed), self._act)
        if len(found) > self.shown:
            press(say("more"), self.more)

    async def _act(self, event: GenericEventArguments) -> None:
        """Accept or reject the pair that a button of a row names."""
        kind = _KINDS.get(event.args.get("act"))
        first, second = event.args.get("first"), event.args.get("second")
        if kind is not None and isinstance(first, str) and isinstance(second, str):
            await self.desk.correct(kind, first, second)

    def _adding(self) -> None:
        """Two concepts and a button."""
        say, desk = self.desk.say, self.desk
        names = sorted(one.name for one in desk.view.graph.concepts)
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
