"""Where the tests' temporary files lie."""

import os
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import memory_disk
import psutil
import pytest

Disk = namedtuple("Disk", "f_flag f_bavail f_frsize")
ENOUGH = memory_disk.NEEDED // 4096


@pytest.fixture(autouse=True)
def roomy(monkeypatch: pytest.MonkeyPatch) -> None:
    have(monkeypatch)


def have(patch: pytest.MonkeyPatch, *, flags: int = 0, blocks: int = ENOUGH, memory: int = memory_disk.NEEDED) -> None:
    patch.setattr(os, "statvfs", lambda _: Disk(flags, blocks, 4096))
    patch.setattr(psutil, "virtual_memory", lambda: namedtuple("Memory", "available")(memory))


def test_they_lie_in_memory_where_there_is_room(tmp_path: Path) -> None:
    assert memory_disk.choose({}, tmp_path) == tmp_path


def test_a_folder_that_somebody_named_stays(tmp_path: Path) -> None:
    assert memory_disk.choose({"TMPDIR": "/scratch"}, tmp_path) is None


@pytest.mark.parametrize("less", [{"flags": os.ST_NOEXEC}, {"blocks": ENOUGH - 1}, {"memory": memory_disk.NEEDED - 1}])
def test_a_folder_of_a_container_that_is_small_or_runs_nothing_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, less: dict[str, int]
) -> None:
    have(monkeypatch, **less)
    assert memory_disk.choose({}, tmp_path) is None


def test_a_machine_without_one_is_as_before(tmp_path: Path) -> None:
    assert memory_disk.choose({}, tmp_path / "none") is None


def test_what_a_killed_run_left_is_removed_and_what_runs_keeps_its_own(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, running, other = (tmp_path / f"coteach-tests-{one}" for one in (ended.pid, os.getpid(), "of-somebody"))
    for folder in (left, running, other):
        (folder / "homes").mkdir(parents=True)
    memory_disk.sweep(tmp_path)
    assert not left.exists()
    assert running.exists()
    assert other.exists()


def test_a_run_leaves_what_failed_tests_left_and_nothing_else(tmp_path: Path) -> None:
    for name in ("passed/empty", "failed"):
        (tmp_path / "run" / name).mkdir(parents=True)
    (tmp_path / "run" / "failed" / "log").touch()
    memory_disk.remove_empty(tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").rglob("*")] == ["failed", "log"]
    (tmp_path / "run" / "failed" / "log").unlink()
    memory_disk.remove_empty(tmp_path / "run")
    assert not (tmp_path / "run").exists()
