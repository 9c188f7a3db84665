"""dbt's project as dbt parsed it: Dagster needs the manifest to know the models, whoever starts first.

Builds of several homes share one project. One process parses at a time, into a folder of its own, and what it made
takes its place in one rename: whoever reads the manifest meanwhile reads the one before, whole.
"""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import move_lastingly
from orchestration.building.carried_parse import CARRIED, OPTION, PLACEHOLDERS
from orchestration.resources import DBT_PROJECT, dbt_resource

_MANIFEST = "manifest.json"
_PARTIAL = "partial_parse.msgpack"
"""What dbt knows of each file of the project, to parse only what changed since."""


class ProjectUnparsable(CoteachError):
    """dbt cannot parse its project, or nothing may be written where the result would lie."""


@dataclass(frozen=True)
class ParsedProject:
    """Where dbt parsed the project to, and the manifest that it wrote there."""

    target: Path
    manifest: Mapping[str, Any]


def load_parsed_project(places: Iterable[Path]) -> ParsedProject:
    """The project as it is now, from the first of these target folders that has it or that may be written.

    It is parsed when a file of it is missing, unreadable or older than a file of the project. Raises
    `ProjectUnparsable` when no place may be written.
    """
    refused = []
    for target in places:
        if (manifest := _current(target)) is not None:
            return ParsedProject(target, manifest)
        try:
            lock = _open_lock(target)
        except OSError as error:
            refused.append(f"{target} ({error.strerror})")
            continue
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # the kernel gives it back when its owner dies
            return ParsedProject(target, _current(target) or _parse(target))  # who held it before may have parsed
    raise ProjectUnparsable(
        f"dbt's project {DBT_PROJECT} is to be parsed, and nothing can be written to {' nor to '.join(refused)}. "
        "Make one of them writable, or name another home with --home or COTEACH_HOME."
    )


def find_carried_options(project: ParsedProject) -> list[str]:
    """What lets builds' dbt read what was parsed, unless a file of the project changed since this process read it."""
    carried = project.target / CARRIED
    is_current = carried.exists() and carried.stat().st_mtime >= _newest_source()
    return [OPTION, str(carried)] if is_current else []


def drop_older_parse(target: Path) -> None:
    """Remove what dbt parsed into a target folder before a file of the project changed.

    dbt means to parse only what changed since, and then finds twice what moved from one YAML file to another.
    """
    parsed = target / _PARTIAL
    if parsed.exists() and parsed.stat().st_mtime < _newest_source():
        parsed.unlink()


def _newest_source() -> float:
    """When a file that dbt parses was changed, added or removed last, in seconds since the epoch."""
    made = {DBT_PROJECT / name for name in ("target", "logs")}
    sources = (path for path in DBT_PROJECT.rglob("*") if made.isdisjoint((path, *path.parents)))
    return max(path.stat().st_mtime for path in sources)


def _current(target: Path) -> dict[str, Any] | None:
    path = target / _MANIFEST
    with suppress(OSError, ValueError):
        if min(path.stat().st_mtime, (target / CARRIED).stat().st_mtime) >= _newest_source():
            return _read(path)
    return None


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _open_lock(target: Path) -> TextIO:
    """The file that is locked by whoever parses into this folder."""
    target.mkdir(parents=True, exist_ok=True)
    return (target / ".parsing.lock").open("a")


def _parse(target: Path) -> dict[str, Any]:
    made = target / ".parsing"
    shutil.rmtree(made, ignore_errors=True)  # of a parser that was killed
    began = time.time()  # a file that changes while dbt reads is newer than what dbt made of it
    arguments = ["parse", "--quiet", "--no-partial-parse", "--vars", json.dumps(PLACEHOLDERS)]
    dbt_resource().cli(arguments, target_path=made).wait()
    manifest = _read(made / _MANIFEST)
    for name, kept in ((_PARTIAL, CARRIED), (_MANIFEST, _MANIFEST)):
        os.utime(made / name, (began, began))
        move_lastingly(made / name, target / kept)
    shutil.rmtree(made, ignore_errors=True)
    return manifest
