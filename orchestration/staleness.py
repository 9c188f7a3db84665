"""What has to be built again: an asset is stale when what it reads has another version than when it last ran.

Pure over `History`; reading Dagster's event log is `InstanceHistory`. Dagster's own automation is edge-triggered and
needs a daemon; this is level-triggered, so that a build on a laptop repeats exactly what failed or changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import dagster as dg

_CODE_VERSION = "dagster/code_version"
_DATA_VERSION = "dagster/data_version"
ALSO_WRITTEN = "also_written"
"""Metadata of assets that write more than the file of their `dagster/uri`: a list of paths."""

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
        for dep_partition in _partitions_read(targets[dep], partition, partitions):
            then = history.newest(dep, dep_partition, before=last.storage_id)
            now = history.newest(dep, dep_partition)
            if (then and then.data_version) != (now and now.data_version):
                name = dep.to_user_string() + (f" of {dep_partition}" if partition is None and dep_partition else "")
                return f"{name} changed"
    return None


def _partitions_read(dep: Target, partition: str | None, partitions: Sequence[str]) -> Sequence[str | None]:
    if not dep.partitioned:
        return [None]
    return [partition] if partition is not None else partitions


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
            )
        return None

    def _run_succeeded(self, run_id: str) -> bool:
        if run_id not in self._succeeded:
            run = self._instance.get_run_by_id(run_id)
            self._succeeded[run_id] = run is None or run.is_success
        return self._succeeded[run_id]
