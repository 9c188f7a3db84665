"""The MOOCCubeX dump, as published, to the courses chosen: captions, given concepts and labelled prerequisites.

Its files have gigabytes (https://github.com/THU-KEG/MOOCCubeX): each is streamed once, and only what belongs to a
chosen course is kept. `mooccubex_files.py` finds and reads them.
"""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.importing.items import (
    Captions,
    GivenConcept,
    GivenPrerequisite,
    Header,
    ImportedPage,
    ImportSource,
    Item,
)
from knowledge_graph.sources.importing.mooccubex_files import (
    DumpCourse,
    caption_file,
    concept_name,
    file_of,
    objects,
    pairs,
    read_course,
    read_labelled_pairs,
)
from knowledge_graph.sources.importing.names import folder_ids, number_title
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.terms import LONGEST_DEFINITION, first_sentences

KIND = "MOOCCubeX dump"
MOST_UNCHOSEN = 20
"""Courses that are imported without being named. The whole dump has 4,216, surely not all of them wanted."""
_SHOWN = 10


def open_mooccubex(root: Path, only: Sequence[str]) -> ImportSource:
    """The courses whose id or exact name is in `only`; all of them, if `only` is empty and they are few."""
    log = BoundedTold(file=root.name)
    courses = _choose(root, only, log)
    ids = folder_ids(course.dump_id for course in courses)
    reader = _Reader(root, {ids[course.dump_id]: course for course in courses}, log)
    return ImportSource(KIND, tuple(reader.courses), reader.items(), log)


def _choose(root: Path, only: Sequence[str], log: BoundedTold) -> list[DumpCourse]:
    chosen: list[DumpCourse] = []
    names: dict[str, str] = {}
    for line, row in objects(root, "course.json", log):
        course = read_course(row, line, log)
        if course is None:
            continue
        names[course.dump_id] = course.title
        if {course.dump_id, course.title} & set(only) or (not only and len(chosen) <= MOST_UNCHOSEN):
            chosen.append(course)
    if not names:
        raise CoteachError(f"{root}: course.json has no course with an id and a name. Download it again.")
    if not only and len(chosen) > MOST_UNCHOSEN:
        raise CoteachError(
            f"{root}: {len(names):,} courses, more than {MOST_UNCHOSEN} are not imported unasked. "
            f"Choose with --course ID (or its name), once for each; for example {_some(names)}."
        )
    wanted = {name for course in chosen for name in (course.dump_id, course.title)}
    if unknown := [each for each in only if each not in wanted]:
        near = difflib.get_close_matches(unknown[0], [*names, *names.values()], n=3, cutoff=0.5)
        hint = f"Did you mean {', '.join(near)}?" if near else f"There are, for example, {_some(names)}."
        raise CoteachError(f"{root}: no course {', '.join(unknown)} among {len(names):,}. {hint}")
    return sorted(chosen, key=lambda course: course.dump_id)


def _some(names: Mapping[str, str]) -> str:
    return ", ".join(f"{course} ({title})" for course, title in list(names.items())[:_SHOWN])


@dataclass
class _Reader:
    root: Path
    courses: dict[str, DumpCourse]
    log: BoundedTold
    _places: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """By ccid: the courses that show a video, and its path there."""
    _order: dict[str, list[str]] = field(default_factory=dict)
    _found: set[tuple[str, str]] = field(default_factory=set)
    _names: dict[str, dict[str, None]] = field(default_factory=dict)
    """By course: the names of its concepts."""
    _left_out: Counter[str] = field(default_factory=Counter)
    """What was left out of concepts, and how often."""

    def items(self) -> Iterator[Item]:
        self._place_videos()
        yield from self._captions()
        domains = self._domains()
        for course_id, course in self.courses.items():
            yield self._header(course_id, course, domains.get(course.dump_id, ()))
            if course.about or course.prerequisites:
                yield ImportedPage(course_id, "About this course.md", _about(course))
        yield from self._concepts()
        yield from self._prerequisites()
        self.log.close()

    def _place_videos(self) -> None:
        """Where each video of the courses goes. A resource names its `ccid`, or `video_id-ccid.txt` does."""
        asked = {each.resource_id for course in self.courses.values() for each in course.videos if not each.ccid}
        ccids = {video: ccid for video, ccid in pairs(self.root, "video_id-ccid.txt", self.log) if video in asked}
        for course_id, course in self.courses.items():
            chapters: dict[str, Counter[str]] = {}
            for video in course.videos:
                number = chapters.setdefault(video.chapter, Counter())
                number["videos"] += 1
                folder = number_title(list(chapters).index(video.chapter) + 1, video.chapter)
                path = f"{folder}/{number_title(number['videos'], video.title)}"
                ccid = video.ccid or ccids.get(video.resource_id)
                if ccid and course_id not in {other for other, _ in self._places.get(ccid, ())}:
                    self._places.setdefault(ccid, []).append((course_id, path))
                    self._order.setdefault(course_id, []).append(path)

    def _captions(self) -> Iterator[Item]:
        missing = set(self._places)
        for line, row in objects(self.root, "video.json", self.log, key="ccid", wanted=missing):
            ccid = str(row.get("ccid"))
            content = caption_file(row, line, self.log)
            missing.discard(ccid)
            for course_id, path in self._places[ccid] if content else ():
                self._found.add((course_id, path))
                yield Captions(course_id, path, ".sjson", content)

    def _header(self, course_id: str, course: DumpCourse, domains: Sequence[str]) -> Header:
        found = [path for path in self._order.get(course_id, ()) if (course_id, path) in self._found]
        if len(found) < len(course.videos):
            message = f"{course_id}: {len(course.videos) - len(found)} of {len(course.videos)} videos have no captions"
            self.log.warning(None, f"{message} in the dump; they were left out.", "Nothing to do.")
        return Header(
            course_id=course_id,
            title=course.title,
            lang=lang_of(f"{course.title} {course.about}"),
            domains=tuple(dict.fromkeys((*course.fields, *domains))),
            video_order=tuple(found),
        )

    def _domains(self) -> dict[str, tuple[str, ...]]:
        """By course: the fields that people gave it, in `course-field.json`."""
        wanted = {course.dump_id for course in self.courses.values()}
        if file_of(self.root, "course-field.json") is None:
            return {}
        found = objects(self.root, "course-field.json", self.log, key="course_id", wanted=wanted)
        return {
            str(row.get("course_id")): tuple(str(each) for each in fields)
            for _, row in found
            if isinstance(fields := row.get("field"), list)
        }

    def _concepts(self) -> Iterator[Item]:
        """The concepts that are linked to a course or to one of its videos, with their context as the definition."""
        by_dump_id = {course.dump_id: course_id for course_id, course in self.courses.items()}
        linked: dict[str, dict[str, None]] = {}
        for concept, dump_id in pairs(self.root, "concept-course.txt", self.log):
            if dump_id in by_dump_id:
                linked.setdefault(concept, {})[by_dump_id[dump_id]] = None
        for concept, ccid in pairs(self.root, "concept-video.txt", self.log):
            for course_id, _ in self._places.get(ccid, ()):
                linked.setdefault(concept, {})[course_id] = None
        unread = set(linked)
        for _, row in objects(self.root, "concept.json", self.log, key="id", wanted=unread):
            concept = str(row.get("id"))
            unread.discard(concept)
            context = row.get("context")
            yield from self._concept_items(
                linked[concept], concept, str(row.get("name") or concept_name(concept)), context
            )
        for concept in sorted(unread):
            yield from self._concept_items(linked[concept], concept, concept_name(concept), None)
        for what, count in sorted(self._left_out.items()):
            self.log.warning(None, f"{count:,} {what}.", "Nothing to do.")

    def _concept_items(self, courses: Mapping[str, None], concept: str, name: str, context: object) -> Iterator[Item]:
        definition = first_sentences(context, LONGEST_DEFINITION) if isinstance(context, str) else ""
        if isinstance(context, str) and len(" ".join(context.split())) > len(definition):
            self._left_out["contexts were long; their first sentences were kept"] += 1
        for course_id in courses:
            names = self._names.setdefault(course_id, {})
            if name in names:
                self._left_out["concepts of one course have the name of another one and were left out"] += 1
                continue
            names[name] = None
            yield GivenConcept(course_id, concept, name, definition or None)

    def _prerequisites(self) -> Iterator[Item]:
        """The labelled pairs of which both concepts are of the course; of two labels for a pair the first."""
        known = {name for names in self._names.values() for name in names}
        labels: dict[tuple[str, str], int] = {}
        differing = 0
        for prerequisite, concept, label in read_labelled_pairs(self.root, known, self.log):
            differing += labels.setdefault((prerequisite, concept), label) != label
        if differing:
            message = f"{differing:,} labels contradict an earlier one of the same pair and were left out."
            self.log.warning(None, message, "Nothing to do.")
        for course_id, names in self._names.items():
            for (prerequisite, concept), label in sorted(labels.items()):
                if prerequisite in names and concept in names:
                    yield GivenPrerequisite(course_id, prerequisite, concept, label)


def _about(course: DumpCourse) -> str:
    needed = f"\n\n## Prerequisites\n\n{course.prerequisites}" if course.prerequisites else ""
    return f"# {course.title}\n\n{course.about}{needed}\n"
