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
from models.tracking.place import MlflowPlace, place_of
from models.tracking.reaching import reaching, require_server
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
    space_left_to: str | None = None
    """The server that still has the files of those runs: its owner alone gives their space back."""

    @property
    def description(self) -> str:
        """What goes, in words."""
        left = (
            "" if self.space_left_to is None else f" (their files: `mlflow gc` at {self.space_left_to}, by its owner)"
        )
        return f"{', '.join(self.gone) or 'no model'} and {self.runs} runs in MLflow{left}"


def prune(data_dir: DataDir, *, keep: int, dry_run: bool = False) -> Pruned:
    """Delete what the rule does not keep of all versions, `keep` of them by age. `dry_run` deletes nothing.

    On a server, of what this home recorded alone. Raises `SpaceNotFreed` when the runs are deleted and MLflow could not
    remove their files, `MlflowUnusable` when a server does not do it.
    """
    kept, place = find_versions_to_keep(data_dir, keep=keep), place_of(data_dir)
    gone = tuple(name for name in version_names(data_dir) if name not in kept)
    with reaching(place):
        require_server(place)
        runs = _runs(gone, kept, place)
        if not dry_run:
            _forget(runs, place)
            for version in gone:
                shutil.rmtree(data_dir.intent / version, ignore_errors=True)
                thresholds_path(data_dir.intent / version).unlink(missing_ok=True)
            if runs and place.server is None:
                _collect([run.info.run_id for run in runs], place)
    return Pruned(gone, tuple(sorted(kept)), len(runs), place.server if runs else None)


def _runs(gone: Collection[str], kept: Collection[str], place: MlflowPlace) -> list[Run]:
    """Those of versions that go, and those of versions that stay with a newer one; each after those nested in it."""
    if not place.may_have_records:
        return []
    if place.server is None:
        relocate(place.home)
    client = _client(place)
    experiment = client.get_experiment_by_name(EXPERIMENT)
    if experiment is None:
        return []
    registered = client.search_model_versions(place.own(f"name = '{REGISTERED}'"))
    named = set(client.get_registered_model(REGISTERED).aliases.values()) if registered else set()
    aliased = {one.run_id for one in registered if one.version in named}
    found: list[Run] = []
    for version in sorted({*gone, *kept}):
        trainings = client.search_runs(
            [experiment.experiment_id],
            place.own(f"tags.`{EXPORT_TAG}` = '{version}'"),
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


def _forget(runs: Sequence[Run], place: MlflowPlace) -> None:
    if not runs:
        return
    client, names = _client(place), [run.info.run_id for run in runs]
    for one in client.search_model_versions(place.own(f"name = '{REGISTERED}'")):
        if one.run_id in names:
            client.delete_model_version(REGISTERED, one.version)
    for run in runs:
        for model_id in _models_of(run):
            client.delete_logged_model(model_id)
            if place.server is None:
                shutil.rmtree(place.home.mlflow_artifacts / _MODELS / model_id, ignore_errors=True)
        client.delete_run(run.info.run_id)


def _client(place: MlflowPlace) -> mlflow.MlflowClient:
    return mlflow.MlflowClient(place.uri, place.uri)


def _models_of(run: Run) -> list[str]:
    return [str(one.model_id) for one in run.outputs.model_outputs] if run.outputs else []


def _collect(runs: Sequence[str], place: MlflowPlace) -> None:
    """Let MLflow give the space of deleted runs back; there is only its command for that."""
    command = [sys.executable, "-m", "mlflow", "gc", "--backend-store-uri", place.uri]
    done = subprocess.run([*command, "--run-ids", ",".join(runs)], capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise SpaceNotFreed(f"The runs are deleted, but `mlflow gc` could not remove their files; it said: {said}")
