"""What the page `/spending` shows, as markup: figures, caps, and each course's switch with its form. Pure."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from urllib.parse import quote

from serving.desk.spending_report import CapStanding, CostLine, SpendingReport
from serving.pages.tables import table_markup
from serving.pages.words import PageTexts
from serving.store.course_controls import CAPS, LONGEST_TOLD, SWITCHES
from serving.store.tables.budget import CourseControl


def choice_form(courses: Mapping[str, str], course_id: str, periods: Sequence[int], days: int, say: PageTexts) -> str:
    """Which course and how many days; a form that a script need not send."""

    def options(found: Mapping[str, str], chosen: str) -> str:
        return "".join(
            f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(told)}</option>'
            for value, told in found.items()
        )

    named = options({"": say("all_courses"), **courses}, course_id)
    lengths = options({str(n): say(f"days_{n}") for n in periods}, str(days))
    return (
        f'<form method="get" action="/spending" class="bar files-choice"><label for="course">{escape(say("course"))}'
        f'</label><select class="field" id="course" name="course">{named}</select>'
        f'<label for="days">{escape(say("period"))}</label>'
        f'<select class="field" id="days" name="days">{lengths}</select>'
        f'<button class="press plain">{escape(say("show"))}</button></form>'
    )


def money(cost: float | None, currency: str) -> str:
    """As it is paid: cents where it is more than a few, else as many digits as it takes to be more than nothing."""
    if cost is None:
        return "–"
    return f"{cost:,.2f} {currency}" if cost == 0 or cost >= 1 else f"{cost:.4f} {currency}"


def lines_html(title: str, lines: Sequence[CostLine], name: str, of: Callable[[CostLine], str], say: PageTexts) -> str:
    """A table of sums; empty where there are none. `name` heads what `of` calls a line."""
    if not lines:
        return ""
    head = [name, say("questions"), say("read"), say("written"), say("tokens"), say("answers"), say("cost")]
    rows = [
        [
            of(one),
            f"{one.questions:,}",
            f"{one.prompt_tokens:,}",
            f"{one.completion_tokens:,}",
            f"{one.tokens:,}",
            f"{one.answers:,}",
            "–" if one.cost is None else f"{one.cost:,.4f}",
        ]
        for one in lines
    ]
    table = table_markup(head, rows, numbers={1, 2, 3, 4, 5, 6})
    return (
        f'<section class="panel"><h2>{escape(title)}</h2><div class="table-box" tabindex="0" role="region" '
        f'aria-label="{escape(title)}">{table}</div></section>'
    )


def caps_html(report: SpendingReport, courses: Mapping[str, str], say: PageTexts) -> str:
    """Today's caps, those first that are used most."""
    rows = [
        [
            _cap_name(one, courses, say),
            say(one.unit),
            f"{one.used:,}",
            f"{one.cap:,}",
            f"{one.share:.0%}",
            say("state_reached" if one.is_reached else "state_near" if one.is_near else "state_fine"),
        ]
        for one in report.caps
    ]
    head = ["", say("unit"), say("used"), say("cap"), say("share"), say("state")]
    title = escape(say("caps"))
    table = (
        f'<div class="table-box" tabindex="0" role="region" aria-label="{title}">'
        f"{table_markup(head, rows, numbers={2, 3, 4})}</div>"
        if rows
        else f'<p class="muted">{escape(say("caps_none"))}</p>'
    )
    return f'<section class="panel"><h2>{title}</h2><p class="small">{escape(say("caps_lead"))}</p>{table}</section>'


def _cap_name(one: CapStanding, courses: Mapping[str, str], say: PageTexts) -> str:
    named = courses.get(one.name, one.name) if one.of == "course" else f"{one.label} {one.name}".strip()
    return say(f"cap_of_{one.of}", name=named)


def switches_html(
    courses: Mapping[str, str], controls: Mapping[str, CourseControl], say: PageTexts, *, may_change: bool
) -> str:
    """How each course is answered now, by whose word; with a form for those who may change it."""
    rows = "".join(_switch(one, title, controls.get(one), say, may_change) for one, title in courses.items())
    return (
        f'<section class="panel"><h2>{escape(say("switches"))}</h2><p class="small">{escape(say("switches_lead"))}</p>'
        f"{rows}</section>"
    )


def _switch(course_id: str, title: str, control: CourseControl | None, say: PageTexts, may_change: bool) -> str:
    state = "on" if control is None else control.switch
    look = "good" if state == "on" else "stale"
    told = ""
    if control is not None:
        at, key = f"{control.at:%Y-%m-%d %H:%M}", "turned_by" if control.why else "turned_by_only"
        told = f'<p class="small">{escape(say(key, by=control.by, at=at, why=control.why))}</p>'
        told += f'<p class="quote">{escape(control.message)}</p>' if control.message else ""
    form = _form(course_id, title, control, say) if may_change else ""
    return (
        f'<div class="record"><div class="grow"><p class="name">{escape(title)}</p>{told}</div>'
        f'<span class="chip {look}">{escape(say(f"now_{state}"))}</span>{form}</div>'
    )


def _form(course_id: str, title: str, control: CourseControl | None, say: PageTexts) -> str:
    state = "on" if control is None else control.switch
    own = f"c-{quote(course_id, safe='')}"
    options = "".join(
        f'<option value="{one}"{" selected" if one == state else ""}>{escape(say(f"switch_{one}"))}</option>'
        for one in SWITCHES
    )

    def field(key: str, name: str, markup: str) -> str:
        return f'<label for="{own}-{name}">{escape(say(key))}</label>{markup}'

    message = "" if control is None else control.message
    return (
        f'<details class="files-form switch-form"><summary aria-label="{escape(say("change_of", course=title))}">'
        f'{escape(say("change"))}</summary><form method="post" action="{control_address(course_id)}">'
        + field("how", "switch", f'<select class="field" id="{own}-switch" name="switch">{options}</select>')
        + field(
            "message",
            "message",
            f'<textarea class="field" id="{own}-message" name="message" rows="2" maxlength="{LONGEST_TOLD}">\n'
            f"{escape(message)}</textarea>",
        )
        + field(
            "why",
            "why",
            f'<input class="field" id="{own}-why" name="why" maxlength="{LONGEST_TOLD}" autocomplete="off">',
        )
        + "".join(
            field(
                f"cap_{name}",
                name,
                f'<input class="field" id="{own}-{name}" name="{name}" type="number" min="0" max="2000000000" '
                f'step="1" value="{getattr(control, name, None) or 0}" required>',
            )
            for name in CAPS
        )
        + f'<button class="press primary">{escape(say("apply"))}</button></form></details>'
    )


def control_address(course_id: str) -> str:
    return f"/spending/{quote(course_id, safe='')}/control"
