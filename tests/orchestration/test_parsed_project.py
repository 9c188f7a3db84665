"""dbt's project is parsed once, whole, by whoever of several processes starts first."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestration.building import parsed_project as parsing
from orchestration.building.parsed_project import ProjectUnparsable, parsed_project
from orchestration.project import PROJECT
from orchestration.resources import DBT_PROJECT

IMPORTED = ("orchestration", "assets", "knowledge_graph", "models", "serving")
STARTED_AT_ONCE = 3
MODELS = {"qa_pairs", "stg_faq"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh checkout: everything but what dbt made of its project."""
    place = tmp_path / "checkout"
    for name in IMPORTED:
        shutil.copytree(PROJECT / name, place / name)
    shutil.copytree(PROJECT / "dbt", place / "dbt", ignore=shutil.ignore_patterns("target"))
    return place


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A folder to parse the project to."""
    return tmp_path / "target"


def models(manifest: Path) -> set[str]:
    return {node["name"] for node in json.loads(manifest.read_text())["nodes"].values()}


def start(checkout: Path, home: Path) -> "subprocess.Popen[str]":
    env = os.environ | {"PYTHONPATH": str(checkout), "COTEACH_HOME": str(home)}
    program = [sys.executable, "-c", "import assets.qa_pairs"]
    return subprocess.Popen(program, cwd=checkout, env=env, stderr=subprocess.PIPE, text=True)


def seen_whole(manifest: Path, starting: list["subprocess.Popen[str]"]) -> Iterator[int]:
    """The file's inode at each look while processes run; fails when one is not whole."""
    while any(process.poll() is None for process in starting):
        if manifest.exists():
            with manifest.open() as file:
                inode = os.fstat(file.fileno()).st_ino
                json.load(file)
            yield inode


def test_processes_that_start_at_once_parse_once_and_none_ever_reads_half(checkout: Path, tmp_path: Path) -> None:
    starting = [start(checkout, tmp_path / f"home-{number}") for number in range(STARTED_AT_ONCE)]
    manifest = checkout / "dbt" / "target" / "manifest.json"
    made = set(seen_whole(manifest, starting))
    assert [(process.communicate()[1], process.returncode) for process in starting] == [("", 0)] * STARTED_AT_ONCE
    assert len(made) == 1
    assert models(manifest) >= MODELS


def test_a_manifest_that_is_half_one_and_half_another_is_parsed_again(target: Path) -> None:
    manifest = parsed_project([target]).target / "manifest.json"
    whole = manifest.read_text()
    manifest.write_text(whole[: len(whole) // 2] + whole)
    assert set(parsed_project([target]).manifest["nodes"]) == set(json.loads(whole)["nodes"])
    assert models(manifest) >= MODELS
    assert not (target / ".parsing").exists()


def test_what_is_parsed_is_read_and_not_parsed_again_until_a_file_of_the_project_changes(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = shutil.copytree(DBT_PROJECT, tmp_path / "dbt", ignore=shutil.ignore_patterns("target"))
    monkeypatch.setattr(parsing, "DBT_PROJECT", project)
    parsed_project([target])
    manifest = target / "manifest.json"
    before = manifest.stat().st_ino
    assert parsed_project([target]).target == target
    assert manifest.stat().st_ino == before
    (project / "models" / "marts" / "qa_pairs.sql").touch()
    parsed_project([target])
    assert manifest.stat().st_ino != before


def test_a_project_that_may_not_be_written_is_parsed_into_the_next_place(target: Path, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    read_only = tmp_path / "a file" / "target"
    assert parsed_project([read_only, target]).target == target
    with pytest.raises(ProjectUnparsable, match=r"nothing can be written to .*a file.*--home"):
        parsed_project([read_only])
