"""Course folders on disk: which folders are courses, which files are input of which kind, and their digests.

Names and bytes only; what a file says is for the readers.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from knowledge_graph.problems import Problem
from knowledge_graph.sources.encodings import decode_name

InputKind = Literal[
    "card",
    "subtitles",
    "faq",
    "search_snippets",
    "scholar_records",
    "catalog_pages",
    "documents",
    "statements",
    "gold",
]

SUBTITLE_SUFFIXES = (".srt", ".vtt", ".sbv", ".sjson")
"""Subtitle formats that are read, the preferred first."""

MANY_VIDEO_SUFFIXES = (".json", ".jsonl")
"""Subtitles of many videos in one file, as MOOCCubeX publishes them; only inside `subtitles/`."""

UNREAD_SUBTITLE_SUFFIXES = (".ass", ".ssa", ".ass.txt", ".ttml", ".dfxp", ".lrc")
"""Subtitle formats that are recognised, so that a person is told they were not read."""

_KIND_BY_NAME: dict[str, InputKind] = {
    "course.yaml": "card",
    "course.yml": "card",
    "snippets.jsonl": "search_snippets",
    "scholar.jsonl": "scholar_records",
    "catalog.yaml": "catalog_pages",
    "catalog.yml": "catalog_pages",
    "seeds.txt": "statements",
    "concepts.jsonl": "statements",
    "prerequisites.jsonl": "statements",
    "graph.yaml": "statements",
    "graph.yml": "statements",
}
_ALONE_NO_COURSE: tuple[InputKind | None, ...] = (None, "statements", "gold")
"""What is said of a course is no course: `graph.yaml` beside the course folders does not make one of them all."""
_KIND_IN_FOLDER: dict[str, InputKind] = {
    "documents": "documents",
    "faq": "faq",
    "catalog": "catalog_pages",
    "gold": "gold",
}
_SUFFIXES_IN = {"faq": (".md",), "catalog": (".html", ".htm"), "gold": (".txt", ".tsv", ".jsonl", ".csv")}

FAQ_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml")


@dataclass(frozen=True)
class CourseFolder:
    """A folder that is one course. `course_id` is the folder's name."""

    course_id: str
    path: Path


def find_courses(folder: Path) -> tuple[CourseFolder, ...]:
    """The courses in `folder`, by id: `folder` itself when it holds a course's files, else its sub-folders that do.

    Hidden folders are skipped and symbolic links followed. A missing `folder` has no courses.
    """
    if _holds_course_files(folder):
        return (_course(folder),)
    return tuple(_course(path) for path in _subfolders(folder) if _is_course(path))


def skipped_folders(folder: Path) -> tuple[Problem, ...]:
    """Sub-folders of `folder` in which nothing of a course was found, so that none is passed over in silence."""
    if _holds_course_files(folder):
        return ()
    return tuple(
        Problem(
            path.name,
            None,
            "Not a course: no course.yaml, subtitles (.srt, .vtt, .sbv, .sjson), FAQ, catalogue, recorded replies or "
            "documents inside.",
            "Add the course's files, or move the folder away.",
            "warning",
        )
        for path in _subfolders(folder)
        if not _is_course(path)
    )


def input_files(folder: CourseFolder, kind: InputKind) -> tuple[Path, ...]:
    """The files of one kind, sorted by their path in the course folder; those of no kind are never read."""
    return tuple(path for path in _walk(folder.path) if _kind_of(path.relative_to(folder.path)) == kind)


def input_digest(folder: CourseFolder, kind: InputKind) -> str:
    """SHA-256, hex, over names and bytes of the files of one kind: another one whenever a name or a byte changes.

    Of a file that cannot be read only the name counts; its reader tells what is wrong with it.
    """
    found = hashlib.sha256()
    for path in input_files(folder, kind):
        found.update(os.fsencode(f"{path.relative_to(folder.path).as_posix()}\0{_content_digest(path)}\n"))
    return found.hexdigest()


def _content_digest(path: Path) -> str:
    try:
        # A pipe or a device would be waited for.
        if not path.is_file():
            return "unreadable"
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return "unreadable"


def is_subtitle(name: str) -> bool:
    """Whether a file name says subtitles, of a format that is read or not."""
    return name.lower().endswith(SUBTITLE_SUFFIXES + UNREAD_SUBTITLE_SUFFIXES)


def _course(folder: Path) -> CourseFolder:
    # Not resolve(): a linked course keeps the name of the link.
    return CourseFolder(decode_name(Path(os.path.abspath(folder)).name), folder)


def _subfolders(folder: Path) -> list[Path]:
    paths = [folder / name for name in _names(folder) if not name.startswith(".")]
    return sorted(path for path in paths if os.path.isdir(path))


def _names(folder: Path) -> list[str]:
    """The names in a folder; none when it is missing or may not be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _is_course(folder: Path) -> bool:
    kinds = (_kind_of(path.relative_to(folder)) for path in _walk(folder))
    return _holds_course_files(folder) or any(kind not in _ALONE_NO_COURSE for kind in kinds)


def _holds_course_files(folder: Path) -> bool:
    names = _names(folder)
    folders = {"subtitles", *(name for name, kind in _KIND_IN_FOLDER.items() if kind not in _ALONE_NO_COURSE)}
    known = any(name in folders and os.path.isdir(folder / name) for name in names)
    return known or any(
        _kind_of(Path(name)) not in _ALONE_NO_COURSE and os.path.isfile(folder / name) for name in names
    )


def _kind_of(inside: Path) -> InputKind | None:
    """The kind of a file by its path inside the course folder; `None` for files that are not input."""
    first, name = inside.parts[0], inside.name.lower()
    if len(inside.parts) > 1 and first in _KIND_IN_FOLDER:
        return _KIND_IN_FOLDER[first] if first == "documents" or name.endswith(_SUFFIXES_IN[first]) else None
    if len(inside.parts) == 1 and name in _KIND_BY_NAME:
        return _KIND_BY_NAME[name]
    if len(inside.parts) == 1 and name in tuple(f"faq{suffix}" for suffix in FAQ_SUFFIXES):
        return "faq"
    return "subtitles" if is_subtitle(name) or (first == "subtitles" and len(inside.parts) > 1) else None


def _walk(folder: Path) -> Iterator[Path]:
    """Every visible file below `folder`, sorted by path; a link that leads back to a folder above is not entered."""
    found: list[Path] = []
    above: dict[str, tuple[Path, ...]] = {str(folder): (Path(os.path.realpath(folder)),)}
    for base, names, files in os.walk(folder, followlinks=True):
        chain = above.pop(base)
        entered = []
        for name in names:
            real = Path(os.path.realpath(os.path.join(base, name)))
            if not name.startswith(".") and not any(each.is_relative_to(real) for each in chain):
                above[os.path.join(base, name)] = (*chain, real)
                entered.append(name)
        names[:] = entered
        found += [Path(base) / name for name in files if not name.startswith(".")]
    return iter(sorted(found, key=lambda path: path.relative_to(folder).as_posix()))
