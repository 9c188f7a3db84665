"""Citable passages: windows of a lecture with their times, sections of a document, records of a catalogue."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Literal

from knowledge_graph.lake.records import CatalogRecord, CourseCard, Cue, DocumentSection, Lang, Locator, Mode, Passage
from knowledge_graph.sources.language import join_lines
from knowledge_graph.text.time_code import paragraph_of

TARGET_CHARACTERS: dict[Lang, int] = {"en": 700, "zh": 300}
"""Length at which a lecture window is closed: measured on real lectures, windows last 43 s (en) and 60 s (zh)."""
MAX_SECONDS = 90
DOCUMENT_CHARACTERS, DOCUMENT_OVERLAP = 5_000, 100
"""Tulane 2.III: 5,000 characters with 100 of overlap for long documents, shorter ones and classes whole."""

_SENTENCE_END = tuple(".?!。？！…")
_CLAUSE_END = (*_SENTENCE_END, *",;:，；：、")
_CLOSERS = "\"'”’)）】」』"
_MAX_OVERLAP_CUES = 3


def subtitle_passages(cues: Sequence[Cue], card: CourseCard) -> list[Passage]:
    """Windows of each video in order. They hold whole cues, end at a sentence end where one is near, last at most
    `MAX_SECONDS` (a single longer cue stands alone; where there are no times, length alone counts), and begin with the
    last sentence of the window before.
    """
    passages: list[Passage] = []
    for _, video in groupby(cues, key=lambda cue: cue.video_index):
        listed = without_translations(list(video))
        separator = "" if _is_punctuated(listed) else " "
        passages += [_subtitle_passage(listed[start:end], card, separator) for start, end in _windows(listed)]
    return _distinct(passages)


def document_passages(sections: Sequence[DocumentSection], card: CourseCard) -> list[Passage]:
    """A section is one passage; one beyond `DOCUMENT_CHARACTERS` is split with `DOCUMENT_OVERLAP`."""
    passages: list[Passage] = []
    for section in sections:
        locator = Locator(document=section.document, page=section.page, article=section.article)
        label = " ".join(part for part in (section.article, section.heading) if part)
        title = f"{section.title} — {label}" if label and label != section.title else section.title
        passages += [_passage("document", title, text, section.lang, locator, card) for text in _chunks(section.text)]
    return _distinct(passages)


def catalog_passages(records: Sequence[CatalogRecord], card: CourseCard) -> list[Passage]:
    """A class is always one passage, "CODE Title"; the topic of a program, "Program — topic", is split when long."""
    passages: list[Passage] = []
    for record in records:
        locator = Locator(url=record.url) if record.url else Locator(document=record.page)
        title = " ".join(part for part in (record.code, record.title) if part)
        title = f"{title} — {record.topic}" if record.topic else title
        texts = [record.text] if record.mode == "class" else _chunks(record.text)
        passages += [_passage("catalog", title, text, record.lang, locator, card, record.mode) for text in texts]
    return _distinct(passages)


def _chunks(text: str) -> list[str]:
    last = max(1, len(text) - DOCUMENT_OVERLAP)
    step = DOCUMENT_CHARACTERS - DOCUMENT_OVERLAP
    return [text[start : start + DOCUMENT_CHARACTERS] for start in range(0, last, step)]


def without_translations(cues: list[Cue]) -> list[Cue]:
    """Leave out cues in the video's lesser language that stand beside one in its main language at the same time."""
    main, _ = Counter(cue.lang for cue in cues).most_common(1)[0]
    said = {cue.start_ms for cue in cues if cue.lang == main}
    return [cue for cue in cues if cue.lang == main or cue.start_ms not in said]


def _is_punctuated(cues: list[Cue]) -> bool:
    """Whether cues end with punctuation often enough (a tenth) that it can be trusted to part the clauses."""
    return sum(cue.text.endswith(_CLAUSE_END) for cue in cues) > 0.1 * len(cues)


def _distinct(passages: list[Passage]) -> list[Passage]:
    """The same words at the same place are one passage, which stands where they were first."""
    return list({passage.passage_id: passage for passage in passages}.values())


def _windows(cues: list[Cue]) -> list[tuple[int, int]]:
    windows: list[tuple[int, int]] = []
    start = 0
    while True:
        full = _full_end(cues, start)
        end = full if full == len(cues) else _sentence_end(cues, start, full)
        windows.append((start, end))
        if end == len(cues):
            return windows
        start = _overlap_start(cues, start, end)


def _full_end(cues: list[Cue], start: int) -> int:
    """The first place behind `start` where the target length is reached or time runs out; the video's end if near."""
    target = TARGET_CHARACTERS[cues[start].lang]
    length, reached = 0, 0
    for end in range(start, len(cues)):
        seconds = (max(cue.end_ms for cue in cues[start : end + 1]) - cues[start].start_ms) / 1000
        if end > start and seconds > MAX_SECONDS and paragraph_of(cues[start].start_ms) is None:
            return reached or end
        length += len(cues[end].text) + 1
        reached = reached or (end + 1 if length >= target else 0)
        # A remainder of less than a third is no passage of its own.
        if reached and length > target * 4 / 3:
            return reached
    return len(cues)


def _sentence_end(cues: list[Cue], start: int, full: int) -> int:
    """The last cue in the second half of the window that ends a sentence, else the window's end."""
    half = start + max(1, (full - start) // 2)
    ends = [end for end in range(full, half, -1) if _ends_sentence(cues[end - 1])]
    return ends[0] if ends else full


def _overlap_start(cues: list[Cue], start: int, end: int) -> int:
    """Begin with the last sentence of the window before, if it is short, else with its last cue."""
    if end - start < 3:
        return end
    for begin in range(end - 1, max(start, end - 1 - _MAX_OVERLAP_CUES), -1):
        if _ends_sentence(cues[begin - 1]):
            return begin
    return end - 1


def _ends_sentence(cue: Cue) -> bool:
    return cue.text.rstrip(_CLOSERS).endswith(_SENTENCE_END)


def _subtitle_passage(cues: list[Cue], card: CourseCard, separator: str) -> Passage:
    """`separator` parts the cues of Chinese captions without punctuation, where words alone run into each other."""
    first = cues[0]
    locator = Locator(
        video_id=first.video_id,
        video_title=first.video_title,
        start_ms=first.start_ms,
        end_ms=max(cue.end_ms for cue in cues),
    )
    text = separator.join(cue.text for cue in cues) if separator else join_lines(cue.text for cue in cues)
    chinese = sum(len(cue.text) for cue in cues if cue.lang == "zh")
    lang: Lang = "zh" if chinese * 2 > len(text) else "en"
    return _passage("subtitle", first.video_title, text, lang, locator, card)


def _passage(
    source: Literal["subtitle", "document", "catalog"],
    title: str,
    text: str,
    lang: Lang,
    locator: Locator,
    card: CourseCard,
    mode: Mode | None = None,
) -> Passage:
    """The id is of the place and the words; the title belongs to the place, as classes may share a page and a text."""
    named = json.dumps([card.course_id, source, mode, title, asdict(locator), text], ensure_ascii=False, sort_keys=True)
    return Passage(
        passage_id=hashlib.sha256(named.encode()).hexdigest()[:16],
        course_id=card.course_id,
        source=source,
        title=title,
        text=text,
        subject=card.subject,
        mode=mode,
        lang=lang,
        locator=locator,
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
    )
