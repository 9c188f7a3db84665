"""Homes that several files of tests look at, built once in a run."""

from pathlib import Path

import pytest
from built_homes import built_from
from small_courses import Place, write_two_courses


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, int, str]:
    """Two small courses, built once; tests only look. The place, the exit code and what was printed."""
    return built_from(tmp_path_factory, write_two_courses, tmp_path_factory.mktemp("two-courses") / "place")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that starts from a built home is slow: the first of them builds it."""
    for item in items:
        if item.path.parent == Path(__file__).parent and "built" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
