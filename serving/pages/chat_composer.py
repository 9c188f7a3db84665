"""Where a question is written, and what an empty conversation shows. Pure: HTML."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote, urlencode

from knowledge_graph.lake.records import CourseCard, Mode
from serving.gateway.chat_schemas import LONGEST_QUESTION
from serving.pages.chat_start import MODES, Start
from serving.pages.frame import icon
from serving.pages.words import PageTexts


def composer_html(say: PageTexts) -> str:
    """The input with its button, which sends or stops, and a sentence of honesty."""
    offline, too_long = escape(say("error_offline")), escape(say("error_long", most=LONGEST_QUESTION))
    return (
        f'<form class="composer" id="composer" data-offline="{offline}" data-long="{too_long}" '
        f'data-most="{LONGEST_QUESTION}"><label class="sr-only" for="ask">{escape(say("input_label"))}</label>'
        f'<textarea id="ask" rows="1" placeholder="{escape(say("placeholder"))}" autocomplete="off" '
        f'aria-describedby="honesty" enterkeyhint="send"></textarea>'
        f'<button class="send" id="send" title="{escape(say("send"))}" aria-label="{escape(say("send"))}">'
        f"{icon('send')}</button>"
        f'<button type="button" class="send stop" id="stop" data-act="stop" title="{escape(say("stop"))}" '
        f'aria-label="{escape(say("stop"))}">{icon("stop")}</button></form>'
        f'<p class="composer-told" id="told" role="alert"></p>'
        f'<p class="honesty" id="honesty">{escape(say("honesty"))}<span class="keys"> {escape(say("keys"))}</span></p>'
    )


def picker_html(
    courses: Sequence[CourseCard], start: Start, mode: Mode | None, say: PageTexts, *, all_at_once: bool
) -> str:
    """Which course is asked and, where one has a catalogue, which of its experts."""
    listed = [(one.course_id, one.title) for one in courses]
    if all_at_once and len(listed) > 1:
        listed = [("", say("all_courses")), *listed]
    if len(listed) < 2 and not start.has_catalogue:
        return f'<p class="only-course">{escape(listed[0][1])}</p>' if listed else ""
    options = "".join(_option(value, told, is_chosen=value == (start.course_id or "")) for value, told in listed)
    course = (
        f'<label class="pick">{icon("book")}<span class="sr-only">{escape(say("course"))}</span>'
        f'<select id="course" data-change="course">{options}</select>{icon("chevron")}</label>'
    )
    return course + (_modes(mode, say) if start.has_catalogue else "")


def quiz_html(course_id: str | None, lecture: str | None, say: PageTexts) -> str:
    """Opens a quiz of the course beside the conversation, of the lecture that is watched where there is one."""
    if course_id is None:
        return ""
    query = f"?{urlencode({'lecture': lecture})}" if lecture else ""
    address = f"/quiz/{quote(course_id, safe='')}{query}"
    told = escape(say("quiz"))
    return f'<a class="tool text" href="{escape(address)}" data-panel="{told}">{told}</a>'


def map_html(start: Start, say: PageTexts) -> str:
    """Opens the course's concept map beside the conversation; nothing where none is drawn."""
    if start.course_id is None or not start.has_map:
        return ""
    address = f"/courses/{quote(start.course_id, safe='')}/map"
    told = escape(say("map_of", course=start.title or start.course_id))
    return f'<a class="tool text" href="{escape(address)}" data-panel="{told}" title="{told}">{escape(say("map"))}</a>'


def empty_html(start: Start, say: PageTexts) -> str:
    """A greeting, and questions that the course can answer, as buttons that ask them."""
    lead = say("lead_course", course=start.title) if start.title else say("lead_all")
    buttons = "".join(f'<button type="button" class="choice" data-ask>{escape(one)}</button>' for one in start.examples)
    examples = (
        f'<div class="choices" role="group" aria-label="{escape(say("examples"))}">'
        f'<p class="small">{escape(say("examples"))}</p>{buttons}</div>'
        if buttons
        else ""
    )
    greeting = f'<h1>{escape(say("heading"))}</h1><p class="muted">{escape(lead)}</p>'
    return f'<section class="empty">{greeting}{examples}</section>'


def _option(value: str, told: str, *, is_chosen: bool) -> str:
    return f'<option value="{escape(value)}"{" selected" if is_chosen else ""}>{escape(told)}</option>'


def _modes(mode: Mode | None, say: PageTexts) -> str:
    boxes = "".join(_mode(one or "all", say, is_chosen=one == mode) for one in (None, *MODES))
    return f'<fieldset class="modes"><legend class="sr-only">{escape(say("mode"))}</legend>{boxes}</fieldset>'


def _mode(value: str, say: PageTexts, *, is_chosen: bool) -> str:
    return (
        f'<label><input type="radio" name="mode" value="{value}" data-change="mode"{" checked" if is_chosen else ""}>'
        f"<span>{escape(say(f'mode_{value}'))}</span></label>"
    )
