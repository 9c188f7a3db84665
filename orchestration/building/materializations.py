"""What an asset is made of, as Dagster's event log has it: the newest materialization of everything upstream.

The way up is in the materializations themselves: each names what it read. So no definitions are needed, and a job that
holds a part of the assets sees all of them.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg

from knowledge_graph.lake.home import DataDir
from models.embedding.embedder import read_card
from models.versions import ModelError, current_version
from orchestration.building.event_log import NewestRecord, newest_of_partitions
from serving.index.lineage import IndexBuild, Materialization, ModelUsed

BESIDE = ("graph", "embeddings", "intent_champion", "intent_thresholds")
"""What answers are made from beside the index: as it was when the index was made."""

FORGOTTEN = "forgotten"
"""Data version of the assets of a course that was removed (build.py)."""

_DATA_VERSION = "dagster/data_version"
_CODE_VERSION = "dagster/code_version"
_READ = "dagster/input_data_version/"
_AT_ONCE = 1000
"""Records asked for at once; Dagster gives at most 10,000."""


def build_of(context: dg.AssetExecutionContext, data_dir: DataDir, version: str) -> IndexBuild:
    """What this run of an index asset read, with its own materialization, which is to be reported next."""
    key, at = context.asset_key, _utc(datetime.now(UTC).timestamp())
    spec = context.assets_def.specs_by_key[key]
    own = Materialization(key.to_user_string(), None, context.run.run_id, at, version, spec.code_version)
    roots = [*(dep.asset_key for dep in spec.deps), *map(dg.AssetKey, BESIDE)]
    found = (own, *upstream(context.instance, roots, without=key))
    return IndexBuild(at, found, models_in_use(context.instance, data_dir))


def upstream(
    instance: dg.DagsterInstance, roots: Iterable[dg.AssetKey], *, without: dg.AssetKey | None = None
) -> tuple[Materialization, ...]:
    """The newest materialization of the roots and of all they read, by course where there is one for each; sorted.

    `without` is left out with what only it read: the asset that is being made, whose last one is another.
    """
    waiting, found = list(roots), list[Materialization]()
    seen: set[dg.AssetKey | None] = {without}
    while waiting:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        for record in _newest(instance, key):
            read = [name[len(_READ) :] for name in record.tags if name.startswith(_READ)]
            waiting += map(dg.AssetKey.from_user_string, read)
            if record.tags.get(_DATA_VERSION) != FORGOTTEN:
                found.append(_materialization(key, record))
    return tuple(sorted(found, key=lambda one: (one.asset, one.partition or "")))


def models_in_use(instance: dg.DagsterInstance, data_dir: DataDir) -> tuple[ModelUsed, ...]:
    """The intent model with the MLflow run that trained it, and the embedder."""
    found = []
    if version := current_version(data_dir.intent):
        found.append(ModelUsed("intent", version, run=mlflow_run(instance, version)))
    if version := current_version(data_dir.embedder):
        found.append(ModelUsed("embedder", version, name=_embedder_name(data_dir.embedder / version)))
    return tuple(found)


def mlflow_run(instance: dg.DagsterInstance, version: str) -> str | None:
    """The id of the MLflow run that made a version of the intent model; `None` when Dagster does not know it."""
    records = instance.fetch_materializations(dg.AssetKey("intent_model"), limit=_AT_ONCE).records
    for record in records:
        event = record.asset_materialization
        if event is not None and (event.tags or {}).get(_DATA_VERSION) == version and "mlflow_run" in event.metadata:
            return str(event.metadata["mlflow_run"].value).rstrip("/").rsplit("/", 1)[-1]
    return None


def _embedder_name(version: Path) -> str | None:
    try:
        return read_card(version).name
    except ModelError:
        return None


def _newest(instance: dg.DagsterInstance, key: dg.AssetKey) -> Iterator[NewestRecord]:
    """The newest materialization, or the newest of each partition."""
    of_partitions = [record for _, record in newest_of_partitions(instance, key)]
    yield from of_partitions or map(NewestRecord.of, instance.fetch_materializations(key, limit=1).records)


def _materialization(key: dg.AssetKey, record: NewestRecord) -> Materialization:
    return Materialization(
        asset=key.to_user_string(),
        partition=record.partition,
        run_id=record.run_id,
        at=_utc(record.timestamp),
        data_version=record.tags.get(_DATA_VERSION),
        code_version=record.tags.get(_CODE_VERSION),
    )


def _utc(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, UTC).isoformat(timespec="milliseconds")
