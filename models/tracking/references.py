"""MLflow for the cut of references: a run for each calibration, with its figures and its precision-recall curve.

Belongs here: what such a run holds and how the curve is drawn. How the figures are found is
`serving.assistant.references`'.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mlflow
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from mlflow.entities import Metric, Param

from knowledge_graph.lake.home import DataDir
from models.tracking.circumstances import begun
from models.tracking.runs import TrackedRun, open_experiment, url_path

EXPERIMENT = "references"
_EXPERIMENT_TAGS = {
    "mlflow.note.content": "One run for each calibration of references (Course Hero, section 3). Figures are "
    "cross-validated by answer; `nested_` ones choose the cut without the answers they judge. The picture is the "
    "paper's Figure 4 for the labelled answers of this home.",
    "mlflow.experimentKind": "custom_model_development",
}

PUBLISHED = (0.69, 0.84)
"""Recall and precision that Course Hero chose (3.2, Figure 4)."""


@dataclass(frozen=True)
class CurveRecord:
    """Precision over recall of one scorer, by a name for people, and the point in use, each as (recall, precision)."""

    name: str
    points: Sequence[tuple[float, float]]
    chosen: tuple[float, float]


@dataclass(frozen=True)
class ReferenceRun:
    """What one calibration leaves in MLflow; metrics by a name MLflow accepts."""

    params: Mapping[str, str]
    metrics: Mapping[str, float]
    curves: Sequence[CurveRecord]


def log_reference_run(record: ReferenceRun, *, data_dir: DataDir) -> TrackedRun:
    """Log one calibration as a run of the experiment `references`."""
    experiment_id = open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    with begun("cut of references", experiment_id) as run:
        run_id = run.info.run_id
        mlflow.MlflowClient().log_batch(
            run_id,
            metrics=[Metric(name, value, run.info.start_time, 0) for name, value in sorted(record.metrics.items())],
            params=[Param(name, value) for name, value in sorted(record.params.items())],
        )
        if record.curves:
            mlflow.log_figure(draw_curves(record.curves), "precision_recall.png")
    return TrackedRun(run_id, experiment_id, url_path(experiment_id, run_id))


def draw_curves(curves: Sequence[CurveRecord]) -> Figure:
    """Precision over recall as the cut falls, as a figure of its own."""
    figure = Figure(figsize=(6.4, 5.0), layout="constrained")
    FigureCanvasAgg(figure)
    paint_curves(figure, curves)
    return figure


def paint_curves(figure: Figure, curves: Sequence[CurveRecord]) -> None:
    """Precision over recall as the cut falls, with the point in use and the published one."""
    axes = figure.subplots()
    for one in curves:
        recalls, precisions = zip(*one.points, strict=True)
        (line,) = axes.plot(recalls, precisions, label=one.name)
        axes.plot(*one.chosen, marker="o", color=line.get_color())
    axes.plot(*PUBLISHED, marker="x", color="black", linestyle="none", label="Course Hero: 0.84 at 0.69")
    axes.set_xlim(0, 1.02)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("recall")
    axes.set_ylabel("precision")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="lower left", fontsize=8)
