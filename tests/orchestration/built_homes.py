"""Small homes that several modules of tests start from, each built once in a run and copied."""

from collections.abc import Callable
from pathlib import Path

import pytest
from prepared import prepare
from small_courses import Place


def built_from(factory: pytest.TempPathFactory, write: Callable[[Path], None], to: Path) -> tuple[Place, int, str]:
    """A place in the new folder `to`, as a build made it of the courses that `write` writes; the exit code, and what
    was printed, as if it had been built there. It is built once in a run of the tests.
    """

    def build(folder: Path) -> tuple[int, str, str]:
        place = Place(folder)
        write(place.courses)
        return *place.build(), str(folder)

    prepared = prepare(factory, write.__name__, build)
    code, printed, folder = prepared.said
    return Place(prepared.copy(to)), code, printed.replace(folder, str(to))


def copied(factory: pytest.TempPathFactory, write: Callable[[Path], None], name: str) -> Place:
    """The same below a new folder `name`, where the build went well."""
    place, code, printed = built_from(factory, write, factory.mktemp(name) / "place")
    assert code == 0, printed
    return place
