"""Fixtures of the serving tests: a graph, an index and a home made from the rows of `course_rows`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import course_rows as rows
import pytest
from postgres import Postgres, running_postgres

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.store.database import Store, sqlite_url


@pytest.fixture(scope="session")
def graph() -> ConceptGraph:
    return ConceptGraph.from_rows(rows.CONCEPTS, rows.PREREQUISITES, rows.COURSES)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    build_index(rows.tables(tmp_path_factory.mktemp("tables")), folder)
    return folder


@pytest.fixture(scope="session")
def index(built: Path) -> SearchIndex:
    return SearchIndex.open(built)


@pytest.fixture(scope="session")
def whole_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with everything a gateway needs but the intent model, its store too: to be copied."""
    root = rows.write_home(tmp_path_factory.mktemp("whole"))
    Store.open(sqlite_url(DataDir(root).store)).close()
    return root


@pytest.fixture
def home(whole_home: Path, tmp_path: Path) -> Path:
    """A copy of `whole_home`, for one test."""
    return Path(shutil.copytree(whole_home, tmp_path / "home"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> str:
    """A database with our tables, to be copied."""
    name = postgres.new_database()
    Store.open(postgres.url(name)).close()
    return name


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty store, once as a SQLite file and once as a PostgreSQL database."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path / "store.db")
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = server.new_database(template=request.getfixturevalue("migrated"))
    yield server.url(name)
    server.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database that holds nothing: a file that is not there yet, or an empty PostgreSQL database."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path / "new" / "store.db")
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = server.new_database()
    yield server.url(name)
    server.drop(name)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = Store.open(store_url)
    yield opened
    opened.close()
