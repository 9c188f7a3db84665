"""A lecture as a transcript page: every cue with its time, or every paragraph with its number where there are no times;
what is cited marked, and the lectures before and after."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote

from knowledge_graph.sources.language import join_lines
from knowledge_graph.sources.video_addresses import VideoAddress
from knowledge_graph.text.time_code import (
    MOST_PARAGRAPHS,
    address_query,
    paragraph_of,
    paragraph_start,
    time_code,
)

Row = Mapping[str, Any]


@dataclass(frozen=True)
class TranscriptLine:
    """One cue, or one paragraph. `url` opens this page at it."""

    time: str
    text: str
    lang: str
    url: str
    is_current: bool
    """Whether it is the one that is meant, at which the page opens."""
    is_lit: bool
    """Whether it is of the sentence that begins there."""


@dataclass(frozen=True)
class LectureLink:
    """Another lecture of the course, `title` being what it is called."""

    title: str
    url: str


@dataclass(frozen=True)
class Transcript:
    """One lecture. `at` is the time or paragraph that is meant, `None` when the page was opened without one. Without
    times, `is_timed` is false: its video can be opened, but at no place."""

    title: str
    number: int
    count: int
    at: str | None
    lines: tuple[TranscriptLine, ...]
    previous: LectureLink | None
    following: LectureLink | None
    video: VideoAddress | None
    is_timed: bool = True


def find_place(cues: Sequence[Row], second: int | None, paragraph: int | None) -> int | None:
    """The place that an address means, as the lecture counts them; `None` for none. A second of a lecture without times
    and a paragraph of one with times mean nothing."""
    if is_untimed(cues):
        return None if paragraph is None else paragraph_start(min(max(paragraph, 1), MOST_PARAGRAPHS))
    return None if second is None else max(second, 0) * 1000


def is_untimed(cues: Sequence[Row]) -> bool:
    """Whether a lecture's places are its paragraphs."""
    return paragraph_of(cues[0]["start_ms"]) is not None


def transcript(
    cues: Sequence[Row], lectures: Mapping[str, str], *, place: int | None, video: VideoAddress | None
) -> Transcript:
    """The page of the lecture whose cues these are, in order; `lectures` are the names of all by id, in teaching order.
    `place` is what `find_place` found."""
    is_timed = not is_untimed(cues)
    cues = cues if is_timed else _paragraphs(cues)
    video_id, course_id = cues[0]["video_id"], cues[0]["course_id"]
    current = current_cue(cues, place) if place is not None else None
    lit = () if current is None else sentence_from(cues, current) if is_timed else (current,)
    listed = list(lectures)
    row = listed.index(video_id) if video_id in lectures else 0
    return Transcript(
        title=lectures.get(video_id) or cues[0]["video_title"] or video_id,
        number=row + 1,
        count=max(len(lectures), 1),
        at=None if current is None or place is None else time_code(place if is_timed else current["start_ms"]),
        lines=tuple(_line(cue, is_current=cue is current, is_lit=any(cue is one for one in lit)) for cue in cues),
        previous=_lecture(course_id, listed[row - 1], lectures) if row > 0 else None,
        following=_lecture(course_id, listed[row + 1], lectures) if row + 1 < len(listed) else None,
        video=video,
        is_timed=is_timed,
    )


def _paragraphs(cues: Sequence[Row]) -> list[Row]:
    """The cues of each paragraph as one."""
    found: list[Row] = []
    for _, together in groupby(cues, key=lambda cue: paragraph_of(cue["start_ms"])):
        said = list(together)
        found.append({**said[0], "end_ms": said[-1]["end_ms"], "text": join_lines(cue["text"] for cue in said)})
    return found


def current_cue(cues: Sequence[Row], place: int) -> Row:
    """The cue that is spoken at a place: the last one that begins before it, or in its second."""
    begun = [cue for cue in cues if cue["start_ms"] <= place + 999]
    return max(begun, key=lambda cue: (cue["start_ms"], cue["cue_index"]), default=cues[0])


def sentence_from(cues: Sequence[Row], first: Row) -> Sequence[Row]:
    """A cue and those after it to the end of its sentence; the cue alone where no sentence ends in `MOST_LIT` cues, as
    in captions without punctuation."""
    place = next(place for place, cue in enumerate(cues) if cue is first)
    ahead = cues[place : place + MOST_LIT]
    ends = next((at for at, cue in enumerate(ahead) if _ENDS.search(cue["text"])), None)
    return ahead[: ends + 1] if ends is not None else ahead[:1]


MOST_LIT = 10
"""Cues of the longest sentence that is lit: half a minute or so. A choice."""
_ENDS = re.compile(r"[.?!。？！…][\"'”’)）」』]*\s*$")


def video_path(course_id: str, video_id: str, place: int | None = None) -> str:
    """The address of a lecture here. `#now` is the cue that is meant."""
    path = f"/courses/{quote(course_id, safe='')}/videos/{quote(video_id, safe='')}"
    return path if place is None else f"{path}?{address_query(place)}#now"


def _line(cue: Row, *, is_current: bool, is_lit: bool) -> TranscriptLine:
    url = video_path(cue["course_id"], cue["video_id"], cue["start_ms"])
    return TranscriptLine(time_code(cue["start_ms"]), cue["text"], cue["lang"], url, is_current, is_lit)


def _lecture(course_id: str, video_id: str, names: Mapping[str, str]) -> LectureLink:
    return LectureLink(names[video_id], video_path(course_id, video_id))
