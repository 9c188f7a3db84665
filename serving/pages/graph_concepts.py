"""The list of a course's concepts: found by words, corrected one by one."""

from collections.abc import Callable
from typing import Literal

from nicegui import ui
from nicegui.events import GenericEventArguments

from knowledge_graph.lake.records import Concept
from serving.pages.graph_correcting import Desk
from serving.pages.graph_markup import concept_row, show_rows
from serving.pages.graph_reading import list_concepts
from serving.pages.parts import block, press, text

STEP = 30
"""Concepts shown at first, and how many more at a time. A choice."""


class ConceptList:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.sought = ""
        self.shown = STEP

    def build(self) -> Callable[[], object]:
        """Put the list on the page; what is returned shows it anew."""
        say = self.desk.say
        with block("bar"):
            search = ui.input(say("search_concepts"), on_change=lambda event: self.seek(event.value))
            search.props("outlined dense clearable debounce=250 type=search").classes("grow")
            press(f"+ {say('add_concept')}", self.add)
        self.rows()
        return self.rows.refresh

    def seek(self, words: str | None) -> None:
        self.sought, self.shown = words or "", STEP
        self.rows.refresh()

    @ui.refreshable_method
    def rows(self) -> None:
        say, view = self.desk.say, self.desk.view
        found = list_concepts(view.graph, self.desk.edits, self.sought)
        listed = found[: self.shown]
        text(say("found", shown=len(listed), total=len(found)) if found else say("nothing_found"), "small muted")
        show_rows((concept_row(one, view.titles, say) for one in listed), self._act)
        if len(found) > self.shown:
            press(say("more"), self.more)

    def more(self) -> None:
        self.shown += STEP
        self.rows.refresh()

    def add(self) -> None:
        say, desk = self.desk.say, self.desk

        async def save(written: list[str]) -> None:
            await desk.correct("concept", written[0], definition=written[1] or None)

        desk.ask(say("add_concept"), {say("concept_name"): "", say("definition_if_any"): ""}, save)

    async def _act(self, event: GenericEventArguments) -> None:
        """What a button of a row is for; what it says comes from a browser, and is looked up in the list."""
        act, name = event.args.get("act"), event.args.get("name")
        concept = next((one for one in self.desk.view.graph.concepts if one.name == name), None)
        if concept is None:
            return
        if act in ("concept", "no_concept"):
            await self.desk.correct(act, concept.name)
        elif act in ("name", "alias"):
            self._ask_name(concept, act)
        elif act == "define":
            self._ask_definition(concept)

    def _ask_name(self, concept: Concept, kind: Literal["name", "alias"]) -> None:
        say, desk = self.desk.say, self.desk
        is_name = kind == "name"

        async def save(written: list[str]) -> None:
            await desk.correct(kind, concept.name, written[0])

        label = say("new_name" if is_name else "other_name")
        desk.ask(concept.name, {label: concept.name if is_name else ""}, save)

    def _ask_definition(self, concept: Concept) -> None:
        say, desk = self.desk.say, self.desk

        async def save(written: list[str]) -> None:
            await desk.correct("concept", concept.name, definition=written[0] or None)

        desk.ask(concept.name, {say("definition"): concept.definition or ""}, save)
