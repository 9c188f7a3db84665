"""The sources by which affected answers can be looked up, and how a person names them. Pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.text.time_code import read_paragraph

_TIME = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,4}):(?=[0-5]?\d(?:\.|$)))?(\d{1,6}(?:\.\d{1,3})?)")


class PlaceUnreadable(CoteachError):
    """What was named is no place in the material."""


@dataclass(frozen=True)
class CueAt:
    """A moment of a video, milliseconds from its start: the middle of a cue, so that its neighbours do not hold it."""

    video_id: str
    at_ms: int


@dataclass(frozen=True)
class FaqPlace:
    """A FAQ entry by its `origin_id`."""

    origin_id: str


@dataclass(frozen=True)
class DocumentPart:
    """A document by its path in the course, whole, or one article or page of it."""

    document: str
    article: str | None = None
    page: int | None = None


@dataclass(frozen=True)
class ConceptNamed:
    """A concept by its id: answers that rest on its definition or on a place where it is explained."""

    concept_id: str


@dataclass(frozen=True)
class ModelNamed:
    """A language model by the name its server gave."""

    name: str


@dataclass(frozen=True)
class PromptNamed:
    """A prompt template by its label, or one prompt by the SHA-256 of its messages or the first 8 digits or more."""

    label: str


@dataclass(frozen=True)
class IndexVersion:
    """A version of the search index."""

    version: str


Place = CueAt | FaqPlace | DocumentPart | ConceptNamed | ModelNamed | PromptNamed | IndexVersion


def read_moment(named: str) -> tuple[str, int]:
    """Video and place of `VIDEO@SECONDS`, `VIDEO@mm:ss` or `VIDEO@h:mm:ss`, of a lecture without times `VIDEO@¶12`.
    Raises `PlaceUnreadable`.

    >>> read_moment("03 - Stacks@03:12")
    ('03 - Stacks', 192000)
    """
    video, separator, time = named.rpartition("@")
    if separator and video and (place := read_paragraph(time)) is not None:
        return video, place
    match = _TIME.fullmatch(time.strip())
    if not separator or not video or match is None:
        raise PlaceUnreadable(
            f"A cue is named by its video and time, such as '03 - Stacks@03:12' or '03 - Stacks@192'; found '{named}'."
        )
    hours, minutes, seconds = (float(part or 0) for part in match.groups())
    return video, round((hours * 3600 + minutes * 60 + seconds) * 1000)


def cue_at(video_id: str, at_ms: int, cues: Iterable[Mapping[str, Any]]) -> tuple[CueAt, str | None]:
    """The cue that is spoken at a time, with its text; of a whole second the last one that begins in it.

    A video that is not there any more, or a time with no cue, is looked for as it was named.
    """
    latest = at_ms + 999 if at_ms % 1000 == 0 else at_ms
    begun = [cue for cue in cues if cue["video_id"] == video_id and cue["start_ms"] <= latest]
    found = max(begun, key=lambda cue: (cue["start_ms"], cue["cue_index"]), default=None)
    if found is None or found["end_ms"] < at_ms:
        return CueAt(video_id, at_ms), None
    return CueAt(video_id, (found["start_ms"] + found["end_ms"]) // 2), found["text"]
