"""Stage `qa_pairs`: every source in one QA-pair form, by dbt on DuckDB."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow.parquet as pq

from knowledge_graph.lake.changes import changes_between
from knowledge_graph.lake.database import drop_if_damaged
from knowledge_graph.lake.dbt_sources import DBT_SOURCES, readable_lake
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.tables import digest, rewrite_atomic
from orchestration.building.kept_results import find_kept_results
from orchestration.building.lean_dagster_dbt import DagsterDbtTranslator, DbtCliResource, DbtProject, dbt_assets
from orchestration.building.parsed_project import drop_older_parse, find_carried_options, load_parsed_project
from orchestration.partitions import HOME_POOL
from orchestration.reporting.column_lineage import lineage_of, show_lineage
from orchestration.reporting.failed_tests import with_failing_rows
from orchestration.reporting.tables import table_facts, view_facts
from orchestration.resources import DBT_PROJECT, PipelineSettings


def _places_to_parse() -> Iterator[Path]:
    """Where the parsed project may lie: in the project itself, or in the home where the project is read-only."""
    yield DBT_PROJECT / "target"
    yield DataDir(PipelineSettings().home.absolute()).parsed_dbt_project


_parsed = load_parsed_project(_places_to_parse())
"""The only work done at import: Dagster needs the manifest to know the models, and its own `prepare_if_dev` runs only
under `dg`."""
dbt_project = DbtProject(project_dir=DBT_PROJECT, profiles_dir=DBT_PROJECT, target_path=_parsed.target)
_FEEDBACK = "feedback"
"""Tag of models that assets/evaluation/feedback_marts.py makes."""


def _without_feedback(manifest: Mapping[str, Any]) -> dict[str, Any]:
    nodes = {key: node for key, node in manifest["nodes"].items() if _FEEDBACK not in node["tags"]}
    return {**manifest, "nodes": nodes}


class _Translator(DagsterDbtTranslator):
    """How dbt models look in Dagster's catalogue."""

    def get_asset_spec(self, manifest: Mapping[str, Any], unique_id: str, project: DbtProject | None) -> dg.AssetSpec:
        spec = super().get_asset_spec(manifest, unique_id, project)
        if not unique_id.startswith("model."):
            return spec
        return spec.replace_attributes(
            group_name="qa_pairs",
            owners=["team:pipeline"],
            code_version=manifest["nodes"][unique_id]["checksum"]["checksum"],
        )


@dbt_assets(
    manifest=_without_feedback(_parsed.manifest),
    project=dbt_project,
    dagster_dbt_translator=_Translator(),
    pool=HOME_POOL,
)
def dbt_models(
    context: dg.AssetExecutionContext, dbt: DbtCliResource, data_dir: dg.ResourceParam[DataDir]
) -> Iterator[Any]:
    """Staging models and the unified `qa_pairs`, with their data tests.

    `qa_pairs` counts as made when it is published, and it is published when every test passed. So its own event waits
    for the end, and what dbt says of it after that event (its tests) waits with it. Views are told with their rows, and
    tests that failed, which come last, with those that fail: of dbt's database, once dbt has ended.
    """
    if kept := list(find_kept_results(context)):
        yield from kept
        return
    target = data_dir.dbt_output / "target"  # in the home: the project may be read-only
    # Nothing here reads the manifest that dbt would write; writing it, with every macro, takes a fifth of dbt's CPU
    # time.
    arguments = ["build", "--no-write-json", *_prepare(context, dbt, data_dir, target)]
    invocation = dbt.cli(arguments, context=context, target_path=target, raise_on_error=False)
    events: list[Any] = []
    waiting: list[Any] = []
    failed: list[dg.AssetCheckResult] = []
    for event in invocation.stream():
        if isinstance(event, dg.AssetCheckResult) and not event.passed:
            failed.append(event)
        elif waiting or _is_qa_pairs(event):
            waiting.append(event)
        else:
            events.append(event)
    database = data_dir.dbt_output / "coteach.duckdb"
    yield from _with_facts(events, invocation.target_path, data_dir, database)
    waiting = list(_with_facts(waiting, invocation.target_path, data_dir, database))
    told = with_failing_rows(failed, _parsed.manifest, target=invocation.target_path, database=database)
    if not invocation.is_successful():
        yield from (event for event in waiting if not isinstance(event, dg.Output))
        yield from told
        raise invocation.get_error() or dg.Failure("dbt failed without saying why; see its log in this run.")
    facts = publish_qa_pairs(data_dir)
    for event in waiting:
        yield _publish(event, data_dir, facts) if _is_qa_pairs(event) else event
    yield from told


def _prepare(context: dg.AssetExecutionContext, dbt: DbtCliResource, data_dir: DataDir, target: Path) -> list[str]:
    """Create the folders that dbt needs; return its options: where it reads and writes, and what it tests."""
    data_dir.dbt_output.mkdir(parents=True, exist_ok=True)
    data_dir.own_marts.mkdir(parents=True, exist_ok=True)
    if drop_if_damaged(data_dir.dbt_output / "coteach.duckdb"):
        context.log.warning("dbt's database was damaged and is built again; it held only views over the lake.")
    drop_older_parse(target)
    places = {"home": str(data_dir.root), "lake": str(readable_lake(data_dir, data_dir.dbt_output / "lake"))}
    of_home = ["--vars", json.dumps(places), "--log-path", str(data_dir.dbt_output / "logs")]
    of_home += ["--log-level-file", "none"]  # the run's log has them; two thousand lines take 0.3 s of CPU time
    of_home += find_carried_options(_parsed)
    if context.is_subset:
        # The views that the selected models read may be missing, or left over from an older build.
        dbt.cli(["run", "--no-write-json", "--select", "staging", *of_home], target_path=target).wait()
        if dg.AssetKey("qa_pairs") not in context.selected_asset_keys:
            # A test of both would compare new staging rows with the pairs of an earlier build.
            of_home += ["--indirect-selection", "cautious"]
    else:
        of_home += ["--exclude", f"tag:{_FEEDBACK}"]
    return of_home


def _with_facts(events: Iterable[Any], target: Path, data_dir: DataDir, database: Path) -> Iterator[Any]:
    """dbt's events, each model with its lineage, row count and columns. All are collected before dbt's database is
    read: only one process may have it open."""
    told = list(events)
    models = _parsed.manifest["nodes"].values()
    views = {node["name"] for node in models if node["config"].get("materialized") == "view"}
    made = [event.output_name for event in told if isinstance(event, dg.Output) and event.output_name in views]
    facts = view_facts(database, made) if made else {}
    for event in told:
        if isinstance(event, dg.Output):
            shown = _with_rows(_with_lineage(event, target), data_dir)
            yield shown.with_metadata({**shown.metadata, **facts.get(event.output_name, {})})
        else:
            yield event


def _with_lineage(made: dg.Output[Any], target: Path) -> dg.Output[Any]:
    columns: dict[str, list[str]] = {name: schema.names for name, schema in DBT_SOURCES.items()}
    found = lineage_of(made.output_name, _parsed.manifest, target, columns)
    if found is None:
        return made
    return made.with_metadata(
        {**made.metadata, "dagster/column_lineage": found, "columns_made_of": show_lineage(found)}
    )


def _with_rows(made: dg.Output[Any], data_dir: DataDir) -> dg.Output[Any]:
    """A team's own mart with the metadata that every table has, so that the planner notices when its file is damaged or
    gone."""
    path = data_dir.own_marts / f"{made.output_name}.parquet"
    if not path.is_file():
        return made
    file = pq.ParquetFile(path)
    facts = table_facts(path, file.metadata.num_rows, file.schema_arrow)
    version = dg.DataVersion(digest(path))
    return dg.Output(made.value, made.output_name, metadata={**made.metadata, **facts}, data_version=version)


def _is_qa_pairs(event: object) -> bool:
    return isinstance(event, dg.Output) and event.output_name == "qa_pairs"


def _publish(made: dg.Output[Any], data_dir: DataDir, facts: Mapping[str, Any]) -> dg.Output[Any]:
    version = dg.DataVersion(digest(data_dir.qa_pairs))
    return dg.Output(made.value, made.output_name, metadata={**made.metadata, **facts}, data_version=version)


def publish_qa_pairs(data_dir: DataDir) -> dict[str, Any]:
    """Publish the pairs that dbt made; return their metadata for Dagster.

    They are written with an explicit schema, in dbt's order and by one rename: the same rows give the same bytes.
    """
    made = data_dir.dbt_output / "qa_pairs.parquet"
    changes = changes_between(data_dir.qa_pairs if data_dir.qa_pairs.exists() else None, made, key="qa_id")
    rows = rewrite_atomic(made, data_dir.qa_pairs, QA_PAIRS, key="qa_id")
    return {**table_facts(data_dir.qa_pairs, rows, QA_PAIRS), "changes": asdict(changes)}
