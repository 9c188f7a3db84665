"""MLflow for sweeps over the intent model's settings: a run for each sweep, with one nested in it for each combination.

The nested runs have the same figures under the same names, so that MLflow's table, charts and parallel coordinates set
them side by side. They are open while their combination is trained.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

from knowledge_graph.lake.home import DataDir
from models.intent.labels.categories import Floats
from models.intent.settings import IntentSettings
from models.intent.training.candidate import figures
from models.intent.training.sweep import SweepResult
from models.tracking.circumstances import begun
from models.tracking.recording import DataSet, LiveRun, RunContent, TrackedExperiment, TrackedRun, open_run, record

EXPERIMENT = "intent sweeps"
_EXPERIMENT = TrackedExperiment(
    EXPERIMENT,
    "One run for each sweep over settings of the intent model, with one nested in it for each combination, by "
    "cross-validation on the labelled questions that are not held out. `behind` is how far a combination is behind the "
    "best in macro-F1, `p` whether that is chance (by Holm over all of them).",
)


@dataclass(frozen=True)
class OpenSweep:
    """A sweep that goes on."""

    live: LiveRun
    nested: dict[str, str] = field(default_factory=dict)
    """The run of each combination, by its name."""

    def track(self, name: str, settings: IntentSettings, answers: Callable[[], Floats]) -> Floats:
        """What a combination says, made inside its run."""
        with begun(name, self.live.experiment_id, data_dir=self.live.data_dir, nested=True) as run:
            self.nested[name] = run.info.run_id
            record(run.info.run_id, RunContent(params=asdict(settings)), data_dir=self.live.data_dir)
            return answers()

    def finish(self, found: SweepResult, *, table: str) -> TrackedRun:
        """Log every combination's figures, and the comparison with the sweep."""
        for one in found.choice.standings:
            measured = {
                **figures(one.metrics),
                "macro_f1.low": one.macro_f1.low,
                "macro_f1.high": one.macro_f1.high,
                "behind": 0.0 if one.behind is None else one.behind.macro_f1.value,
                "p": one.p,
            }
            marks = {"best": found.choice.best, "chosen": found.choice.chosen}
            tags = {f"coteach.{name}": str(one.system == who).lower() for name, who in marks.items()}
            record(self.nested[one.system], RunContent(measured, tags=tags), data_dir=self.live.data_dir)
        tags = {"coteach.best": found.choice.best, "coteach.chosen": str(found.choice.chosen)}
        self.live.add(RunContent(tags=tags, texts={"sweep.md": table}))
        return self.live.tracked_run


@contextmanager
def open_sweep(
    name: str, params: Mapping[str, str | int], labels: DataSet, *, data_dir: DataDir
) -> Iterator[OpenSweep]:
    """The run of a sweep, open while its combinations are trained; it fails with what fails inside."""
    with open_run(_EXPERIMENT, name, data_dir=data_dir) as live:
        live.add(RunContent(params=params, data_sets=[labels]))
        yield OpenSweep(live)
