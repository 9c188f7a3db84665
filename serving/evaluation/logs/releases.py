"""Releases that charts over time mark: a YAML list of `at` (a day) and `name`."""

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import yaml

from knowledge_graph.lake.problems import CoteachError


class ReleasesUnreadable(CoteachError):
    """A file of releases with something else in it."""


@dataclass(frozen=True)
class DatedRelease:
    """What was put in use, and the first day of it."""

    at: date
    name: str


def read_releases(path: Path) -> tuple[DatedRelease, ...]:
    """The releases by day. Raises `ReleasesUnreadable` with the entry that is wrong."""
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ReleasesUnreadable(f"{path}: there is no such file. Set COTEACH_EVAL_RELEASES to one that is.") from error
    except OSError as error:
        raise ReleasesUnreadable(f"{path} cannot be read: {error.strerror or error}.") from error
    except (yaml.YAMLError, ValueError) as error:  # a day that no month has is a ValueError of PyYAML
        raise ReleasesUnreadable(f"{path}: expected YAML with days as 2022-07-01; {error}") from error
    if not isinstance(entries, list):
        raise ReleasesUnreadable(f"{path}: expected a list of at and name; found {type(entries).__name__}.")
    found = [_release(path, number, entry) for number, entry in enumerate(entries, 1)]
    return tuple(sorted(found, key=lambda one: (one.at, one.name)))


def _release(path: Path, number: int, entry: object) -> DatedRelease:
    if isinstance(entry, dict) and set(entry) == {"at", "name"}:
        at, name = entry["at"], entry["name"]
        day = at.date() if isinstance(at, datetime) else at
        if isinstance(day, date) and isinstance(name, str) and name.strip():
            return DatedRelease(day, name.strip())
    raise ReleasesUnreadable(
        f"{path}, entry {number}: expected at (a day, 2022-07-01) and name (a text); found {str(entry)[:100]}."
    )
