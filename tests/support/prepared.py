"""Folders that a run of the tests makes once, whichever of its processes asks first; each story goes on from a copy.

A home can be copied: nothing in it says where it lies. So what many tests start from is built by the first of them.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_DONE = "made.json"


@dataclass(frozen=True)
class Prepared:
    """A folder as it was made, which nobody opens, and what its maker said of it."""

    folder: Path
    said: Any

    def copy(self, to: Path) -> Path:
        """All of it in a new folder `to`."""
        return Path(shutil.copytree(self.folder, to))


def prepare(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Any]) -> Prepared:
    """What `make` put into the folder it was given, once in a run; it returns what JSON can hold.

    Other processes wait meanwhile. When `make` raises, so does this, and the next who asks makes it anew.
    """
    place = _of_the_run(factory) / "prepared" / name
    place.mkdir(parents=True, exist_ok=True)
    folder, done = place / "folder", place / _DONE
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            done.write_text(json.dumps(make(folder)))
    return Prepared(folder, json.loads(done.read_text()))


def _of_the_run(factory: pytest.TempPathFactory) -> Path:
    """The folder that all processes of a run share: pytest-xdist gives each one of its own below it."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
