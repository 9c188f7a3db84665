"""What can be done with an answer: thumbs with reasons, why, ask a TA, retry, copy; and what the TAs said. Pure: HTML.

Buttons and forms carry `data-act`; `static/chat.js` sends what is in them, and `chat_acts.py` does it.
"""

from collections.abc import Collection
from html import escape

from serving.desk.own_questions import OwnQuestion
from serving.desk.text_validation import LONGEST_NOTE
from serving.feedback.reasons import Reason, reasons_of
from serving.pages.frame import icon
from serving.pages.markdown import render_markdown
from serving.pages.provenance import display_name
from serving.pages.words import PageTexts
from serving.store.tables.conversation import Feedback


def tools_html(trace_id: str, say: PageTexts, given: Feedback | None, asked: OwnQuestion | None) -> str:
    """The row of tools under an answer, with the forms they open; `given` is the thumb there is already."""
    thumb = given.thumb if given is not None else 0
    row = "".join(
        (
            _thumb(1, say("helpful"), is_pressed=thumb == 1),
            _thumb(-1, say("not_helpful"), is_pressed=thumb == -1),
            _button("copy", "document", say("copy"), extra=f' data-done="{escape(say("copied"))}"'),
            f'<a class="tool text" href="/why/{escape(trace_id)}" data-panel="{escape(say("why"))}">{icon("info")}'
            f"<span>{escape(say('why'))}</span></a>",
            _button("open-ta", "hand", say("ask_ta")) if asked is None else "",
            _button("retry", "retry", say("retry"), extra=" data-last"),
        )
    )
    forms = _reasons(1, say, given) + _reasons(-1, say, given) + _ask_form(say)
    return (
        f'<div class="tools" data-turn="{escape(trace_id)}">{row}<span class="told" role="status"></span></div>'
        f'<div class="forms" data-turn="{escape(trace_id)}">{forms}</div>'
    )


def retry_html(say: PageTexts) -> str:
    """What can be done where no answer came, or where it was not kept."""
    return f'<div class="tools">{_button("retry", "retry", say("retry"))}</div>'


def desk_html(asked: OwnQuestion | None, say: PageTexts) -> str:
    """Where the question stands with the TAs, and their answer with the name of who gave it."""
    if asked is None:
        return ""
    if asked.state == "open":
        return f'<p class="desk waiting-ta">{icon("hand")}<span>{escape(say("ta_waiting"))}</span></p>'
    if asked.state == "answered" and asked.answer is not None:
        who = say("ta_answered", reviewer=display_name(asked.reviewer, say("ta_someone")))
        stale = f'<p class="remark">{escape(say("ta_stale"))}</p>' if asked.is_stale else ""
        return _badge(who) + f'<div class="prose">{render_markdown(asked.answer)}</div>{stale}</section>'
    if asked.state == "rejected":
        return _badge(say("ta_replied")) + f'<div class="prose">{render_markdown(asked.reply)}</div></section>'
    return f'<p class="desk remark">{escape(say("ta_withdrawn"))}</p>'


def _badge(told: str) -> str:
    return f'<section class="desk"><p class="label reviewed">{icon("person")}<span>{escape(told)}</span></p>'


def _thumb(value: int, told: str, *, is_pressed: bool) -> str:
    name = "up" if value > 0 else "down"
    return (
        f'<button type="button" class="tool" data-act="thumb" data-value="{value}" title="{escape(told)}" '
        f'aria-label="{escape(told)}" aria-pressed="{str(is_pressed).lower()}">{icon(name)}</button>'
    )


def _button(act: str, drawn: str, told: str, *, extra: str = "") -> str:
    return (
        f'<button type="button" class="tool text" data-act="{act}"{extra}>{icon(drawn)}'
        f"<span>{escape(told)}</span></button>"
    )


def _reasons(value: int, say: PageTexts, given: Feedback | None) -> str:
    """The form behind a thumb: its reasons, and room for a sentence."""
    is_given = given is not None and given.thumb == value
    chosen: Collection[str] = given.reasons if given is not None and is_given else ()
    comment = given.comment if given is not None and is_given else ""
    boxes = "".join(_box(one, say, is_checked=one.code in chosen) for one in reasons_of(1 if value > 0 else -1))
    told = say("what_was_good" if value > 0 else "what_was_wrong")
    return (
        f'<form class="form" data-act="reasons" data-value="{value}" hidden><fieldset><legend>{escape(told)}</legend>'
        f'<div class="chips">{boxes}</div></fieldset>{_area("comment", say("comment"), comment, LONGEST_NOTE)}'
        f"{_ends(say, say('save'))}</form>"
    )


def _box(reason: Reason, say: PageTexts, *, is_checked: bool) -> str:
    told = reason.zh if say.lang == "zh" else reason.en
    checked = " checked" if is_checked else ""
    return (
        f'<label class="chip"><input type="checkbox" name="reasons" value="{reason.code}"{checked}>'
        f"<span>{escape(told)}</span></label>"
    )


def _ask_form(say: PageTexts) -> str:
    return (
        f'<form class="form" data-act="ask-ta" hidden><h3>{escape(say("ta_heading"))}</h3>'
        f'<p class="small">{escape(say("ta_lead"))}</p>{_area("note", say("ta_note"), "", LONGEST_NOTE)}'
        f"{_ends(say, say('ta_send'))}</form>"
    )


def _area(name: str, told: str, value: str, most: int) -> str:
    return (
        f'<label class="area"><span>{escape(told)}</span><textarea class="field" name="{name}" rows="2" '
        f'maxlength="{most}">{escape(value)}</textarea></label>'
    )


def _ends(say: PageTexts, told: str) -> str:
    return (
        f'<div class="ends"><button class="primary">{escape(told)}</button><button type="button" class="plain" '
        f'data-act="cancel">{escape(say("cancel"))}</button></div>'
    )
