"""Temporary files in memory, where the machine has room for them.

SQLite waits for the disk at every commit: Dagster's event log and MLflow's database commit some three thousand times in
one build of a small home, and each wait is milliseconds. What tests write need not outlast a power cut.
"""

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
NEEDED = 6 * 2**30
"""Bytes that must be free in the folder and in memory. A run of all tests holds 3 GB at once."""


def choose(environ: Mapping[str, str], folder: Path = MEMORY) -> Path | None:
    """The folder where a run's temporary files go; `None` for where they go anyway.

    A `TMPDIR` that is set is a person's choice. A folder from which nothing may be run does not do: the tests start a
    PostgreSQL and installed environments from theirs. Containers often have such a one, and a small one.
    """
    if "TMPDIR" in environ or not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return None
    there = os.statvfs(folder)
    if there.f_flag & os.ST_NOEXEC or there.f_bavail * there.f_frsize < NEEDED:
        return None
    return folder if psutil.virtual_memory().available >= NEEDED else None


def use() -> None:
    """Let this process, and those that it starts, have their temporary files in memory where they may."""
    if (folder := choose(os.environ)) is not None:
        sweep(folder)
        own = folder / f"coteach-tests-{os.getpid()}"
        own.mkdir(mode=0o711, exist_ok=True)  # PostgreSQL runs as another user, from a folder in it that is open to all
        os.environ["TMPDIR"] = str(own)
        tempfile.tempdir = None  # it is asked for anew
        atexit.register(remove_empty, own)


def remove_empty(folder: Path) -> None:
    """Remove a folder as far as nothing lies in it; what failed tests leave there stays until the next run."""
    for inside, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            os.rmdir(inside)


def sweep(folder: Path) -> None:
    """Remove what runs left in memory whose process is gone: one that is killed leaves gigabytes, and pytest itself
    keeps them for three days.
    """
    for left in folder.glob("coteach-tests-*"):
        pid = re.fullmatch(r"coteach-tests-(\d+)", left.name)
        if pid and not psutil.pid_exists(int(pid[1])):
            shutil.rmtree(left, ignore_errors=True)
