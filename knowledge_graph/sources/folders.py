"""Course folders on disk: which folders are courses, which files are input of which kind, and their digests.

Names and bytes only; what a file says is for the readers. Nothing outside a course's own folder belongs to it: a link
that leads out is not followed, and that is reported (`find_left_out`).
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from knowledge_graph.lake.problems import CoteachError, Problem, display_path
from knowledge_graph.lake.source_kinds import INPUT_FILES, INPUT_KINDS, InputKind
from knowledge_graph.sources.encodings import decode_name, escape_controls
from knowledge_graph.sources.known_digests import KnownDigests, content_digest

SUBTITLE_SUFFIXES = (".srt", ".vtt", ".sbv", ".sjson")
"""Subtitle formats that are read, the preferred first."""

MANY_VIDEO_SUFFIXES = (".json", ".jsonl")
"""Subtitles of many videos in one file, as MOOCCubeX publishes them; only inside `subtitles/`."""

UNREAD_SUBTITLE_SUFFIXES = (".ass", ".ssa", ".ttml", ".dfxp", ".lrc")
"""Subtitle formats that are recognised, so that a person is told they were not read."""

UNTIMED_SUFFIXES = (".ass.txt", ".txt", ".md", ".docx")
"""Transcripts without times, the preferred first; only inside `LECTURE_FOLDERS`, but for `.ass.txt`."""

LECTURE_FOLDERS = ("subtitles", "transcripts")
"""Folders of a course folder that hold its lectures."""

DOCUMENT_SUFFIXES = (".pdf", ".md", ".html", ".htm", ".txt", ".pptx", ".docx", ".ipynb", ".epub")
"""Document formats that are read."""

LIKE_FILES = (*SUBTITLE_SUFFIXES, *DOCUMENT_SUFFIXES, ".csv", ".json", ".jsonl", ".yaml")
"""How a folder of input must not end."""

_KIND_BY_NAME: Mapping[str, InputKind] = {name: kind for kind, files in INPUT_FILES.items() for name in files.names}
_KIND_IN_FOLDER: Mapping[str, InputKind] = {files.folder: kind for kind, files in INPUT_FILES.items() if files.folder}
_ALONE_NO_COURSE = (None, *(kind for kind, files in INPUT_FILES.items() if not files.makes_a_course))

MOST_FILES = 20_000
MOST_BYTES = 4 * 2**30
"""Most bytes of one course's input. A course of 1,000 lectures has a tenth; more is a folder in the wrong place."""

_MOST_NAMED = 8

_LIKE_A_FILE = "This is a folder, though it is named like a file; of what is in it only readable files are read."
_IS_FOLDER = "Not read: this is a folder, and a file of this name is expected."
_IS_FILE = "Not read: this is a file, and a folder of this name is expected."


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
        return (_course(folder),) if is_course(folder) else ()
    return tuple(_course(path) for path in _subfolders(folder) if is_course(path))


def find_skipped_folders(folder: Path, *, is_single: bool = False) -> tuple[Problem, ...]:
    """Sub-folders of `folder` in which nothing of a course was found, so that none is skipped in silence."""
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
        if not is_course(path)
    )


def find_left_out(folder: CourseFolder) -> tuple[Problem, ...]:
    """What is in a course folder and not read: links that lead out of it, folders that are named like a file of input
    and files that are named like a folder of input, and what is beyond `MOST_FILES` files or `MOST_BYTES`. Files whose
    names hold control characters are read, and told, too."""
    listed = _listing(folder.path)
    beyond = [display_path(path, folder.path) for path in listed.beyond[:1]]
    too_much = tuple(
        Problem(
            first,
            None,
            f"Not read, with {len(listed.beyond) - 1:,} more files: a course has at most {MOST_FILES:,} files and "
            f"{MOST_BYTES // 2**30} GB.",
            "Move away what is not the course's, or make several courses of it.",
        )
        for first in beyond
    )
    leads_out = tuple(
        Problem(
            display_path(path, folder.path),
            None,
            "Not read: the link leads out of the course folder.",
            "Copy what it leads to into the course folder, or remove it.",
            "warning",
        )
        for path in listed.out
    )
    misnamed = tuple(
        Problem(name, None, _IS_FOLDER if is_folder else _IS_FILE, "Put that in its place, or rename this.", "warning")
        for name, is_folder in _wrong_kinds(folder.path)
    )
    as_files = tuple(
        Problem(
            display_path(path, folder.path),
            None,
            _LIKE_A_FILE,
            "Put the file itself in its place, or give the folder another name.",
            "warning",
        )
        for path in _like_files(folder.path)
    )
    oddly_named = tuple(
        Problem(
            display_path(path, folder.path),
            None,
            "The name holds control characters, which are shown as they are written in Python.",
            "Rename it.",
            "warning",
        )
        for path in _oddly_named(listed, folder.path)
    )
    return too_much + leads_out + misnamed + as_files + oddly_named


def _oddly_named(listed: "_Listing", folder: Path) -> list[Path]:
    """The files of input whose names a terminal would obey."""
    inside = ((path, path.relative_to(folder)) for path in listed.files)
    return [path for path, name in inside if escape_controls(str(name)) != str(name) and kind_of(name) is not None]


def _like_files(folder: Path) -> list[Path]:
    """Folders inside a folder of input that are named like a file of its kind, `documents/slides.pptx`: what an archive
    leaves that was unpacked by mistake."""
    found = []
    for name in (*LECTURE_FOLDERS, *_KIND_IN_FOLDER):
        for base, inside, _ in os.walk(folder / name):
            found += [Path(base) / one for one in inside if one.lower().endswith(LIKE_FILES)]
            inside[:] = [one for one in inside if not one.startswith(".") and not one.lower().endswith(LIKE_FILES)]
    return sorted(found)


def _wrong_kinds(folder: Path) -> list[tuple[str, bool]]:
    """The entries of a course folder that have the name of an input and are of the other sort, and whether each is a
    folder."""
    folders = {*LECTURE_FOLDERS, *_KIND_IN_FOLDER}
    found = [
        (name, is_folder)
        for name in _names(folder)
        for is_folder in (os.path.isdir(folder / name),)
        if (is_folder and name.lower() in _KIND_BY_NAME) or (name in folders and os.path.isfile(folder / name))
    ]
    return sorted(found)


def _require_one_course(folder: Path, entries: Sequence[str]) -> None:
    """A folder that is said to be a course by `entries`, while folders in it are courses of their own, is refused."""
    inside = [path.name for path in _subfolders(folder) if path.name not in entries and _is_whole(path, folder)]
    if entries and inside:
        by = name_few(entries)
        raise FolderAmbiguous(
            f"{folder} looks like one course, by {by}, and like a folder of courses: {name_few(inside)}. "
            f"For several courses move {by} away or into one of them; for one course say so with "
            "--single-course or COTEACH_SINGLE_COURSE=true."
        )


def _is_whole(path: Path, parent: Path) -> bool:
    """Whether a sub-folder would be a course by itself: beside a `course.yaml` only one that has its own."""
    return _has_card(path) if _has_card(parent) else is_course(path)


def name_few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    shown = [decode_name(name) for name in names[:_MOST_NAMED]]
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(shown)}{more}"


def input_files(folder: CourseFolder, kind: InputKind) -> tuple[Path, ...]:
    """The files of one kind, sorted by their path in the course folder; those of no kind are never read."""
    files = _listing(folder.path).files
    return tuple(path for path in files if kind_of(path.relative_to(folder.path)) == kind)


def visible_files(folder: CourseFolder) -> tuple[Path, ...]:
    """All files of a course folder but hidden ones and links that lead out, sorted by path; those of no kind, too."""
    return tuple(_listing(folder.path).files)


def input_digests(folder: CourseFolder, known: KnownDigests | None = None) -> dict[InputKind, str]:
    """SHA-256, hex, over names and bytes of the files of each kind: another one whenever a name or a byte changes.

    Of a file that cannot be read only the name counts; its reader tells what is wrong with it. What is left out counts
    with the card, whose reader tells it. Files that are `known` are not read.
    """
    found = {kind: hashlib.sha256() for kind in INPUT_KINDS}
    listed = _listing(folder.path)
    left = [path.relative_to(folder.path).as_posix() for path in (*listed.out, *listed.beyond)]
    others = (*_like_files(folder.path), *_oddly_named(listed, folder.path))
    left += [path.relative_to(folder.path).as_posix() for path in others]
    for inside in (*left, *(name for name, _ in _wrong_kinds(folder.path))):
        found["card"].update(os.fsencode(f"{inside}\0left out\n"))
    for path in listed.files:
        if (kind := kind_of(path.relative_to(folder.path))) is not None:
            inside = path.relative_to(folder.path).as_posix()
            content = content_digest(path) if known is None else known.digest(f"{folder.course_id}/{inside}", path)
            found[kind].update(os.fsencode(f"{inside}\0{content}\n"))
            if kind == "subtitles" and inside.lower().endswith(UNTIMED_SUFFIXES):
                found[kind].update(b"by paragraph\n")  # homes of programs that did not read them do so now
    return {kind: each.hexdigest() for kind, each in found.items()}


def input_digest(folder: CourseFolder, kind: InputKind) -> str:
    """The digest of one kind of input."""
    return input_digests(folder)[kind]


def input_bytes(folder: CourseFolder) -> int:
    """The size of all files of input together."""
    files = _listing(folder.path).files
    return sum(_size(path) for path in files if kind_of(path.relative_to(folder.path)) is not None)


def is_subtitle(name: str) -> bool:
    """Whether a file name says subtitles, of a format that is read or not."""
    return name.lower().endswith((*SUBTITLE_SUFFIXES, *UNREAD_SUBTITLE_SUFFIXES, ".ass.txt"))


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


def is_course(folder: Path) -> bool:
    """Whether a folder holds enough to be a course."""
    kinds = (kind_of(path.relative_to(folder)) for path in _listing(folder).files)
    return bool(_course_entries(folder)) or any(kind not in _ALONE_NO_COURSE for kind in kinds)


def _course_entries(folder: Path) -> tuple[str, ...]:
    """What of a folder's own entries says that it is a course, the card first, then by name.

    A folder named like an input, `catalog`, that has a `course.yaml` is a course of that name.
    """
    folders = {*LECTURE_FOLDERS, *(name for name, kind in _KIND_IN_FOLDER.items() if kind not in _ALONE_NO_COURSE)}
    found = [
        name
        for name in _names(folder)
        if (name in folders and os.path.isdir(folder / name) and not _has_card(folder / name))
        or (kind_of(Path(name)) not in _ALONE_NO_COURSE and os.path.isfile(folder / name))
    ]
    return tuple(sorted(found, key=lambda name: (_KIND_BY_NAME.get(name.lower()) != "card", name)))


def _has_card(folder: Path) -> bool:
    return any(_KIND_BY_NAME.get(name.lower()) == "card" for name in _names(folder))


def kind_of(inside: PurePath) -> InputKind | None:
    """The kind of a file by its path inside the course folder; `None` for files that are not input."""
    first, name = inside.parts[0], inside.name.lower()
    if len(inside.parts) > 1 and first in _KIND_IN_FOLDER:
        kind = _KIND_IN_FOLDER[first]
        suffixes = INPUT_FILES[kind].suffixes
        return kind if not suffixes or name.endswith(suffixes) else None
    if len(inside.parts) == 1 and name in _KIND_BY_NAME:
        return _KIND_BY_NAME[name]
    return "subtitles" if is_subtitle(name) or (first in LECTURE_FOLDERS and len(inside.parts) > 1) else None


@dataclass(frozen=True)
class _Listing:
    """The visible files below a folder, those that are left out because they lie elsewhere, and those that are too
    many; each sorted by path."""

    files: list[Path]
    out: list[Path]
    beyond: list[Path]


def _listing(folder: Path) -> _Listing:
    """What is below a folder.

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
    kept, beyond = _within_bounds(_by_path(found, folder), folder)
    return _Listing(kept, _by_path(out, folder), beyond)


def _within_bounds(paths: Sequence[Path], folder: Path) -> tuple[list[Path], list[Path]]:
    """The first files that are not too many and too large together, and the rest. What is no input is never read."""
    kept, beyond, count, size = list[Path](), list[Path](), 0, 0
    for path in paths:
        if kind_of(path.relative_to(folder)) is None:
            kept.append(path)
            continue
        count, size = count + 1, size + _size(path)
        (beyond if count > MOST_FILES or size > MOST_BYTES else kept).append(path)
    return kept, beyond


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _leads_out(path: Path, root: Path) -> bool:
    return path.is_symlink() and path.exists() and not Path(os.path.realpath(path)).is_relative_to(root)


def _by_path(paths: list[Path], folder: Path) -> list[Path]:
    return sorted(paths, key=lambda path: path.relative_to(folder).as_posix())
