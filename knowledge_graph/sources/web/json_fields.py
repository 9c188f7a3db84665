"""Fields of JSON replies: what is missing or of another type is `None` or empty, never an error half-way."""

import html
import re
from collections.abc import Mapping

from knowledge_graph.sources.fields import plain, whole_characters
from knowledge_graph.sources.markup import MarkupError, load_json
from knowledge_graph.sources.web.errors import WebUnexpected
from knowledge_graph.sources.web.fetching import WebPage

Fields = Mapping[str, object]

_TAG = re.compile(
    r"</?(?:a|b|br|code|div|em|font|h[1-6]|hr|i|img|inf|jats:[a-z]+|li|mark|mml:[a-z]+|ol|p|pre|scp|small|span|strong"
    r"|sub|sup|table|td|th|tr|tt|u|ul|wbr)\b[^<>]*>",
    re.IGNORECASE,
)
"""Mark-up that engines leave in titles and texts. Others stay: `vector<int>` is a type."""
_BLOCK = re.compile(r"</?(?:br|div|h[1-6]|hr|li|p|td|tr)\b", re.IGNORECASE)


def object_of(page: WebPage, needed: str, remedy: str) -> Fields:
    """The JSON object that a page is; raises `WebUnexpected` when it is none, or has no list `needed`."""
    try:
        reply = load_json(page.body.decode("utf-8-sig", errors="replace"))
    except MarkupError:
        kind = page.media_type or "something without a content type"
        raise WebUnexpected(page.url, expected="JSON", found=kind, remedy=remedy) from None
    if not isinstance(reply, Mapping) or not isinstance(reply.get(needed), list):
        found = f"an object with {', '.join(sorted(reply)[:10]) or 'nothing'}" if isinstance(reply, Mapping) else "none"
        raise WebUnexpected(page.url, expected=f"a JSON object with a list '{needed}'", found=found, remedy=remedy)
    return reply


def text_in(fields: Fields, name: str) -> str:
    """Plain text on one line: without tags, entities, half and control characters; empty when there is none."""
    value = fields.get(name)
    if not isinstance(value, str):
        return ""
    untagged = _TAG.sub(lambda tag: " " if _BLOCK.match(tag.group()) else "", value)
    return " ".join(plain(whole_characters(html.unescape(untagged))).split())


def address_in(fields: Fields, name: str) -> str | None:
    """An address of the web; `None` for another one, such as `javascript:`, which a page would run."""
    address = text_in(fields, name)
    return address if address.lower().startswith(("http://", "https://")) else None


def count_in(fields: Fields, name: str) -> int | None:
    return whole_number(fields.get(name))


def whole_number(value: object) -> int | None:
    """0 or more, as a number or as it is written: `load_json` leaves numbers so; `None` for anything else."""
    written = str(value)
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 19 else None


def object_in(fields: Fields, name: str) -> Fields:
    value = fields.get(name)
    return value if isinstance(value, Mapping) else {}


def objects_in(fields: Fields, name: str) -> list[Fields]:
    """The objects of a list; whatever else stands in it is skipped."""
    value = fields.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
