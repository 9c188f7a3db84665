"""Small pieces that the pages of TAs and teachers are made of. Text is escaped here; nothing is decided here."""

import re
from collections.abc import Awaitable, Callable, Mapping
from html import escape
from typing import Any

from nicegui import ui

from serving.pages.frame import static_url
from serving.pages.visits import Visit

Handler = Callable[[], Awaitable[Any] | Any]

_COMMAND = re.compile(r"`([^`]*)`")


def add_styles() -> None:
    """The styles of these pages, beside those of the frame."""
    ui.add_head_html(f'<link rel="stylesheet" href="{static_url("desk.css")}">')


def text(words: str, classes: str = "", *, tag: str = "div") -> ui.html:
    """Text as it was written: whatever it holds, it is no markup."""
    return ui.html(escape(words), sanitize=False, tag=tag).classes(classes)


def text_with_commands(words: str, classes: str = "", *, tag: str = "div") -> ui.html:
    """The same, with what stands between backticks set as what is typed."""
    return ui.html(_COMMAND.sub(r"<code>\1</code>", escape(words)), sanitize=False, tag=tag).classes(classes)


def heading(words: str, level: int = 2, classes: str = "") -> ui.html:
    return text(words, classes, tag=f"h{level}")


def press(words: str, on_click: Handler, *, look: str = "plain", label: str = "", hint: str = "") -> ui.html:
    """A button. `look` is `primary`, `plain`, `quiet` or `danger`; `label` is read out instead of its words."""
    button = ui.html(escape(words), sanitize=False, tag="button").classes(f"press {look}").props("type=button")
    if label:
        button.props["aria-label"] = label
    if hint:
        button.props["title"] = hint
    return button.on("click", lambda: on_click())


def link(words: str, url: str, classes: str = "") -> None:
    """A link that opens beside the page, where something may be half written. Other addresses are shown as text."""
    ui.html(link_markup(words, url), sanitize=False, tag="span").classes(classes)


def link_markup(words: str, url: str) -> str:
    if not url.startswith(("/", "http://", "https://")) or url.startswith("//"):
        return escape(words)
    return f'<a href="{escape(url)}" target="_blank" rel="noopener noreferrer">{escape(words)}</a>'


def chip(words: str, look: str = "") -> ui.html:
    """A short fact about what it stands beside."""
    return text(words, f"chip {look}", tag="span")


def block(classes: str = "", *, tag: str = "div") -> ui.element:
    """A plain element to put others into."""
    return ui.element(tag).classes(classes)


def choice(options: Mapping[str, str], value: str | None, label: str, on_change: Callable[[str], Any]) -> ui.select:
    """A list to pick one from."""
    picked = ui.select(dict(options), value=value, label=label, on_change=lambda event: on_change(event.value))
    return picked.props("outlined dense options-dense").classes("choice")


async def open_courses(visit: Visit) -> dict[str, str]:
    """The courses the visitor may see, title by id. Raises `GatewayError` 503 when nothing is built."""
    knowledge = await visit.service.knowledge()
    return {one.course_id: one.title for one in knowledge.courses if visit.caller.may_see(one.course_id)}
