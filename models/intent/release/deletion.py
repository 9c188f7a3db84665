"""Deleting published intent models for good: their folders, their thresholds and what MLflow holds of them.

The rule, after every build and by `coteach model prune`: what is in use or behind an alias stays, as do the versions
that were used or made last; of a version that was trained several times, the newest run with a model stays.
"""

import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import mlflow
from mlflow.entities import Run, ViewType

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from models.intent.release.registry import find_versions_to_keep, version_names
from models.intent.thresholds import thresholds_path
from models.tracking.recording import tracking_uri
from models.tracking.relocating import relocate
from models.tracking.runs import EXPERIMENT, EXPORT_TAG, REGISTERED

_MODELS = "models"
"""Where MLflow 3 keeps models among the artifacts; its `gc` leaves those that are deleted."""


class SpaceNotFreed(CoteachError):
    """MLflow did not give the space of deleted runs back; the message has what it said."""


@dataclass(frozen=True)
class Pruned:
    """What pruning deletes, or would, and what it leaves."""

    gone: tuple[str, ...]
    kept: tuple[str, ...]
    runs: int
    """In MLflow, nested ones among them."""


def prune(data_dir: DataDir, *, keep: int, dry_run: bool = False) -> Pruned:
    """Delete what the rule does not keep of all versions, `keep` of them by age. `dry_run` deletes nothing.

    Raises `SpaceNotFreed` when the runs are deleted and MLflow could not remove their files.
    """
    kept = find_versions_to_keep(data_dir, keep=keep)
    gone = tuple(name for name in version_names(data_dir) if name not in kept)
    runs = _runs(gone, kept, data_dir)
    if not dry_run:
        for version in gone:
            shutil.rmtree(data_dir.intent / version, ignore_errors=True)
            thresholds_path(data_dir.intent / version).unlink(missing_ok=True)
        _forget(runs, data_dir)
    return Pruned(gone, tuple(sorted(kept)), len(runs))


def _runs(gone: Collection[str], kept: Collection[str], data_dir: DataDir) -> list[Run]:
    """Those of versions that go, and those of versions that stay with a newer one; each after those nested in it."""
    if not data_dir.mlflow_db.is_file():
        return []
    relocate(data_dir)
    client = _client(data_dir)
    experiment = client.get_experiment_by_name(EXPERIMENT)
    if experiment is None:
        return []
    registered = client.search_model_versions(f"name = '{REGISTERED}'")
    named = set(client.get_registered_model(REGISTERED).aliases.values()) if registered else set()
    aliased = {one.run_id for one in registered if one.version in named}
    found: list[Run] = []
    for version in sorted({*gone, *kept}):
        trainings = client.search_runs(
            [experiment.experiment_id],
            f"tags.`{EXPORT_TAG}` = '{version}'",
            ViewType.ACTIVE_ONLY,
            order_by=["attributes.start_time DESC"],
        )
        whole = [run.info.run_id for run in trainings if run.info.run_id in {one.run_id for one in registered}]
        spared = {*aliased, *whole[:1]} if version in kept else set()
        for run in trainings:
            if run.info.run_id not in spared:
                nested = f"tags.`mlflow.parentRunId` = '{run.info.run_id}'"
                found += [*client.search_runs([experiment.experiment_id], nested), run]
    return found


def _forget(runs: Sequence[Run], data_dir: DataDir) -> None:
    if not runs:
        return
    client, names = _client(data_dir), [run.info.run_id for run in runs]
    for one in client.search_model_versions(f"name = '{REGISTERED}'"):
        if one.run_id in names:
            client.delete_model_version(REGISTERED, one.version)
    for run in runs:
        for model_id in _models_of(run):
            client.delete_logged_model(model_id)
            shutil.rmtree(data_dir.mlflow_artifacts / _MODELS / model_id, ignore_errors=True)
        client.delete_run(run.info.run_id)
    _collect(names, data_dir)


def _client(data_dir: DataDir) -> mlflow.MlflowClient:
    return mlflow.MlflowClient(tracking_uri(data_dir), tracking_uri(data_dir))


def _models_of(run: Run) -> list[str]:
    return [str(one.model_id) for one in run.outputs.model_outputs] if run.outputs else []


def _collect(runs: Sequence[str], data_dir: DataDir) -> None:
    """Let MLflow give the space of deleted runs back; there is only its command for that."""
    command = [sys.executable, "-m", "mlflow", "gc", "--backend-store-uri", tracking_uri(data_dir)]
    done = subprocess.run([*command, "--run-ids", ",".join(runs)], capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise SpaceNotFreed(f"The runs are deleted, but `mlflow gc` could not remove their files; it said: {said}")
