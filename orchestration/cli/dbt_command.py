"""What `coteach dbt` runs: dbt on the lake of a home, by hand.

It reads the lake and writes beside it, into `dbt/by_hand` of the home: nothing that answers students changes, and a
build that goes on is not waited for. Sources that no build wrote yet are read as empty.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import typer

from knowledge_graph.lake.dbt_sources import readable_lake
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.log_schemas import LOGS
from knowledge_graph.lake.tables import write_table
from orchestration.building.parsed_project import drop_older_parse
from orchestration.resources import DBT_PROJECT, PipelineSettings, check_home


def run_dbt(arguments: Sequence[str]) -> int:
    """Run dbt and return its exit code."""
    if any(each == "--vars" or each.startswith("--vars=") for each in arguments):
        raise typer.BadParameter(
            "`coteach dbt` passes --vars itself; set the home with --home before `dbt`'s arguments."
        )
    data_dir = DataDir(check_home(PipelineSettings()))
    made = data_dir.dbt_output / "by_hand"
    made.mkdir(parents=True, exist_ok=True)
    drop_older_parse(made / "target")
    of_home = [
        *("--project-dir", str(DBT_PROJECT), "--profiles-dir", str(DBT_PROJECT)),
        *("--target-path", str(made / "target"), "--vars", json.dumps(variables(data_dir, made))),
    ]
    dbt = [str(Path(sys.executable).parent / "dbt"), "--log-path", str(made / "logs")]
    return subprocess.run([*dbt, *arguments, *of_home], check=False).returncode


def variables(data_dir: DataDir, made: Path) -> dict[str, str]:
    """Where dbt reads and writes: the lake and the logs as far as they are there, and a folder of its own."""
    logs = data_dir.logs_table("turns").parent
    if not all((logs / f"{name}.parquet").is_file() for name in LOGS):
        logs = _empty(made / "empty_logs", LOGS)
    (made / "marts").mkdir(exist_ok=True)
    return {
        "home": str(data_dir.root),
        "lake": str(readable_lake(data_dir, made / "lake")),
        "logs": str(logs),
        "made": str(made),
        "counted": str(made / "marts"),
        "database": str(made / "coteach.duckdb"),
    }


def _empty(folder: Path, tables: Mapping[str, pa.Schema]) -> Path:
    for name, schema in tables.items():
        write_table(folder / f"{name}.parquet", [], schema)
    return folder
