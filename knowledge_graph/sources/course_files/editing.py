"""Changing a course's files: one edit as a whole or not at all, one after the other, and back again.

What is new is on the disk, beside its place, before an edit begins. The edit then writes what it is about to do,
renames file after file, and writes that it is done. If it is interrupted, even by the power, the next who comes puts
back what was there. A reader in between may meet some files of an edit and not yet the others; each file is whole.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml

from knowledge_graph.lake.problems import CoteachError, display_path
from knowledge_graph.lake.records import Lang
from knowledge_graph.lake.source_kinds import InputKind
from knowledge_graph.lake.tables import move_lastingly
from knowledge_graph.sources.course_files.history import (
    Act,
    CourseEdit,
    FileChange,
    forget_old,
    history_folder,
    next_number,
    old_file,
    place_of,
    read_edits,
    version_of,
    write_edit,
)
from knowledge_graph.sources.course_files.names import alike, check_course_id, is_card
from knowledge_graph.sources.folders import MOST_BYTES, MOST_FILES, CourseFolder, find_courses, kind_of, visible_files
from knowledge_graph.sources.importing.course_writer import CourseExists, workspace

_PATIENCE_S = 10.0
_POLL_S = 0.05
_SPARE_BYTES = 200 * 2**20
"""What must be left on the disk: a build needs some, and a full disk stops the gateway's store."""


class EditRefused(CoteachError):
    """An edit that cannot be made; nothing was changed."""


class EditConflict(EditRefused):
    """Somebody else was there first; nothing was changed."""


class FileUnknown(EditRefused):
    """There is no such file, or no such edit."""


@dataclass(frozen=True)
class CourseFile:
    """A file of a course. `kind` is `None` for what is no input. `changed` is ISO 8601, UTC."""

    name: str
    kind: InputKind | None
    size: int
    changed: str
    version: str


Changes = Mapping[str, Path | None]
"""By name what takes a file's place, on the course's own disk; `None` removes it."""
Expected = Mapping[str, str | None] | str | None
"""By name the version that a person has seen, `None` where they saw none; or all they saw as one text (`digest_files`);
`None` where they did not look."""


def list_files(folder: CourseFolder) -> list[CourseFile]:
    """The visible files of a course, by name."""
    found = []
    for path in visible_files(folder):
        with suppress(FileNotFoundError):
            stat = path.lstat()
            changed = datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="seconds")
            kind = kind_of(path.relative_to(folder.path))
            version = version_of(path) or ""
            found.append(CourseFile(display_path(path, folder.path), kind, stat.st_size, changed, version))
    return sorted(found, key=lambda file: file.name)


def digest_files(files: Sequence[CourseFile]) -> str:
    """A text that is another one whenever any file of a course is."""
    listed = "\n".join(f"{file.name}\t{file.version}" for file in files)
    return hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def path_of(folder: CourseFolder, name: str) -> Path:
    """The path of a listed file. Raises `FileUnknown`, for links too: what they lead to is not shown."""
    for path in visible_files(folder):
        if display_path(path, folder.path) == name and not path.is_symlink() and path.is_file():
            return path
    raise FileUnknown(f"There is no file '{name}' in {folder.course_id}.")


def create_course(
    courses: Path, course_id: str, *, title: str, lang: Lang | None, by: str, is_single: bool = False
) -> CourseFolder:
    """A new course with nothing but its card. Raises `NameRefused`, `EditRefused` or `CourseExists`."""
    check_course_id(course_id)
    if is_single or courses in [course.path for course in find_courses(courses)]:
        raise EditRefused(
            f"{courses} is one course, and holds no others. Point COTEACH_COURSES at a folder of courses."
        )
    if courses.is_dir() and (same := alike_or_same(course_id, [path.name for path in courses.iterdir()])):
        raise CourseExists(f"There is a course '{same}' already. Choose another id.")
    with workspace(courses) as work:
        made = work / course_id
        made.mkdir()
        card = {"title": title} | ({"lang": lang} if lang else {})
        (made / "course.yaml").write_text(yaml.safe_dump(card, allow_unicode=True, sort_keys=False), encoding="utf-8")
        changes = (FileChange("course.yaml", None, version_of(made / "course.yaml")),)
        write_edit(made, CourseEdit(1, "create", _now(), by, changes).end())
        try:
            move_lastingly(made, courses / course_id)  # fails on a folder that is not empty
        except OSError as error:
            raise CourseExists(f"There is a course '{course_id}' already. Choose another id.") from error
    return CourseFolder(course_id, courses / course_id)


def alike_or_same(name: str, others: Sequence[str]) -> str | None:
    return name if name in others else alike(name, others)


@contextmanager
def staging(folder: CourseFolder) -> Iterator[Path]:
    """A hidden folder on the course's own disk for what is to come; gone at the end."""
    base = history_folder(folder.path)
    _require_own_folder(folder, base)
    base.mkdir(exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="incoming-", dir=base))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def require_space(place: Path, size: int) -> None:
    """Raise `EditRefused` when so many bytes would leave too little on a disk."""
    free = shutil.disk_usage(place).free
    if free - size < _SPARE_BYTES:
        raise EditRefused(
            f"The disk has {free / 2**20:,.0f} MB left, too little for {size / 2**20:,.1f} MB more. "
            "Those who run coteach can make room."
        )


def apply_edit(
    folder: CourseFolder,
    act: Act,
    changes: Changes,
    expected: Expected,
    *,
    by: str,
    undoes: int | None = None,
    notes: Sequence[str] = (),
) -> CourseEdit:
    """Make all changes or none. Names were looked at (`check_name`), what is new lies in `staging`.

    Raises `EditConflict` when a file is not as it was seen, `FileUnknown` when what is removed is not there, and
    `EditRefused` for what no course may become.
    """
    with _alone(folder):
        _mend(folder)
        for name in changes:
            _require_own_folder(folder, folder.path / name)
        _require_seen(folder, changes, expected)
        _require_fit(folder, changes)
        number = next_number(folder.path)
        files = tuple(_change(folder, *one) for one in changes.items())
        edit = CourseEdit(number, act, _now(), by, files, undoes, tuple(notes))
        return _carry_out(folder, edit, changes)


def undo_edit(
    folder: CourseFolder, number: int, *, by: str, may_change: Callable[[str], None] = lambda name: None
) -> CourseEdit:
    """Put back what an edit changed, as an edit of its own. `may_change` raises for a file that one may not change.

    Raises `FileUnknown` for an edit that is not kept, `EditConflict` when one of its files was changed since: the
    later edit must be undone first.
    """
    edit = next((one for one in read_edits(folder.path) if one.number == number and one.state == "done"), None)
    if edit is None:
        raise FileUnknown(f"There is no edit {number} of {folder.course_id} that could be undone.")
    if edit.act == "create":
        raise EditRefused("A course is not unmade here. Those who run coteach move its folder away.")
    for file in edit.files:
        may_change(file.name)
    with staging(folder) as work:
        changes: dict[str, Path | None] = {}
        for place, file in enumerate(edit.files):
            old = old_file(folder.path, number, place)
            changes[file.name] = None if file.before is None else _brought_back(old, work / str(place))
        seen = {file.name: file.after for file in edit.files}
        made = apply_edit(folder, "undo", changes, seen, by=by, undoes=number)
    # What is in its place again is no longer kept here: whoever writes into it would write into both.
    shutil.rmtree(place_of(folder.path, number) / "old", ignore_errors=True)
    return made


def mend(folder: CourseFolder) -> None:
    """Put back what an interrupted edit left; nothing else changes."""
    if any(edit.state == "begun" for edit in read_edits(folder.path)):
        with _alone(folder):
            _mend(folder)


def _brought_back(old: Path, new: Path) -> Path:
    """The very file that was there, so that it has the version that it had and the edit before can be undone, too."""
    if not old.exists():
        raise FileUnknown("What was there before is no longer kept: this was undone already.")
    _link(old, new)
    return new


def _link(path: Path, other: Path) -> None:
    try:
        os.link(path, other, follow_symlinks=False)
    except OSError:  # a disk without hard links
        shutil.copy2(path, other, follow_symlinks=False)


def _change(folder: CourseFolder, name: str, staged: Path | None) -> FileChange:
    return FileChange(name, version_of(folder.path / name), version_of(staged) if staged else None)


def _carry_out(folder: CourseFolder, edit: CourseEdit, changes: Changes) -> CourseEdit:
    (place_of(folder.path, edit.number) / "old").mkdir(parents=True)
    for staged in changes.values():
        if staged is not None:
            staged.chmod(0o644)
    write_edit(folder.path, edit)
    try:
        for place, (name, staged) in enumerate(changes.items()):
            _put(folder.path / name, staged, old_file(folder.path, edit.number, place))
        done = edit.end()
        write_edit(folder.path, done)
    except BaseException:
        _put_back(folder, edit)
        raise
    _drop_empty(folder, changes)
    forget_old(folder.path)
    return done


def _put(target: Path, staged: Path | None, old: Path) -> None:
    """At no time is there no file where one is replaced."""
    if staged is None:
        os.replace(target, old)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(target):
        _link(target, old)
    move_lastingly(staged, target)


def _put_back(folder: CourseFolder, edit: CourseEdit) -> None:
    """As it was before the edit. May be interrupted and done again."""
    for place, file in enumerate(edit.files):
        target, old = folder.path / file.name, old_file(folder.path, edit.number, place)
        if os.path.lexists(old):
            os.replace(old, target)
        elif file.before is None and version_of(target) == file.after:
            target.unlink(missing_ok=True)
    _drop_empty(folder, {file.name: None for file in edit.files})
    shutil.rmtree(place_of(folder.path, edit.number), ignore_errors=True)


def _mend(folder: CourseFolder) -> None:
    for edit in reversed(read_edits(folder.path)):
        if edit.state == "begun":
            _put_back(folder, edit)


def _drop_empty(folder: CourseFolder, names: Mapping[str, object]) -> None:
    """Folders in which nothing is left."""
    for name in names:
        above = (folder.path / name).parents
        with suppress(OSError):  # the first that is not empty ends it
            for parent in above[: above.index(folder.path)]:
                parent.rmdir()


def _require_seen(folder: CourseFolder, changes: Changes, expected: Expected) -> None:
    if isinstance(expected, str) and expected != digest_files(list_files(folder)):
        who = "".join(f" The last change here was by {one.by} at {one.at}." for one in read_edits(folder.path)[-1:])
        raise EditConflict(f"Files of {folder.course_id} were changed meanwhile. Look again.{who}")
    for name, staged in changes.items():
        now = version_of(folder.path / name)
        seen = expected.get(name) if isinstance(expected, Mapping) else now
        if staged is None and now is None:
            raise FileUnknown(f"There is no file '{name}' in {folder.course_id}.")
        if now != seen:
            raise EditConflict(_conflict_message(folder, name, now, seen))


def _conflict_message(folder: CourseFolder, name: str, now: str | None, seen: str | None) -> str:
    last = next(
        (edit for edit in reversed(read_edits(folder.path)) if name in {file.name for file in edit.files}), None
    )
    who = f" by {last.by} at {last.at}" if last is not None else ""
    if seen is None:
        return f"There is a file '{name}' already{who and f', put there{who}'}. Look at it, then replace it."
    if now is None:
        return f"'{name}' was removed meanwhile{who}. Look again."
    return f"'{name}' was changed meanwhile{who}. Look again before you replace or remove it."


def _require_fit(folder: CourseFolder, changes: Changes) -> None:
    """What a course may not become: without card or input, too large, with names that are alike."""
    there = {file.name: file for file in list_files(folder)}
    for name, staged in changes.items():
        if (folder.path / name).is_dir():
            raise EditRefused(f"'{name}' is a folder.")
        if staged is None and is_card(name):
            raise EditRefused(f"A course keeps its {name}. Replace it instead.")
    after = {name for name in (*there, *changes) if changes.get(name, Path()) is not None}
    for name, staged in changes.items():
        if staged is not None and (other := alike(name, after)):
            raise EditRefused(f"'{name}' and '{other}' are one name where case does not count. Choose another name.")
        if staged is not None and any(each.startswith(f"{name}/") or name.startswith(f"{each}/") for each in after):
            raise EditRefused(f"'{name}' would be a file and a folder at once. Choose another name.")
    if not any(kind_of(Path(name)) for name in after):
        raise EditRefused("Nothing would be left of the course. Those who run coteach move its folder away.")
    sizes = {name: file.size for name, file in there.items()}
    sizes |= {name: staged.lstat().st_size for name, staged in changes.items() if staged is not None}
    if len(after) > MOST_FILES or sum(sizes[name] for name in after) > MOST_BYTES:
        raise EditRefused(f"A course has at most {MOST_FILES:,} files and {MOST_BYTES // 2**30} GB.")


def _require_own_folder(folder: CourseFolder, path: Path) -> None:
    """Raise `EditRefused` when a path is a link, or lies behind a link or a file: nothing outside is ever touched."""
    above = [parent for parent in path.parents if parent != folder.path and parent.is_relative_to(folder.path)]
    for one in (path, *above):
        if one.is_symlink():
            raise EditRefused(f"'{display_path(one, folder.path)}' is a link; it is not changed here.")
    for one in above:
        if one.exists() and not one.is_dir():
            raise EditRefused(f"'{display_path(one, folder.path)}' is a file, and nothing can lie in it.")


@contextmanager
def _alone(folder: CourseFolder) -> Iterator[None]:
    """One edit of a course at a time, whichever process makes it. Raises `EditConflict` after some seconds."""
    base = history_folder(folder.path)
    _require_own_folder(folder, base)
    base.mkdir(exist_ok=True)
    number = os.open(base / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        until = time.monotonic() + _PATIENCE_S
        while not _try_lock(number):
            if time.monotonic() > until:
                raise EditConflict(f"Somebody else is changing {folder.course_id}. Try again in a moment.")
            time.sleep(_POLL_S)
        yield
    finally:
        os.close(number)


def _try_lock(number: int) -> bool:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
