"""Stage `evaluation`: what dbt counts in the logs: thumbs, coverage, satisfaction, sessions and experiments.

The same models (tag `feedback`, dbt/models/feedback) run over the store's rows and over simulated ones. dbt works in
memory, so that it needs no database file and never waits for the build of the QA pairs.
"""

import json
from pathlib import Path

import dagster as dg

from assets.evaluation.logs import simulated_logs, store_logs
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.log_schemas import MARTS
from knowledge_graph.lake.tables import digest, rewrite_atomic
from orchestration.building.lean_dagster_dbt import DbtCliResource
from orchestration.building.parsed_project import drop_older_parse
from orchestration.reporting.tables import facts_of_files


@dg.asset(deps=[store_logs], group_name="evaluation", kinds={"dbt", "duckdb"}, owners=["team:ml"], code_version="1")
def feedback_marts(dbt: DbtCliResource, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """Thumbs by route, form, options and source; coverage, satisfaction, rounds over time; buckets of experiments."""
    return _make_marts(dbt, data_dir, simulated=False)


@dg.asset(deps=[simulated_logs], group_name="evaluation", kinds={"dbt", "duckdb"}, owners=["team:ml"], code_version="1")
def simulated_marts(dbt: DbtCliResource, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """The same counts of simulated logs."""
    return _make_marts(dbt, data_dir, simulated=True)


def dbt_args(data_dir: DataDir, *, simulated: bool) -> list[str]:
    """What dbt is called with to make the marts of one kind of logs."""
    made = {
        "home": str(data_dir.root),
        "database": ":memory:",
        "logs": str(data_dir.logs_table("turns", simulated=simulated).parent),
        "counted": str(_scratch(data_dir, simulated=simulated)),
    }
    logs = str(data_dir.dbt_output / "logs")
    return ["build", "--select", "tag:feedback", "--vars", json.dumps(made), "--log-path", logs]


def _make_marts(dbt: DbtCliResource, data_dir: DataDir, *, simulated: bool) -> dg.MaterializeResult:
    """Published only when every test passed, each mart in one rename."""
    scratch = _scratch(data_dir, simulated=simulated)
    scratch.mkdir(parents=True, exist_ok=True)
    drop_older_parse(scratch / "target")
    dbt.cli(dbt_args(data_dir, simulated=simulated), target_path=scratch / "target").wait()
    rows = publish_marts(data_dir, simulated=simulated)
    return dg.MaterializeResult(
        metadata=facts_of_files(data_dir.mart("", simulated=simulated).parent)
        | {f"rows_{name}": number for name, number in rows.items()},
        data_version=dg.DataVersion(digest(data_dir.mart("", simulated=simulated).parent)),
    )


def publish_marts(data_dir: DataDir, *, simulated: bool) -> dict[str, int]:
    """Move what dbt made to where readers look, with the lake's columns and types; return the rows of each."""
    scratch = _scratch(data_dir, simulated=simulated)
    return {
        name: rewrite_atomic(scratch / f"{name}.parquet", data_dir.mart(name, simulated=simulated), schema)
        for name, schema in MARTS.items()
    }


def _scratch(data_dir: DataDir, *, simulated: bool) -> Path:
    return data_dir.dbt_output / ("simulated_marts" if simulated else "marts")
