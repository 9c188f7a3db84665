"""Where in a lecture a student is who opens the chat: named by the link that an LMS followed, shown above the
conversation, and known to every question."""

from html import escape
from urllib.parse import quote

from knowledge_graph.text.time_code import read_seconds, time_code
from serving.assistant.understanding.focus import Position
from serving.gateway.sources import lectures_of
from serving.pages.frame import icon
from serving.pages.visits import Visit
from serving.pages.words import PageTexts


async def place_of(visit: Visit, course_id: str | None, lecture: str, second: str) -> Position | None:
    """The place that an address names; `None` when it names none, or a lecture that the course does not have.

    A time that cannot be read is the lecture's beginning.
    """
    if course_id is None or not lecture:
        return None
    titles = dict(await lectures_of(visit.service, visit.caller, course_id))
    if lecture not in titles:
        return None
    return Position(course_id, lecture, (read_seconds(second) or 0) * 1000, titles[lecture] or None)


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
