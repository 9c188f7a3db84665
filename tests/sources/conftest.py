"""A course folder in a temporary directory, written by the test that reads it."""

from pathlib import Path

import pytest
from course_files import WriteCourse

from knowledge_graph.sources.course import CourseFolder


@pytest.fixture
def write_course(tmp_path: Path) -> WriteCourse:
    """Write `{path: content}` into a course folder named `trees`."""

    def write(files: dict[str, str | bytes]) -> CourseFolder:
        folder = tmp_path / "trees"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return CourseFolder("trees", folder)

    return write
