"""Seals: what a published file was, so that a file that was cut, changed or lost since is found and named.

A seal is told with the materialization that wrote the file (`orchestration.reporting.tables.facts_of_files`); the
planner compares. Size and the last bytes are looked at each time; a file whose time of change is another one is read
whole, as is every file when a person asks for it (`coteach build --verify`).
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.tables import digest

POINTER = "CURRENT"
"""A file that names the folder in use beside it. People write it too, so it is whole when there is such a folder."""

_END = 64
"""Last bytes that are compared: the footer of a Parquet file ends there, and what a cut file lost."""
_PARQUET = b"PAR1"


@dataclass(frozen=True)
class Seal:
    """One file as it was published. `end` is the SHA-256 of its last bytes, `content` of all of them."""

    size: int
    changed_ns: int
    end: str
    content: str


def seals_of(path: Path) -> dict[str, Seal]:
    """The seal of a file, or of each file of a folder, by its path in it ("" for a file itself)."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        return {each.relative_to(path).as_posix(): _seal(each) for each in files}
    return {"": _seal(path)} if path.name != POINTER else {}


def flaw_in(path: Path, seals: Mapping[str, Seal], *, full: bool = False) -> str | None:
    """What is wrong with a published file or folder, as the end of a sentence that names it; `None` when it is whole.

    Without seals, as in homes of before there were any, only what shows without them is found.
    """
    if not path.exists():
        return "is gone"
    if path.name == POINTER:
        return _pointing_nowhere(path)
    if not seals:
        return _without_footer(path)
    broken = {
        inside: what
        for inside, seal in seals.items()
        if (what := _find_damage(path / inside if inside else path, seal, full=full))
    }
    told = "; ".join(f"{f'its file {inside}' if inside else 'it'} {what}" for inside, what in broken.items())
    return f"is damaged: {told}" if told else None


def _seal(path: Path) -> Seal:
    found = path.stat()
    return Seal(found.st_size, found.st_mtime_ns, _end(path), digest(path))


def _find_damage(path: Path, seal: Seal, *, full: bool) -> str | None:
    try:
        found = path.stat()
        if found.st_size != seal.size:
            return f"has {found.st_size:,} bytes, {seal.size:,} were written"
        if _end(path) != seal.end or ((full or found.st_mtime_ns != seal.changed_ns) and digest(path) != seal.content):
            return "has other bytes than were written"
        _settle_time(path, found, seal)
    except FileNotFoundError:
        return "is gone"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None


def _settle_time(path: Path, found: os.stat_result, seal: Seal) -> None:
    """A copied home has other times: with the old one back, the file need not be read whole each time."""
    if found.st_mtime_ns != seal.changed_ns and os.access(path, os.W_OK):
        os.utime(path, ns=(found.st_atime_ns, seal.changed_ns))


def _end(path: Path) -> str:
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _END))
        return hashlib.sha256(stream.read()).hexdigest()[:16]


def _pointing_nowhere(path: Path) -> str | None:
    try:
        name = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return "is damaged: it cannot be read"
    if name and name == Path(name).name and (path.parent / name).is_dir():
        return None
    return f"is damaged: it names {name[:40]!r}, and there is no such folder"


def _without_footer(path: Path) -> str | None:
    if path.suffix != ".parquet" or not path.is_file():
        return None
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - len(_PARQUET)))
        return None if stream.read() == _PARQUET else "is damaged: it ends before its end"
