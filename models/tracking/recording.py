"""What a run of MLflow holds, whatever it is a run of: the one module through which figures, data and pictures go.

Belongs here: opening an experiment of the home, and logging a run's content. Which runs there are is said by the
modules beside this one, each with its experiment. Everything is kept where place.py says: under the home, in
`mlflow.db` and `mlartifacts/`, or on a server.
"""

import fcntl
import hashlib
import json
import re
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import mlflow
import pandas as pd
from matplotlib.figure import Figure
from mlflow.entities import Metric, Param, RunTag
from mlflow.exceptions import MlflowException

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_text_atomic
from models.progress import TrainingProgress
from models.tracking.circumstances import begun
from models.tracking.place import MlflowPlace, place_of
from models.tracking.reaching import reaching, require_server
from models.tracking.relocating import relocate

DATA = "data"
"""Folder of the artifacts that keeps the rows of data sets by name and digest: each once in a home, on a server with
each run."""

_NO_FILE_NAME = re.compile(r"[^\w.-]+")
_LONGEST_PARAM = 500
_METRICS_AT_ONCE, _PARAMS_AT_ONCE = 900, 90
"""MLflow takes a thousand and a hundred in one batch."""


@dataclass(frozen=True)
class TrackedExperiment:
    """An experiment by its name, with what its page says of it."""

    name: str
    about: str

    @property
    def tags(self) -> dict[str, str]:
        """MLflow's pages open on runs and charts, not on traces."""
        return {"mlflow.note.content": self.about, "mlflow.experimentKind": "custom_model_development"}


@dataclass(frozen=True)
class Curve:
    """A figure per step, for MLflow's charts: (step, value), or (step, value, when) with seconds since 1970."""

    name: str
    points: Sequence[tuple[int, float] | tuple[int, float, float]]


@dataclass(frozen=True)
class DataSet:
    """What was learnt from, or measured on: its rows and their digest. `target` is the column to be told."""

    name: str
    digest: str
    rows: pd.DataFrame
    context: str = "evaluation"
    target: str | None = None

    @classmethod
    def of_rows(cls, name: str, rows: Sequence[Mapping[str, object]], *, context: str = "evaluation") -> "DataSet":
        """Rows that are no file of their own, with the digest of what they say."""
        told = json.dumps(rows, sort_keys=True, ensure_ascii=False, default=str).encode("utf-8", "replace")
        return cls(name, hashlib.sha256(told).hexdigest(), pd.DataFrame(json.loads(told)), context=context)


@dataclass(frozen=True)
class RunContent:
    """What one run leaves in MLflow; files are by their name in the run."""

    metrics: Mapping[str, float] = field(default_factory=dict)
    params: Mapping[str, object] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    curves: Sequence[Curve] = ()
    data_sets: Sequence[DataSet] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Logged as JSON."""
    tables: Mapping[str, Mapping[str, Sequence[object]]] = field(default_factory=dict)
    """Columns by name; MLflow's pages show them as tables, and set those of several runs side by side."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class TrackedRun:
    """Where to find it again."""

    run_id: str
    experiment_id: str
    url_path: str
    """To append to the address of the MLflow UI."""


def url_path(experiment_id: str, run_id: str) -> str:
    """Where the MLflow UI shows a run."""
    return f"#/experiments/{experiment_id}/runs/{run_id}"


def open_experiment(experiment: TrackedExperiment, *, data_dir: DataDir) -> str:
    """Point MLflow at where this home's records are and return the experiment's id, made when missing. Raises
    `MlflowUnusable`."""
    place = place_of(data_dir)
    if place.server is not None:
        with reaching(place):
            require_server(place)
            return _open_experiment(experiment, place)
    data_dir.mlflow_artifacts.mkdir(parents=True, exist_ok=True)
    data_dir.mlflow_lock.parent.mkdir(parents=True, exist_ok=True)
    with data_dir.mlflow_lock.open("a") as lock:  # closing it lets the next one in
        fcntl.flock(lock, fcntl.LOCK_EX)
        relocate(data_dir)
        return _open_experiment(experiment, place)


def _open_experiment(experiment: TrackedExperiment, place: MlflowPlace) -> str:
    mlflow.set_tracking_uri(place.uri)
    mlflow.set_registry_uri(place.uri)
    found = mlflow.get_experiment_by_name(experiment.name)
    if found is None:
        try:
            made = mlflow.create_experiment(experiment.name, artifact_location=place.artifacts, tags=experiment.tags)
        except MlflowException:
            found = mlflow.get_experiment_by_name(experiment.name)  # another home made it meanwhile
            if found is None:
                raise
        else:
            return str(made)
    if found.lifecycle_stage == "deleted":
        mlflow.MlflowClient().restore_experiment(found.experiment_id)
    return str(found.experiment_id)


@dataclass(frozen=True)
class LiveRun:
    """A run that goes on: it is in MLflow's pages from the beginning, and failed when what it is of fails."""

    run_id: str
    experiment_id: str
    data_dir: DataDir
    _lost: threading.Event = field(default_factory=threading.Event, init=False, repr=False, compare=False)
    """Set when a server went away: no training ends, or waits at each step, for want of a sign of life."""

    def tell(self, progress: TrainingProgress) -> None:
        """A sign of life, with its time: `training.finetune.loss` at step 2."""
        if self._lost.is_set():
            return
        try:
            for name, value in {**progress.figures, "done": progress.done / max(1, progress.total)}.items():
                mlflow.log_metric(f"training.{progress.phase}.{name}", value, step=progress.done, run_id=self.run_id)
        except MlflowException:
            if place_of(self.data_dir).server is None:
                raise
            self._lost.set()

    def add(self, content: RunContent) -> None:
        """Log what came out."""
        record(self.run_id, content, data_dir=self.data_dir)

    @property
    def tracked_run(self) -> TrackedRun:
        """Where to find it again."""
        return TrackedRun(self.run_id, self.experiment_id, url_path(self.experiment_id, self.run_id))


@contextmanager
def open_run(experiment: TrackedExperiment, name: str, *, data_dir: DataDir) -> Iterator[LiveRun]:
    """A run that is open while something is trained, with the machine's metrics."""
    experiment_id = open_experiment(experiment, data_dir=data_dir)
    with begun(name, experiment_id, data_dir=data_dir, watched=True) as run:
        yield LiveRun(run.info.run_id, experiment_id, data_dir)


def log_run(
    experiment: TrackedExperiment,
    name: str,
    content: RunContent,
    *,
    data_dir: DataDir,
    nested: Sequence[tuple[str, RunContent]] = (),
) -> TrackedRun:
    """Log a run that is over already, with those nested in it by their names."""
    experiment_id = open_experiment(experiment, data_dir=data_dir)
    with begun(name, experiment_id, data_dir=data_dir) as run:
        record(run.info.run_id, content, data_dir=data_dir)
        for child, own in nested:
            with begun(child, experiment_id, data_dir=data_dir, nested=True) as inner:
                record(inner.info.run_id, own, data_dir=data_dir)
    return TrackedRun(run.info.run_id, experiment_id, url_path(experiment_id, run.info.run_id))


def record(run_id: str, content: RunContent, *, data_dir: DataDir) -> None:
    """Add `content` to a run. Data sets can be added to the active run alone."""
    client, now = mlflow.MlflowClient(), int(time.time() * 1000)
    metrics = [Metric(name, value, now, 0) for name, value in sorted(content.metrics.items())]
    metrics += [
        Metric(curve.name, point[1], int(point[2] * 1000) if len(point) == 3 else now, point[0])
        for curve in content.curves
        for point in curve.points
    ]
    params = [Param(name, str(value)[:_LONGEST_PARAM]) for name, value in sorted(content.params.items())]
    for start in range(0, len(params), _PARAMS_AT_ONCE):
        client.log_batch(run_id, params=params[start : start + _PARAMS_AT_ONCE])
    for start in range(0, len(metrics), _METRICS_AT_ONCE):
        client.log_batch(run_id, metrics=metrics[start : start + _METRICS_AT_ONCE])
    client.log_batch(run_id, tags=[RunTag(*one) for one in sorted(content.tags.items())])
    _log_files(client, run_id, content)
    for one in content.data_sets:
        mlflow.log_input(_dataset(one, run_id, place_of(data_dir)), context=one.context)


def _log_files(client: mlflow.MlflowClient, run_id: str, content: RunContent) -> None:
    for name, text in content.texts.items():
        client.log_text(run_id, text, name)
    for name, told in content.objects.items():
        client.log_dict(run_id, dict(told), name)
    for name, figure in content.figures.items():
        client.log_figure(run_id, figure, name)
    with warnings.catch_warnings():
        # MLflow 3.17 selects columns in a way that pandas 3 deprecates.
        warnings.simplefilter("ignore", pd.errors.Pandas4Warning)
        for name, table in content.tables.items():
            client.log_table(run_id, dict(table), name)
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in content.pictures.items():
            (Path(folder) / name).write_bytes(picture)
        if content.pictures:
            client.log_artifacts(run_id, folder)


def _dataset(one: DataSet, run_id: str, place: MlflowPlace) -> mlflow.data.dataset.Dataset:
    """As MLflow has it; its source is the file that keeps the rows."""
    name = f"{DATA}/{_NO_FILE_NAME.sub('_', one.name)}-{one.digest[:16]}.csv"
    if place.server is None:
        source = _keep_in_home(one.rows, name, place)
    else:
        source = _keep_on_server(one.rows, name, run_id, place)
    with warnings.catch_warnings():
        # MLflow has local files twice among the kinds of sources that it may mean.
        warnings.filterwarnings("ignore", "The specified dataset source can be interpreted in multiple ways")
        found: mlflow.data.dataset.Dataset = mlflow.data.from_pandas(  # type: ignore[attr-defined]
            one.rows, source=source, targets=one.target, name=one.name, digest=one.digest[:32]
        )
    return found


def _keep_in_home(rows: pd.DataFrame, name: str, place: MlflowPlace) -> str:
    """The place of a file that other runs on the same data share."""
    kept = place.home.mlflow_artifacts.resolve() / name
    if not kept.is_file():
        write_text_atomic(kept, rows.to_csv(index=False))
    return kept.as_uri()


def _keep_on_server(rows: pd.DataFrame, name: str, run_id: str, place: MlflowPlace) -> str:
    """The address of an artifact of the run, for whoever reaches the store; where the server alone does, by the
    server, for MLflow has no source of data for that."""
    client = mlflow.MlflowClient()
    client.log_text(run_id, rows.to_csv(index=False), name)
    artifacts = client.get_run(run_id).info.artifact_uri
    if urlsplit(artifacts).scheme == "mlflow-artifacts":
        return f"{place.server}/get-artifact?path={quote(name)}&run_uuid={run_id}"
    return f"{artifacts}/{name}"
