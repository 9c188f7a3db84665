"""Course folders on disk: which folders are courses, which files are input of which kind, and their digests.

Names and bytes only; what a file says is for the readers. Nothing outside a course's own folder belongs to it: a link
that leads out is not followed, and that is told (`left_out`).
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from knowledge_graph.problems import CoteachError, Problem, display_path
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

_MOST_NAMED = 8


@dataclass(frozen=True)
class CourseFolder:
    """A folder that is one course. `course_id` is the folder's name."""

    course_id: str
    path: Path


class FolderAmbiguous(CoteachError):
    """A folder that looks like a course and like a folder of courses."""


def find_courses(folder: Path, *, is_single: bool = False) -> tuple[CourseFolder, ...]:
    """The courses in `folder`, by id: `folder` itself when it holds a course's files, else its sub-folders that do.

    Hidden folders are skipped; a course may be a link. A missing `folder` has no courses. Raises `FolderAmbiguous` when
    both are to be seen; with `is_single`, which a person says, the folder is one course whatever is in it.
    """
    entries = () if is_single else _course_entries(folder)
    if is_single or entries:
        _require_one_course(folder, () if is_single else entries)
        return (_course(folder),) if _is_course(folder) else ()
    return tuple(_course(path) for path in _subfolders(folder) if _is_course(path))


def skipped_folders(folder: Path, *, is_single: bool = False) -> tuple[Problem, ...]:
    """Sub-folders of `folder` in which nothing of a course was found, so that none is passed over in silence."""
    if is_single or _course_entries(folder):
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


def left_out(folder: CourseFolder) -> tuple[Problem, ...]:
    """The links of a course folder that lead out of it: what is there and not looked into."""
    return tuple(
        Problem(
            display_path(path, folder.path),
            None,
            "Not read: the link leads out of the course folder.",
            "Copy what it leads to into the course folder, or remove it.",
            "warning",
        )
        for path in _left_out(folder.path)
    )


def _require_one_course(folder: Path, entries: Sequence[str]) -> None:
    """A folder that is said to be a course by `entries`, while folders in it are courses of their own, is refused."""
    inside = [path.name for path in _subfolders(folder) if path.name not in entries and _is_whole(path, folder)]
    if entries and inside:
        raise FolderAmbiguous(
            f"{folder} looks like one course, by {_named(entries)}, and like a folder of courses: {_named(inside)}. "
            f"For several courses move {_named(entries)} away or into one of them; for one course say so with "
            "--single-course or COTEACH_SINGLE_COURSE=true."
        )


def _is_whole(path: Path, parent: Path) -> bool:
    """Whether a sub-folder would be a course by itself: beside a `course.yaml` only one that has its own."""
    return _has_card(path) if _has_card(parent) else _is_course(path)


def _named(names: Sequence[str]) -> str:
    shown = [decode_name(name) for name in names[:_MOST_NAMED]]
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(shown)}{more}"


def input_files(folder: CourseFolder, kind: InputKind) -> tuple[Path, ...]:
    """The files of one kind, sorted by their path in the course folder; those of no kind are never read."""
    return tuple(path for path in _walk(folder.path) if _kind_of(path.relative_to(folder.path)) == kind)


def input_digest(folder: CourseFolder, kind: InputKind) -> str:
    """SHA-256, hex, over names and bytes of the files of one kind: another one whenever a name or a byte changes.

    Of a file that cannot be read only the name counts; its reader tells what is wrong with it. What is left out counts
    with the card, whose reader tells it.
    """
    found = hashlib.sha256()
    for path in _left_out(folder.path) if kind == "card" else ():
        found.update(os.fsencode(f"{path.relative_to(folder.path).as_posix()}\0left out\n"))
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
    return bool(_course_entries(folder)) or any(kind not in _ALONE_NO_COURSE for kind in kinds)


def _course_entries(folder: Path) -> tuple[str, ...]:
    """What of a folder's own entries says that it is a course, the card first, then by name.

    A folder named like an input, `catalog`, that has a `course.yaml` is a course of that name.
    """
    folders = {"subtitles", *(name for name, kind in _KIND_IN_FOLDER.items() if kind not in _ALONE_NO_COURSE)}
    found = [
        name
        for name in _names(folder)
        if (name in folders and os.path.isdir(folder / name) and not _has_card(folder / name))
        or (_kind_of(Path(name)) not in _ALONE_NO_COURSE and os.path.isfile(folder / name))
    ]
    return tuple(sorted(found, key=lambda name: (_KIND_BY_NAME.get(name.lower()) != "card", name)))


def _has_card(folder: Path) -> bool:
    return any(_KIND_BY_NAME.get(name.lower()) == "card" for name in _names(folder))


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
    """Every visible file below `folder`, sorted by path, without `left_out`."""
    found, _ = _listing(folder)
    return iter(found)


def _left_out(folder: Path) -> list[Path]:
    _, out = _listing(folder)
    return out


def _listing(folder: Path) -> tuple[list[Path], list[Path]]:
    """The visible files below a folder, and what is left out; each sorted by path.

    A link that leads back to a folder above is not entered. A broken link is a file: its reader tells what is wrong.
    """
    root = Path(os.path.realpath(folder))
    found: list[Path] = []
    out: list[Path] = []
    above: dict[str, tuple[Path, ...]] = {str(folder): (root,)}
    for base, names, files in os.walk(folder, followlinks=True):
        chain = above.pop(base)
        entered = []
        for name in names:
            path = Path(base) / name
            real = Path(os.path.realpath(path))
            if name.startswith("."):
                continue
            if not real.is_relative_to(root):
                out.append(path)
            elif not any(each.is_relative_to(real) for each in chain):
                above[str(path)] = (*chain, real)
                entered.append(name)
        names[:] = entered
        for path in (Path(base) / name for name in files if not name.startswith(".")):
            (out if _leads_out(path, root) else found).append(path)
    return _by_path(found, folder), _by_path(out, folder)


def _leads_out(path: Path, root: Path) -> bool:
    return path.is_symlink() and path.exists() and not Path(os.path.realpath(path)).is_relative_to(root)


def _by_path(paths: list[Path], folder: Path) -> list[Path]:
    return sorted(paths, key=lambda path: path.relative_to(folder).as_posix())
