"""What an empty conversation offers: the courses open to the visitor, whether one has a catalogue, examples to ask."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CourseCard, Lang, Mode
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import read_if_whole
from serving.gateway.knowledge import Knowledge
from serving.pages.words import words
from serving.store.caller import Caller

EXAMPLES = 4

LONGEST_EXAMPLE = 90
"""Characters; longer questions make poor buttons. A choice."""

MOST_LOOKED_AT = 64
"""Rows of the FAQ from which examples are taken. A choice: most are short enough."""

COURSES_REMEMBERED = 256
"""Courses whose examples are kept in memory until they are built anew. A choice."""

Stamps = tuple[int, ...]
"""When each of the tables with examples was written, in nanoseconds; 0 for one that is not there."""

WITH_EXAMPLES: tuple[CourseTable, ...] = ("faq", "concepts", "catalog_pages")

MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class Start:
    """The choices for one course; `course_id` is `None` for all of them at once."""

    course_id: str | None
    title: str | None
    has_catalogue: bool
    examples: tuple[str, ...]
    has_map: bool = False
    """Whether there is a concept map of the course to look at."""


def open_courses(knowledge: Knowledge, caller: Caller) -> list[CourseCard]:
    """The courses this caller may ask, by title."""
    return sorted((one for one in knowledge.courses if caller.may_see(one.course_id)), key=lambda one: one.title)


def choose(courses: Sequence[CourseCard], wanted: Iterable[str | None], *, all_at_once: bool) -> str | None:
    """The first of `wanted` that is open; else all courses (`None`) where that is allowed, or the first."""
    ids = [one.course_id for one in courses]
    found = next((one for one in wanted if one in ids), None)
    if found is not None or (all_at_once and len(ids) != 1):
        return found
    return ids[0] if ids else None


def start_of(course_id: str | None, courses: Sequence[CourseCard], data_dir: DataDir, lang: Lang) -> Start:
    """Examples are of courses in the visitor's language where there are some. Reads the lake: call it in a thread."""
    asked = [one for one in courses if course_id in (None, one.course_id)]
    title = asked[0].title if course_id is not None and asked else None
    has_catalogue = any(_read(data_dir, "catalog_pages", one.course_id, "mode") for one in asked)
    spoken = [one for one in asked if one.lang == lang] or asked
    per_course = [examples_of(one, data_dir) for one in spoken]
    has_map = bool(asked) and course_id is not None and _has_map(data_dir, course_id)
    return Start(course_id, title, has_catalogue, taking_turns(per_course, EXAMPLES), has_map)


def _has_map(data_dir: DataDir, course_id: str) -> bool:
    """Whether a concept map is drawn, and shows anything."""
    return data_dir.concept_map(course_id).is_file() and bool(_read(data_dir, "concepts", course_id, "concept_id"))


def examples_of(course: CourseCard, data_dir: DataDir) -> list[str]:
    """Questions of the course's FAQ, what its first concepts are, and its classes, one after the other."""
    paths = (data_dir.table(table, course.course_id) for table in WITH_EXAMPLES)
    stamps = tuple(path.stat().st_mtime_ns if path.is_file() else 0 for path in paths)
    return list(_examples(data_dir, course.course_id, course.lang, stamps))


@lru_cache(maxsize=COURSES_REMEMBERED)
def _examples(data_dir: DataDir, course_id: str, lang: Lang, stamps: Stamps) -> tuple[str, ...]:
    asked = [str(row["question"]) for row in _read(data_dir, "faq", course_id, "question")[:MOST_LOOKED_AT]]
    concepts = _read(data_dir, "concepts", course_id, "name", "rank", "definition")
    first = sorted((row for row in concepts if row["definition"]), key=lambda row: (row["rank"], row["name"]))
    classes = [row for row in _read(data_dir, "catalog_pages", course_id, "code", "title", "mode") if row["code"]]
    say = words("chat", lang)
    lists = (
        asked,
        [say("what_is", concept=row["name"]) for row in first],
        [say("class_about", name=f"{row['code']} {row['title']}") for row in classes if row["mode"] == "class"],
    )
    short = [[one for one in listed if one and len(one) <= LONGEST_EXAMPLE][:EXAMPLES] for listed in lists]
    return taking_turns(short, EXAMPLES)


def taking_turns(lists: Sequence[Sequence[str]], most: int) -> tuple[str, ...]:
    """The first of each, then the second of each, and so on, each once."""
    longest = max((len(one) for one in lists), default=0)
    mixed = [one[place] for place in range(longest) for one in lists if place < len(one)]
    return tuple(dict.fromkeys(mixed))[:most]


def mode_of(named: object, *, has_catalogue: bool) -> Mode | None:
    """The catalogue expert that is asked; `None`, everything, where there is no catalogue."""
    known: Mapping[object, Mode] = {mode: mode for mode in MODES}
    return known.get(named) if has_catalogue else None


def _read(data_dir: DataDir, table: CourseTable, course_id: str, *columns: str) -> list[dict[str, Any]]:
    return read_if_whole(data_dir.table(table, course_id), columns)
