"""What an index version was made of: `lineage.json` beside it, written by the build and never by a gateway.

A version is named by its content, so that it may be built more than once; each build that read other materializations
is kept, newest last. Of versions that were removed the file stays in `past/`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from knowledge_graph.lake.tables import write_text_atomic

FILE = "lineage.json"
PAST = "past"

MOST_BUILDS = 50
"""Builds of one version that are kept, a choice."""

MOST_PAST = 200
"""Removed versions of which the file is kept, a choice: a year of builds on four days a week."""


@dataclass(frozen=True)
class Materialization:
    """One materialization of an asset as Dagster's event log has it; `partition` is the course, `at` UTC, ISO 8601."""

    asset: str
    partition: str | None
    run_id: str
    at: str
    data_version: str | None
    code_version: str | None


@dataclass(frozen=True)
class ModelUsed:
    """A model that was in use: `what` is `intent` or `embedder`; `run` its MLflow run id, `None` when not known."""

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
    """Of one version, oldest build first; no builds where it was made without Dagster."""

    version: str
    builds: tuple[IndexBuild, ...] = ()

    def at(self, moment: str) -> IndexBuild | None:
        """The newest build at a time (UTC, ISO 8601), the oldest for a time before all; `None` when there is none."""
        before = [build for build in self.builds if build.at <= moment]
        return before[-1] if before else next(iter(self.builds), None)


def with_build(lineage: IndexLineage, build: IndexBuild) -> IndexLineage:
    """The lineage with one more build; the same when it read what the last one read. Pure."""
    if not build.materializations:
        return lineage
    last = lineage.builds[-1] if lineage.builds else None
    if last is not None and (_upstream(last, lineage), last.models) == (_upstream(build, lineage), build.models):
        return lineage
    return IndexLineage(lineage.version, (*lineage.builds, build)[-MOST_BUILDS:])


def _upstream(build: IndexBuild, lineage: IndexLineage) -> tuple[Materialization, ...]:
    """Without the index's own materialization, which every build makes anew."""
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
    """Of a version of the index in `folder`, also of one that was removed; `None` when nothing was kept."""
    if not version or version != Path(version).name:
        return None
    for path in (folder / version / FILE, folder / PAST / f"{version}.json"):
        if path.is_file():
            return _read(json.loads(path.read_text(encoding="utf-8")))
    return None


def keep_lineage(folder: Path, removed: Iterable[str]) -> None:
    """Keep the file of versions about to be removed; of the kept ones only the newest `MOST_PAST` stay."""
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
