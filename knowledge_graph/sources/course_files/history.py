"""The edits of a course that were made here: who changed which files when, and what they were before.

`<course>/.history/<number>/` holds `edit.json` and the files as they were, in `old/`. Hidden folders are no input of a
course. An edit that began and did not end is undone by whoever comes next (`editing.py`).
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from knowledge_graph.lake.tables import write_text_atomic

FOLDER = ".history"
KEPT_EDITS = 50
"""How many can be undone. A choice."""

Act = Literal["create", "put", "remove", "package", "undo"]
State = Literal["begun", "done"]


@dataclass(frozen=True)
class FileChange:
    """One file of an edit. `before` and `after` are versions (`version_of`), `None` where there was, or is, no file."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class CourseEdit:
    """What one person did at one time. `by` is a name for people; `undoes` the number of the edit that is undone."""

    number: int
    act: Act
    at: str
    by: str
    files: tuple[FileChange, ...]
    undoes: int | None = None
    notes: tuple[str, ...] = ()
    """What of an archive was left out, and why."""
    state: State = "begun"

    def end(self) -> "CourseEdit":
        return replace(self, state="done")


def version_of(path: Path) -> str | None:
    """What tells one state of a file from another without reading it; `None` where there is none.

    Every edit puts a new file in the place of the old, so inode and time differ even when size and bytes do not.
    """
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return f"{found.st_mtime_ns:x}-{found.st_size:x}-{found.st_ino:x}"


def history_folder(course: Path) -> Path:
    return course / FOLDER


def place_of(course: Path, number: int) -> Path:
    return history_folder(course) / f"{number:08d}"


def old_file(course: Path, number: int, place: int) -> Path:
    """Where the `place`-th file of an edit is kept as it was."""
    return place_of(course, number) / "old" / str(place)


def read_edits(course: Path) -> list[CourseEdit]:
    """The edits that are kept, oldest first; one whose record cannot be read is skipped."""
    return list(_edits(course))


def write_edit(course: Path, edit: CourseEdit) -> None:
    write_text_atomic(place_of(course, edit.number) / "edit.json", json.dumps(asdict(edit), ensure_ascii=False) + "\n")


def next_number(course: Path) -> int:
    """One more than any edit that was ever kept: folders whose record is damaged count, too."""
    return max((int(path.name) for path in _folders(course)), default=0) + 1


def forget_old(course: Path) -> None:
    """Remove all but the newest `KEPT_EDITS`."""
    for path in _folders(course)[:-KEPT_EDITS]:
        shutil.rmtree(path, ignore_errors=True)


def _edits(course: Path) -> Iterator[CourseEdit]:
    for path in _folders(course):
        with suppress(OSError, ValueError, TypeError, KeyError):
            yield _read(json.loads((path / "edit.json").read_text(encoding="utf-8")))


def _read(fields: dict[str, Any]) -> CourseEdit:
    return CourseEdit(
        **fields
        | {
            "files": tuple(FileChange(**one) for one in fields["files"]),
            "notes": tuple(fields["notes"]),
        }
    )


def _folders(course: Path) -> list[Path]:
    try:
        found = [entry for entry in os.scandir(history_folder(course)) if entry.name.isdigit() and entry.is_dir()]
    except OSError:
        return []
    return sorted((Path(entry.path) for entry in found), key=lambda path: int(path.name))
