"""`frame`: what stands around every page. Name, navigation by role, language, colours, and who is signed in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Literal

from nicegui import ui

from knowledge_graph.lake.records import Lang
from serving.pages.preferences import HTML_LANG
from serving.pages.visits import StudentVisit, TaVisit, TeacherVisit, Visit, page_caller
from serving.pages.words import PageTexts, words
from serving.store.caller import Caller, Role

__all__ = [
    "PATIENCE_SECONDS",
    "Active",
    "StudentVisit",
    "TaVisit",
    "TeacherVisit",
    "Visit",
    "frame",
    "icon",
    "page_caller",
    "static_url",
]

Active = Literal["chat", "console", "rating", "insights", "teacher", "files", ""]

STATIC = Path(__file__).with_name("static")
STATIC_PATH = "/pages/static"

PATIENCE_SECONDS = 30.0
"""How long a page may take to be built; NiceGUI's own three seconds are an error page on a busy machine. A choice."""


@dataclass(frozen=True)
class Destination:
    """An entry of the navigation, for those of `role` and above."""

    name: Active
    path: str
    role: Role


DESTINATIONS = (
    Destination("chat", "/", "student"),
    Destination("console", "/queue", "ta"),
    Destination("rating", "/rate", "ta"),
    Destination("insights", "/insights", "ta"),
    Destination("teacher", "/graph", "teacher"),
    Destination("files", "/files", "teacher"),
)


def destinations(caller: Caller) -> list[Destination]:
    """Where this caller may go."""
    return [one for one in DESTINATIONS if caller.is_at_least(one.role)]


@contextmanager
def frame(visit: Visit, title: str, *, active: Active = "", wide: bool = True) -> Iterator[None]:
    """The page's content goes inside; it is a column as wide as a text, or as the window when `wide`."""
    say = words("frame", visit.lang)
    ui.page_title(f"{title} · {say('name')}" if title else say("name"))
    ui.add_head_html(_head(visit, say))
    ui.on_exception(lambda: ui.notify(say("unexpected"), type="negative", position="bottom"))
    with ui.context.client.layout, ui.element("header").classes("top") as top:  # beside Quasar's `main`, not in it
        ui.html(f'<a class="skip" href="#main">{escape(say("skip"))}</a>', sanitize=False)
        _brand(say)
        _navigation(visit.caller, say, active)
        with ui.element("div").classes("top-end"):
            _switches(visit, say)
            _account(visit, say)
    top.move(target_index=0)
    with ui.element("div").props("id=main tabindex=-1").classes("main wide" if wide else "main"):
        yield


def icon(name: str) -> str:
    """One of the icons that come with the program, as markup; the words beside it say what it means."""
    return f'<svg class="icon" aria-hidden="true"><use href="{static_url("icons.svg")}#{escape(name)}"/></svg>'


@cache
def static_url(name: str) -> str:
    """Where a file of `static/` is fetched; a changed file has another address."""
    return f"{STATIC_PATH}/{name}?v={sha256((STATIC / name).read_bytes()).hexdigest()[:10]}"


def _head(visit: Visit, say: PageTexts) -> str:
    """Styles, and a script that sets language and colours before anything is drawn."""
    data = {"lost": say("connection_lost"), "again": say("reconnecting")}
    told = " ".join(f'data-{name}="{escape(text)}"' for name, text in data.items())
    return (
        f'<link rel="stylesheet" href="{static_url("style.css")}">'
        f'<script id="frame" src="{static_url("frame.js")}" data-lang="{HTML_LANG[visit.lang]}" '
        f'data-theme="{visit.theme}" {told}></script>'
    )


def _brand(say: PageTexts) -> None:
    mark = '<svg class="mark-logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v11H11l-5 4v-4H4z"/></svg>'
    ui.html(f'<a class="brand" href="/">{mark}<span>{escape(say("name"))}</span></a>', sanitize=False)


def _navigation(caller: Caller, say: PageTexts, active: Active) -> None:
    """Links in a row; on a small screen behind a button, without a script: it is a `details`."""
    places = destinations(caller)
    if len(places) < 2:
        return
    links = "".join(_link(place, say, active) for place in places)
    label = escape(say("navigation"))
    ui.html(
        f'<nav class="nav" aria-label="{label}">{links}</nav>'
        f'<details class="nav-menu drop"><summary aria-label="{escape(say("menu"))}">{icon("menu")}</summary>'
        f'<nav class="drop-body" aria-label="{label}">{links}</nav></details>',
        sanitize=False,
    ).classes("nav-box")


def _link(place: Destination, say: PageTexts, active: Active) -> str:
    current = ' aria-current="page"' if place.name == active else ""
    return f'<a href="{place.path}"{current}>{escape(say(place.name))}</a>'


def _switches(visit: Visit, say: PageTexts) -> None:
    other: Lang = "zh" if visit.lang == "en" else "en"
    themes = "".join(
        f'<button type="button" class="tool" data-set-theme="{theme}" data-next="{following}" title="{told}" '
        f'aria-label="{told}">{icon(f"theme-{theme}")}</button>'
        for theme, following in (("auto", "light"), ("light", "dark"), ("dark", "auto"))
        for told in [escape(say(f"theme_{theme}"))]
    )
    ui.html(
        f'<button type="button" class="tool text" data-set-lang="{other}" lang="{HTML_LANG[other]}" '
        f'title="{escape(say("switch_language"))}">{escape(say("other_language"))}</button>'
        f'<span class="themes">{themes}</span>',
        sanitize=False,
    ).classes("switches")


def _account(visit: Visit, say: PageTexts) -> None:
    caller = visit.caller
    if caller.key_id is None:
        links = "".join(
            f'<a class="tool text" href="{path}">{escape(say(key))}</a>'
            for path, key in (("/me", "my_data"), ("/login", "sign_in"))
        )
        ui.html(links, sanitize=False).classes("switches")
        return
    role = escape(say(f"role_{caller.role}"))
    who = f"<b>{escape(caller.name)}</b> {role}" if caller.name else role
    ui.html(
        f'<details class="drop account"><summary class="tool" aria-label="{escape(say("account"))}">{icon("person")}'
        f'</summary><div class="drop-body"><p>{who}</p><p><a href="/me">{escape(say("my_data"))}</a></p>'
        f'<form method="post" action="/logout">'
        f'<button class="plain">{escape(say("sign_out"))}</button></form></div></details>',
        sanitize=False,
    )
