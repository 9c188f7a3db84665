"""Where in a lecture a student is: named by the link that an LMS followed, told by the player of the page around the
chat or lately by one elsewhere. Shown above the conversation, and known to every question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import quote

from knowledge_graph.text.time_code import read_seconds, time_code
from serving.assistant.understanding.focus import Position
from serving.gateway.player import place_now
from serving.gateway.sources import lectures_of
from serving.pages.frame import icon
from serving.pages.visits import Visit
from serving.pages.words import PageTexts
from serving.store.lecture_progress import LONGEST_MS


async def place_of(visit: Visit, course_id: str | None, lecture: str, second: str) -> Position | None:
    """The place that an address names; `None` when it names none, or a lecture that the course does not have.

    A time that cannot be read is the lecture's beginning.
    """
    if course_id is None or not lecture:
        return None
    titles = await lectures_of(visit.service, visit.caller, course_id)
    if lecture not in titles:
        return None
    return Position(course_id, lecture, (read_seconds(second) or 0) * 1000, titles[lecture] or None)


async def last_place(visit: Visit, course_id: str | None) -> Position | None:
    """Where a player told lately that the visitor is; `None` when none did."""
    found = await place_now(visit.service, visit.caller, course_id)
    if found is None:
        return None
    titles = await lectures_of(visit.service, visit.caller, found.course_id)
    return replace(found, title=titles.get(found.video_id)) if found.video_id in titles else None


def read_place(told: object, course_id: str | None, titles: Mapping[str, str]) -> Position | None:
    """The place that a player told by way of the browser, whose word is looked at: a lecture of the course that is
    asked, by its title, and a second. `None` for anything else."""
    said: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
    lecture, second = said.get("lecture"), said.get("second")
    if course_id is None or said.get("course") != course_id or not isinstance(lecture, str) or lecture not in titles:
        return None
    if not isinstance(second, int | float) or isinstance(second, bool) or not 0 <= second <= LONGEST_MS / 1000:
        return None
    return Position(course_id, lecture, int(second) * 1000, titles[lecture] or None)


def players_html(origins: Sequence[str], course_id: str | None) -> str:
    """Whom `static/chat_player.js` listens to, and of which course; empty where there is nobody."""
    if not origins or course_id is None:
        return ""
    listed = escape(" ".join(origins))
    return f'<div id="players" hidden data-origins="{listed}" data-course="{escape(course_id)}"></div>'


def place_html(place: Position | None, say: PageTexts) -> str:
    """What is watched, as a link that opens it beside the conversation."""
    if place is None:
        return ""
    title, at = place.title or place.video_id, time_code(place.at_ms)
    told = say("place_at", lecture=title, time=at) if place.at_ms else say("place", lecture=title)
    address = f"/courses/{quote(place.course_id, safe='')}/videos/{quote(place.video_id, safe='')}"
    return (
        f'<p class="place">{icon("video")}<a href="{escape(address)}?t={place.at_ms // 1000}" '
        f'data-panel="{escape(title)}">{escape(told)}</a></p>'
    )
