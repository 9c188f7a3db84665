"""A home of the sample catalogue with its schedule, and who is asked over it."""

import pytest
from asker import Asker
from semester_rows import asker, semester_home

from knowledge_graph.lake.home import DataDir


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> DataDir:
    return semester_home(tmp_path_factory.mktemp("semester") / "home")


@pytest.fixture
def ask(home: DataDir) -> Asker:
    return asker(home)
