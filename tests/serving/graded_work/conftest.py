"""A home with graded work, made once and copied for each test."""

import shutil
from pathlib import Path

import pytest
from graded_home import write_graded_home


@pytest.fixture(scope="session")
def whole_graded_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_graded_home(tmp_path_factory.mktemp("graded"))


@pytest.fixture
def graded(whole_graded_home: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole_graded_home, tmp_path / "graded"))
