"""What an asset was made of is read from Dagster's event log, by way of what each materialization says it read."""

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from knowledge_graph.lake.home import DataDir
from orchestration.building.event_log import KEPT_IN, newest_of_partitions
from orchestration.building.materializations import build_of, mlflow_run, upstream
from orchestration.building.staleness import InstanceHistory, Target
from serving.index.lineage import IndexBuild

courses = dg.DynamicPartitionsDefinition(name="courses_of_this_test")
LOGGED = "http://127.0.0.1:5000/#/experiments/3/runs/a0bbd5ed"


@dg.asset(partitions_def=courses, code_version="2")
def cues(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
    return dg.MaterializeResult(data_version=dg.DataVersion(f"cues of {context.partition_key}"))


@dg.asset(deps=[cues])
def pairs() -> None: ...


@dg.asset
def unrelated() -> None: ...


@dg.asset
def intent_model() -> dg.MaterializeResult[None]:
    return dg.MaterializeResult(
        metadata={"mlflow_run": dg.MetadataValue.url(LOGGED)}, data_version=dg.DataVersion("i1")
    )


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as found:
        _fill(found)
        yield found


def _fill(found: dg.DagsterInstance) -> None:
    found.add_dynamic_partitions(courses.name or "", ["ds", "zh"])
    for course in ("ds", "zh"):
        dg.materialize([cues], instance=found, partition_key=course)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dg.materialize([cues, pairs, unrelated], instance=found, selection=[pairs, unrelated])
    dg.materialize([intent_model], instance=found)


def test_everything_upstream_is_found_by_course_and_nothing_else(instance: dg.DagsterInstance) -> None:
    found = upstream(instance, [dg.AssetKey("pairs"), dg.AssetKey("never_made")])
    assert [(one.asset, one.partition) for one in found] == [("cues", "ds"), ("cues", "zh"), ("pairs", None)]
    assert (found[0].data_version, found[0].code_version) == ("cues of ds", "2")
    assert instance.get_run_by_id(found[0].run_id) is not None


def test_only_the_newest_materialization_of_a_course_counts(instance: dg.DagsterInstance) -> None:
    newest = dg.materialize([cues], instance=instance, partition_key="ds").run_id
    assert upstream(instance, [dg.AssetKey("pairs")])[0].run_id == newest


def test_a_course_that_was_forgotten_is_no_longer_among_them(instance: dg.DagsterInstance) -> None:
    event = dg.AssetMaterialization("cues", partition="zh", tags={"dagster/data_version": "forgotten"})
    instance.report_runless_asset_event(event)
    assert [one.partition for one in upstream(instance, [dg.AssetKey("cues")])] == ["ds"]


def test_a_version_of_the_intent_model_leads_to_its_mlflow_run(instance: dg.DagsterInstance) -> None:
    assert mlflow_run(instance, "i1") == "a0bbd5ed"
    assert mlflow_run(instance, "another") is None


def test_a_build_names_itself_and_what_it_read(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    built: list[IndexBuild] = []

    @dg.asset(deps=[pairs], code_version="5")
    def an_index(context: dg.AssetExecutionContext) -> None:
        built.append(build_of(context, DataDir(tmp_path), "v1"))

    run = dg.materialize([pairs, an_index], instance=instance, selection=[an_index])
    own, *others = built[0].materializations
    assert (own.asset, own.run_id, own.data_version, own.code_version) == ("an_index", run.run_id, "v1", "5")
    assert [one.asset for one in others] == ["cues", "cues", "pairs"]
    assert built[0].models == ()


def test_what_was_made_of_an_earlier_one_of_itself_does_not_lead_to_it(instance: dg.DagsterInstance) -> None:
    found = upstream(instance, [dg.AssetKey("pairs")], without=dg.AssetKey("pairs"))
    assert found == ()
    assert upstream(instance, [dg.AssetKey("pairs")], without=dg.AssetKey("cues"))[0].asset == "pairs"


@pytest.fixture
def read_ids(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The places in the log of which records are read, in the order in which they are."""
    read, fetch = list[int](), dg.DagsterInstance.fetch_materializations

    def fetch_and_count(instance: dg.DagsterInstance, wanted: dg.AssetRecordsFilter, **how: int) -> object:
        read.extend(wanted.storage_ids or ())
        return fetch(instance, wanted, **how)

    monkeypatch.setattr(dg.DagsterInstance, "fetch_materializations", fetch_and_count)
    return read


def test_of_all_courses_only_what_was_made_since_is_read_again(
    instance: dg.DagsterInstance, read_ids: list[int]
) -> None:
    before = dict(newest_of_partitions(instance, cues.key))
    read_ids.clear()
    assert dict(newest_of_partitions(instance, cues.key)) == before
    assert read_ids == []
    run = dg.materialize([cues], instance=instance, partition_key="ds").run_id
    read_ids.clear()
    after = dict(newest_of_partitions(instance, cues.key))
    assert after["ds"].run_id == run
    assert after["zh"] == before["zh"]
    assert read_ids == [after["ds"].storage_id]


def test_another_process_reads_of_what_was_kept_the_newest_alone(tmp_path: Path, read_ids: list[int]) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as first:
        _fill(first)
        before = dict(newest_of_partitions(first, cues.key))
    assert read_ids == sorted(one.storage_id for one in before.values())
    read_ids.clear()
    with dg.DagsterInstance.local_temp(str(tmp_path)) as second:
        assert dict(newest_of_partitions(second, cues.key)) == before
        assert read_ids == [max(one.storage_id for one in before.values())]
        run = dg.materialize([cues], instance=second, partition_key="ds").run_id
    with dg.DagsterInstance.local_temp(str(tmp_path)) as third:
        after = dict(newest_of_partitions(third, cues.key))
    assert (after["ds"].run_id, after["zh"]) == (run, before["zh"])


def test_what_was_kept_of_another_log_does_not_count(tmp_path: Path) -> None:
    kept, one, other = (tmp_path / name for name in ("kept", "one", "other"))
    one.mkdir()
    other.mkdir()
    with dg.DagsterInstance.local_temp(str(one)) as first:
        _fill(first)
        of_first = dict(newest_of_partitions(first, cues.key))
        shutil.copytree(Path(first.root_directory) / KEPT_IN, kept)
    with dg.DagsterInstance.local_temp(str(other)) as second:
        _fill(second)
        shutil.copytree(kept, Path(second.root_directory) / KEPT_IN)
        found = dict(newest_of_partitions(second, cues.key))
    assert {each.storage_id for each in found.values()} == {each.storage_id for each in of_first.values()}
    assert not {each.run_id for each in found.values()} & {each.run_id for each in of_first.values()}


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[",
        "[]",
        "{}",
        "[{}]",
        "\ud800",
        '[{"storage_id": null, "partition": "ds", "run_id": "", "timestamp": 0},'
        ' {"storage_id": 1, "partition": "zh", "run_id": "", "timestamp": 0}]',
        '[{"storage_id": 1, "partition": ["ds"], "run_id": "", "timestamp": 0}]',
        '[{"storage_id": 999999, "partition": "ds", "run_id": "", "timestamp": 0}]',
    ],
)
def test_a_damaged_file_of_what_was_kept_is_read_from_the_log_again(tmp_path: Path, damage: str) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as first:
        _fill(first)
        before = dict(newest_of_partitions(first, cues.key))
    (kept,) = (tmp_path / KEPT_IN).iterdir()
    kept.write_bytes(damage.encode("utf-8", "surrogatepass"))
    with dg.DagsterInstance.local_temp(str(tmp_path)) as second:
        assert dict(newest_of_partitions(second, cues.key)) == before


def test_what_a_run_made_is_seen_by_its_history_once_it_is_forgotten(
    instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    history, target = InstanceHistory(instance, DataDir(tmp_path)), Target(cues.key, (), True, "2", False)
    history.load_more([target], ["ds", "zh"])
    first = history.newest(cues.key, "ds")
    dg.materialize([cues], instance=instance, partition_key="ds")
    history.load_more([target], ["ds", "zh"])
    assert history.newest(cues.key, "ds") == first, "whoever makes it says so"
    history.forget([cues.key], "ds")
    history.load_more([target], ["ds", "zh"])
    now = history.newest(cues.key, "ds")
    assert first
    assert now
    assert now.storage_id > first.storage_id
