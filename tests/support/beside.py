"""Programs that wait for most of their time: a run of the tests in several processes starts them first, and the tests
that look at them come last. In one process, or where a run has begun none, a test runs its own.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

_CODE, _PRINTED = "code", "printed"
_TO_END_S = 60
"""For a program that is asked to end: it ends what it started."""


@dataclass(frozen=True)
class ProgramResult:
    """What a program ended with, and what it printed and complained of, in one text."""

    code: int
    printed: str


@dataclass(frozen=True)
class Program:
    """A program that the tests of one file look at."""

    file: str
    """Of the tests, from the project's folder."""
    command: tuple[str, ...]

    def result(self, programs: Path | None) -> ProgramResult:
        """How it ended, once it has: the one whose folder lies in `programs`, or one that is run now."""
        if programs is None:
            done = subprocess.run(
                self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
            return ProgramResult(done.returncode, done.stdout)
        folder = programs / Path(self.file).stem
        while not (folder / _CODE).exists():
            time.sleep(0.5)
        return ProgramResult(int((folder / _CODE).read_text()), (folder / _PRINTED).read_text())


DAEMON_STORY = Program(
    "tests/orchestration/test_daemon.py",
    (
        *(sys.executable, str(PROJECT / "benchmarks" / "automation.py"), "--courses", "2"),
        *("--edits", "a FAQ row", "--upload", "--together", "1", "--kills", "1"),
    ),
)

PROGRAMS = (DAEMON_STORY,)


@contextmanager
def run_programs(tests: Collection[str], folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """Start the programs of the tests that are run. Those still running in the end are asked to end (`SIGTERM`), with
    what they started themselves."""
    running = [
        _begin(one, folder / Path(one.file).stem, environment)
        for one in PROGRAMS
        if any(test.startswith(f"{one.file}::") for test in tests)
    ]
    try:
        yield
    finally:
        for shell in running:
            _end(shell)


def _begin(program: Program, folder: Path, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """A shell that runs a program and then writes its exit code: whole, in one rename."""
    folder.mkdir(parents=True)
    script = f'"$@" >{_PRINTED} 2>&1; echo $? >{_CODE}.part; mv {_CODE}.part {_CODE}'
    command = ["sh", "-c", f'trap : TERM; cd "$0"; {script}', str(folder), *program.command]
    return subprocess.Popen(command, env=dict(environment), start_new_session=True)


def _end(shell: "subprocess.Popen[bytes]") -> None:
    if shell.poll() is None:
        os.killpg(shell.pid, signal.SIGTERM)
        try:
            shell.wait(_TO_END_S)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
