"""Items to course folders as the rest of the project reads them: written beside their place, then renamed into it."""

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import yaml

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.fields import whole_characters
from knowledge_graph.sources.importing.items import (
    Captions,
    File,
    GivenConcept,
    GivenPrerequisite,
    Header,
    ImportedEntry,
    ImportedPage,
    Item,
)

CONCEPTS_FILE = "concepts.jsonl"
"""Lines `{"id", "name", "definition"}`: concepts that the source names."""
PREREQUISITES_FILE = "prerequisites.jsonl"
"""Lines `{"prerequisite", "concept", "label"}`: pairs that people labelled, by the names of their concepts."""
_LINES = {ImportedEntry: "faq.jsonl", GivenConcept: CONCEPTS_FILE, GivenPrerequisite: PREREQUISITES_FILE}
_COUNTED = {
    Captions: "videos",
    ImportedPage: "documents",
    File: "documents",
    ImportedEntry: "questions",
    GivenConcept: "concepts",
    GivenPrerequisite: "prerequisites",
}


@dataclass(frozen=True)
class WrittenCourse:
    """A course folder that is in its place. `counts` has videos, documents, questions, concepts, prerequisites."""

    course_id: str
    title: str
    folder: Path
    counts: dict[str, int]


class CourseExists(CoteachError):
    """A course folder would have been overwritten."""


def check_free(into: Path, courses: Sequence[str]) -> None:
    """Raise `CourseExists` when one of the folders is there already."""
    there = sorted(course for course in courses if (into / course).exists() or (into / course).is_symlink())
    if there:
        raise CourseExists(
            f"{into}: the course folder {', '.join(there[:10])} exists already. "
            "Use --replace to write it anew (whatever else was put into it is removed), or choose another folder."
        )


@contextmanager
def workspace(into: Path) -> Iterator[Path]:
    """A hidden folder in `into`, removed at the end whatever happens; so is `into`, if it was made and stays empty."""
    is_new = not into.exists()
    into.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".import-", dir=into))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if is_new and not any(into.iterdir()):
            into.rmdir()


def write_courses(into: Path, items: Iterable[Item], work: Path, *, replace: bool = False) -> tuple[WrittenCourse, ...]:
    """Write the items in `work`, a folder of `workspace(into)`, then rename each course into its place.

    The same items give the same bytes. Nothing in `into` changes before every item was read and written. With
    `replace` a folder that is there already is exchanged as a whole, else `CourseExists` is raised.
    """
    staged = work / "courses"
    staged.mkdir()
    writer = _Writer(staged)
    try:
        for item in items:
            writer.write(item)
    finally:
        writer.close()
    courses = sorted(writer.titles)
    if not replace:
        check_free(into, courses)
    for course in courses:
        _put(staged / course, into / course, work / f"old-{course}")
    return tuple(
        WrittenCourse(course, writer.titles[course], into / course, _counts(writer.counts, course))
        for course in courses
    )


class _Writer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path: Path | None = None
        self._file: IO[str] | None = None
        self.titles: dict[str, str] = {}
        self.counts: Counter[tuple[str, str]] = Counter()

    def write(self, item: Item) -> None:
        course = self._folder / item.course_id
        match item:
            case Header():
                self.titles[item.course_id] = item.title
                _write(course / "course.yaml", whole_characters(_card(item)).encode())
                return
            case Captions():
                _write(course / "subtitles" / f"{item.video_id}{item.suffix}", item.content)
            case ImportedPage():
                _write(course / "documents" / item.name, whole_characters(item.text).encode())
            case File():
                _write(course / "documents" / item.name, item.content)
            case ImportedEntry() | GivenConcept() | GivenPrerequisite():
                self._append(course / _LINES[type(item)], _line(_row(item)))
        self.counts[item.course_id, _COUNTED[type(item)]] += 1

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _append(self, path: Path, line: str) -> None:
        """One file stays open: items of a course and kind mostly come one behind the other."""
        if self._file is None or path != self._path:
            self.close()
            path.parent.mkdir(parents=True, exist_ok=True)
            self._path, self._file = path, path.open("a", encoding="utf-8", newline="\n")
        self._file.write(line + "\n")


def _line(row: dict[str, object]) -> str:
    return whole_characters(json.dumps(row, ensure_ascii=False, skipkeys=True, default=str))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _card(header: Header) -> str:
    fields = {
        "title": header.title,
        "lang": header.lang,
        "domains": list(header.domains),
        "instructors": list(header.instructors),
        "video_order": list(header.video_order),
    }
    given = {key: value for key, value in fields.items() if value}
    return str(yaml.safe_dump(given, allow_unicode=True, sort_keys=False, width=1000))


def _row(item: ImportedEntry | GivenConcept | GivenPrerequisite) -> dict[str, object]:
    match item:
        case ImportedEntry():
            return dict(item.fields)
        case GivenConcept():
            return {"id": item.concept_id, "name": item.name, "definition": item.definition}
        case GivenPrerequisite():
            return {"prerequisite": item.prerequisite, "concept": item.concept, "label": item.label}


def _put(new: Path, place: Path, old: Path) -> None:
    """The new folder in its place; what was there goes to `old`, and back again if anything prevents that."""
    try:
        if place.exists() or place.is_symlink():
            place.rename(old)
        new.rename(place)
    except BaseException:
        if old.exists() or old.is_symlink():
            old.rename(place)
        raise


def _counts(counts: Counter[tuple[str, str]], course: str) -> dict[str, int]:
    return {kind: counts[course, kind] for kind in dict.fromkeys(_COUNTED.values()) if counts[course, kind]}
