"""MLflow for sweeps over the intent model's settings: a run for each sweep, with one nested in it for each combination.

The nested runs have the same figures under the same names, so that MLflow's table, charts and parallel coordinates set
them side by side. They are open while their combination is trained.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

import mlflow
from mlflow.entities import Metric, Param, RunTag

from knowledge_graph.lake.home import DataDir
from models.intent.labels.categories import Floats
from models.intent.settings import IntentSettings
from models.intent.training.candidate import figures
from models.intent.training.sweep import SweepResult
from models.tracking.circumstances import begun
from models.tracking.runs import TrackedRun, open_experiment, url_path

EXPERIMENT = "intent sweeps"
_EXPERIMENT_TAGS = {
    "mlflow.note.content": "One run for each sweep over settings of the intent model, with one nested in it for each "
    "combination, by cross-validation on the labelled questions that are not held out. `behind` is how far a "
    "combination is behind the best in macro-F1, `p` whether that is chance (by Holm over all of them).",
    "mlflow.experimentKind": "custom_model_development",
}


@dataclass(frozen=True)
class OpenSweep:
    """A sweep that goes on."""

    run_id: str
    experiment_id: str
    nested: dict[str, str] = field(default_factory=dict)
    """The run of each combination, by its name."""

    def tracked(self, name: str, settings: IntentSettings, answers: Callable[[], Floats]) -> Floats:
        """What a combination says, made inside its run."""
        with begun(name, self.experiment_id, nested=True) as run:
            self.nested[name] = run.info.run_id
            params = [Param(key, str(value)) for key, value in asdict(settings).items()]
            mlflow.MlflowClient().log_batch(run.info.run_id, params=params)
            return answers()

    def finish(self, found: SweepResult, *, table: str) -> TrackedRun:
        """Log every combination's figures, and the comparison with the sweep."""
        client = mlflow.MlflowClient()
        for one in found.choice.standings:
            run_id = self.nested[one.system]
            measured = {
                **figures(one.metrics),
                "macro_f1.low": one.macro_f1.low,
                "macro_f1.high": one.macro_f1.high,
                "behind": 0.0 if one.behind is None else one.behind.macro_f1.value,
                "p": one.p,
            }
            marks = {"best": found.choice.best, "chosen": found.choice.chosen}
            client.log_batch(
                run_id,
                metrics=[Metric(name, value, _now(run_id), 0) for name, value in measured.items()],
                tags=[RunTag(f"coteach.{name}", str(one.system == who).lower()) for name, who in marks.items()],
            )
        mlflow.log_text(table, "sweep.md")
        mlflow.set_tags({"coteach.best": found.choice.best, "coteach.chosen": str(found.choice.chosen)})
        return TrackedRun(self.run_id, self.experiment_id, url_path(self.experiment_id, self.run_id))


@contextmanager
def open_sweep(name: str, params: Mapping[str, str | int], *, data_dir: DataDir) -> Iterator[OpenSweep]:
    """The run of a sweep, open while its combinations are trained; it fails with what fails inside."""
    experiment_id = open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    with begun(name, experiment_id, watched=True) as run:
        mlflow.log_params(dict(params))
        yield OpenSweep(run.info.run_id, experiment_id)


def _now(run_id: str) -> int:
    info = mlflow.get_run(run_id).info
    return int(info.end_time or info.start_time)
