"""A question back to the person before something is done that others will see. Belongs here: the dialog alone."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from serving.pages.parts import block, heading, press


def confirm(
    title: str, yes: str, no: str, on_yes: Callable[[str], Awaitable[object]], *, field: str | None = None
) -> None:
    """Ask; with `field` there is a place to write, and `on_yes` gets what was written there."""
    with ui.dialog(value=True) as dialog, block("card form").props("role=dialog"):
        heading(title, 2)
        area = ui.textarea(field).props("outlined autogrow autofocus") if field is not None else None

        async def done() -> None:
            dialog.close()
            await on_yes(area.value or "" if area is not None else "")

        with block("actions"):
            press(yes, done, look="primary")
            press(no, dialog.close)
