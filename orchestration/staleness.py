"""What has to be built again: an asset is stale when what it reads has another version than when it last ran.

Pure over `History`; reading Dagster's event log is `InstanceHistory`. Dagster's own automation is edge-triggered and
needs a daemon; this is level-triggered, so that a build on a laptop repeats exactly what failed or changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import dagster as dg

_CODE_VERSION = "dagster/code_version"
_DATA_VERSION = "dagster/data_version"
ALSO_WRITTEN = "also_written"
"""Metadata of assets that write more than the file of their `dagster/uri`: a list of paths."""

TALLY = "tally"
"""Metadata of external assets: how often what was done, ever growing, such as `answer approved`: 7."""

WHEN_MISSING = {"coteach/rebuild": "when_missing"}
"""Tag of assets that are built once and never again by themselves."""


@dataclass(frozen=True)
class Event:
    """One materialization: its place in the log and the versions it recorded."""

    storage_id: int
    data_version: str | None
    code_version: str | None
    run_succeeded: bool
    """False when the run failed, was interrupted, or a blocking check in it failed."""
    artefacts: tuple[Path, ...] = ()
    """The files it wrote, as far as it named them."""
    tally: Mapping[str, int] = field(default_factory=dict)


class History(Protocol):
    """The newest event of an asset (and partition), or the newest before a place in the log."""

    def newest(self, key: dg.AssetKey, partition: str | None, *, before: int | None = None) -> Event | None: ...


@dataclass(frozen=True)
class Target:
    """An asset as the planner needs to know it."""

    key: dg.AssetKey
    deps: tuple[dg.AssetKey, ...]
    partitioned: bool
    code_version: str | None
    when_missing: bool
    fixed: tuple[str, ...] = ()
    """Its partitions where they are no courses, but known beforehand."""


def targets_of(defs: dg.Definitions) -> dict[dg.AssetKey, Target]:
    """Every asset and external asset, in topological order."""
    specs = {spec.key: spec for spec in defs.resolve_all_asset_specs()}
    ordered = defs.resolve_asset_graph().toposorted_asset_keys
    return {
        key: Target(
            key=key,
            deps=tuple(sorted(dep.asset_key for dep in specs[key].deps)),
            partitioned=specs[key].partitions_def is not None,
            code_version=specs[key].code_version,
            when_missing=WHEN_MISSING.items() <= specs[key].tags.items(),
            fixed=_fixed(specs[key].partitions_def),
        )
        for key in ordered
        if key in specs
    }


def stale_reason(
    target: Target,
    partition: str | None,
    history: History,
    targets: Mapping[dg.AssetKey, Target],
    partitions: Sequence[str],
) -> str | None:
    """Why `target` must run, in words for a person; None when it is up to date."""
    last = history.newest(target.key, partition)
    if last is None:
        return "never built"
    gone = next((path for path in last.artefacts if not path.exists()), None)
    if gone is not None:
        return f"{gone} is gone"
    if target.code_version != last.code_version:
        return "its code changed"
    if target.when_missing:
        return None
    if not last.run_succeeded:
        return "its last run did not succeed"
    for dep in target.deps:
        if dep not in targets:
            continue
        for dep_partition in _partitions_read(targets[dep], target, partition, partitions):
            then = history.newest(dep, dep_partition, before=last.storage_id)
            now = history.newest(dep, dep_partition)
            if (then and then.data_version) != (now and now.data_version):
                of_course = f" of {dep_partition}" if dep_partition and dep_partition != partition else ""
                return _done_since(then, now, of_course) or f"{dep.to_user_string()}{of_course} changed"
    return None


def _done_since(then: Event | None, now: Event | None, of_course: str) -> str | None:
    """What was done between two looks: `2 answers of sorting approved since`; None when nothing was counted."""
    before = then.tally if then else {}
    done = []
    for name, count in (now.tally if now else {}).items():
        noun, verb = name.split(" ", 1)
        more = count - before.get(name, 0)
        if more > 0:
            done.append(f"{more} {noun}{'s' if more > 1 else ''}{of_course} {verb}")
    return f"{', '.join(done)} since" if done else None


def _partitions_read(
    dep: Target, target: Target, partition: str | None, partitions: Sequence[str]
) -> Sequence[str | None]:
    """The same partition where both have the same ones, else all that there are."""
    if not dep.partitioned:
        return [None]
    if partition is not None and dep.fixed == target.fixed:
        return [partition]
    return dep.fixed or partitions


def _fixed(definition: dg.PartitionsDefinition | None) -> tuple[str, ...]:
    return tuple(definition.get_partition_keys()) if isinstance(definition, dg.StaticPartitionsDefinition) else ()


def closure(stale: set[dg.AssetKey], among: Sequence[Target]) -> list[dg.AssetKey]:
    """`stale` and everything of `among` that reads from it, in the order of `among` (topological)."""
    chosen: set[dg.AssetKey] = set()
    for target in among:
        if target.key in stale or (not target.when_missing and chosen.intersection(target.deps)):
            chosen.add(target.key)
    return [target.key for target in among if target.key in chosen]


def _artefacts(metadata: Mapping[str, dg.MetadataValue[Any]]) -> tuple[Path, ...]:
    found = [metadata["dagster/uri"].value] if "dagster/uri" in metadata else []
    more = metadata[ALSO_WRITTEN].value if ALSO_WRITTEN in metadata else []
    return tuple(Path(str(path)) for path in [*found, *(more if isinstance(more, list) else [])])


def _tally(metadata: Mapping[str, dg.MetadataValue[Any]]) -> Mapping[str, int]:
    told = metadata[TALLY].value if TALLY in metadata else None
    return {str(name): int(count) for name, count in told.items()} if isinstance(told, dict) else {}


class InstanceHistory:
    """The event log of a Dagster instance."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self._instance = instance
        self._succeeded: dict[str, bool] = {}

    def newest(self, key: dg.AssetKey, partition: str | None, *, before: int | None = None) -> Event | None:
        wanted = dg.AssetRecordsFilter(
            key, asset_partitions=[partition] if partition else None, before_storage_id=before
        )
        for record in self._instance.fetch_materializations(wanted, limit=1).records:
            event = record.asset_materialization
            tags = (event.tags if event else None) or {}
            return Event(
                storage_id=record.storage_id,
                data_version=tags.get(_DATA_VERSION),
                code_version=tags.get(_CODE_VERSION),
                run_succeeded=self._run_succeeded(record.event_log_entry.run_id),
                artefacts=_artefacts(event.metadata if event else {}),
                tally=_tally(event.metadata if event else {}),
            )
        return None

    def _run_succeeded(self, run_id: str) -> bool:
        if run_id not in self._succeeded:
            run = self._instance.get_run_by_id(run_id)
            self._succeeded[run_id] = run is None or run.is_success
        return self._succeeded[run_id]
