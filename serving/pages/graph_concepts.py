"""The list of a course's concepts: found by words, corrected one by one."""

from collections.abc import Callable

from nicegui import ui

from serving.pages.graph_correcting import Desk
from serving.pages.graph_reading import ShownConcept, evidence_of, shown_concepts
from serving.pages.parts import block, chip, link, press, text

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
        say = self.desk.say
        found = shown_concepts(self.desk.graph, self.desk.edits, self.sought)
        listed = found[: self.shown]
        text(say("found", shown=len(listed), total=len(found)) if found else say("nothing_found"), "small muted")
        with block("rows"):
            for one in listed:
                self._row(one)
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

    def _row(self, one: ShownConcept) -> None:
        say, concept = self.desk.say, one.concept
        with block("record concept", tag="article"):
            with block("grow"):
                with block("line"):
                    text(concept.name, "name struck" if one.is_rejected else "name", tag="strong")
                    if concept.aliases:
                        text(say("also", names=", ".join(concept.aliases)), "muted small", tag="span")
                facts = [say("rank", rank=concept.rank), say("mentions", count=concept.mention_count)]
                if concept.definition:
                    facts.append(say(f"from_{concept.definition_kind}"))
                text(concept.definition or say("no_definition"), "" if concept.definition else "muted")
                text(" · ".join(facts), "small muted")
                self._corrected(one)
                self._evidence(one)
            with block("actions stack"):
                self._actions(one)

    def _corrected(self, one: ShownConcept) -> None:
        for edit in one.edits:
            with block("line"):
                chip(self.desk.worded(edit), "waiting")
                text(edit.by, "small muted", tag="span")

    def _evidence(self, one: ShownConcept) -> None:
        found = evidence_of(one.concept.course_id, one.concept.evidence, self.desk.titles)
        if not found:
            return
        with block("evidence", tag="details"):
            text(f"{self.desk.say('evidence')} ({len(found)})", "small", tag="summary")
            for place in found:
                with block("quote"):
                    link(place.label, place.url or "", "small")
                    text(place.text, "small")

    def _actions(self, one: ShownConcept) -> None:
        desk, say, name = self.desk, self.desk.say, one.concept.name
        if one.is_rejected:
            press(say("keep"), lambda: desk.correct("concept", name), hint=say("keep_hint"))
        else:
            press(
                say("not_a_concept"), lambda: desk.correct("no_concept", name), label=f"{say('not_a_concept')}: {name}"
            )
        press(say("rename"), lambda: self._ask_name(one, "name"), look="quiet", label=f"{say('rename')}: {name}")
        press(say("add_alias"), lambda: self._ask_name(one, "alias"), look="quiet", label=f"{say('add_alias')}: {name}")
        press(say("define"), lambda: self._ask_definition(one), look="quiet", label=f"{say('define')}: {name}")

    def _ask_name(self, one: ShownConcept, kind: str) -> None:
        say, desk = self.desk.say, self.desk
        is_name = kind == "name"

        async def save(written: list[str]) -> None:
            await desk.correct("name" if is_name else "alias", one.concept.name, written[0])

        label = say("new_name" if is_name else "other_name")
        desk.ask(one.concept.name, {label: one.concept.name if is_name else ""}, save)

    def _ask_definition(self, one: ShownConcept) -> None:
        say, desk = self.desk.say, self.desk

        async def save(written: list[str]) -> None:
            await desk.correct("concept", one.concept.name, definition=written[0] or None)

        desk.ask(one.concept.name, {say("definition"): one.concept.definition or ""}, save)
