"""MLflow for the cut of references: a run for each calibration, with its figures and its precision-recall curve.

Belongs here: what such a run holds and how the curve is drawn. How the figures are found is
`serving.assistant.references`'.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from knowledge_graph.lake.home import DataDir
from models.tracking.recording import DataSet, RunContent, TrackedExperiment, TrackedRun, log_run

EXPERIMENT = "references"
_EXPERIMENT = TrackedExperiment(
    EXPERIMENT,
    "One run for each calibration of references (Course Hero, section 3). Figures are cross-validated by answer; "
    "`nested_` ones choose the cut without the answers they judge. The picture is the paper's Figure 4 for the "
    "labelled answers of this home, which are the run's data.",
)

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
    data_sets: Sequence[DataSet] = ()


def log_reference_run(run: ReferenceRun, *, data_dir: DataDir) -> TrackedRun:
    """Log one calibration as a run of the experiment `references`."""
    figures = {"precision_recall.png": draw_curves(run.curves)} if run.curves else {}
    content = RunContent(run.metrics, run.params, data_sets=run.data_sets, figures=figures)
    return log_run(_EXPERIMENT, "cut of references", content, data_dir=data_dir)


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
