"""The real daemon over two small courses, alone and beside commands: the short form of `benchmarks/automation.py`."""

import os
import subprocess
import sys

import pytest

from orchestration.project import PROJECT

COMMAND = [sys.executable, str(PROJECT / "benchmarks" / "automation.py"), "--courses", "2"]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_an_edit_two_commands_at_once_and_a_kill_end_in_the_bytes_of_one_build_and_no_run_fails_by_itself() -> None:
    trials = ("--edits", "a FAQ row", "--together", "1", "--kills", "1")
    environment = os.environ | {"COLUMNS": "200"}
    done = subprocess.run([*COMMAND, *trials], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "Seen(name='a FAQ row', runs=1, failed=0" in done.stdout, "one run, from the file to the index"
    assert "the same bytes as one build" in done.stdout
