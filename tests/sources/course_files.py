"""The type of the fixture that writes a course folder."""

from collections.abc import Callable

from knowledge_graph.sources.course import CourseFolder

WriteCourse = Callable[[dict[str, str | bytes]], CourseFolder]
