"""`Desk`: one open page of a course's graph: what it shows, and how a correction is made from it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from nicegui import ui

from knowledge_graph.lake.records import StatementKind
from serving.pages.graph_reading import GraphView
from serving.pages.parts import block, heading, press
from serving.pages.visits import Visit
from serving.pages.words import PageTexts
from serving.pages.working import caller_still, carry_out, look_up
from serving.store.corrections import ClosesACircle, Correction
from serving.store.graph_edits import correct, live_edits, undo
from serving.store.tables.review import GraphEdit


@dataclass
class Desk:
    """`edits` are the corrections that stand, oldest first."""

    visit: Visit
    say: PageTexts
    course_id: str
    view: GraphView
    edits: list[GraphEdit]
    _followers: list[Callable[[], object]] = field(default_factory=list)

    def follow(self, refresh: Callable[[], object]) -> None:
        """Call `refresh` whenever the corrections have changed."""
        self._followers.append(refresh)

    async def correct(
        self, kind: StatementKind, subject: str, second: str | None = None, definition: str | None = None
    ) -> bool:
        """Keep a correction; whether it was kept."""
        said = Correction(self.course_id, kind, subject, second, definition)
        arrows = self.view.graph.arrows
        try:
            kept = await carry_out(
                self.visit,
                "teacher",
                lambda db, caller: correct(db, said, caller, accepted=arrows),
                done=self.say("saved"),
                passing=ClosesACircle,
            )
        except ClosesACircle as error:
            told = self.say("closes_circle", circle=" → ".join(error.names))
            ui.notify(told, type="negative", position="bottom", multi_line=True, timeout=0, close_button=True)
            return False
        await self.renew()
        return kept is not None

    async def undo(self, edit: GraphEdit) -> None:
        await carry_out(
            self.visit, "teacher", lambda db, caller: undo(db, self.course_id, edit.edit_id), done=self.say("undone")
        )
        await self.renew()

    async def renew(self) -> None:
        if await caller_still(self.visit, "teacher") is None:
            return
        self.edits = await look_up(self.visit, lambda db: live_edits(db, self.course_id))
        for refresh in self._followers:
            refresh()

    def ask(self, title: str, fields: dict[str, str], save: Callable[[list[str]], object]) -> None:
        """A small form; `fields` are labels with what stands in them, and `save` gets what was written."""
        with ui.dialog(value=True) as dialog, block("card form").props("role=dialog"):
            heading(title, 2)
            inputs = [
                ui.input(label, value=value).props("outlined dense autofocus autogrow").classes("wide-field")
                for label, value in fields.items()
            ]

            async def done() -> None:
                dialog.close()
                await save([one.value or "" for one in inputs])  # type: ignore[misc]

            with block("actions"):
                press(self.say("save"), done, look="primary")
                press(self.say("cancel"), dialog.close)
