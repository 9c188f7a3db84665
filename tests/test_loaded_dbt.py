"""dbt of tests, forked from one that is loaded, does what dbt does that is started."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import dagster_dbt.core.dbt_cli_invocation as dagsters
import pytest
from loaded_dbt import BY_HAND, OF_BUILDS, LoadedDbt, Subprocess

from assets.qa_pairs import dbt_project
from orchestration.building.carried_parse import CARRIED, OPTION, PLACEHOLDERS
from orchestration.cli import dbt_command
from orchestration.resources import DBT_PROJECT, dbt_resource

PLACES = json.dumps({name: "/nowhere" for name in PLACEHOLDERS})
LIST = [OPTION, str(dbt_project.target_path / CARRIED), "ls", "--vars", PLACES, "--profiles-dir", str(DBT_PROJECT)]


def told(program: list[str], arguments: list[str], place: Path, popen: type) -> tuple[int, list[bytes]]:
    """The exit code of dbt and what it says, but for when it said so."""
    environment = os.environ | {"DBT_TARGET_PATH": str(place / "target"), "DBT_LOG_PATH": str(place / "logs")}
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "env": environment, "cwd": DBT_PROJECT}
    process = popen([*program, *arguments], **how)
    with process.stdout as output:
        lines = [line.split(b"  ", 1)[-1] for line in output]  # the first of which is the time
    return process.wait(), lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "arguments"), [(OF_BUILDS, LIST), (BY_HAND, ["build", "--help"])], ids=["of builds", "by hand"]
)
def test_a_fork_says_what_dbt_says_that_is_started(tmp_path: Path, program: list[str], arguments: list[str]) -> None:
    started = told(program, arguments, tmp_path / "started", subprocess.Popen)
    assert started == told(program, arguments, tmp_path / "forked", Subprocess().Popen)
    assert started[0] == 0
    assert len(started[1]) > 10


def test_a_fork_that_is_asked_for_what_is_not_there_fails_as_dbt_does(tmp_path: Path) -> None:
    code, lines = told(OF_BUILDS, ["ls", "--no-such-option"], tmp_path, Subprocess().Popen)
    assert code == 2
    assert b"No such option" in b"".join(lines)


def test_a_fork_can_be_ended_and_says_by_what(tmp_path: Path) -> None:
    process = Subprocess().Popen([*OF_BUILDS, "build"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path)
    process.send_signal(signal.SIGKILL)
    assert process.wait(60) == -signal.SIGKILL
    process.stdout.close()


def test_builds_and_dbt_by_hand_are_started_as_is_known_here() -> None:
    resource = dbt_resource()
    assert [resource.dbt_executable, *resource.global_config_flags] == OF_BUILDS
    assert isinstance(dagsters.subprocess, Subprocess)
    assert isinstance(dbt_command.subprocess, Subprocess)


def test_any_other_program_is_started_as_ever() -> None:
    process = Subprocess().Popen([sys.executable, "-c", "print(1)"], stdout=subprocess.PIPE)
    assert not isinstance(process, LoadedDbt)
    assert process.communicate()[0] == b"1\n"
