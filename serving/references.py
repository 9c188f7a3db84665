"""References of an answer: at most three, each to something this turn found, each to a place that opens.

Chosen by lexical search; a reference can only be made from `Evidence`, never from what the model wrote.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from pathlib import PurePath

from knowledge_graph.records import Lang, Locator
from knowledge_graph.time_code import time_code
from serving.answering.phrases import phrases
from serving.evidence import MAX_REFERENCES, Evidence, from_entry
from serving.index.analysis import content_terms
from serving.index.search import SearchIndex

SEARCHED = 20
"""Passages looked at for one answer."""

SUPPORT_CUT = 0.5
"""A passage is a reference when it speaks of at least half of the question, by weight. A choice, not yet calibrated."""

BESIDE_STORED_CUT = 0.8
"""The same for a passage beside a stored answer, which has its own source and needs no other."""

SAME_PLACE_MS = 30_000
"""Two times in one video closer than this open the same explanation."""

_MARK = re.compile(r"\[(\d{1,3})\]")
_OPEN_MARK = re.compile(r"\[\d{0,3}$")
_TAG = re.compile(r"<[^<>]*>")


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


class CitationFilter:
    """Lets a stream of generated text through and drops every mark `[n]` that names no evidence of this turn.

    `[0]` is never a mark: it stays, as in `a[0]`.
    """

    def __init__(self, known: Collection[int]) -> None:
        self._known = frozenset((0, *known))
        self._held = ""

    def feed(self, text: str) -> str:
        """What can be shown now; a mark that is still open is held back."""
        text = self._held + text
        opened = _OPEN_MARK.search(text)
        self._held = opened.group() if opened else ""
        return self._clean(text[: opened.start()] if opened else text)

    def flush(self) -> str:
        held, self._held = self._held, ""
        return held

    def _clean(self, text: str) -> str:
        return _MARK.sub(lambda mark: mark.group() if int(mark.group(1)) in self._known else "", text)


def cited_evidence(text: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence that a text cites by its mark, in order of first use."""
    by_mark = {one.mark: one for one in evidence if one.mark}
    marks = dict.fromkeys(mark.group() for mark in _MARK.finditer(text))
    return tuple(by_mark[mark] for mark in marks if mark in by_mark)


def choose_references(
    question: str,
    answer: str,
    *,
    cited: Sequence[Evidence],
    used: Sequence[Evidence],
    index: SearchIndex,
    course_id: str | None,
    lang: Lang,
    cut: float = SUPPORT_CUT,
) -> tuple[Reference, ...]:
    """Up to three references in order of number: what the answer cites, then what it was made from, then passages.

    `cited` keeps its numbers; the others take the lowest numbers left. A passage must reach `cut`.
    """
    passages = _passages(question, answer, index, course_id, cut)
    chosen = list(islice(_different(chain(cited, used, passages)), MAX_REFERENCES))
    kept = {one.number for one in chosen if one in cited}
    free = (number for number in count(1) if number not in kept)
    numbered = [one if one in cited else replace(one, number=next(free)) for one in chosen]
    return tuple(sorted((_reference(one, lang) for one in numbered), key=lambda found: found.number))


def plain(text: str) -> str:
    """One line of text without tags and control characters."""
    flat = "".join(" " if unicodedata.category(character).startswith("C") else character for character in text)
    return " ".join(_TAG.sub(" ", flat).split())


def label(evidence: Evidence, lang: Lang) -> str:
    """Where to look: `Stacks and queues @ 03:12`, `Regulations, article 5.1.1, page 3`, `Catalogue: COMP 1100 …`."""
    where = evidence.locator
    if where is not None and where.video_id is not None:
        name = where.video_title or where.video_id
        return plain(name if where.start_ms is None else f"{name} @ {time_code(where.start_ms)}")
    if evidence.source == "faq":
        by = phrases(lang).reviewed_by.format(reviewer=evidence.reviewer).rstrip(".。") if evidence.reviewer else ""
        return plain(f"FAQ: {evidence.title}" + (f" ({by})" if by else ""))
    if evidence.source == "catalog":
        return plain(f"{phrases(lang).catalog}: {evidence.title}")
    if evidence.source == "scholar":
        return plain(evidence.title)
    if where is not None and where.document is not None:
        return plain(_document_label(where, lang))
    return plain((where and where.url) or evidence.title)


def _document_label(where: Locator, lang: Lang) -> str:
    said = phrases(lang)
    stem = PurePath(where.document or "").stem.replace("_", " ").replace("-", " ")
    parts = [stem[:1].upper() + stem[1:]]
    if where.article is not None:
        parts.append(said.article.format(article=where.article))
    if where.page is not None:
        parts.append(said.page.format(page=where.page))
    return ("，" if lang == "zh" else ", ").join(parts)


def _passages(question: str, answer: str, index: SearchIndex, course_id: str | None, cut: float) -> Iterator[Evidence]:
    """Passages that support the answer, best first: BM25, raised for a lecture or section named after the question."""
    query = content_terms(f"{question}\n{answer}")
    hits = index.search(query, kind="passage", course_id=course_id, k=SEARCHED)
    named = {hit.entry.entry_id: index.match(question, hit.entry) for hit in hits}
    for hit in sorted(hits, key=lambda hit: -hit.score * (1 + named[hit.entry.entry_id])):
        if index.support(question, f"{hit.entry.title}\n{hit.entry.text}") >= cut:
            yield from_entry(0, hit.entry)


def _different(found: Iterable[Evidence]) -> Iterator[Evidence]:
    """Each place once, the first to name it."""
    seen: list[Evidence] = []
    for one in found:
        if not any(_same_place(one, other) for other in seen):
            seen.append(one)
            yield one


def _same_place(one: Evidence, other: Evidence) -> bool:
    if one.evidence_id == other.evidence_id:
        return True
    left, right = one.locator, other.locator
    if left is None or right is None or one.course_id != other.course_id:
        return False
    if left.video_id is not None and left.start_ms is not None and right.start_ms is not None:
        return left.video_id == right.video_id and abs(left.start_ms - right.start_ms) < SAME_PLACE_MS
    return left == right


def _reference(evidence: Evidence, lang: Lang) -> Reference:
    return Reference(
        number=evidence.number,
        title=plain(evidence.title),
        label=label(evidence, lang),
        source=evidence.source,
        course_id=evidence.course_id,
        evidence_id=evidence.evidence_id,
        locator=evidence.locator,
        origin_id=evidence.origin_id,
    )
