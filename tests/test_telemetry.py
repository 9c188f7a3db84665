"""Libraries are silent in every process of coteach, whatever starts it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge_graph.telemetry import KEPT_IN, SILENT, settle
from serving.llm.vllm import Hardware, ModelServer, launch_environment

PROJECT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("package", ["knowledge_graph", "models", "serving", "assets", "orchestration"])
def test_each_package_silences_libraries_when_it_is_imported(package: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in (*SILENT, *KEPT_IN)}
    code = f"import json, os, sys, {package}; print(json.dumps([dict(os.environ), sorted(sys.modules)]))"
    printed = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout
    after, modules = json.loads(printed)
    assert SILENT.items() <= after.items()
    assert not {"onnxruntime", "mlflow", "dagster", "great_expectations"} & set(modules)  # they read it when imported


def test_what_a_person_chose_stays(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    chosen = {"ORT_DISABLE_TELEMETRY": "0", "MPLCONFIGDIR": "/elsewhere"}
    settle(chosen, tmp_path)
    assert (chosen["ORT_DISABLE_TELEMETRY"], chosen["MPLCONFIGDIR"]) == ("0", "/elsewhere")
    assert chosen["VLLM_CACHE_ROOT"] == str(tmp_path / ".cache" / "vllm")


def test_without_a_checkout_libraries_keep_their_own_places(tmp_path: Path) -> None:
    found: dict[str, str] = {}
    settle(found, tmp_path)
    assert found == dict(SILENT)


def test_the_model_server_is_started_silent() -> None:
    server = ModelServer("some/model", Path("/usr/bin/python"))
    assert SILENT.items() <= launch_environment(server, Hardware(0, fast_bfloat16=False), {}).items()
