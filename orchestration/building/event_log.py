"""The newest materializations in Dagster's event log, with one or two queries per asset instead of one per course.

What was read of an asset's partitions is kept beside the instance: a record never changes, and to read one, with its
rows and seals, takes ten times what it takes to ask which is the newest.
"""

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

import dagster as dg

_read: WeakKeyDictionary[dg.DagsterInstance, dict[dg.AssetKey, dict[int, dg.EventLogRecord]]] = WeakKeyDictionary()
"""The newest of each partition as they were last read, by storage id."""
_AT_ONCE = 1000
"""Records asked for at once; Dagster gives at most 10,000."""


def newest_of_whole(
    instance: dg.DagsterInstance, keys: Iterable[dg.AssetKey]
) -> Iterator[tuple[dg.AssetKey, dg.EventLogRecord]]:
    """The newest record of each asset without partitions, in one query; assets that were never made are left out."""
    for record in instance.get_asset_records(list(keys)):
        newest = record.asset_entry.last_materialization_record
        if newest is not None:
            yield record.asset_entry.asset_key, newest


def newest_of_partitions(instance: dg.DagsterInstance, key: dg.AssetKey) -> Iterator[tuple[str, dg.EventLogRecord]]:
    """The newest record of each partition of one asset that was ever made."""
    of_partitions = instance.get_latest_storage_id_by_partition(key, dg.DagsterEventType.ASSET_MATERIALIZATION)
    ids = sorted(of_partitions.values())
    known = _read.setdefault(instance, {}).get(key, {})
    found = {each: known[each] for each in ids if each in known}
    new = [each for each in ids if each not in known]
    for start in range(0, len(new), _AT_ONCE):
        some = new[start : start + _AT_ONCE]
        wanted = dg.AssetRecordsFilter(key, storage_ids=some)
        records = instance.fetch_materializations(wanted, limit=len(some)).records
        found |= {record.storage_id: record for record in records}
    _read[instance][key] = found
    for record in found.values():
        if record.partition_key is not None:
            yield record.partition_key, record


def newest_before(
    instance: dg.DagsterInstance, key: dg.AssetKey, partition: str | None, before: int | None = None
) -> dg.EventLogRecord | None:
    """The record of an asset (and partition) that is the newest, or the newest before a place in the log."""
    wanted = dg.AssetRecordsFilter(key, asset_partitions=[partition] if partition else None, before_storage_id=before)
    return next(iter(instance.fetch_materializations(wanted, limit=1).records), None)
