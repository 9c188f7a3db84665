"""dbt's project is parsed once, whole, by whoever of several processes starts first."""

import json
import os
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestration.building import parsed_project as parsing
from orchestration.building.carried_parse import CARRIED, OPTION, PLACEHOLDERS, place_manifest
from orchestration.building.parsed_project import ProjectUnparsable, find_carried_options, load_parsed_project
from orchestration.project import PROJECT
from orchestration.resources import DBT_PROJECT, dbt_resource

pytestmark = pytest.mark.slow

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
    """The file's inode whenever it changed while processes run; fails when it is not whole then."""
    before = None
    while any(process.poll() is None for process in starting):
        time.sleep(0.001)
        if manifest.exists():
            with manifest.open() as file:
                now = os.fstat(file.fileno())
                if (now.st_ino, now.st_size, now.st_mtime_ns) != before:
                    before = (now.st_ino, now.st_size, now.st_mtime_ns)
                    json.load(file)
                    yield now.st_ino


def test_processes_that_start_at_once_parse_once_and_none_ever_reads_half(checkout: Path, tmp_path: Path) -> None:
    starting = [start(checkout, tmp_path / f"home-{number}") for number in range(STARTED_AT_ONCE)]
    manifest = checkout / "dbt" / "target" / "manifest.json"
    made = set(seen_whole(manifest, starting))
    assert [(process.communicate()[1], process.returncode) for process in starting] == [("", 0)] * STARTED_AT_ONCE
    assert len(made) == 1
    assert models(manifest) >= MODELS


def test_a_manifest_that_is_half_one_and_half_another_is_parsed_again(target: Path) -> None:
    manifest = load_parsed_project([target]).target / "manifest.json"
    whole = manifest.read_text()
    manifest.write_text(whole[: len(whole) // 2] + whole)
    assert set(load_parsed_project([target]).manifest["nodes"]) == set(json.loads(whole)["nodes"])
    assert models(manifest) >= MODELS
    assert not (target / ".parsing").exists()


def test_what_is_parsed_is_read_and_not_parsed_again_until_a_file_of_the_project_changes(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = shutil.copytree(DBT_PROJECT, tmp_path / "dbt", ignore=shutil.ignore_patterns("target"))
    monkeypatch.setattr(parsing, "DBT_PROJECT", project)
    read = load_parsed_project([target])
    assert find_carried_options(read) == [OPTION, str(target / CARRIED)]
    manifest = target / "manifest.json"
    before = manifest.stat().st_ino
    assert load_parsed_project([target]).target == target
    assert manifest.stat().st_ino == before
    (project / "models" / "marts" / "qa_pairs.sql").touch()
    assert find_carried_options(read) == []
    read = load_parsed_project([target])
    assert manifest.stat().st_ino != before
    assert find_carried_options(read)
    (project / "models" / "marts" / "qa_pairs.sql").unlink()
    assert find_carried_options(read) == [], "nor of a project that lost a file"


@pytest.fixture(scope="module")
def carried() -> Path:
    """What builds of this checkout read."""
    return load_parsed_project([DBT_PROJECT / "target"]).target / CARRIED


def facts(manifest: Any) -> dict[str, Any]:
    """All that dbt parsed, without when and for which places."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: timeless(each) for key, each in value.items() if key not in ("created_at", "modification_time")
            }
        return [timeless(each) for each in value] if isinstance(value, list) else value

    whole = manifest.to_dict()
    return {key: timeless(each) for key, each in whole.items() if key not in ("metadata", "state_check")}


def test_what_was_parsed_before_is_for_each_home_what_dbt_parses_there(carried: Path, tmp_path: Path) -> None:
    places = {"home": "/data/a home", "lake": "/data/a home/dbt/lake"}
    arguments = ["parse", "--quiet", "--no-partial-parse", "--vars", json.dumps(places)]
    dbt_resource().cli(arguments, target_path=tmp_path).wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of dbt among itself
        from dbt.contracts.graph.manifest import Manifest
        from dbt.parser.manifest import extended_mashumuro_decoder

        parsed = Manifest.from_msgpack(
            (tmp_path / "partial_parse.msgpack").read_bytes(), decoder=extended_mashumuro_decoder
        )
        parsed.build_flat_graph()
        placed = place_manifest(carried, places)
    assert "/data/a home/dbt/lake/{name}/*.parquet" in json.dumps(facts(placed)["sources"])
    assert len(facts(placed)["nodes"]) > 60
    assert facts(placed) == facts(parsed)


@pytest.mark.parametrize(
    "trouble", ["another version", "an environment", "half a file", "no file", "another variable", "no variables"]
)
def test_what_cannot_be_used_is_parsed_as_dbt_does(
    trouble: str, carried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, places = tmp_path / CARRIED, dict(PLACEHOLDERS)
    own.write_bytes(carried.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert place_manifest(own, places) is not None
    match trouble:
        case "another version":
            monkeypatch.setattr("dbt.version.__version__", "1.0.0")
        case "an environment":
            own.write_bytes(own.read_bytes().replace(b"\xa8env_vars\x80", b"\xa8env_vars\x81\xa1A\xa1b"))
        case "half a file":
            own.write_bytes(own.read_bytes()[:1000])
        case "no file":
            own.unlink()
        case "another variable":
            places["counted"] = "/elsewhere"
        case "no variables":
            places.clear()
    assert place_manifest(own, places) is None


def test_a_project_that_may_not_be_written_is_parsed_into_the_next_place(target: Path, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    read_only = tmp_path / "a file" / "target"
    assert load_parsed_project([read_only, target]).target == target
    with pytest.raises(ProjectUnparsable, match=r"nothing can be written to .*a file.*--home"):
        load_parsed_project([read_only])


def test_a_project_is_checked_where_it_is_parsed_and_not_again_where_what_was_parsed_is_used(
    carried: Path, tmp_path: Path
) -> None:
    """It is used while no file of the project is newer. To check a few lines takes a seventh of dbt's time."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "dbt_project.yml").write_text((DBT_PROJECT / "dbt_project.yml").read_text() + "colour: red\n")
    ask = ["ls", "--quiet", "--project-dir", str(project), "--vars", json.dumps(PLACEHOLDERS)]
    told = dbt_resource().cli(ask, target_path=tmp_path / "target", raise_on_error=False).wait().get_error()
    assert "'colour' was unexpected" in str(told)
    assert dbt_resource().cli([*ask, OPTION, str(carried)], target_path=tmp_path / "target").wait().is_successful()
