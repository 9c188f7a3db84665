"""References as numbered cards. A card of this host opens beside the chat, one of the web in a new tab. Pure: HTML."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from serving.pages.frame import icon
from serving.pages.words import PageTexts

_ICONS = {
    "video": "video",
    "document": "document",
    "faq": "faq",
    "catalog": "book",
    "map": "map",
    "web": "web",
    "other": "document",
}


_TITLED = ("faq", "catalog", "map")


def card_ids(turn: str, references: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """By a reference's number the id of its card, to which the mark in the text leads."""
    return {int(one["number"]): f"ref-{turn}-{int(one['number'])}" for one in references}


def cards(turn: str, references: Sequence[Mapping[str, Any]], say: PageTexts, *, heading: str) -> str:
    """The list of cards; nothing without references."""
    if not references:
        return ""
    items = "".join(f"<li>{_card(turn, one, say)}</li>" for one in references)
    return f'<section class="refs" aria-label="{escape(heading)}"><h3>{escape(heading)}</h3><ol>{items}</ol></section>'


def kind_of(reference: Mapping[str, Any]) -> str:
    """What a card opens: `video`, `document`, `faq`, `catalog`, `map`, `web` or `other`."""
    where = reference.get("locator") or {}
    if where.get("video_id"):
        return "video"
    if reference.get("source") in _TITLED:
        return str(reference["source"])
    if where.get("document"):
        return "document"
    return "web" if where.get("url") else "other"


def is_here(address: str) -> bool:
    """Whether an address is a path of this host."""
    return address.startswith("/") and not address.startswith(("//", "/\\"))


def _card(turn: str, reference: Mapping[str, Any], say: PageTexts) -> str:
    number, address = int(reference["number"]), str(reference.get("url") or "")
    kind = kind_of(reference)
    label, title = str(reference.get("label") or ""), str(reference.get("title") or "")
    if kind in _TITLED and title:  # their label is the title with what the card says by its kind
        label = title
    more = "" if not title or title in label else f'<span class="ref-title">{escape(title)}</span>'
    inner = (
        f'<span class="ref-number">{number}</span><span class="ref-text"><span class="ref-kind">{icon(_ICONS[kind])}'
        f'{escape(say(f"kind_{kind}"))}</span><span class="ref-label">{escape(label)}</span>{more}</span>'
    )
    name = f'id="ref-{escape(turn)}-{number}" class="ref"'
    if is_here(address):
        return f'<a {name} href="{escape(address)}" data-panel="{escape(label)}">{inner}</a>'
    if address.startswith(("http://", "https://")):
        tab = f'{icon("external")}<span class="sr-only">{escape(say("new_tab"))}</span>'
        return f'<a {name} href="{escape(address)}" target="_blank" rel="noopener noreferrer">{inner}{tab}</a>'
    return f'<div {name} tabindex="-1">{inner}</div>'
