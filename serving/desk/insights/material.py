"""What a course has that answers could refer to: its videos, documents and FAQ entries, read from the built tables."""

from collections.abc import Iterable

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import read_if_whole
from serving.desk.insights.citations import CitableMaterial

_TABLES: tuple[tuple[CourseTable, str, str, str], ...] = (
    ("cues", "video", "video_id", "video_title"),
    ("documents", "document", "document", "title"),
    ("faq", "faq", "origin_id", "question"),
)
"""Table, source, and the columns of name and title."""


def material_of(data_dir: DataDir, courses: Iterable[str]) -> list[CitableMaterial]:
    """Every piece once, by course, source and name."""
    found = {one for course_id in courses for one in _material(data_dir, course_id)}
    return sorted(found, key=lambda one: (one.course_id, one.source, one.name))


def _material(data_dir: DataDir, course_id: str) -> Iterable[CitableMaterial]:
    for table, source, name, title in _TABLES:
        rows = read_if_whole(data_dir.table(table, course_id), (name, title))
        yield from (CitableMaterial(course_id, source, row[name], row[title] or row[name]) for row in rows)
