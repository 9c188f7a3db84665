"""Source pages made of sections: a document with its articles, a FAQ entry, a catalogue page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from knowledge_graph.lake.records import PageKind, page_kind

Row = Mapping[str, Any]


@dataclass(frozen=True)
class PageSection:
    """One section. `label` is its number or code, `is_wanted` whether the reference means it, `is_first` of these."""

    label: str
    heading: str
    text: str
    lang: str
    page: int | None = None
    is_wanted: bool = False
    is_first: bool = False


@dataclass(frozen=True)
class DocumentPage:
    """A document or catalogue page. `url` is the original on the web, `date` the day it was read there."""

    title: str
    parts: tuple[PageSection, ...]
    kind: str | None = None
    url: str | None = None
    date: str | None = None
    page_kind: PageKind = "page"


@dataclass(frozen=True)
class FaqPage:
    """A FAQ entry; `date` is that of its last change."""

    question: str
    answer: str
    lang: str
    section: str | None = None
    author: str | None = None
    reviewer: str | None = None
    date: str | None = None


def document(rows: Sequence[Row], *, article: str | None, page: int | None, heading: str | None = None) -> DocumentPage:
    """A whole document in order, the sections of the article, page and heading marked when one is named and there."""
    in_order = sorted(rows, key=lambda row: row["section_index"])
    is_named = (article, page, heading) != (None, None, None)
    wanted = [row for row in in_order if _is_wanted(row, article, page, heading)] if is_named else []
    parts = tuple(_part(row, before, wanted) for before, row in pairwise([None, *in_order]) if row is not None)
    first = in_order[0]
    return DocumentPage(first["title"] or first["document"], parts, page_kind=page_kind(first["document"]))


def _part(row: Row, before: Row | None, wanted: Sequence[Row]) -> PageSection:
    """A section under its heading; a heading or page that is the same as `before` is not said again."""
    is_wanted = any(row is one for one in wanted)
    is_same = before is not None and row["article"] and before["heading"] == row["heading"] and not is_wanted
    return PageSection(
        label=row["article"] or "",
        heading="" if is_same else row["heading"] or "",
        text=row["text"] or "",
        lang=row["lang"],
        page=row["page"] if before is None or before["page"] != row["page"] else None,
        is_wanted=is_wanted,
        is_first=is_wanted and row is wanted[0],
    )


def select_rows(rows: Sequence[Row], *, article: str | None, page: int | None, heading: str | None = None) -> list[Row]:
    """The sections of an article, page and heading; all of them when none is named or there is no such section."""
    return [row for row in rows if _is_wanted(row, article, page, heading)] or list(rows)


def catalog_page(rows: Sequence[Row]) -> DocumentPage:
    """What was read from one page of a catalogue; the text's own line breaks are kept."""
    first = rows[0]
    titles = {_heading_of(row) for row in rows}
    title = titles.pop() if len(titles) == 1 else first["page"]
    parts = [PageSection(row["code"] or "", row["title"] or "", row["text"] or "", row["lang"]) for row in rows]
    if not titles:
        parts = [PageSection("", row["topic"] or "", row["text"] or "", row["lang"]) for row in rows]
    fetched = first["fetched_at"][:10] if first["fetched_at"] else None
    url = first["url"] if first["url"] and first["url"].startswith(("http://", "https://")) else None
    return DocumentPage(title or first["page"], tuple(parts), kind=first["mode"], url=url, date=fetched)


def _heading_of(row: Row) -> str:
    return " ".join(part for part in (row["code"], row["title"]) if part)


def faq_entry(row: Row) -> FaqPage:
    return FaqPage(
        question=row["question"],
        answer=row["answer"],
        lang=row["lang"],
        section=row["section"],
        author=row["author"],
        reviewer=row["reviewer"],
        date=row["updated_at"][:10] if row["updated_at"] else None,
    )


def _is_wanted(row: Row, article: str | None, page: int | None, heading: str | None) -> bool:
    is_headed = heading is None or " ".join(heading.split()) == " ".join((row["heading"] or "").split())
    return article in (None, row["article"]) and page in (None, row["page"]) and is_headed


_OF_THE_CARD = {
    "en": {"instructors": "Taught by", "domains": "Subjects", "policy": "Rule for the assistant"},
    "zh": {"instructors": "授课", "domains": "领域", "policy": "给助教的规定"},
}


def card_rows(card: Row) -> list[dict[str, Any]]:
    """What students may read of a course's card, as the sections of a document."""
    lang = "zh" if card.get("lang") == "zh" else "en"
    title = card.get("title") or card.get("course_id") or ""
    sections: list[dict[str, Any]] = []
    for number, (key, heading) in enumerate(_OF_THE_CARD[lang].items()):
        value = card.get(key)
        text = ", ".join(value) if isinstance(value, list) else str(value or "")
        facts = {"document": "course.yaml", "title": title, "section_index": number, "article": None, "page": None}
        sections.append({**facts, "heading": heading, "text": text, "lang": lang})
    return [one for one in sections if one["text"]] or sections[:1]
