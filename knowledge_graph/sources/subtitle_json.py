"""Subtitles in JSON, as lists of starts, ends and texts: edX transcripts and the videos of a MOOCCubeX `video.json`.

One edX file is one video and its times are milliseconds; a `video.json` holds many videos and its times are seconds.
"""

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TextIO

from knowledge_graph.sources.fields import is_nan, whole_characters
from knowledge_graph.sources.json_objects import JsonObject, json_objects
from knowledge_graph.sources.subtitle_blocks import Defect, ParsedSubtitles, TimedBlock, repair_times

_LISTS = ("start", "end", "text")
_LATEST_MS = 1000 * 3_600_000
"""Clocks in subtitles have three digits for the hours at most."""
_LENGTH_UNKNOWN_MS = 10_000
_MEND = "Mend that entry in its lists 'start', 'end' and 'text'."


@dataclass(frozen=True)
class ListedVideo:
    """A video of a file that holds many. `line` is where it begins, 1-based; ids and titles are whole characters."""

    line: int
    video_id: str
    title: str | None
    parsed: ParsedSubtitles


def parse_sjson(text: str) -> ParsedSubtitles:
    """An edX transcript: one object with the lists `start` and `end` (milliseconds) and `text`.

    Entries may be null and the lists of different lengths; a cue without a start cannot be kept.
    """
    if not text.strip():
        return ParsedSubtitles((), 0, ())
    found = next(json_objects(io.StringIO(text)), JsonObject(1, {}, "The list is empty."))
    if found.defect:
        remedy = "Export the transcript again; it is one object with the lists 'start', 'end' and 'text'."
        return ParsedSubtitles((), 0, (Defect(found.line, found.defect, remedy, is_loss=True),))
    return _parse_object(found, 1, "")


def read_listed_videos(stream: TextIO, name: str) -> Iterator[ListedVideo | Defect]:
    """The videos of a `video.json`, as lines of objects or one list, and a defect for what is none.

    A video's id is its `ccid`, else its `name`, else `name` of the file and its place. Memory holds one video.
    """
    for place, found in enumerate(json_objects(stream), start=1):
        if found.defect:
            remedy = "Mend that line; each video is an object with 'ccid', 'name', 'start', 'end' and 'text'."
            yield Defect(found.line, found.defect, remedy, is_loss=True)
            continue
        for field in ("ccid", "name"):
            if is_nan(found.fields.get(field)):
                message = f"The video's '{field}' is {found.fields[field]}, which is no text; it was taken as empty."
                yield Defect(found.line, message, "Leave it empty.", is_loss=False)
        title = _name(found.fields.get("name"))
        video_id = _name(found.fields.get("ccid")) or title or f"{name}/{place}"
        yield ListedVideo(found.line, video_id, title, _parse_object(found, 1000, f"Video '{video_id[:60]}', "))


def _name(value: object) -> str | None:
    """A name or number as text of one line; `None` for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | float) or is_nan(value):
        return None
    return " ".join(whole_characters(str(value)).split()) or None


def _parse_object(found: JsonObject, unit_ms: int, where: str) -> ParsedSubtitles:
    lists = [_list_of(found.fields, name) for name in _LISTS]
    starts, ends, texts = ([] if values is None else values for values in lists)
    blocks, broken, defects = _blocks(starts, ends, texts, unit_ms)
    repaired, backwards = repair_times(blocks)
    told = [
        _with_place(defect, found.line, where) for defect in sorted([*defects, *backwards], key=lambda each: each.line)
    ]
    if missing := [f"'{name}'" for name, values in zip(_LISTS, lists, strict=True) if values is None]:
        message = f"{where}expected the lists 'start', 'end' and 'text'; no list: {', '.join(missing)}."
        told.insert(0, Defect(found.line, _sentence(message), _MEND, is_loss=True))
    elif len({len(starts), len(ends), len(texts)}) > 1:
        message = f"{where}'start', 'end' and 'text' have {len(starts)}, {len(ends)} and {len(texts)} entries."
        told.insert(0, Defect(found.line, _sentence(message), _MEND, is_loss=False))
    return ParsedSubtitles(tuple(repaired), broken, tuple(told))


def _with_place(defect: Defect, line: int, where: str) -> Defect:
    message = _sentence(f"{where}cue {defect.line}: {defect.message[0].lower()}{defect.message[1:]}")
    return replace(defect, line=line, message=message)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _list_of(fields: Mapping[str, object], name: str) -> Sequence[object] | None:
    """The list, empty for null; `None` when there is none."""
    value = fields.get(name) if name in fields else False
    return value if isinstance(value, list) else [] if value is None else None


def _blocks(
    starts: Sequence[object], ends: Sequence[object], texts: Sequence[object], unit_ms: int
) -> tuple[list[TimedBlock], int, list[Defect]]:
    """One block for each entry that has a start or no words; the others are broken. Line = place in the lists."""
    blocks: list[TimedBlock] = []
    defects: list[Defect] = []
    broken, latest = 0, 0
    for place, (first, last, text) in enumerate(zip_longest(starts, ends, texts), start=1):
        words = _words(text)
        start, end = _milliseconds(first, unit_ms), _milliseconds(last, unit_ms)
        if words is None or (words and start is None):
            broken += 1
            defects.append(_lost(place, first, text, words))
            continue
        latest = latest if start is None else start
        if words and end is None:
            end = _end_before(starts[place] if place < len(starts) else None, latest, unit_ms)
            message = "There is no end time; it was ended with the next one, or after 10 s."
            defects.append(Defect(place, message, _MEND, is_loss=False))
        if any("\N{REPLACEMENT CHARACTER}" in line for line in words):
            message = "It has \N{REPLACEMENT CHARACTER} in place of a character that could not be read."
            defects.append(Defect(place, message, "Write the character out; save the file as UTF-8.", is_loss=False))
        blocks.append(TimedBlock(place, latest, latest if end is None else end, words))
    return blocks, broken, defects


def _lost(place: int, start: object, text: object, words: tuple[str, ...] | None) -> Defect:
    what = "its start is no time"
    if words is None or start is None:
        what = "its text is not text" if words is None else "it has no start time"
    found = str(text if words is None or start is None else start)[:40]
    message = f"It was left out, because {what}: '{whole_characters(found)}'."
    return Defect(place, message, _MEND, is_loss=True)


def _words(text: object) -> tuple[str, ...] | None:
    """The lines of a text, none for null; `None` when it is neither text nor a number, as JSON's `NaN` is not."""
    if text is None:
        return ()
    if isinstance(text, bool) or not isinstance(text, str | float) or is_nan(text):
        return None
    return tuple(line for line in whole_characters(str(text)).splitlines() if line.strip())


def _milliseconds(value: object, unit_ms: int) -> int | None:
    """A time from a number or its text; below zero it is zero. `None` for what is no time."""
    if isinstance(value, bool) or not isinstance(value, str | float):
        return None
    try:
        milliseconds = float(value) * unit_ms
    except ValueError:
        return None
    return max(0, round(milliseconds)) if math.isfinite(milliseconds) and milliseconds < _LATEST_MS else None


def _end_before(following: object, start: int, unit_ms: int) -> int:
    end = _milliseconds(following, unit_ms)
    return end if end is not None and start < end <= start + _LENGTH_UNKNOWN_MS else start + _LENGTH_UNKNOWN_MS
