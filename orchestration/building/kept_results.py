"""Where a wave ends: an asset that is in a run only because something before it was made again is asked about once
more when its turn comes, and kept when all that it reads came out the same.

Only runs that the planner started are asked about (their tag `STALE` names what is to be made whatever comes out); an
asset that a person materializes is always made.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from typing import ParamSpec

import dagster as dg

from knowledge_graph.lake.home import DataDir
from orchestration.building.event_log import newest_before
from orchestration.building.staleness import InstanceHistory, Target, stale_reason, targets_of
from orchestration.partitions import courses

STALE = "coteach/stale"
"""Tag of planned runs: the assets that had a reason of their own, between commas."""

KEPT = "kept"
"""Metadata of an asset that was not made again."""

_WHY = "All that it reads came out the same."
_SEPARATOR = ","

P = ParamSpec("P")


def stale_tag(names: Sequence[str]) -> dict[str, str]:
    """The tag of a run that makes these whatever comes out, and what reads them when it has changed."""
    return {STALE: _SEPARATOR.join(names)}


def unless_unchanged(make: Callable[P, dg.MaterializeResult]) -> Callable[P, dg.MaterializeResult]:
    """An asset's function that does nothing when all that the asset reads came out the same in this run."""

    @wraps(make)
    def reuse_or_make(*args: P.args, **kwargs: P.kwargs) -> dg.MaterializeResult:
        kept = list(find_kept_results(dg.AssetExecutionContext.get()))
        return kept[0] if kept else make(*args, **kwargs)

    return reuse_or_make


def find_kept_results(context: dg.AssetExecutionContext) -> Iterator[dg.MaterializeResult]:
    """What the last materializations of a step's assets said, with their checks; nothing when any is to be made."""
    told = context.run.tags.get(STALE)
    if told is None or any(key.to_user_string() in told.split(_SEPARATOR) for key in context.selected_asset_keys):
        return
    home: DataDir = context.resources.data_dir
    found = [_last_result(context, home, key) for key in _targets() if key in context.selected_asset_keys]
    partition = context.partition_key if context.has_partition_key else None
    _history(context, home).forget(context.selected_asset_keys, partition)  # what they come to is about to be told
    if all(found):
        yield from (each for each in found if each is not None)


def _last_result(context: dg.AssetExecutionContext, home: DataDir, key: dg.AssetKey) -> dg.MaterializeResult | None:
    target = _targets()[key]
    partition = context.partition_key if target.partitioned else None
    known = context.instance.get_dynamic_partitions(courses.name or "courses")
    history = _history(context, home)
    if partition is None:  # it reads every course
        history.load_more([target, *(_targets()[dep] for dep in target.deps if dep in _targets())], known)
    if stale_reason(target, partition, history, _targets(), known) is not None:
        return None
    last = newest_before(context.instance, key, partition)
    event = last.asset_materialization if last else None
    checks = _checks(context, last.run_id, key, partition) if last else None
    if event is None or checks is None:
        return None
    return dg.MaterializeResult(
        asset_key=key,
        metadata={**event.metadata, KEPT: _WHY},
        data_version=dg.DataVersion((event.tags or {})["dagster/data_version"]),
        check_results=checks,
    )


_histories: dict[str, InstanceHistory] = {}
"""The history of the running build, by run id."""


def _history(context: dg.AssetExecutionContext, home: DataDir) -> InstanceHistory:
    """One for all of a run: when an asset is asked about, what it reads was made or kept, and will not be again."""
    if context.run_id not in _histories:
        _histories.clear()
        _histories[context.run_id] = InstanceHistory(context.instance, home)
    return _histories[context.run_id]


def _checks(
    context: dg.AssetExecutionContext, run_id: str, key: dg.AssetKey, partition: str | None
) -> list[dg.AssetCheckResult] | None:
    """What the checks of an asset's own step found then; None when one did not speak."""
    wanted = {each.name for each in context.selected_asset_check_keys if each.asset_key == key}
    records = context.instance.get_records_for_run(run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION).records
    events = [record.event_log_entry.dagster_event for record in records]
    told = [event.asset_check_evaluation_data for event in events if event is not None]
    of_key = [one for one in told if one.asset_key == key and one.partition in (None, partition)]
    found = {one.check_name: one for one in of_key if one.check_name in wanted}
    if found.keys() != wanted:
        return None
    return [
        dg.AssetCheckResult(
            asset_key=key,
            check_name=name,
            passed=one.passed,
            severity=one.severity,
            description=one.description,
            metadata=one.metadata,
        )
        for name, one in sorted(found.items())
    ]


@cache
def _targets() -> dict[dg.AssetKey, Target]:
    from orchestration.definitions import defs  # noqa: PLC0415  it loads the assets, which are decorated here

    return targets_of(defs())
