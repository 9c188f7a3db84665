"""Temperature scaling against models whose overconfidence is known."""

import numpy as np
import pytest

from models.intent.thresholds import temper
from models.statistics.temperature import TEMPERATURES, fit_temperature


def sure_by(factor: float, n: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of three categories, sharpened by `factor`, and labels drawn from the true ones."""
    source = np.random.default_rng(0)
    true = source.dirichlet((1.0, 1.0, 1.0), n)
    labels = (source.random((n, 1)) > true.cumsum(axis=1)).sum(axis=1).clip(max=2)
    return temper(true, 1 / factor), labels


@pytest.mark.parametrize("factor", [0.5, 2.0, 3.0])
def test_the_temperature_undoes_what_sharpened_the_model(factor: float) -> None:
    found = fit_temperature(*sure_by(factor))
    assert found.value == pytest.approx(factor, rel=0.1)
    assert found.nll_after < found.nll_before
    assert found.ece_after < found.ece_before
    assert found.ece_after < 0.03


def test_a_calibrated_model_is_left_nearly_alone() -> None:
    assert fit_temperature(*sure_by(1.0)).value == pytest.approx(1, abs=0.05)


def test_figures_of_two_questions() -> None:
    found = fit_temperature(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1]))
    assert found.nll_before == pytest.approx(-(np.log(0.8) + np.log(0.2)) / 2)
    assert found.ece_before == pytest.approx(0.3)
    assert found.value == pytest.approx(TEMPERATURES[1], rel=0.01), "half right: as unsure as it may become"


def test_a_model_that_is_always_right_keeps_finite_probabilities() -> None:
    found = fit_temperature(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1]))
    assert TEMPERATURES[0] <= found.value <= TEMPERATURES[1]
    assert found.nll_after <= found.nll_before


def test_tempering_keeps_the_order_and_the_sum() -> None:
    rows = np.array([[0.7, 0.2, 0.1], [0.0, 0.0, 1.0]])
    softer = temper(rows, 2.0)
    assert softer.sum(axis=1) == pytest.approx([1, 1])
    assert (softer.argsort(axis=1) == rows.argsort(axis=1)).all()
    assert softer[0, 0] < 0.7
    assert temper(rows, 1.0) is rows


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan")])
def test_a_temperature_is_above_zero(value: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        temper(np.array([[0.5, 0.5]]), value)


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(ValueError, match="two categories; found 0"):
        fit_temperature(np.zeros((0, 6)), np.zeros(0, int))
    with pytest.raises(ValueError, match="two categories; found 1"):
        fit_temperature(np.array([[0.5, 0.5]]), np.array([0]))
    with pytest.raises(ValueError, match="NaN"):
        fit_temperature(np.array([[np.nan, 0.5], [0.5, 0.5]]), np.array([0, 1]))
    with pytest.raises(ValueError, match="one label per row"):
        fit_temperature(np.array([[0.5, 0.5]]), np.array([0, 1]))
