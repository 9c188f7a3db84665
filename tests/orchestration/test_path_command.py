"""`coteach path`: what to learn first, in order, with where to watch it."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from small_courses import Place

from knowledge_graph.lake.home import DataDir
from orchestration.cli.path_command import ConceptUnknown, GraphMissing, study_path


def path(place: Place, name: str, *, known: tuple[str, ...] = (), as_json: bool = False) -> str:
    printed = io.StringIO()
    console = Console(file=printed, width=200)
    assert study_path(console, name, data_dir=place.data_dir, known=known, course=None, as_json=as_json) == 0
    return printed.getvalue()


pytestmark = pytest.mark.slow


def test_every_step_comes_before_what_needs_it_and_says_where_it_is_taught(built: tuple[Place, int, str]) -> None:
    found = json.loads(path(built[0], "binary search tree", as_json=True))
    names = [step["name"] for step in found["steps"]]
    assert "binary tree" in names
    step = found["steps"][names.index("binary tree")]
    assert step["course_id"] == "structures"
    assert step["watch"]["video_id"] == "02 - Trees"
    assert step["watch"]["end_ms"] > step["watch"]["start_ms"]
    assert step["because"]


def test_what_is_known_is_left_out(built: tuple[Place, int, str]) -> None:
    assert "binary tree  watch" not in path(built[0], "binary search tree", known=("binary trees",))


def test_a_person_reads_the_time_and_the_video(built: tuple[Place, int, str]) -> None:
    assert "binary tree  watch 00:" in path(built[0], "binary search trees")
    assert "of 02 - Trees (structures)" in path(built[0], "binary search trees")


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(built: tuple[Place, int, str]) -> None:
    with pytest.raises(ConceptUnknown, match="'binary tree'"):
        path(built[0], "binery tree")


def test_a_course_that_is_not_built_is_answered_with_those_that_are(built: tuple[Place, int, str]) -> None:
    with pytest.raises(ConceptUnknown, match="sorting, structures"):
        study_path(Console(), "heap", data_dir=built[0].data_dir, known=(), course="nope", as_json=False)


def test_a_home_without_a_graph_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(GraphMissing, match="Run `coteach build` first"):
        study_path(Console(), "heap", data_dir=DataDir(tmp_path), known=(), course=None, as_json=False)


def test_a_very_long_name_is_not_echoed_whole(built: tuple[Place, int, str]) -> None:
    with pytest.raises(ConceptUnknown) as raised:
        path(built[0], "x" * 10_000)
    assert len(str(raised.value)) < 500
