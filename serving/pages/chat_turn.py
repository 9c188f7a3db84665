"""One turn as it is shown: the question as plain text, the answer with its labels, cards and choices. Pure: HTML.

Everything that somebody wrote goes through `escape` or `render_markdown`; nothing else is put into the page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from serving.pages.chat_cards import card_ids, cards
from serving.pages.frame import icon
from serving.pages.markdown import render_markdown
from serving.pages.provenance import (
    BY_AI,
    NOTHING,
    Label,
    LabelledStretch,
    display_name,
    further_notice,
    label_of,
    parts_of,
)
from serving.pages.words import PageTexts
from serving.store.tables.conversation import TurnRow

_LABEL_ICONS = {"source": "check", "reviewed": "person", "doubt": "info", "ai": "pen", "material": "info"}


@dataclass(frozen=True)
class ShownTurn:
    """A turn as the page needs it. `outcome` is `answered`, `stopped` or `failed`; `shown` is `TurnRow.shown`; what is
    not `is_kept` is not in the store, and nothing can be said of it later. `is_changed`: what it rests on was edited
    since.
    """

    trace_id: str
    question: str
    answer: str
    outcome: str = "answered"
    shown: Mapping[str, Any] = field(default_factory=dict)
    is_kept: bool = True
    is_changed: bool = False


def to_shown_turn(row: TurnRow, *, is_changed: bool = False) -> ShownTurn:
    return ShownTurn(row.trace_id, row.question, row.answer, row.outcome, row.shown or {}, is_changed=is_changed)


def question_html(question: str, say: PageTexts) -> str:
    """The student's words, as plain text."""
    return f'<h2 class="sr-only">{escape(say("you_asked"))}</h2><p class="question">{escape(question)}</p>'


def waiting_html(say: PageTexts) -> str:
    return f'<p class="waiting"><span class="dots" aria-hidden="true"></span>{escape(say("looking"))}</p>'


def writing_html(text: str, say: PageTexts, *, is_by_ai: bool) -> str:
    """What there is of an answer while it is written: what a model writes says so from its first word; marks are links
    only once there are cards."""
    label = label_html(BY_AI if is_by_ai else NOTHING, say)
    return f'<section class="part">{label}<div class="prose">{render_markdown(text)}</div></section>'


def answer_html(said: ShownTurn, say: PageTexts) -> str:
    """The whole answer: each part under its label, then what is to be known of it, choices, and references."""
    references = list(said.shown.get("references") or [])
    ids = card_ids(said.trace_id, references)
    allowed = [str(one["url"]) for one in references if one.get("url")]
    route = said.shown.get("route")
    parts = "".join(
        _part(part, say, ids, allowed, is_stored=route == "direct")
        for part in parts_of(said.answer, said.shown)
        if part.text.strip()
    )
    heading = say("references_direct" if route == "direct" else "references")
    listed = cards(said.trace_id, references, say, heading=heading)
    return (
        f'<h2 class="sr-only">{escape(say("answer"))}</h2>'
        f"{_change_notice(said, say)}{parts}{_doubt(said, say)}{_remarks(said, say)}{_not_kept(said, say)}"
        f"{choices_html(said.shown, say)}{listed}"
    )


def _change_notice(said: ShownTurn, say: PageTexts) -> str:
    """Above an answer whose material was edited since: that it was, and the way to a new answer."""
    if not said.is_changed:
        return ""
    button = f'<button type="button" class="choice" data-act="retry">{escape(say("ask_again"))}</button>'
    return f'<div class="choices changed"><p class="remark">{escape(say("sources_changed"))}</p>{button}</div>'


def _doubt(said: ShownTurn, say: PageTexts) -> str:
    """The way to a person, inside an answer that the material does not carry."""
    if label_of(said.shown).kind != "doubt" or not said.is_kept:
        return ""
    button = f'<button type="button" class="choice" data-act="open-ta">{escape(say("ask_ta"))}</button>'
    return f'<div class="choices" data-turn="{escape(said.trace_id)}">{button}</div>'


def choices_html(shown: Mapping[str, Any], say: PageTexts) -> str:
    """The questions that may have been meant, as buttons that ask them."""
    listed = [str(one) for one in shown.get("choices") or []]
    if not listed:
        return ""
    told = escape(say("choices"))
    buttons = "".join(f'<button type="button" class="choice" data-ask>{escape(one)}</button>' for one in listed)
    heading = f'<p class="small" aria-hidden="true">{told}</p>'
    return f'<div class="choices" role="group" aria-label="{told}">{heading}{buttons}</div>'


def label_html(label: Label, say: PageTexts) -> str:
    if label.kind == "none":
        return ""
    told = escape(say(label.key, reviewer=display_name(label.reviewer, say("ta_someone"))))
    return f'<p class="label {label.kind}">{icon(_LABEL_ICONS[label.kind])}<span>{told}</span></p>'


def _part(part: LabelledStretch, say: PageTexts, ids: Mapping[int, str], allowed: list[str], *, is_stored: bool) -> str:
    """A part under its label; what several places say, where it is neither written by a model nor a stored answer, so
    that one can read on in each."""
    is_quoted = part.label.kind != "ai" and not is_stored
    body = render_markdown(part.text, cards=ids, allowed=allowed, read_on=say("read_on") if is_quoted else "")
    return f'<section class="part">{label_html(part.label, say)}<div class="prose">{body}</div></section>'


def _not_kept(said: ShownTurn, say: PageTexts) -> str:
    return "" if said.is_kept else f'<p class="warn">{escape(say("not_kept"))}</p>'


def _remarks(said: ShownTurn, say: PageTexts) -> str:
    """In words what the reader should know: stopped, failed, written without the model, why there are no references."""
    if said.outcome in ("stopped", "failed"):
        return f'<p class="{"note" if said.outcome == "stopped" else "error"}">{escape(say(said.outcome))}</p>'
    notice = further_notice(said.shown)
    if notice:
        return f'<p class="{"warn" if said.shown.get("degraded") else "remark"}">{escape(notice)}</p>'
    return ""
