"""Names that strangers give to courses and files: what is taken, in which form, and why another is not. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.source_kinds import INPUT_FILES, InputKind
from knowledge_graph.sources.folders import (
    DOCUMENT_SUFFIXES,
    LECTURE_FOLDERS,
    LIKE_FILES,
    MANY_VIDEO_SUFFIXES,
    SUBTITLE_SUFFIXES,
    UNREAD_SUBTITLE_SUFFIXES,
    UNTIMED_SUFFIXES,
    kind_of,
)

LONGEST_NAME_BYTES = 200
"""Most bytes of one part of a path. File systems take 255; a temporary name beside it needs the rest."""
LONGEST_PATH_BYTES = 600
DEEPEST = 8
"""Folders that a file may lie in. A choice."""

TEAM_FILES: frozenset[str] = frozenset((*INPUT_FILES["catalog_pages"].names, *INPUT_FILES["expectations"].names))
"""Files that make this machine ask addresses, or run queries, of their own: admins alone may change them."""

_COURSE_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_-])?")
FOLDERS: tuple[str, ...] = (*LECTURE_FOLDERS, *(files.folder for files in INPUT_FILES.values() if files.folder))
"""Folders of a course folder that hold input."""
_FORBIDDEN = re.compile(r'[\\<>:"|?*]')
"""What a name cannot hold on every system that a course folder may be copied to."""
_UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of what nobody sees: control and format characters, half characters, line separators."""
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)

READ_HERE = (
    f"course.yaml, faq.csv (.tsv .json .jsonl .yaml), subtitles/ with {' '.join(SUBTITLE_SUFFIXES)}, "
    f"transcripts/ with {' '.join(UNTIMED_SUFFIXES)} (lectures without times), "
    f"documents/ with {' '.join(DOCUMENT_SUFFIXES)}, faq/ with .md, catalog/ with .html, schedule.csv, seeds.txt, "
    "graph.yaml, gold/ and what else docs/bring-your-own.md names"
)


class NameRefused(CoteachError):
    """A name that is not taken; the message says why, and which are."""


def check_course_id(course_id: str) -> str:
    """The id of a new course. Raises `NameRefused` for one that is no plain folder name, or that of a kind of input."""
    if not _COURSE_ID.fullmatch(course_id) or ".." in course_id or _DEVICES.fullmatch(course_id):
        raise NameRefused(
            f"'{escape_name(course_id)}' cannot be a course's id: write 1 to 64 letters (a to z), digits, '-', '_' or "
            "'.', with a letter or digit first. It becomes the folder's name and stands in addresses."
        )
    if course_id.lower() in FOLDERS:
        raise NameRefused(f"'{course_id}' is the name of a folder of files inside a course. Choose another id.")
    return course_id


def check_name(name: str) -> str:
    """A file's path inside its course folder, with `/`, in composed characters (NFC).

    Raises `NameRefused` for whatever could lie elsewhere, hide, look like another, or is not read by a build.
    """
    whole = unicodedata.normalize("NFC", name)
    parts = whole.split("/")
    if any(unicodedata.category(sign) in _UNSHOWN for sign in whole):
        raise NameRefused(f"'{escape_name(name)}' holds control or invisible characters. Rename the file.")
    if whole.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise NameRefused(f"'{escape_name(name)}' is no path inside the course folder. Write documents/syllabus.pdf.")
    if found := _FORBIDDEN.search(whole):
        raise NameRefused(f"'{escape_name(name)}' holds '{found[0]}', which names of files cannot hold everywhere.")
    if any(part.startswith(".") for part in parts):
        raise NameRefused(f"'{escape_name(name)}' begins with a dot: hidden files are not read. Rename it.")
    if any(part != part.strip() or part.endswith(".") or _DEVICES.fullmatch(part) for part in parts):
        raise NameRefused(f"'{escape_name(name)}' begins or ends with a blank, ends with a dot, or names a device.")
    if (
        len(parts) - 1 > DEEPEST
        or len(whole.encode()) > LONGEST_PATH_BYTES
        or any(len(part.encode()) > LONGEST_NAME_BYTES for part in parts)
    ):
        raise NameRefused(
            f"'{escape_name(name)}' is too long or too deep: {LONGEST_NAME_BYTES} bytes a name, {LONGEST_PATH_BYTES} "
            f"together, {DEEPEST} folders."
        )
    if any(part.lower().endswith(LIKE_FILES) for part in parts[:-1]):
        raise NameRefused(f"'{escape_name(name)}' lies in a folder that is named like a file. Rename the folder.")
    if (reason := unread_reason(whole)) is not None:
        raise NameRefused(f"'{escape_name(name)}' is not read: {reason}. Read are {READ_HERE}.")
    return whole


def unread_reason(name: str) -> str | None:
    """Why a build would read nothing of a file by its name; `None` when it reads it."""
    path = PurePosixPath(name)
    kind, suffix = kind_of(path), path.suffix.lower()
    if kind is None:
        return "no file of this name, in this place, is input of a course"
    if kind == "documents" and suffix not in DOCUMENT_SUFFIXES:
        return f"'{suffix}' is not a document format that is read"
    if kind == "subtitles" and name.lower().endswith(UNREAD_SUBTITLE_SUFFIXES):
        return "these subtitles are of a format that is not read; save them as .srt or .vtt"
    if kind == "subtitles" and not name.lower().endswith((*SUBTITLE_SUFFIXES, *MANY_VIDEO_SUFFIXES, *UNTIMED_SUFFIXES)):
        return f"'{suffix}' is not a format of subtitles that is read"
    return None


def destination_of(filename: str, folder: str | None = None) -> str:
    """Where a file goes that was chosen in a browser: into `folder` ("" is the course folder itself), else by its name.

    What a browser says before the name is dropped. Whether the place is one that is read, `check_name` says.
    """
    name = filename.replace("\\", "/").rpartition("/")[2]
    if folder is not None:
        return f"{folder}/{name}" if folder else name
    if kind_of(PurePosixPath(name)) not in (None, "subtitles"):
        return name
    suffix = PurePosixPath(name).suffix.lower()
    if name.lower().endswith(".ass.txt"):
        return f"transcripts/{name}"
    if suffix in DOCUMENT_SUFFIXES:
        return f"documents/{name}"
    spoken = (*SUBTITLE_SUFFIXES, *MANY_VIDEO_SUFFIXES, *UNREAD_SUBTITLE_SUFFIXES)
    return f"subtitles/{name}" if name.lower().endswith(spoken) else name


def is_card(name: str) -> bool:
    """Whether a file is `course.yaml`, which a course keeps."""
    return _kind(name) == "card"


def is_for_the_team(name: str) -> bool:
    """Whether only admins may change a file."""
    return name.lower() in TEAM_FILES


def alike(name: str, others: Iterable[str]) -> str | None:
    """Another name that differs only in case or composition: some file systems take both for one."""
    folded = _fold(name)
    return next((other for other in others if other != name and _fold(other) == folded), None)


def escape_name(name: str) -> str:
    """A refused name as it can be shown: what is not seen is escaped, and it is short."""
    seen = "".join(sign if unicodedata.category(sign) not in _UNSHOWN else f"\\u{ord(sign):04x}" for sign in name[:120])
    return seen + ("…" if len(name) > 120 else "")


def _kind(name: str) -> InputKind | None:
    return kind_of(PurePosixPath(name))


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
