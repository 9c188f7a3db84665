"""The pages of LTI, as markup: a refusal, a way around blocked cookies, what a link opens, a registration. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from serving.pages.frame import static_url
from serving.pages.words import PageTexts


@dataclass(frozen=True)
class LinkableCourse:
    """A course that a link may open, with the names of its lectures by id, in teaching order."""

    course_id: str
    title: str
    lectures: Mapping[str, str]


def refusal_html(told: str, say: PageTexts) -> str:
    return _card(say("refused_heading"), f'<p class="error" role="alert">{escape(told)}</p>')


def cookies_html(say: PageTexts, *, again: str | None) -> str:
    """Why the page cannot be shown here, and, `again`, where it can: in a window of its own."""
    if again is None:
        return _card(say("refused_heading"), f'<p class="error" role="alert">{escape(say("cookies_blocked"))}</p>')
    link = f'<a class="primary" target="_blank" rel="noopener" href="{escape(again)}">{escape(say("cookies_open"))}</a>'
    return _card(say("cookies_heading"), f"<p>{escape(say('cookies_framed'))}</p><p>{link}</p>")


def choice_html(courses: Sequence[LinkableCourse], sealed: str, say: PageTexts, *, connects: str | None) -> str:
    """The form on which a teacher chooses. `connects` is the title of the LMS's course that is not connected yet."""
    groups = "".join(_group(one, say) for one in courses)
    note = f'<p class="note">{escape(say("choose_first", title=connects))}</p>' if connects is not None else ""
    return _card(
        say("choose_heading"),
        f'<p>{escape(say("choose_lead"))}</p>{note}<form method="post" action="/lti/choose">'
        f'<input type="hidden" name="asked" value="{escape(sealed)}">'
        f'<label for="item">{escape(say("choose_what"))}</label>'
        f'<select class="field" id="item" name="item">{groups}</select>'
        f'<label for="at">{escape(say("choose_time"))}</label><input class="field" id="at" name="at" maxlength="9" '
        f'inputmode="numeric" autocomplete="off" placeholder="{escape(say("choose_time_hint"))}">'
        f'<button class="primary">{escape(say("choose_submit"))}</button></form>',
    )


def item_of(course_id: str, lecture: str | None = None) -> str:
    """The value of a choice; no course id has a slash."""
    return course_id if lecture is None else f"{course_id}/{lecture}"


def sending_html(address: str, fields: Mapping[str, str], say: PageTexts) -> str:
    """A form that a browser sends to the LMS by itself, or whose button does."""
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in fields.items()
    )
    return _card(
        say("sending_heading"),
        f'<form method="post" action="{escape(address)}" data-send>{hidden}'
        f'<button class="primary">{escape(say("sending_submit"))}</button></form>{_script()}',
    )


def register_html(
    platform: str, courses: Sequence[str] | None, role: str, fields: Mapping[str, str], say: PageTexts
) -> str:
    """What a registration would allow, and the button that does it."""
    listed = say("register_all") if courses is None else ", ".join(courses)
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in fields.items()
    )
    return _card(
        say("register_heading", platform=platform),
        f"<p>{escape(say('register_lead', courses=listed, role=role))}</p>"
        f'<form method="post">{hidden}<button class="primary">{escape(say("register_submit"))}</button></form>',
    )


def registration_html(platform: str, missing_for: str | None, say: PageTexts) -> str:
    """It is done. `missing_for` is the platform's id when it did not say its deployment."""
    more = escape(say("registered_deployment", id=missing_for)) if missing_for is not None else ""
    warned = f'<p class="warn">{more}</p>' if more else ""
    done = f'<p class="note" data-registered>{escape(say("registered_lead", platform=platform))}</p>'
    return _card(say("registered_heading"), f"{done}{warned}{_script()}")


def _group(course: LinkableCourse, say: PageTexts) -> str:
    options = [(item_of(course.course_id), say("choose_whole"))]
    options += [(item_of(course.course_id, lecture), title) for lecture, title in course.lectures.items()]
    listed = "".join(f'<option value="{escape(value)}">{escape(told)}</option>' for value, told in options)
    return f'<optgroup label="{escape(course.title)}">{listed}</optgroup>'


def _card(heading: str, body: str) -> str:
    return f'<section class="card lti"><h1>{escape(heading)}</h1>{body}</section>'


def _script() -> str:
    return f'<script type="module" src="{static_url("lti.js")}"></script>'
