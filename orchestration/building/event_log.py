"""The newest materializations in Dagster's event log, with one or two queries per asset instead of one per course.

What was read of an asset's partitions is kept, in this process and in a file beside Dagster's own: a record never
changes, and to read one, with its rows and checks, takes ten times what it takes to ask which is the newest. Of a
record that much is kept as planning and provenance want.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import dagster as dg
from pydantic import TypeAdapter

from knowledge_graph.lake.tables import write_text_atomic

URI = "dagster/uri"
"""Metadata of assets that write a file or folder: its name in the home, for a home may be moved."""

ALSO_WRITTEN = "also_written"
"""Metadata of assets that write more than that: a list of names."""

SEALS = "seals"
"""Metadata of what was written: the seals of `knowledge_graph.lake.seals`, by name and by path in a folder of that
name."""

TALLY = "tally"
"""Metadata of external assets: how often what was done, ever growing, such as `answer approved`: 7."""

KEPT_IN = "newest_materializations"
"""Folder in Dagster's, with a file for each asset. Other fields of a record want another name."""
_AT_ONCE = 1000
"""Records asked for at once; Dagster gives at most 10,000."""


@dataclass(frozen=True)
class NewestRecord:
    """A materialization, as far as planning and provenance want it."""

    storage_id: int
    """Its place in the log."""
    partition: str | None
    run_id: str
    timestamp: float
    """Seconds since the epoch."""
    tags: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The values of `URI`, `ALSO_WRITTEN`, `SEALS` and `TALLY`, of those that it has."""

    @classmethod
    def of(cls, record: dg.EventLogRecord) -> "NewestRecord":
        """What is wanted of a record of a materialization."""
        event = record.asset_materialization
        told = event.metadata if event else {}
        return cls(
            storage_id=record.storage_id,
            partition=record.partition_key,
            run_id=record.run_id,
            timestamp=record.timestamp,
            tags=dict((event.tags if event else None) or {}),
            metadata={name: told[name].value for name in (URI, ALSO_WRITTEN, SEALS, TALLY) if name in told},
        )


_KEPT = TypeAdapter(list[NewestRecord])
_read: WeakKeyDictionary[dg.DagsterInstance, dict[dg.AssetKey, dict[int, NewestRecord]]] = WeakKeyDictionary()
"""The newest of each partition as they were last read, by storage id."""


def newest_of_whole(
    instance: dg.DagsterInstance, keys: Iterable[dg.AssetKey]
) -> Iterator[tuple[dg.AssetKey, NewestRecord]]:
    """The newest record of each asset without partitions, in one query; assets that were never made are left out."""
    for record in instance.get_asset_records(list(keys)):
        newest = record.asset_entry.last_materialization_record
        if newest is not None:
            yield record.asset_entry.asset_key, NewestRecord.of(newest)


def newest_of_partitions(instance: dg.DagsterInstance, key: dg.AssetKey) -> Iterator[tuple[str, NewestRecord]]:
    """The newest record of each partition of one asset that was ever made."""
    of_partitions = instance.get_latest_storage_id_by_partition(key, dg.DagsterEventType.ASSET_MATERIALIZATION)
    ids = sorted(of_partitions.values())
    file = None if instance.is_ephemeral else Path(instance.root_directory) / KEPT_IN / f"{'__'.join(key.path)}.json"
    read = _read.setdefault(instance, {})
    known = read[key] if key in read else _of_this_log(instance, key, _load(file) if file else {})
    found = {each: known[each] for each in ids if each in known}
    new = [each for each in ids if each not in known]
    found |= _fetch(instance, key, new)
    read[key] = found
    if new and file:
        with suppress(OSError):  # it will be read again
            write_text_atomic(file, _KEPT.dump_json(list(found.values())).decode())
    for record in found.values():
        if record.partition is not None:
            yield record.partition, record


def newest_before(
    instance: dg.DagsterInstance, key: dg.AssetKey, partition: str | None, before: int | None = None
) -> dg.EventLogRecord | None:
    """The record of an asset (and partition) that is the newest, or the newest before a place in the log."""
    wanted = dg.AssetRecordsFilter(key, asset_partitions=[partition] if partition else None, before_storage_id=before)
    return next(iter(instance.fetch_materializations(wanted, limit=1).records), None)


def _fetch(instance: dg.DagsterInstance, key: dg.AssetKey, ids: Collection[int]) -> dict[int, NewestRecord]:
    wanted, found = sorted(ids), dict[int, NewestRecord]()
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        records = instance.fetch_materializations(dg.AssetRecordsFilter(key, storage_ids=some), limit=len(some)).records
        found |= {record.storage_id: NewestRecord.of(record) for record in records}
    return found


def _of_this_log(
    instance: dg.DagsterInstance, key: dg.AssetKey, kept: Mapping[int, NewestRecord]
) -> Mapping[int, NewestRecord]:
    """What was kept, where the newest of it still is what it was; nothing where the log is another, as after an older
    one was put in its place: numbers are given again there."""
    newest = max(kept, default=None)
    return kept if newest is not None and _fetch(instance, key, [newest]).get(newest) == kept[newest] else {}


def _load(file: Path) -> dict[int, NewestRecord]:
    """What a file keeps; nothing where there is none, or it cannot be read: then the log is read whole."""
    try:
        return {one.storage_id: one for one in _KEPT.validate_json(file.read_bytes())}
    except (OSError, ValueError):
        return {}
