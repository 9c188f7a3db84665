"""What has to be built again: an asset is stale when what it reads has another version than when it last ran.

Pure over `History` and the files that it names; reading Dagster's event log is `InstanceHistory`. Dagster's own
automation is edge-triggered; this is level-triggered, so that a build on a laptop, and the daemon, repeat exactly what
failed, changed or was damaged.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.seals import Seal, flaw_in
from orchestration.building.event_log import (
    ALSO_WRITTEN,
    SEALS,
    TALLY,
    URI,
    NewestRecord,
    newest_before,
    newest_of_partitions,
    newest_of_whole,
)

_RUNS_AT_ONCE = 500
_CODE_VERSION = "dagster/code_version"
_DATA_VERSION = "dagster/data_version"
NEVER_BUILT = "never built"
"""Reason of what has no materialization."""

WHEN_MISSING = {"coteach/rebuild": "when_missing"}
"""Tag of assets that are built once and never again by themselves."""


@dataclass(frozen=True)
class Artefact:
    """A file or folder that a materialization wrote, and what it was then; no seals where none were told."""

    path: Path
    seals: Mapping[str, Seal] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    """One materialization: its place in the log and the versions it recorded."""

    storage_id: int
    data_version: str | None
    code_version: str | None
    run_succeeded: bool
    """False when the run failed, was interrupted, or a blocking check in it failed."""
    artefacts: tuple[Artefact, ...] = ()
    """What it wrote, as far as it named it."""
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
    together: frozenset[dg.AssetKey] = frozenset()
    """What one step makes with it; views over the lake are as old as the run that made them, so none runs alone."""


def targets_of(defs: dg.Definitions) -> dict[dg.AssetKey, Target]:
    """Every asset and external asset, in topological order."""
    specs = {spec.key: spec for spec in defs.resolve_all_asset_specs()}
    graph = defs.resolve_asset_graph()
    ordered = graph.toposorted_asset_keys
    return {
        key: Target(
            key=key,
            deps=tuple(sorted(dep.asset_key for dep in specs[key].deps)),
            partitioned=specs[key].partitions_def is not None,
            code_version=specs[key].code_version,
            when_missing=WHEN_MISSING.items() <= specs[key].tags.items(),
            fixed=_static_keys(specs[key].partitions_def),
            together=_together(graph.get(key).assets_def),
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
    *,
    verify: bool = False,
) -> str | None:
    """Why `target` must run, in words for a person; None when it is up to date. `verify` reads what it wrote whole."""
    last = history.newest(target.key, partition)
    if last is None:
        return NEVER_BUILT
    if flaws := describe_flaws(flaws_of(last, verify=verify)):
        return flaws
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


def flaws_of(event: Event, *, verify: bool = False) -> Iterator[tuple[Path, str]]:
    """What a materialization wrote and is not as it was, each with what is wrong with it."""
    for one in event.artefacts:
        if what := flaw_in(one.path, one.seals, full=verify):
            yield one.path, what


def describe_flaws(flaws: Iterable[tuple[Path, str]]) -> str:
    """Every damaged file, each with what is wrong with it; nothing where nothing is."""
    return "; ".join(f"{path} {what}" for path, what in flaws)


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


def _together(definition: dg.AssetsDefinition) -> frozenset[dg.AssetKey]:
    return frozenset(definition.keys) if definition.is_executable else frozenset()


def _static_keys(definition: dg.PartitionsDefinition | None) -> tuple[str, ...]:
    return tuple(definition.get_partition_keys()) if isinstance(definition, dg.StaticPartitionsDefinition) else ()


def closure(stale: set[dg.AssetKey], among: Sequence[Target]) -> list[dg.AssetKey]:
    """`stale`, what is made together with it, and everything of `among` that reads from it, in the order of `among`
    (topological)."""
    chosen: set[dg.AssetKey] = set()
    for target in among:
        if target.key in stale or (not target.when_missing and chosen.intersection(target.deps)):
            chosen |= {target.key, *target.together}
    return [target.key for target in among if target.key in chosen]


def _artefacts(metadata: Mapping[str, Any], home: DataDir) -> tuple[Artefact, ...]:
    """What was written, where it lies now: homes of before names were told have the paths of where they lay then."""
    found = [metadata[URI]] if URI in metadata else []
    more, seals = metadata.get(ALSO_WRITTEN), metadata.get(SEALS)
    names = [str(name) for name in [*found, *(more if isinstance(more, list) else [])]]
    return tuple(Artefact(home.built(name), _seals(seals, name)) for name in names)


def _seals(told: object, name: str) -> Mapping[str, Seal]:
    of_name = told.get(name) if isinstance(told, dict) else None
    return {inside: Seal(*each) for inside, each in of_name.items()} if isinstance(of_name, dict) else {}


def _tally(metadata: Mapping[str, Any]) -> Mapping[str, int]:
    told = metadata.get(TALLY)
    return {str(name): int(count) for name, count in told.items()} if isinstance(told, dict) else {}


class InstanceHistory:
    """The event log of a Dagster instance. What was read is kept, until `forget` says that it may be another."""

    def __init__(self, instance: dg.DagsterInstance, home: DataDir) -> None:
        self._instance, self._home = instance, home
        self._succeeded: dict[str, bool] = {}
        self._whole: set[dg.AssetKey] = set()
        """Assets of which every partition was read."""
        self._newest: dict[tuple[dg.AssetKey, str | None], NewestRecord | None] = {}
        self._events: dict[int, Event] = {}

    def load(self, targets: Collection[Target], partitions: Sequence[str]) -> None:
        """Read the newest of all of them at once; what is never loaded is asked for one by one."""
        self._newest, self._whole = {}, set()
        self.load_more(targets, partitions)

    def load_more(self, targets: Collection[Target], partitions: Sequence[str]) -> None:
        """The same of those that were not loaded yet; the others are taken to be as they were."""
        targets = [one for one in targets if one.key not in self._whole and (one.key, None) not in self._newest]
        of_partitions = [target.key for target in targets if target.partitioned]
        self._whole.update(of_partitions)
        self._newest |= {(target.key, None): None for target in targets if not target.partitioned}
        self._newest |= {(key, partition): None for key in of_partitions for partition in partitions}
        for key, record in newest_of_whole(self._instance, [one.key for one in targets if not one.partitioned]):
            self._newest[key, None] = record
        for key in of_partitions:
            for partition, record in newest_of_partitions(self._instance, key):
                self._newest[key, partition] = record
        runs = {record.run_id for record in self._newest.values() if record is not None}
        self._look_at_runs(sorted(runs - self._succeeded.keys()))

    def forget(self, keys: Iterable[dg.AssetKey], partition: str | None) -> None:
        """Forget what is known of these assets, of `partition` or as a whole: newer events may have been logged."""
        for key in keys:
            self._newest.pop((key, partition), None)
            self._newest.pop((key, None), None)
            self._whole.discard(key)

    def newest(self, key: dg.AssetKey, partition: str | None, *, before: int | None = None) -> Event | None:
        record = self._record(key, partition)
        if before is not None and record is not None and record.storage_id >= before:
            record = self._before(key, partition, before)
        return None if record is None else self._event(record)

    def _record(self, key: dg.AssetKey, partition: str | None) -> NewestRecord | None:
        if (key, partition) not in self._newest:
            self._newest[key, partition] = self._before(key, partition, None)
        return self._newest[key, partition]

    def _before(self, key: dg.AssetKey, partition: str | None, before: int | None) -> NewestRecord | None:
        record = newest_before(self._instance, key, partition, before)
        return None if record is None else NewestRecord.of(record)

    def _event(self, record: NewestRecord) -> Event:
        if record.storage_id not in self._events:
            self._events[record.storage_id] = Event(
                storage_id=record.storage_id,
                data_version=record.tags.get(_DATA_VERSION),
                code_version=record.tags.get(_CODE_VERSION),
                run_succeeded=self._run_succeeded(record.run_id),
                artefacts=_artefacts(record.metadata, self._home),
                tally=_tally(record.metadata),
            )
        return self._events[record.storage_id]

    def _look_at_runs(self, run_ids: Sequence[str]) -> None:
        for start in range(0, len(run_ids), _RUNS_AT_ONCE):
            some = run_ids[start : start + _RUNS_AT_ONCE]
            found = {run.run_id: run for run in self._instance.get_runs(dg.RunsFilter(run_ids=some))}
            self._succeeded |= {each: each not in found or found[each].is_success for each in some}

    def _run_succeeded(self, run_id: str) -> bool:
        if run_id not in self._succeeded:
            self._look_at_runs([run_id])
        return self._succeeded[run_id]
