"""The walk-through of a built home, as somebody new runs it."""

from pathlib import Path

import pytest
from small_courses import Place

from examples.walk_through import main


def test_it_shows_every_stage_of_a_built_home(
    built: tuple[Place, int, str], capsys: pytest.CaptureFixture[str]
) -> None:
    place, _, _ = built
    assert main(["--home", str(place.data_dir.root), "--course", "structures"]) == 0
    printed = capsys.readouterr().out
    for number in range(1, 8):
        assert f"{number}. " in printed
    assert "before it: " in printed
    assert "Searched for: What is " in printed
    assert "candidate " in printed
    assert "reference [1]" in printed
    assert "route " in printed
    assert "mlflow.db" in printed


def test_it_writes_nothing_into_the_home(built: tuple[Place, int, str], capsys: pytest.CaptureFixture[str]) -> None:
    place, _, _ = built
    before = sorted(place.data_dir.root.rglob("*"))
    assert main(["--home", str(place.data_dir.root)]) == 0
    assert sorted(place.data_dir.root.rglob("*")) == before
    assert capsys.readouterr().out


def test_a_home_that_was_not_built_says_what_to_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(tmp_path / "nowhere")]) == 1
    assert "make build" in " ".join(capsys.readouterr().out.split())


def test_an_unknown_course_is_told_with_those_that_there_are(
    built: tuple[Place, int, str], capsys: pytest.CaptureFixture[str]
) -> None:
    place, _, _ = built
    assert main(["--home", str(place.data_dir.root), "--course", "law"]) == 1
    assert "found: sorting, structures" in capsys.readouterr().out
