"""Deleting published intent models for good: their folders, their thresholds and what MLflow holds of them."""

import shutil
import subprocess
import sys
from collections.abc import Sequence

import mlflow
from mlflow.entities import Run, ViewType

from knowledge_graph.lake.home import DataDir
from models.intent.thresholds import thresholds_path
from models.tracking.relocating import relocate
from models.tracking.runs import EXPERIMENT, EXPORT_TAG, REGISTERED, tracking_uri

_MODELS = "models"
"""Where MLflow 3 keeps models among the artifacts; its `gc` leaves those that are deleted."""


def remove_versions(versions: Sequence[str], *, data_dir: DataDir) -> int:
    """Delete the versions and their runs, nested ones too. Returns how many runs there were."""
    runs = _forget_in_mlflow(versions, data_dir) if data_dir.mlflow_db.is_file() else 0
    for version in versions:
        shutil.rmtree(data_dir.intent / version, ignore_errors=True)
        thresholds_path(data_dir.intent / version).unlink(missing_ok=True)
    return runs


def _forget_in_mlflow(versions: Sequence[str], data_dir: DataDir) -> int:
    relocate(data_dir)
    client = mlflow.MlflowClient(tracking_uri(data_dir), tracking_uri(data_dir))
    for one in client.search_model_versions(f"name = '{REGISTERED}'"):
        if one.tags.get(EXPORT_TAG) in versions:
            client.delete_model_version(REGISTERED, one.version)
    experiment = client.get_experiment_by_name(EXPERIMENT)
    if experiment is None:
        return 0
    runs = [run.info.run_id for version in versions for run in _runs_of(client, experiment.experiment_id, version)]
    for run_id in runs:
        for model_id in _models_of(client.get_run(run_id)):
            client.delete_logged_model(model_id)
            shutil.rmtree(data_dir.mlflow_artifacts / _MODELS / model_id, ignore_errors=True)
        client.delete_run(run_id)
    _collect(runs, data_dir)
    return len(runs)


def _runs_of(client: mlflow.MlflowClient, experiment_id: str, version: str) -> list[Run]:
    """The runs of the trainings that made a version, each after those nested in it."""
    found: list[Run] = []
    for run in client.search_runs([experiment_id], f"tags.`{EXPORT_TAG}` = '{version}'", ViewType.ACTIVE_ONLY):
        found += client.search_runs([experiment_id], f"tags.`mlflow.parentRunId` = '{run.info.run_id}'")
        found.append(run)
    return found


def _models_of(run: Run) -> list[str]:
    return [str(one.model_id) for one in run.outputs.model_outputs] if run.outputs else []


def _collect(runs: Sequence[str], data_dir: DataDir) -> None:
    """Let MLflow give the space of deleted runs back; there is only its command for that."""
    if runs:
        uri = tracking_uri(data_dir)
        command = [sys.executable, "-m", "mlflow", "gc", "--backend-store-uri", uri, "--run-ids", ",".join(runs)]
        subprocess.run(command, check=True, capture_output=True)
