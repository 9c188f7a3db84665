"""`QuotableTexts`: whether the lectures and documents of a home still say what an answer quoted of them.

The id of a passage is of its words and its place, and one longer cue moves the edges of every passage behind it: that a
passage is gone says nothing of what was quoted from it. So the quote is looked for, by its digest, in what the lecture
or the document says now. Where a cue or a sentence is cut otherwise, a quote may not be found that is still said.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.language import join_lines
from knowledge_graph.text.layout import split_written_sentences
from knowledge_graph.text.sentences import language_of
from serving.assistant.composing.lectures import CourseLectureIndex, SpokenLecture
from serving.assistant.composing.material import MaterialLine, join_material_lines, line_of, safe
from serving.desk.course_tables import CourseTables, Row
from serving.store.tables.conversation import RestsOn

MOST_LINES = 16
"""Neighbouring sentences or items that an answer quotes, at most. A choice: quotes that are composed are shorter."""

MOST_LEFT_OUT = 3
"""Sentences within a quote that are left out of it, at most. A choice."""


def text_digest(text: str) -> str:
    """SHA-256 of a text, as `RestsOn.text_sha256` has it."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class QuotableTexts:
    """The material of one home as it is now. What was read of a lecture or a document is kept: make one for a look."""

    lectures: CourseLectureIndex
    tables: CourseTables
    _quotes: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict, repr=False)
    _cues: dict[tuple[str, str], Sequence[Row]] = field(default_factory=dict, repr=False)

    def hold(self, piece: RestsOn) -> bool:
        """Whether the lecture or document that a piece is of says its text, wherever in it."""
        if piece.course_id is None:
            return False
        if piece.video_id is not None:
            return self._is_spoken(piece, piece.course_id, piece.video_id)
        place = piece.document or piece.url
        return place is not None and piece.text_sha256 in self._digest_quotes(piece.course_id, place)

    def _is_spoken(self, piece: RestsOn, course_id: str, video_id: str) -> bool:
        lecture = self.lectures.of(course_id).by_id.get(video_id)
        if lecture is None:
            return False
        key = (course_id, video_id)
        if key not in self._quotes:
            self._quotes[key] = frozenset(map(text_digest, _quote_lecture(lecture)))
        if piece.text_sha256 in self._quotes[key]:
            return True
        if key not in self._cues:
            self._cues[key] = self.tables.cues(course_id, [video_id])
        again = (*_quotes_with_gaps(lecture, piece), *_stretches_of_cues(self._cues[key], piece))
        return any(text_digest(text) == piece.text_sha256 for text in again)

    def _digest_quotes(self, course_id: str, place: str) -> frozenset[str]:
        key = (course_id, place)
        if key not in self._quotes:
            sections = self.tables.sections(course_id, [place]) or self.tables.catalog_of(course_id, place)
            self._quotes[key] = frozenset(text_digest(text) for row in sections for text in _quote_text(row["text"]))
        return self._quotes[key]


def _quote_lecture(lecture: SpokenLecture) -> Iterator[str]:
    """Each sentence as it stands there, and all neighbouring ones as an answer shows them."""
    yield from (one.text for one in lecture.sentences)
    lines = [line_of(one) for one in lecture.sentences]
    for start, sentence in enumerate(lecture.sentences):
        yield from _beginnings(lines[start : start + MOST_LINES], sentence.lang)


def _quote_text(text: str) -> Iterator[str]:
    """A section whole, and all neighbouring sentences and items of it as an answer shows them."""
    yield text
    lang: Lang = language_of(text)
    lines = [MaterialLine(safe(one.text), block=one.block) for one in split_written_sentences(text, lang)]
    for start in range(len(lines)):
        yield from _beginnings(lines[start : start + MOST_LINES], lang)


def _beginnings(lines: Sequence[MaterialLine], lang: Lang) -> Iterator[str]:
    return (join_material_lines(lines[:count], lang) for count in range(1, len(lines) + 1))


def _quotes_with_gaps(lecture: SpokenLecture, piece: RestsOn) -> Iterator[str]:
    """Stretches as long as the piece with some sentences within left out, as an answer shows them."""
    said = lecture.sentences
    for start, stop in _stretches([(one.start_ms, one.end_ms) for one in said], piece):
        lines = [line_of(one) for one in said[start:stop]]
        for count in range(1, MOST_LEFT_OUT + 1):
            for left_out in combinations(range(1, len(lines) - 1), count):
                yield join_material_lines(_without(lines, left_out), said[start].lang)


def _without(lines: Sequence[MaterialLine], left_out: Sequence[int]) -> list[MaterialLine]:
    return [
        replace(line, continued=None, after_gap=True) if place - 1 in left_out else line
        for place, line in enumerate(lines)
        if place not in left_out
    ]


def _stretches_of_cues(cues: Sequence[Row], piece: RestsOn) -> Iterator[str]:
    """Stretches of cues as long as the piece, as a whole passage has them."""
    for start, stop in _stretches([(cue["start_ms"], cue["end_ms"]) for cue in cues], piece):
        texts = [cue["text"] for cue in cues[start:stop]]
        yield join_lines(texts)
        yield " ".join(texts)


def _stretches(times: Sequence[tuple[int, int]], piece: RestsOn) -> Iterator[tuple[int, int]]:
    """From where to where something lasts exactly as long as the piece."""
    if piece.start_ms is None or piece.end_ms is None:
        return
    lasts = piece.end_ms - piece.start_ms
    for start, (begins, _) in enumerate(times):
        for stop in range(start, len(times)):
            if times[stop][1] - begins >= lasts:
                if times[stop][1] - begins == lasts:
                    yield start, stop + 1
                break
