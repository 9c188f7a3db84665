"""How a build runs dbt."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from knowledge_graph.lake.home import DataDir
from orchestration.cli.dbt_command import variables
from orchestration.resources import DBT_PROJECT, dbt_resource


def test_dbt_runs_without_an_adapter_of_it_in_this_process(tmp_path: Path) -> None:
    """dagster-dbt takes a second for one, before each run."""
    invocation = dbt_resource().cli(["ls", "--quiet"], target_path=tmp_path).wait()
    assert invocation.adapter is None
    assert invocation.is_successful()


@pytest.mark.slow
def test_dbt_as_a_build_starts_it_does_and_says_what_the_plain_one_does(tmp_path: Path) -> None:
    resource, plain = dbt_resource(), str(Path(sys.executable).parent / "dbt")
    started = [resource.dbt_executable, *resource.global_config_flags]
    assert started != [plain]
    runs = [built(tmp_path, dbt) for dbt in ([plain], started, [plain])]  # each reads what the one before it parsed
    assert all(len(run["told"]) > 100 for run in runs)
    assert len(runs[0]["results"]) > 60
    told = [run.pop("told") for run in runs]
    assert runs[0] == runs[1] == runs[2]
    assert told[1] == told[2], "the first says that it parses everything"


def built(folder: Path, dbt: list[str]) -> dict[str, Any]:
    """What a build on an empty lake makes and says, without times."""
    made = folder / "made"
    made.mkdir(exist_ok=True)
    places = json.dumps(variables(DataDir(folder / "home"), made))
    where = ["--project-dir", str(DBT_PROJECT), "--profiles-dir", str(DBT_PROJECT), "--target-path", str(made / "t")]
    said = ["--log-format", "json", "--log-path", str(made / "logs"), "--no-send-anonymous-usage-stats"]
    command = [*dbt, *said, "build", "--threads", "1", "--exclude", "tag:feedback", *where, "--vars", places]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((made / "t" / "run_results.json").read_text())["results"]
    manifest = json.loads((made / "t" / "manifest.json").read_text())
    return {
        "told": sorted(message(line) for line in done.stdout.splitlines()),
        "results": sorted((one["unique_id"], one["status"], one["compiled_code"]) for one in results),
        "nodes": {name: without_times(node) for name, node in manifest["nodes"].items()},
        "pairs": (made / "qa_pairs.parquet").read_bytes(),
    }


def message(line: str) -> tuple[str, str]:
    """A message's name and text."""
    info = json.loads(line)["info"]
    return info["name"], re.sub(r"\d+\.\d+s|\d+ (?:minutes|hours) |\d+\.\d+ seconds", "", info["msg"])


def without_times(node: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in node.items() if name not in ("created_at", "build_path", "compiled_path")}
