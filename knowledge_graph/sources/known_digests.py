"""Digests of input files that were read before: a file with the same name, size, times and place on the disk is not
read again.

A file that changed just before it was read is read again the next time: within the resolution of a time stamp it may
have changed once more. The table may be removed at any time.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from knowledge_graph.lake.tables import write_text_atomic

_FORMAT = 1
_SETTLED_SECONDS = 2.0
"""FAT keeps times in steps of two seconds."""
_TOLD_EVERY_SECONDS = 5.0
UNREADABLE = "unreadable"

Stamp = tuple[int, int, int, int]
"""Size, time of change of content and of its entry (ns), inode."""


def content_digest(path: Path) -> str:
    """SHA-256 of a file; `UNREADABLE` of what is none or may not be read. A pipe or a device would be waited for."""
    try:
        if not path.is_file():
            return UNREADABLE
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return UNREADABLE


@dataclass
class KnownDigests:
    """The digests of one home's inputs, by any name that tells two files apart."""

    path: Path | None
    trusted: bool = True
    """Whether names and times are enough; `coteach build --verify` reads everything."""
    on_line: Callable[[str], None] = lambda line: None
    read: int = 0
    """Files that had to be read."""
    _before: dict[str, tuple[Stamp, str]] = field(default_factory=dict)
    _now: dict[str, tuple[Stamp, str]] = field(default_factory=dict)
    _read_bytes: int = 0
    _told_at: float = field(default_factory=time.monotonic)

    @classmethod
    def load(
        cls, path: Path | None, *, trusted: bool = True, on_line: Callable[[str], None] = lambda line: None
    ) -> "KnownDigests":
        """What was kept in `path`, if anything; without one every file is read and nothing is kept."""
        return cls(path, trusted, on_line, _before={} if path is None else _read(path))

    def digest(self, name: str, path: Path) -> str:
        """The digest of a file, from before where nothing tells that it changed."""
        stamp, changed = _stamp(path)
        known = self._before.get(name)
        if stamp is None:
            return content_digest(path)
        if self.trusted and known is not None and known[0] == stamp:
            self._now[name] = known
            return known[1]
        started = time.time()
        found = content_digest(path)
        self._tell(stamp[0])
        if found != UNREADABLE and _stamp(path)[0] == stamp and changed < started - _SETTLED_SECONDS:
            self._now[name] = (stamp, found)
        return found

    def save(self) -> None:
        """Keep what was asked for this time; a home that cannot be written to keeps nothing."""
        if self.path is None or self._now == self._before:
            return
        try:
            write_text_atomic(self.path, json.dumps({"format": _FORMAT, "files": self._now}))
        except OSError:
            return

    def _tell(self, size: int) -> None:
        self.read += 1
        self._read_bytes += size
        if time.monotonic() - self._told_at > _TOLD_EVERY_SECONDS:
            self._told_at = time.monotonic()
            self.on_line(f"{self.read:,} input files read, {self._read_bytes / 1e6:,.0f} MB")


def _stamp(path: Path) -> tuple[Stamp | None, float]:
    try:
        found = os.stat(path)
    except OSError:
        return None, 0.0
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino), max(found.st_mtime, found.st_ctime)


def _read(path: Path) -> dict[str, tuple[Stamp, str]]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["format"] != _FORMAT:
            return {}
        return {name: ((*map(int, stamp),), str(digest)) for name, (stamp, digest) in kept["files"].items()}  # type: ignore[misc]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
