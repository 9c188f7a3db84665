"""Where the tests' temporary files lie."""

import os
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
