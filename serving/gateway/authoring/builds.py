"""Builds that the console starts: one at a time for a home, each a process of its own with a folder in the home.

Whether one runs is told by a lock that its process holds, so every gateway over the home sees the same, also one that
was started meanwhile. The build itself takes its turn with those of the daemon by the home's own lock.
"""

import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import write_text_atomic

BuildState = Literal["running", "done", "failed", "cancelled", "lost"]
"""`lost`: its process was killed and could not say how it ended. What it built is kept."""

KEPT_BUILDS = 20
LOG_BYTES = 200_000
"""The end of a log that is read."""
_COLUMNS = "1000"
"""So that no line of a build is broken where a terminal would."""
_BUILD = (sys.executable, "-m", "coteach", "build")
_RUN = (sys.executable, "-m", "serving.gateway.authoring.build_process")


class BuildRunning(CoteachError):
    """There is a build already."""


class BuildUnknown(CoteachError):
    """There is no such build."""


@dataclass(frozen=True)
class StartedBuild:
    """A build as it was started. `course_id` is `None` for all courses."""

    build_id: str
    course_id: str | None
    by: str
    started_at: str
    pid: int


@dataclass(frozen=True)
class BuildStatus:
    """A build and how it goes."""

    build: StartedBuild
    state: BuildState
    ended_at: str | None


class BuildRoom:
    """The builds of one home. `courses` is the folder of course folders; `command` is what builds."""

    def __init__(
        self, data_dir: DataDir, courses: Path, *, is_single: bool = False, command: tuple[str, ...] = _BUILD
    ) -> None:
        self._data_dir, self._courses, self._is_single, self._command = data_dir, courses, is_single, command

    @property
    def _folder(self) -> Path:
        return self._data_dir.console_builds

    def start(self, course_id: str | None, *, by: str) -> StartedBuild:
        """Start a build of one course, or of all, and of what is made of all. Raises `BuildRunning`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            if not _try_lock(lock):
                raise BuildRunning("A build is running already. Wait until it is done, then start the next.")
            return self._start(course_id, by, lock)
        finally:
            os.close(lock)

    def cancel(self, build_id: str) -> None:
        """Ask a running build to stop; it finishes the step it is at. Raises `BuildUnknown` when it does not run."""
        status = self.status(build_id)
        with suppress(ProcessLookupError):
            process = os.pidfd_open(status.build.pid)
            try:
                # Looked at again: while the lock is held, the number is that process's and no other's.
                if self.status(build_id).state != "running":
                    raise BuildUnknown("This build does not run any more.")
                signal.pidfd_send_signal(process, signal.SIGINT)
                return
            finally:
                os.close(process)
        raise BuildUnknown("This build does not run any more.")

    def status(self, build_id: str) -> BuildStatus:
        """Raises `BuildUnknown`."""
        folder = self._folder / build_id
        if not build_id.replace("-", "").isalnum() or not (folder / "build.json").is_file():
            raise BuildUnknown("There is no such build; the last twenty are kept.")
        build = StartedBuild(**json.loads((folder / "build.json").read_text(encoding="utf-8")))
        # The lock first: a process writes its outcome and then ends.
        is_held = build_id == self._newest() and self._is_held()
        outcome = _outcome(folder)
        if outcome is not None:
            code, is_cancelled, ended_at = outcome
            state: BuildState = "done" if code == 0 else "cancelled" if is_cancelled else "failed"
            return BuildStatus(build, state, ended_at)
        return BuildStatus(build, "running" if is_held else "lost", None)

    def list_builds(self) -> list[BuildStatus]:
        """Those that are kept, newest first."""
        return [self.status(build_id) for build_id in reversed(self._ids())]

    def lines(self, build_id: str) -> list[str]:
        """What a build printed, the end of it."""
        try:
            with (self._folder / build_id / "log").open("rb") as log:
                size = log.seek(0, os.SEEK_END)
                log.seek(max(0, size - LOG_BYTES))
                text = log.read().decode("utf-8", "replace")
        except FileNotFoundError:
            return []
        return text.splitlines()[1 if size > LOG_BYTES else 0 :]

    def _start(self, course_id: str | None, by: str, lock: int) -> StartedBuild:
        self._forget_old()
        build_id = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{secrets.token_hex(2)}"
        folder = self._folder / build_id
        folder.mkdir()
        only = () if course_id is None else (f"--only={course_id}",)
        process = subprocess.Popen(
            [*_RUN, str(folder), *self._command, *only],
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(lock,),
        )
        threading.Thread(target=process.wait, name="build", daemon=True).start()  # it leaves no zombie
        started = datetime.now(UTC).isoformat(timespec="seconds")
        build = StartedBuild(build_id, course_id, by, started, process.pid)
        write_text_atomic(folder / "build.json", json.dumps(asdict(build), ensure_ascii=False) + "\n")
        return build

    def _environment(self) -> dict[str, str]:
        own = {
            "COTEACH_HOME": str(self._data_dir.root.absolute()),
            "COTEACH_COURSES": str(self._courses),
            "COLUMNS": _COLUMNS,
            "PYTHONUNBUFFERED": "1",
        }
        return {**os.environ, **own, **({"COTEACH_SINGLE_COURSE": "true"} if self._is_single else {})}

    def _is_held(self) -> bool:
        """Whether a build's process holds the lock. Looking at it holds it for a moment."""
        try:
            lock = os.open(self._folder / "lock", os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            return not _try_lock(lock, shared=True)
        finally:
            os.close(lock)

    def _ids(self) -> list[str]:
        try:
            return sorted(path.name for path in self._folder.iterdir() if (path / "build.json").is_file())
        except FileNotFoundError:
            return []

    def _newest(self) -> str | None:
        return next(reversed(self._ids()), None)

    def _forget_old(self) -> None:
        for build_id in self._ids()[: -KEPT_BUILDS + 1]:
            shutil.rmtree(self._folder / build_id, ignore_errors=True)


def _outcome(folder: Path) -> tuple[int, bool, str] | None:
    try:
        told = json.loads((folder / "outcome.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    ended = datetime.fromtimestamp(told["ended_at"], UTC).isoformat(timespec="seconds")
    return int(told["code"]), bool(told["cancelled"]), ended


def _try_lock(lock: int, *, shared: bool = False) -> bool:
    """Somebody who only looks holds it for a moment, so it is tried a few times."""
    for _ in range(1 if shared else 5):
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)
        else:
            return True
    return False
