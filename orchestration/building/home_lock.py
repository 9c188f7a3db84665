"""One writer per home: every build holds its lock, whether a command, the daemon or Dagster's pages started it.

The lock is the kernel's (`flock`), so that it is free as soon as its owner is dead, however it died; what the file says
of the owner is for people. Readers take no lock: whatever they read is replaced in one rename.
"""

import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_text_atomic
from knowledge_graph.lake.writer_lease import HomeBusy

_POLL_S = 0.2
_TOLD_EACH_S = 30.0
_TO_LOCK_S = 5.0
"""From making the file of a run to locking it."""
_KEPT_S = 7 * 86_400.0
"""How long the file of a run is kept that nobody asks about."""


@dataclass(frozen=True)
class HomeWriter:
    """Who writes in a home."""

    owner: str
    pid: int
    host: str
    since: float
    """Seconds since the epoch."""

    def __str__(self) -> str:
        return f"{self.owner} (process {self.pid} on {self.host}, for {max(0.0, time.time() - self.since):.0f} s)"


_held: dict[Path, int] = {}
"""How often this process has taken the lock of each home: a command that builds runs what takes it again."""


@contextmanager
def writing(
    data_dir: DataDir, owner: str, *, wait: bool = True, tell: Callable[[str], None] = lambda _: None
) -> Iterator[None]:
    """Be the one writer of a home. While another is, wait and `tell` so; without `wait`, raise `HomeBusy`.

    What a writer that died had staged is removed: nobody else can be writing it. Where it had lent its lock, whoever
    borrowed it may live on for a moment, and is waited for.
    """
    path = data_dir.writer_lock.absolute()
    if path in _held:
        _held[path] += 1
        try:
            yield
        finally:
            _held[path] -= 1
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        _acquire(lock.fileno(), data_dir, wait=wait, tell=tell)
        with data_dir.borrowers_lock.open("a") as borrowers:
            _acquire(borrowers.fileno(), data_dir, wait=wait, tell=tell)
        _held[path] = 1
        try:
            write_text_atomic(data_dir.writer, json.dumps(asdict(_writer(owner))) + "\n")
            shutil.rmtree(data_dir.staging, ignore_errors=True)
            yield
        finally:
            del _held[path]
            data_dir.writer.unlink(missing_ok=True)


@contextmanager
def borrow_lock(data_dir: DataDir, lender: HomeWriter) -> Iterator[None]:
    """Write in a home whose writer is another process, the `lender`, that waits for this one and lends its lock.

    Should the lender die first, the next writer waits for this one. Raises `HomeBusy` where the lender is the writer no
    more.
    """
    path = data_dir.writer_lock.absolute()
    with data_dir.borrowers_lock.open("a") as borrowers:
        if not (_try(borrowers.fileno(), fcntl.LOCK_SH) and _is_locked(path) and _read_writer(data_dir) == lender):
            raise HomeBusy(f"{lender} lent the lock of {data_dir.root}, and is its writer no more.")
        _held[path] = _held.get(path, 0) + 1
        try:
            yield
        finally:
            _held[path] -= 1
            if not _held[path]:
                del _held[path]


def is_held(data_dir: DataDir) -> bool:
    """Whether this process is the home's writer, or borrows its lock."""
    return data_dir.writer_lock.absolute() in _held


def writer_of(data_dir: DataDir) -> HomeWriter | None:
    """Who writes in a home now; `None` when nobody does."""
    path = data_dir.writer_lock
    if path.absolute() not in _held and not (path.exists() and _is_locked(path)):
        return None
    return _read_writer(data_dir) or HomeWriter("somebody", 0, "this host", time.time())


_living: dict[Path, int] = {}
"""The file of the run that this process began last, with its descriptor."""


def show_alive(data_dir: DataDir, run_id: str) -> None:
    """Let others see that a run is alive: its file is locked until this process ends or begins another run. Twice is
    once.

    Nothing unlocks it when the run is over, for only Dagster's record can say so: a process that is killed between its
    last step and that record is gone like any other.
    """
    path = data_dir.run_alive(run_id).absolute()
    if path in _living:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    _forget_old(path.parent)
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(file, fcntl.LOCK_EX)
    while _living:
        os.close(_living.popitem()[1])
    _living[path] = file


def life_of(data_dir: DataDir, run_id: str) -> bool | None:
    """Whether a run is alive: `False` when its process is gone, `None` when none of ours began it yet."""
    path = data_dir.run_alive(run_id)
    try:
        return _is_locked(path) or time.time() - path.stat().st_mtime < _TO_LOCK_S
    except FileNotFoundError:
        return None


def _forget_old(folder: Path) -> None:
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _KEPT_S and not _is_locked(path):
                path.unlink()


def _acquire(lock: int, data_dir: DataDir, *, wait: bool, tell: Callable[[str], None]) -> None:
    started, told_at = time.monotonic(), -_TOLD_EACH_S
    while not _try(lock, fcntl.LOCK_EX):
        waited = time.monotonic() - started
        owner = _read_writer(data_dir)
        if not wait and waited > 2 * _POLL_S:  # a look at the lock holds it for a moment
            raise HomeBusy(f"{owner or 'Somebody'} writes in {data_dir.root}. Try again when it is done.")
        if wait and waited > 2 * _POLL_S and waited - told_at >= _TOLD_EACH_S:
            tell(f"Waiting until {owner or 'another writer'} is done with {data_dir.root} …")
            told_at = waited
        time.sleep(_POLL_S)


def _is_locked(path: Path) -> bool:
    with path.open("r") as file:
        return not _try(file.fileno(), fcntl.LOCK_SH)


def _try(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _writer(owner: str) -> HomeWriter:
    return HomeWriter(owner, os.getpid(), socket.gethostname(), time.time())


def _read_writer(data_dir: DataDir) -> HomeWriter | None:
    try:
        return HomeWriter(**json.loads(data_dir.writer.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
