"""What a file, folder or archive is, and bringing the courses in it into a folder of courses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError, Problem
from knowledge_graph.sources.importing.archives import is_archive, unpack
from knowledge_graph.sources.importing.cartridge import find_cartridge, open_cartridge
from knowledge_graph.sources.importing.course_writer import WrittenCourse, check_free, workspace, write_courses
from knowledge_graph.sources.importing.faq_bank import find_faq_folder, is_faq_file, open_faq_file, open_faq_folder
from knowledge_graph.sources.importing.items import ImportSource, Item
from knowledge_graph.sources.importing.mooccubex import KIND as MOOCCUBEX
from knowledge_graph.sources.importing.mooccubex import open_mooccubex
from knowledge_graph.sources.importing.mooccubex_files import find_mooccubex
from knowledge_graph.sources.importing.moodle import find_moodle, open_moodle
from knowledge_graph.sources.importing.olx import open_olx
from knowledge_graph.sources.importing.olx_tree import find_olx

KNOWN = (
    "an Open edX course export (course.tar.gz, or a folder with course.xml), "
    "a Canvas export or another Common Cartridge (.imscc), a Moodle backup (.mbz), "
    "a MOOCCubeX dump (a folder with entities/course.json), "
    "a FAQ bank (.csv, .tsv, .json, .jsonl, .yaml, or a folder of Markdown)"
)
_SHOWN = 10


@dataclass(frozen=True)
class Imported:
    """The courses that were written, and everything that was left out or is doubtful: as messages, and `left_out` as
    the number of parts of a course by reason."""

    kind: str
    courses: tuple[WrittenCourse, ...]
    problems: tuple[Problem, ...]
    left_out: Mapping[str, int]


def import_courses(
    source: Path, into: Path, *, only: Sequence[str] = (), replace: bool = False, with_graded: bool = False
) -> Imported:
    """Write the courses in `source` as folders in `into`; with `only`, those with these ids.

    Solutions of graded problems and quizzes are left out unless `with_graded`: whoever asks would be told them.

    Nothing is written, and what was there stays, when it raises: `CoteachError` for a source that is not known or not
    whole, an archive that is not safe, a course that is not there or a folder that is in the way without `replace`.
    """
    if not source.exists():
        raise CoteachError(f"{source}: there is no such file or folder. Expected {KNOWN}.")
    with workspace(into) as work:
        links: tuple[str, ...] = ()
        place = source
        if is_archive(source):
            place = work / "unpacked" / source.name.split(".")[0]
            place.mkdir(parents=True)
            links = unpack(source, place).links
        found = _choose(open_source(place, source, only, with_graded=with_graded), only, source)
        if not replace:
            check_free(into, found.courses)
        written = write_courses(into, found.items, work, replace=replace)
        for link in links[:_SHOWN]:
            found.log.warning(None, f"'{link}' is a link; it was left out.", "Pack the file itself if it is wanted.")
        left_out = {reason: len(titles) for reason, titles in sorted(found.left_out.items())}
        return Imported(found.kind, written, tuple(found.log.problems), left_out)


def open_source(place: Path, source: Path, only: Sequence[str] = (), *, with_graded: bool = False) -> ImportSource:
    """The source in `place`, which is `source` or where it was unpacked. Raises `CoteachError` when it is not known."""
    if place.is_file():
        if is_faq_file(place):
            return open_faq_file(place)
    elif root := find_moodle(place):  # before Open edX: a backup has a course.xml, too
        return open_moodle(root, with_graded=with_graded)
    elif root := find_cartridge(place):
        return open_cartridge(root, with_graded=with_graded)
    elif root := find_olx(place):
        return open_olx(root, with_graded=with_graded)
    elif root := find_mooccubex(place):
        return open_mooccubex(root, only)
    elif root := find_faq_folder(place):
        return open_faq_folder(root)
    raise CoteachError(f"{source}: expected {KNOWN}; found {_contents(place)}.")


def _choose(found: ImportSource, only: Sequence[str], source: Path) -> ImportSource:
    """The source with the courses asked for; MOOCCubeX knows them by name, too, and has chosen already."""
    if not only or found.kind == MOOCCUBEX:
        return found
    if unknown := sorted(set(only) - set(found.courses)):
        raise CoteachError(f"{source}: no course {', '.join(unknown)}; found {', '.join(sorted(found.courses))}.")
    courses = tuple(course for course in found.courses if course in only)
    return replace_fields(found, courses=courses, items=_of(found.items, courses))


def _of(items: Iterator[Item], courses: Sequence[str]) -> Iterator[Item]:
    return (item for item in items if item.course_id in courses)


def _contents(place: Path) -> str:
    if place.is_file():
        return f"a file ending in '{place.suffix}'"
    names = sorted(path.name for path in place.iterdir())
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"a folder with {', '.join(names[:_SHOWN]) or 'nothing'}{more}"
