"""Whether anything can have changed since a build found everything up to date, judged by file names and times.

The planner (staleness.py) needs Dagster, which takes seconds to load. When neither the code, the settings, the inputs,
what was built nor the event log is another than it was, its answer is known. This module knows that much and no more:
whatever is in doubt goes to the planner.
"""

import hashlib
import json
import os
import re
import sqlite3
import stat
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from knowledge_graph.lake.home import DataDir
from orchestration.project import PROJECT

_CODE = ("assets", "dbt", "knowledge_graph", "models", "orchestration", "serving")
_CODE_SUFFIXES = (".py", ".sql", ".yml", ".yaml", ".toml")
_BUILT = ("lake", "index", "models", "maps", "evaluation")
HAS_STORAGE = re.compile(rb"^(run_|event_log_)?storage:", re.MULTILINE)
"""Whether a `dagster.yaml` says where Dagster's record is."""
_FORMAT = 1
_SETTLED_SECONDS = 2.0
"""A file that changed so shortly before may change again and keep its time: FAT has steps of two seconds."""
_MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class FinishedBuild:
    """A build that ended with nothing left to do: what was so then, and what it told."""

    settings: str
    inputs: str
    built: str
    log: str
    watched: tuple[str, ...]
    """Files and folders that inputs come from."""
    told: tuple[str, ...]
    """Lines to print again: courses, and what was left out of them."""


class Doubt(Exception):
    """Something cannot be told by names and times alone."""


def look(watched: Sequence[str]) -> str | None:
    """A digest of names, sizes and times of the inputs and of the code; None in doubt."""
    try:
        return _look(watched)
    except (Doubt, OSError):
        return None


def _look(watched: Sequence[str]) -> str:
    now = time.time()
    found = hashlib.sha256()
    for place in watched:
        for line, changed in _entries(Path(place), into_links=True):
            if changed > now - _SETTLED_SECONDS:
                raise Doubt(f"{place} changed this moment")
            found.update(line)
    for folder in _CODE:
        for line, _ in _entries(PROJECT / folder, into_links=False, suffixes=_CODE_SUFFIXES):
            found.update(line)
    return found.hexdigest()


def remember(home: Path, inputs: str | None, watched: Sequence[str], told: Sequence[str]) -> None:
    """Keep that everything is up to date. `inputs` was looked at before the build began to plan."""
    from knowledge_graph.lake.tables import write_text_atomic  # noqa: PLC0415  pyarrow takes 0.3 s, the rest 0.1 s

    if inputs is None:
        return
    try:
        known = FinishedBuild(_settings(), inputs, _built(home), _log(home), tuple(watched), tuple(told))
    except (Doubt, OSError, sqlite3.Error):
        return
    write_text_atomic(_file(home), json.dumps({"format": _FORMAT, **asdict(known)}))


def known_up_to_date(home: Path) -> Sequence[str] | None:
    """What was told by the build that found everything up to date, when nothing changed since; None in any doubt."""
    try:
        known = _read(_file(home))
        now = (_settings(), _look(known.watched), _built(home), _log(home))
    except (Doubt, OSError, sqlite3.Error, ValueError, TypeError, KeyError):
        return None
    return known.told if now == (known.settings, known.inputs, known.built, known.log) else None


def _file(home: Path) -> Path:
    return DataDir(home).dagster / "up_to_date.json"


def _read(path: Path) -> FinishedBuild:
    fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if fields.pop("format") != _FORMAT:
        raise Doubt("another format")
    for name in ("watched", "told"):
        fields[name] = tuple(map(str, fields[name]))
    return FinishedBuild(**fields)


def _settings() -> str:
    """The settings as the environment has them, and the interpreter that runs."""
    own: Mapping[str, str] = {name: value for name, value in os.environ.items() if name.startswith("COTEACH_")}
    return _digest(json.dumps([sorted(own.items()), os.getcwd(), sys.version, str(PROJECT)]).encode())


def _built(home: Path) -> str:
    """Names, sizes and times of what was built."""
    lines = (line for folder in _BUILT for line, _ in _entries(home / folder, into_links=False))
    return _digest(*lines)


def _log(home: Path) -> str:
    """Where Dagster's event log ends, and its runs. Raises `Doubt` for an instance that is not kept in the home."""
    folder = DataDir(home).dagster
    newest = _ask(folder / "history" / "runs" / "index.db", "select max(id), count(*) from event_logs")
    runs = _ask(folder / "history" / "runs.db", "select max(id), count(*), max(update_timestamp) from runs")
    keys = _ask(folder / "history" / "runs" / "index.db", "select max(id), count(*) from dynamic_partitions")
    settings = (folder / "dagster.yaml").read_bytes()
    if HAS_STORAGE.search(settings):
        raise Doubt("the event log may be elsewhere")
    return _digest(json.dumps([newest, runs, keys]).encode(), settings)


def _ask(database: Path, query: str) -> list[Any]:
    if not database.is_file():
        raise Doubt(f"{database} is not there")
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        return list(connection.execute(query).fetchone())


def _entries(place: Path, *, into_links: bool, suffixes: tuple[str, ...] = ()) -> Iterator[tuple[bytes, float]]:
    """A line for each file, folder and link below a place, and when it changed. A course may be a link: with
    `into_links` those of the place itself are entered; no other is."""
    waiting = [place]
    seen = 0
    while waiting:
        path = waiting.pop()
        if suffixes and path.name == "__pycache__":
            continue
        found = _stat(path, follow=into_links and path.parent in (place, place.parent))
        seen += 1
        if seen > _MOST_ENTRIES:
            raise Doubt(f"{place} holds very much")
        if found is None:
            yield os.fsencode(f"{path}\0missing\n"), 0.0
        elif stat.S_ISDIR(found.st_mode):
            waiting += sorted((path / name for name in os.listdir(path)), reverse=True)
            # With suffixes the folder's own time says nothing: compiled code is written into it.
            yield os.fsencode(f"{path}\0folder\n"), 0.0
        elif not suffixes or path.suffix in suffixes:
            link = os.readlink(path) if path.is_symlink() else ""
            told = (found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
            yield os.fsencode(f"{path}\0{link}\0{told}\n"), max(found.st_mtime, found.st_ctime)


def _stat(path: Path, *, follow: bool) -> os.stat_result | None:
    try:
        return path.stat() if follow else path.lstat()
    except FileNotFoundError:
        return None


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()
