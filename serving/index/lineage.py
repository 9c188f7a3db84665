"""What each version of the index was built from: a `lineage.json` beside it, written by builds, never by a gateway.

A version is named by its content, so it may be built more than once: every build that read different materializations
is recorded, newest last. The file of a removed version is kept in `past/`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from knowledge_graph.lake.tables import write_text_atomic

FILE = "lineage.json"
PAST = "past"

MOST_BUILDS = 50
"""Most builds recorded for one version. A choice."""

MOST_PAST = 200
"""Most removed versions whose file is kept. A choice: a year of builds on four days a week."""


@dataclass(frozen=True)
class Materialization:
    """One materialization of an asset in Dagster's event log; `partition` is the course, `at` is UTC, ISO 8601."""

    asset: str
    partition: str | None
    run_id: str
    at: str
    data_version: str | None
    code_version: str | None


@dataclass(frozen=True)
class ModelUsed:
    """A model the build used: `what` is `intent` or `embedder`, `run` its MLflow run id or `None` if unknown."""

    what: str
    version: str
    name: str | None = None
    run: str | None = None


@dataclass(frozen=True)
class IndexBuild:
    """What one build read. `at` is UTC, ISO 8601."""

    at: str
    materializations: tuple[Materialization, ...]
    models: tuple[ModelUsed, ...] = ()


@dataclass(frozen=True)
class IndexLineage:
    """The recorded builds of one version, oldest first; none when it was built without Dagster."""

    version: str
    builds: tuple[IndexBuild, ...] = ()

    def at(self, moment: str) -> IndexBuild | None:
        """The newest build at `moment` (UTC, ISO 8601), or the oldest if all are later; `None` without builds."""
        before = [build for build in self.builds if build.at <= moment]
        return before[-1] if before else next(iter(self.builds), None)


def with_build(lineage: IndexLineage, build: IndexBuild) -> IndexLineage:
    """The lineage with the build appended; unchanged if the build read the same as the last one. Pure."""
    if not build.materializations:
        return lineage
    last = lineage.builds[-1] if lineage.builds else None
    if last is not None and (_upstream(last, lineage), last.models) == (_upstream(build, lineage), build.models):
        return lineage
    return IndexLineage(lineage.version, (*lineage.builds, build)[-MOST_BUILDS:])


def _upstream(build: IndexBuild, lineage: IndexLineage) -> tuple[Materialization, ...]:
    """What the build read, without the index's own materialization, which is new in every build."""
    return tuple(one for one in build.materializations if one.data_version != lineage.version)


def record_build(folder: Path, version: str, build: IndexBuild) -> IndexLineage:
    """Add a build to the `lineage.json` of a version in `folder`, in one rename."""
    before = read_lineage(folder, version) or IndexLineage(version)
    after = with_build(before, build)
    if after != before:
        write_lineage(folder / version / FILE, after)
    return after


def write_lineage(path: Path, lineage: IndexLineage) -> None:
    write_text_atomic(path, json.dumps(asdict(lineage), ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def read_lineage(folder: Path, version: str) -> IndexLineage | None:
    """The lineage of a version of the index in `folder`, even a removed one; `None` when no file is left."""
    if not version or version != Path(version).name:
        return None
    for path in (folder / version / FILE, folder / PAST / f"{version}.json"):
        if path.is_file():
            return _read(json.loads(path.read_text(encoding="utf-8")))
    return None


def keep_lineage(folder: Path, removed: Iterable[str]) -> None:
    """Keep the lineage files of versions about to be removed, and delete all but the newest `MOST_PAST` of them."""
    for version in removed:
        lineage = read_lineage(folder, version)
        if lineage is not None and lineage.builds:
            write_lineage(folder / PAST / f"{version}.json", lineage)
    for old in _oldest((folder / PAST).glob("*.json")):
        old.unlink()


def _oldest(files: Iterable[Path]) -> Sequence[Path]:
    newest_first = sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    return newest_first[MOST_PAST:]


def _read(found: dict[str, object]) -> IndexLineage:
    builds = found["builds"]
    assert isinstance(builds, list)
    return IndexLineage(
        str(found["version"]),
        tuple(
            IndexBuild(
                at=build["at"],
                materializations=tuple(Materialization(**one) for one in build["materializations"]),
                models=tuple(ModelUsed(**one) for one in build["models"]),
            )
            for build in builds
        ),
    )
