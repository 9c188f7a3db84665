"""A lecture as a transcript page: every cue with its time, the cited one marked, and the lectures before and after."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from knowledge_graph.sources.video_addresses import VideoAddress
from knowledge_graph.text.time_code import time_code

Row = Mapping[str, Any]


@dataclass(frozen=True)
class TranscriptLine:
    """One cue. `url` opens this page at its second."""

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
    """Another lecture of the course."""

    title: str
    url: str


@dataclass(frozen=True)
class Transcript:
    """One lecture. `at` is the time that is meant, `None` when the page was opened without one."""

    title: str
    number: int
    count: int
    at: str | None
    lines: tuple[TranscriptLine, ...]
    previous: LectureLink | None
    following: LectureLink | None
    video: VideoAddress | None


def transcript(
    cues: Sequence[Row], lectures: Sequence[tuple[str, str]], *, seconds: int | None, video: VideoAddress | None
) -> Transcript:
    """The page of the lecture whose cues these are, in order; `lectures` are id and title of all, in teaching order."""
    video_id, course_id = cues[0]["video_id"], cues[0]["course_id"]
    current = current_cue(cues, seconds) if seconds is not None else None
    lit = sentence_from(cues, current) if current is not None else ()
    place = next((number for number, (one, _) in enumerate(lectures) if one == video_id), 0)
    return Transcript(
        title=cues[0]["video_title"] or video_id,
        number=place + 1,
        count=max(len(lectures), 1),
        at=time_code(max(seconds, 0) * 1000) if seconds is not None else None,
        lines=tuple(_line(cue, is_current=cue is current, is_lit=any(cue is one for one in lit)) for cue in cues),
        previous=_lecture(course_id, lectures[place - 1]) if place > 0 else None,
        following=_lecture(course_id, lectures[place + 1]) if place + 1 < len(lectures) else None,
        video=video,
    )


def current_cue(cues: Sequence[Row], seconds: int) -> Row:
    """The cue that is spoken at a second: the last one that begins in it or before it."""
    begun = [cue for cue in cues if cue["start_ms"] <= seconds * 1000 + 999]
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


def video_path(course_id: str, video_id: str, seconds: int | None = None) -> str:
    """The address of a lecture here. `#now` is the cue that is meant."""
    path = f"/courses/{quote(course_id, safe='')}/videos/{quote(video_id, safe='')}"
    return path if seconds is None else f"{path}?t={seconds}#now"


def _line(cue: Row, *, is_current: bool, is_lit: bool) -> TranscriptLine:
    url = video_path(cue["course_id"], cue["video_id"], cue["start_ms"] // 1000)
    return TranscriptLine(time_code(cue["start_ms"]), cue["text"], cue["lang"], url, is_current, is_lit)


def _lecture(course_id: str, lecture: tuple[str, str]) -> LectureLink:
    video_id, title = lecture
    return LectureLink(title or video_id, video_path(course_id, video_id))
