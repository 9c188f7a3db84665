"""Homes that several files of tests look at, built once."""

import pytest
from small_courses import Place, write_two_courses


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, int, str]:
    """Two small courses, built once; tests only look. The place, the exit code and what was printed."""
    place = Place(tmp_path_factory.mktemp("two-courses"))
    write_two_courses(place.courses)
    return place, *place.build()
