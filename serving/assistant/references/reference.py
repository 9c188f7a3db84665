"""`Reference`: one place that supports an answer, as the student sees it. Which places, chooser.py decides."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from knowledge_graph.lake.records import Lang, Locator
from knowledge_graph.text.time_code import time_code
from serving.assistant.generation.direct import provenance_of
from serving.assistant.generation.phrases import phrases
from serving.assistant.guardrails.markup import defang
from serving.index.evidence import MAP, Evidence

LectureNames = Mapping[str, str]
"""By id, what the lectures of a course are called; those that are not in it by their titles."""

NamesOf = Callable[[str | None], LectureNames]
"""The names of the lectures of a course."""

NO_NAMES: LectureNames = {}


@dataclass(frozen=True)
class Reference:
    """One reference as the student sees it: plain text, without markup. `number` is the `[1]` of the answer's text."""

    number: int
    title: str
    label: str
    source: str
    course_id: str | None
    evidence_id: str
    locator: Locator | None = None
    origin_id: str | None = None


def from_evidence(evidence: Evidence, lang: Lang, names: LectureNames = NO_NAMES) -> Reference:
    """The only way to a reference: it names evidence of this turn."""
    return Reference(
        number=evidence.number,
        title=plain(evidence.title),
        label=label(evidence, lang, names),
        source=evidence.source,
        course_id=evidence.course_id,
        evidence_id=evidence.evidence_id,
        locator=evidence.locator,
        origin_id=evidence.origin_id,
    )


def heading_in(source: str, title: str, origin_id: str | None) -> str:
    """What a part of a document stands under, `A › B`: behind its document's title, or all of a question's title;
    empty where nothing is above it."""
    if source != "document":
        return ""
    return title.partition(" — ")[2] or (title if origin_id is not None and "#" in origin_id else "")


def can_be_opened(evidence: Evidence) -> bool:
    """Whether the gateway has an address for it: a URL, a time in a video, a place in a document, a FAQ entry,
    a concept map."""
    where = evidence.locator
    if where is not None and where.url is not None and where.url.startswith(("http://", "https://")):
        return True
    if evidence.course_id is None:
        return False
    if evidence.source == MAP:
        return True
    is_asked_often = evidence.source == "faq" and evidence.origin_id is not None
    return is_asked_often or (where is not None and (where.video_id or where.document) is not None)


def plain(text: str, allowed: Collection[str] = ()) -> str:
    """One line of text without markup and control characters; of links only `allowed` addresses stay."""
    return " ".join(defang(_without_controls(text), allowed, code=False).split())


def _without_controls(text: str) -> str:
    if text.isprintable():  # nearly all titles are: their characters need not be looked at one by one
        return text
    return "".join(" " if unicodedata.category(character).startswith("C") else character for character in text)


def label(evidence: Evidence, lang: Lang, names: LectureNames = NO_NAMES) -> str:
    """Where to look: `Stacks and queues @ 03:12`, `Introduction (week 2) @ 00:05`, `Overview (1/2) @ 00:08`,
    `Trees, paragraph 12`, `Regulations, article 5.1.1, page 3`, `Notes, “Heaps”`, `Catalogue: COMP 1100 …`,
    `Concept map: Data structures`."""
    where = evidence.locator
    if where is not None and where.video_id is not None:
        title = where.video_title or where.video_id
        name = names.get(where.video_id, title)
        name = _in_its_part(title, where.video_id) if name == title else name
        if where.paragraph is not None:
            return plain(_join_parts((name, phrases(lang).places["paragraph"].format(page=where.paragraph)), lang))
        return plain(name if where.start_ms is None else f"{name} @ {time_code(where.start_ms)}")
    if evidence.source == "faq":
        by = provenance_of(evidence, lang).rstrip(".。") if evidence.reviewer else ""
        faq = phrases(lang).platform_faq if evidence.is_platform else "FAQ"
        return plain(f"{faq}: {evidence.title}" + (f" ({by})" if by else ""))
    if evidence.source == MAP:
        return plain(f"{phrases(lang).concept_map}: {evidence.title}")
    if evidence.source == "catalog":
        return plain(f"{phrases(lang).catalog}: {evidence.title}")
    if evidence.source in ("scholar", "review"):
        return plain(evidence.title)
    if where is not None and where.document is not None:
        heading = heading_in(evidence.source, evidence.title, evidence.origin_id)
        return plain(_document_label(where, lang, heading.rpartition(" › ")[2]))
    address = where.url if where is not None else None
    return plain(address, [address]) if address else plain(evidence.title)


def _in_its_part(title: str, video_id: str) -> str:
    """The title of a lecture with the numbered part of the course whose folder it lies in, for several parts may have
    an introduction: `Introduction (week 2)`."""
    part = PurePath(video_id).parent.name
    is_numbered = any(char.isdigit() for char in part)
    return f"{title} ({part})" if is_numbered and part.lower() not in title.lower() else title


def _document_label(where: Locator, lang: Lang, heading: str) -> str:
    said = phrases(lang)
    stem = PurePath(where.document or "").stem.replace("_", " ").replace("-", " ")
    parts = [f"{stem[:1].upper()}{stem[1:]}".strip()]
    if where.article is not None:
        parts.append(said.article.format(article=where.article))
    if where.page is not None:
        parts.append(said.places[where.page_kind].format(page=where.page))
    if where.article is None and where.page is None and heading:
        parts.append(f"“{heading}”")
    return _join_parts(parts, lang)


def _join_parts(parts: Iterable[str], lang: Lang) -> str:
    return ("，" if lang == "zh" else ", ").join(parts)
