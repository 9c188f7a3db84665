"""Programs that are begun with a run of the tests."""

import sys
import time
from pathlib import Path

import beside
import pytest
from beside import Program, ProgramResult, run_programs

TELLS = "import os, sys; print(os.environ['SAID']); print('trouble', file=sys.stderr); sys.exit(3)"
ENDS_WHAT_IT_STARTED = """
import signal, sys, time
from pathlib import Path
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
try:
    Path(sys.argv[1]).touch()
    time.sleep(600)
finally:
    Path(sys.argv[1]).unlink()
"""


def program(code: str, *arguments: str) -> Program:
    return Program("tests/test_something.py", (sys.executable, "-u", "-c", code, *arguments))


def test_a_test_is_told_what_came_of_the_program_that_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tells = program(TELLS)
    monkeypatch.setattr(beside, "PROGRAMS", (tells,))
    with run_programs(["tests/test_something.py::test_it"], tmp_path, {"SAID": "with the run"}):
        assert tells.result(tmp_path) == ProgramResult(3, "with the run\ntrouble\n")


def test_without_one_that_was_begun_a_test_runs_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAID", "by the test")
    assert program(TELLS).result(None) == ProgramResult(3, "by the test\ntrouble\n")


def test_each_process_of_a_run_of_several_is_told_where_programs_were_begun(
    programs_beside: Path | None, request: pytest.FixtureRequest
) -> None:
    if hasattr(request.config, "workerinput"):
        assert programs_beside is not None
        assert programs_beside.is_dir()
    else:
        assert programs_beside is None


def test_nothing_is_begun_for_tests_that_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "PROGRAMS", (program(TELLS),))
    with run_programs(["tests/test_something_else.py::test_it"], tmp_path, {}):
        assert not list(tmp_path.iterdir())


def test_what_still_runs_in_the_end_ends_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    monkeypatch.setattr(beside, "PROGRAMS", (program(ENDS_WHAT_IT_STARTED, str(started)),))
    with run_programs(["tests/test_something.py::test_it"], tmp_path / "run", {}):
        while not started.exists():
            time.sleep(0.05)
    assert not started.exists()
