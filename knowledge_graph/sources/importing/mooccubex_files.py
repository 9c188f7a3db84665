"""The files of the MOOCCubeX dump: where they are, their lines one by one, and what a line says."""

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.sources.fields import ProblemLog

LONGEST_LINE = 32 * 1024**2
"""Bytes of a line. The longest of a published file, a course with all its resources, has below one million."""
_FOLDERS = ("entities", "relations", "prerequisites", ".")
_AGAIN = "Download the file again, or mend that line."
_SLOWEST_CUE_S = 100
"""Seconds of the middle cue: longer ones are milliseconds."""
_SUFFIXES = (".json", ".jsonl", ".tsv", ".txt")


@dataclass(frozen=True)
class DumpVideo:
    """A resource of a course; `ccid`, which the captions are found by, is mostly in another file."""

    resource_id: str
    ccid: str | None
    chapter: str
    title: str


@dataclass(frozen=True)
class DumpCourse:
    """A line of `course.json`; `videos` in teaching order."""

    dump_id: str
    title: str
    about: str
    prerequisites: str
    fields: tuple[str, ...]
    videos: tuple[DumpVideo, ...]


def find_mooccubex(folder: Path) -> Path | None:
    """The folder that has `entities/course.json`, or course.json and video.json side by side; else `None`."""
    for base in (folder, *sorted(path for path in folder.glob("*") if path.is_dir())):
        if (base / "entities" / "course.json").is_file():
            return base
        if (base / "course.json").is_file() and (base / "video.json").is_file():
            return base
    return None


def file_of(root: Path, name: str) -> Path | None:
    """A file by its published name, in its published folder or all in one."""
    return next((path for folder in _FOLDERS if (path := root / folder / name).is_file()), None)


def objects(
    root: Path, name: str, log: ProblemLog, *, key: str = "", wanted: Collection[str] = ()
) -> Iterator[tuple[int, Mapping[str, object]]]:
    """The objects of a file with one on each line. With `key`, only those whose `key` is `wanted`.

    Reading ends when `wanted`, which the caller may shrink meanwhile, is empty.
    """
    path = file_of(root, name)
    if path is None:
        log.warning(None, f"{name} is not there; what it holds was left out.", "Download it too if it is wanted.")
        return
    quick = re.compile(rf'"{key}"\s*:\s*"([^"\\]*)"'.encode()) if key else None
    for line, data in lines(path, log):
        if key and not wanted:
            return
        if quick and (match := quick.search(data)) and match.group(1).decode(errors="replace") not in wanted:
            continue
        row = _object(data)
        if row is None:
            log.error(None, f"{name}:{line}: expected a JSON object on the line, found '{_start(data)}'.", _AGAIN)
        elif not key or str(row.get(key)) in wanted:
            yield line, row


def pairs(root: Path, name: str, log: ProblemLog) -> Iterator[tuple[str, str]]:
    """The two columns of a relation file."""
    path = file_of(root, name)
    if path is None:
        log.warning(None, f"{name} is not there; what it holds was left out.", "Download it too if it is wanted.")
        return
    for line, data in lines(path, log):
        first, tab, second = data.decode(errors="replace").strip().partition("\t")
        if tab and first and second:
            yield first.strip(), second.strip()
        else:
            log.error(None, f"{name}:{line}: expected two columns, found '{_start(data)}'.", _AGAIN)


def lines(path: Path, log: ProblemLog) -> Iterator[tuple[int, bytes]]:
    """The lines with content, numbered from 1; one that is too long to be read is reported and skipped."""
    with path.open("rb") as file:
        number = 0
        while data := file.readline(LONGEST_LINE):
            number += 1
            if len(data) == LONGEST_LINE and not data.endswith(b"\n"):
                while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                log.error(None, f"{path.name}:{number}: the line has over {LONGEST_LINE:,} bytes.", _AGAIN)
            elif data.strip():
                yield number, data


def read_course(row: Mapping[str, object], line: int, log: ProblemLog) -> DumpCourse | None:
    """The course on a line of `course.json`; `None`, with a problem logged, when it has no id or name."""
    dump_id, title = _text(row.get("id")), _text(row.get("name"))
    if not dump_id or not title:
        log.error(None, f"course.json:{line}: the course has no {'name' if dump_id else 'id'}.", _AGAIN)
        return None
    fields, resources = row.get("field"), row.get("resource")
    return DumpCourse(
        dump_id=dump_id,
        title=title,
        about=_text(row.get("about")),
        prerequisites=_text(row.get("prerequisites")),
        fields=tuple(_text(each) for each in fields if _text(each)) if isinstance(fields, list) else (),
        videos=tuple(
            _video(each, title) for each in (resources if isinstance(resources, list) else []) if _is_video(each)
        ),
    )


def caption_file(row: Mapping[str, object], line: int, log: ProblemLog) -> bytes:
    """A line of `video.json` as an edX sjson file, times in milliseconds; empty, with a problem logged, without cues.

    The dump has seconds; times in milliseconds, as in edX, are known by their size.
    """
    starts, ends, texts = (_list(row.get(name)) for name in ("start", "end", "text"))
    if not starts or not len(starts) == len(ends) == len(texts):
        where = f"video.json:{line}: video {row.get('ccid')}"
        log.error(None, f"{where}: expected start, end and text of the same length; it was left out.", _AGAIN)
        return b""
    times = [(_seconds(start), _seconds(end)) for start, end in zip(starts, ends, strict=True)]
    lengths = sorted(end - start for start, end in times)
    if any(math.isnan(length) for length in lengths):
        log.error(None, f"video.json:{line}: a time of video {row.get('ccid')} is no number; it was left out.", _AGAIN)
        return b""
    factor = 1 if lengths[len(lengths) // 2] > _SLOWEST_CUE_S else 1000
    found = {
        "start": [round(start * factor) for start, _ in times],
        "end": [round(end * factor) for _, end in times],
        "text": [str(text) for text in texts],
    }
    return json.dumps(found).encode()


def concept_name(concept: str) -> str:
    """The name in a concept's id, `K_<name>_<field>`; anything else is the name itself."""
    parts = concept.split("_")
    return "_".join(parts[1:-1]) if concept.startswith("K_") and len(parts) > 2 else concept


def read_labelled_pairs(root: Path, known: Collection[str], log: ProblemLog) -> Iterator[tuple[str, str, int]]:
    """Pairs of `known` names with their label 0 or 1, from every file in `prerequisites/`; predictions are no labels.

    A line is a JSON object with `c1`, `c2` and `ground_truth`, or these three as columns.
    """
    unlabelled = 0
    folder = root / "prerequisites"
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix.lower() not in _SUFFIXES or not path.is_file():
            continue
        for line, data in lines(path, log):
            values = _pair_values(data)
            if values is None:
                if data.strip() not in (b"[", b"]") and not (line == 1 and data.startswith(b"c1")):
                    log.error(None, f"{path.name}:{line}: expected c1, c2, ground_truth.", _AGAIN)
                continue
            first, second, label = values
            if first in known and second in known:
                if label in ("0", "1", "0.0", "1.0", "True", "False"):
                    yield first, second, int(label in ("1", "1.0", "True"))
                else:
                    unlabelled += 1
    if unlabelled:
        log.warning(None, f"{unlabelled:,} pairs that nobody labelled were left out.", "Nothing to do.")


def _pair_values(data: bytes) -> tuple[str, str, str] | None:
    row = _object(data.strip().removesuffix(b","))
    if row is not None:
        values = [row.get(name) for name in ("c1", "c2", "ground_truth")]
        return None if values[0] is None or values[1] is None else _name_pair(*map(str, values))
    columns = data.decode(errors="replace").strip().split("\t")
    return _name_pair(*columns[:3]) if len(columns) >= 3 and columns[0] != "c1" else None


def _name_pair(first: str, second: str, label: str) -> tuple[str, str, str]:
    return concept_name(first.strip()), concept_name(second.strip()), label.strip()


def _object(data: bytes) -> Mapping[str, object] | None:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _seconds(value: object) -> float:
    """A time as it is written; not-a-number for anything else and for what never ends."""
    try:
        seconds = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return math.nan
    return seconds if math.isfinite(seconds) else math.nan


def _is_video(resource: object) -> bool:
    if not isinstance(resource, dict):
        return False
    kind = resource.get("resource_type")
    return kind == "video" if kind else _text(resource.get("resource_id")).startswith("V_")


def _video(resource: Mapping[str, object], course: str) -> DumpVideo:
    listed = resource.get("titles")
    titles = [_text(each) for each in listed if _text(each)] if isinstance(listed, list) else []
    return DumpVideo(
        resource_id=_text(resource.get("resource_id")),
        ccid=_text(resource.get("ccid")) or None,
        chapter=titles[0] if len(titles) > 1 else course,
        title=titles[-1] if titles else _text(resource.get("resource_id")),
    )


def _text(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _start(data: bytes) -> str:
    return data[:60].decode(errors="replace").strip()
