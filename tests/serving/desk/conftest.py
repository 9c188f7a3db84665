"""Fixtures of the desk's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_rows import people

from serving.store.database import Store, sqlite_url


@pytest.fixture
def desk(store: Store) -> Store:
    """A store that knows two TAs, one of another course, and two students; on both databases."""
    store.write(people)
    return store


@pytest.fixture
def small_desk(tmp_path: Path) -> Iterator[Store]:
    """The same in a file alone, where the database is not the subject."""
    opened = Store.open(sqlite_url(tmp_path / "store.db"))
    opened.write(people)
    yield opened
    opened.close()
