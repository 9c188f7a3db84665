"""The pictures of a training: confusion matrix, reliability diagram, learning curves; drawn without a display.

What the figures mean is in models/statistics/metrics.py; nothing is computed or written here.
"""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from models.statistics.metrics import Reliability

_HIGH_SHARE = 0.5
"""Cells above it are dark, and their counts white."""


def draw_confusion(confusion: Sequence[Sequence[int]], categories: Sequence[str]) -> Figure:
    """Labels down, predictions across, counts in the cells; shaded by the share of the label's row."""
    figure = _figure(6.4, 5.6)
    axes = figure.subplots()
    shares = [[count / max(1, sum(row)) for count in row] for row in confusion]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(len(categories)), categories, rotation=40, ha="right")
    axes.set_yticks(range(len(categories)), categories)
    axes.set_xlabel("predicted")
    axes.set_ylabel("labelled")
    for down, row in enumerate(confusion):
        for across, count in enumerate(row):
            color = "white" if shares[down][across] > _HIGH_SHARE else "black"
            axes.text(across, down, str(count), ha="center", va="center", color=color)
    return figure


def draw_reliability(panels: Mapping[str, Reliability]) -> Figure:
    """One panel per score, by its title: how often it was right in each bin, beside the diagonal of a calibrated one.

    Numbers over the bars count the questions in the bin; the title has the expected calibration error.
    """
    figure = _figure(5.2 * len(panels), 4.8)
    for axes, (title, found) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
        _reliability_panel(axes, found)
        axes.set_title(f"{title}, ECE {found.error:.3f}")
    return figure


def _reliability_panel(axes: Axes, found: Reliability) -> None:
    width = 1 / max(1, found.bins)
    axes.plot([0, 1], [0, 1], color="grey", linestyle="--", linewidth=1)
    for one in found.filled:
        axes.bar(one.low, one.right, width=width, align="edge", color="#4c78a8", alpha=0.8, edgecolor="white")
        axes.plot(one.score, one.right, marker="o", markersize=3, color="black")
        axes.text(one.low + width / 2, min(one.right + 0.02, 0.96), str(one.questions), ha="center", fontsize=7)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("score")
    axes.set_ylabel("share that it was right")


def draw_learning_curves(curves: Mapping[str, Sequence[tuple[int, float]]], *, best_epoch: int) -> Figure:
    """Losses above, everything else (0..1) below, by epoch; the line stands at the epoch whose weights were kept."""
    figure = _figure(6.4, 6.0)
    above, below = figure.subplots(2, 1, sharex=True)
    for name, points in curves.items():
        axes = above if name.endswith("loss") else below
        epochs, values = zip(*points, strict=True) if points else ((), ())
        axes.plot(epochs, values, marker="o", markersize=3, label=name)
    for axes in (above, below):
        axes.axvline(best_epoch, color="grey", linestyle="--", linewidth=1)
        if axes.get_legend_handles_labels()[0]:
            axes.legend()
    below.set_ylim(0, 1)
    below.set_xlabel("epoch")
    return figure


def _figure(width: float, height: float) -> Figure:
    """A figure with a canvas of its own: pyplot would keep it open for the life of the process."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
