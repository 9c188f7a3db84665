"""Courses without a folder, kept for the console."""

from pathlib import Path

import pytest

from knowledge_graph.lake.gone_courses import keep_gone, read_gone
from knowledge_graph.lake.home import DataDir


def test_what_is_kept_is_read_and_none_removes_it(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    keep_gone(data_dir, {"树": "trees", "heaps": None})
    assert read_gone(data_dir) == {"树": "trees", "heaps": None}
    keep_gone(data_dir, {})
    assert read_gone(data_dir) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damaged", ["", "[1]", "{", "7"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, damaged: str) -> None:
    DataDir(tmp_path).gone_courses.write_text(damaged)
    assert read_gone(DataDir(tmp_path)) == {}
