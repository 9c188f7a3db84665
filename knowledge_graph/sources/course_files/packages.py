"""A packed course as files of a course folder: a zip of one, or the export of an LMS, brought into that form.

An archive that is not safe or not whole is refused before anything of it is kept (`importing/archives.py`); a file in
it that no build reads is left out by name.
"""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from knowledge_graph.lake.problems import CoteachError, display_path
from knowledge_graph.lake.records import CARD_DOCUMENT
from knowledge_graph.sources.course_files.editing import require_space
from knowledge_graph.sources.course_files.names import (
    FOLDERS,
    NameRefused,
    alike,
    check_name,
    escape_name,
    is_for_the_team,
    unread_reason,
)
from knowledge_graph.sources.importing.archives import LARGEST_UNPACKED, ArchiveRefused, is_archive, unpack
from knowledge_graph.sources.importing.course_writer import write_courses
from knowledge_graph.sources.importing.items import ImportSource
from knowledge_graph.sources.markup import MarkupError, compose_yaml

_JUNK = frozenset({"__macosx", "thumbs.db", "desktop.ini"})
_MOST_LEFT_OUT = 100
_EXPORTS = ("imsmanifest.xml", "moodle_backup.xml", "course.xml")
"""What lies at the top of an export."""


@dataclass(frozen=True)
class CoursePackage:
    """What an archive brings. `files` are unpacked, by their names in the course; `left_out` says of each of the first
    hundred others why."""

    kind: str
    files: Mapping[str, Path]
    left_out: tuple[str, ...]


def open_package(archive: Path, work: Path, *, may_change_all: bool, card: Path | None = None) -> CoursePackage:
    """Unpack an archive in the empty folder `work`. Without `may_change_all` files for the team are left out. What the
    course's own `card` says stays beside an export, which only adds to it.

    Raises `ArchiveRefused` for an archive that is none, unsafe or not whole, `NameRefused` for a name in it that could
    lie elsewhere or hide, `CoteachError` for one in which there is nothing for a course, or several courses.
    """
    if not is_archive(archive):
        raise ArchiveRefused("This is no archive. Expected a .zip, a .tar.gz, or an export: .imscc, .mbz.")
    require_space(work, _size_unpacked(archive))
    place = work / "unpacked"
    place.mkdir()
    links = unpack(archive, place).links
    left_out = [f"{link}: a link is not followed." for link in links]
    source = _read_export(place)
    if source is not None:
        place = _brought(source, work)
        left_out += [str(problem) for problem in source.log.problems]
    kind = "a course folder" if source is None else source.kind
    files, unread = _sort_files(_course_root(place), may_change_all=may_change_all)
    left_out += unread
    if source is not None and card is not None and CARD_DOCUMENT in files:
        left_out += _add_to_card(files, card, work / "card.yaml")
    if not files:
        told = " ".join(left_out[:5])
        raise CoteachError(f"There is nothing for a course in this archive. {told}".strip())
    if len(left_out) > _MOST_LEFT_OUT:
        left_out = [*left_out[:_MOST_LEFT_OUT], f"… and {len(left_out) - _MOST_LEFT_OUT:,} more."]
    return CoursePackage(kind, files, tuple(left_out))


def _add_to_card(files: dict[str, Path], card: Path, place: Path) -> list[str]:
    """Put the course's own card, with what only the export says below it, in the place of the export's: a title, a
    policy and rules about graded work that teachers wrote are not theirs to lose. Says what of the export was left out.
    """
    brought: dict[str, object] = yaml.safe_load(files.pop(CARD_DOCUMENT).read_text())
    try:
        own = card.read_text(encoding="utf-8").rstrip()
    except UnicodeDecodeError as error:
        return [f"{CARD_DOCUMENT}: nothing could be added to {card.name}, which is no UTF-8 at byte {error.start}."]
    keys = _keys_of(own) if own else []
    added = {key: value for key, value in brought.items() if keys is not None and key not in keys}
    below = yaml.safe_dump(added, allow_unicode=True, sort_keys=False) if added else ""
    whole = f"{own}\n{below}".lstrip()
    if keys is None or _keys_of(whole) != [*keys, *added]:
        return [f"{CARD_DOCUMENT}: nothing could be added to {card.name}, which is no list of keys."]
    if added:
        place.write_text(whole, encoding="utf-8")
        files[card.name] = place
    return [f"{CARD_DOCUMENT}: {key}, the course has its own." for key in brought if key in keys]


def _keys_of(text: str) -> list[str] | None:
    """The keys of a card in their order; `None` where it cannot be read as one."""
    try:
        root = compose_yaml(text)
    except MarkupError:
        return None
    return [str(key.value) for key, _ in root.value] if isinstance(root, yaml.MappingNode) else None


def _size_unpacked(archive: Path) -> int:
    """What an archive would take on the disk: as a zip says, else as exports mostly grow."""
    if not zipfile.is_zipfile(archive):
        return min(LARGEST_UNPACKED, 10 * archive.stat().st_size)
    try:
        with zipfile.ZipFile(archive) as pack:
            return min(LARGEST_UNPACKED, sum(member.file_size for member in pack.infolist()))
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise ArchiveRefused("Expected a whole .zip; this one cannot be read. Pack it again.") from error


def _read_export(place: Path) -> ImportSource | None:
    """The export of an LMS, without solutions of graded problems; `None` for anything else.

    Raises `CoteachError` for one where coteach is installed without what reads exports.
    """
    try:  # here, so that a gateway of the base install starts without them
        from knowledge_graph.sources.importing.cartridge import find_cartridge, open_cartridge  # noqa: PLC0415
        from knowledge_graph.sources.importing.moodle import find_moodle, open_moodle  # noqa: PLC0415
        from knowledge_graph.sources.importing.olx import open_olx  # noqa: PLC0415
        from knowledge_graph.sources.importing.olx_tree import find_olx  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if not any((place / name).exists() for name in _EXPORTS):
            return None
        raise CoteachError(
            f"Exports of an LMS are read where coteach[pipeline] is installed; here {error.name} is missing. "
            "Pack a course folder, or install that."
        ) from error
    if root := find_moodle(place):
        return open_moodle(root)
    if root := find_cartridge(place):
        return open_cartridge(root)
    if root := find_olx(place):
        return open_olx(root)
    return None


def _brought(source: ImportSource, work: Path) -> Path:
    if len(source.courses) != 1:
        listed = ", ".join(sorted(source.courses)[:10]) or "none"
        raise CoteachError(f"The export holds {len(source.courses)} courses ({listed}); expected one.")
    into, writing = work / "brought", work / "writing"
    into.mkdir()
    writing.mkdir()
    (written,) = write_courses(into, source.items, writing)
    return written.folder


def _course_root(place: Path) -> Path:
    """Where the course's files begin: in the one folder that was packed, unless that is a folder of input."""
    while True:
        entries = [path for path in place.iterdir() if not _is_junk(path.name)]
        if len(entries) != 1 or not entries[0].is_dir() or entries[0].name in FOLDERS:
            return place
        place = entries[0]


def _sort_files(root: Path, *, may_change_all: bool) -> tuple[dict[str, Path], list[str]]:
    found: dict[str, Path] = {}
    left_out = []
    for path in sorted(root.rglob("*")):
        if path.is_dir() or any(_is_junk(part) for part in path.relative_to(root).parts):
            continue
        name = display_path(path, root)
        reason = _reason(name, may_change_all=may_change_all)
        if reason is not None:
            left_out.append(f"{escape_name(name)}: {reason}.")
            continue
        found[check_name(name)] = path
    _require_distinct(list(found))
    return found, left_out


def _reason(name: str, *, may_change_all: bool) -> str | None:
    """Why a file of an archive is left out. What is not read at all need not be named well."""
    if (reason := unread_reason(name)) is not None:
        return f"not read, {reason}"
    if is_for_the_team(name) and not may_change_all:
        return "only admins may change it"
    return None


def _require_distinct(names: Sequence[str]) -> None:
    for name in names:
        if other := alike(name, names):
            raise NameRefused(f"The archive has '{name}' and '{other}', which are one name where case does not count.")


def _is_junk(name: str) -> bool:
    return name.startswith(".") or name.lower() in _JUNK
