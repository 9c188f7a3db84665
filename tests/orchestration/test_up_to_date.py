"""A build with nothing to do is known by names and times; whatever is in doubt goes to the planner."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from knowledge_graph.lake.home import DataDir
from orchestration.building import up_to_date
from orchestration.building.up_to_date import known_up_to_date, look, remember

TOLD = ("Courses in /courses: trees", "  ! folder is no course")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that a build found up to date, with one course of one file."""
    monkeypatch.setattr(up_to_date, "_SETTLED_SECONDS", -60.0)
    courses, home = tmp_path / "courses", tmp_path / "home"
    (courses / "trees").mkdir(parents=True)
    (courses / "trees" / "01.srt").write_text("1\n")
    (home / "lake" / "cues").mkdir(parents=True)
    (home / "lake" / "cues" / "trees.parquet").write_text("PAR1")
    log = DataDir(home).dagster / "history" / "runs"
    log.mkdir(parents=True)
    (DataDir(home).dagster / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
    for name, tables in (("runs/index.db", ("event_logs", "dynamic_partitions")), ("runs.db", ("runs",))):
        with closing(sqlite3.connect(log.parent / name)) as database, database:
            for table in tables:
                database.execute(f"create table {table} (id integer primary key, update_timestamp text)")
                database.execute(f"insert into {table} values (1, 'then')")
    watched = [str(courses), str(home / "store.db")]
    remember(home, look(watched), watched, TOLD)
    return home


def execute(database: Path, statement: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement)


def test_nothing_changed_and_the_same_is_told_again(home: Path) -> None:
    assert known_up_to_date(home) == TOLD


def history(home: Path) -> Path:
    return DataDir(home).dagster / "history"


CHANGES: dict[str, Callable[[Path], object]] = {
    "a cue": lambda home: (home.parent / "courses/trees/01.srt").write_text("2\n"),
    "a touched file": lambda home: os.utime(home.parent / "courses/trees/01.srt", ns=(1, 1)),
    "a new course": lambda home: (home.parent / "courses/heaps").mkdir(),
    "a link": lambda home: (home.parent / "courses/trees/more").symlink_to("/proc/self"),
    "a lost file": lambda home: (home.parent / "courses/trees/01.srt").unlink(),
    "a store": lambda home: (home / "store.db").write_text("made"),
    "a damaged table": lambda home: (home / "lake/cues/trees.parquet").write_text("PAR"),
    "a lost table": lambda home: (home / "lake/cues/trees.parquet").unlink(),
    "an event": lambda home: execute(history(home) / "runs/index.db", "insert into event_logs values (2, 'now')"),
    "a wiped event": lambda home: execute(history(home) / "runs/index.db", "delete from event_logs"),
    "a run that goes on": lambda home: execute(history(home) / "runs.db", "update runs set update_timestamp = 'now'"),
    "a lost log": lambda home: (history(home) / "runs/index.db").unlink(),
    "a log elsewhere": lambda home: (DataDir(home).dagster / "dagster.yaml").write_text("storage:\n  postgres: {}\n"),
    "a cut record": lambda home: (DataDir(home).dagster / "up_to_date.json").write_text("{"),
    "another format": lambda home: (DataDir(home).dagster / "up_to_date.json").write_text(json.dumps({"format": 0})),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_goes_to_the_planner(home: Path, change: str) -> None:
    CHANGES[change](home)
    assert known_up_to_date(home) is None


def test_another_setting_goes_to_the_planner(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_EMBED_LIMIT", "3")
    assert known_up_to_date(home) is None


def test_other_code_goes_to_the_planner(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "code" / "assets").mkdir(parents=True)
    monkeypatch.setattr(up_to_date, "PROJECT", tmp_path / "code")
    watched = [str(tmp_path / "courses")]
    remember(home, look(watched), watched, ())
    assert known_up_to_date(home) == ()
    (tmp_path / "code" / "assets" / "faq.py").write_text("code_version = 2\n")
    assert known_up_to_date(home) is None


def test_what_changed_this_moment_is_not_remembered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up_to_date, "_SETTLED_SECONDS", 60.0)
    assert look([str(home.parent / "courses")]) is None
    assert known_up_to_date(home) is None


def test_a_linked_course_is_looked_into(home: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "01.srt").write_text("1\n")
    (tmp_path / "courses" / "linked").symlink_to(tmp_path / "elsewhere")
    watched = [str(tmp_path / "courses")]
    remember(home, look(watched), watched, ())
    (tmp_path / "elsewhere" / "01.srt").write_text("3\n")
    assert known_up_to_date(home) is None


def test_the_look_loads_neither_dagster_nor_what_computes() -> None:
    heavy = "{'dagster', 'torch', 'spacy', 'pyarrow', 'dbt', 'mlflow', 'sklearn', 'pandas', 'nicegui'}"
    code = f"import sys, orchestration.cli.main; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_planning_loads_neither_torch_nor_spacy_nor_mlflow() -> None:
    heavy = "{'torch', 'spacy', 'mlflow', 'transformers', 'sklearn', 'pandas', 'dagster._daemon'}"
    code = "import sys, orchestration.cli.build_command; from orchestration.definitions import defs; defs()\n"
    code += f"print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
