"""Figures as a table that any browser and screen reader understands. Text is escaped here."""

from collections.abc import Collection, Sequence
from html import escape

from nicegui import ui


def show_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Collection[int] = ()) -> ui.html:
    """Columns in `numbers`, counted from 0, are set to the right. Where it is wider than its place it is moved by keys,
    too."""
    table = ui.html(table_markup(head, rows, numbers=numbers), sanitize=False).classes("table-box")
    return table.props(f'tabindex=0 role=region aria-label="{escape(", ".join(filter(None, head)))}"')


def table_markup(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Collection[int] = ()) -> str:
    def cell(tag: str, place: int, told: str) -> str:
        look = ' class="num"' if place in numbers else ""
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{scope}{look}>{escape(told)}</{tag}>"

    top = "".join(cell("th", place, told) for place, told in enumerate(head))
    body = "".join(f"<tr>{''.join(cell('td', place, told) for place, told in enumerate(row))}</tr>" for row in rows)
    return f'<table class="figures"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
