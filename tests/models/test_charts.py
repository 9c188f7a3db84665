"""The pictures of a training are pictures."""

import io

import numpy as np
import pytest
from matplotlib.figure import Figure

from models.intent.release.charts import draw_confusion, draw_learning_curves, draw_reliability
from models.statistics.metrics import reliability

CURVES = {"loss": [(1, 1.5), (2, 0.9)], "valid_macro_f1": [(1, 0.3), (2, 0.5)]}
SCORES = reliability(np.array([0.1, 0.6, 1.0]), np.array([False, True, True]))


def png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "figure",
    [
        draw_confusion([[3, 1], [0, 2]], ["simple", "complex"]),
        draw_reliability({"category": SCORES, "chit-chat (h)": SCORES}),
        draw_reliability({"nothing measured": reliability(np.array([]), np.array([], dtype=bool))}),
        draw_learning_curves(CURVES, best_epoch=2),
        draw_learning_curves({"loss": []}, best_epoch=0),
    ],
    ids=["confusion", "reliability", "reliability of nothing", "curves", "no epochs"],
)
def test_a_picture_can_be_saved(figure: Figure) -> None:
    assert png(figure).startswith(b"\x89PNG\r\n\x1a\n")


def test_the_reliability_diagram_says_its_error() -> None:
    (axes,) = draw_reliability({"category": SCORES}).axes
    assert axes.get_title() == f"category, ECE {SCORES.error:.3f}"


def test_the_loss_has_a_scale_of_its_own() -> None:
    above, below = draw_learning_curves(CURVES, best_epoch=2).axes
    assert [line.get_label() for line in above.get_lines()][:1] == ["loss"]
    assert [line.get_label() for line in below.get_lines()][:1] == ["valid_macro_f1"]
