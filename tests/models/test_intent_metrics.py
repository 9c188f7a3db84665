"""Figures against cases worked by hand."""

import numpy as np
import pytest

from models.intent.labels.categories import CATEGORIES, Category
from models.statistics.metrics import best_alpha, measure, reliability


def scores(*rows: tuple[float, float]) -> np.ndarray:
    """Rows of (simple, general_chat) probabilities."""
    found = np.zeros((len(rows), len(CATEGORIES)))
    found[:, CATEGORIES.index("simple")] = [simple for simple, _ in rows]
    found[:, CATEGORIES.index("general_chat")] = [chat for _, chat in rows]
    return found


LABELS: list[Category] = ["simple", "simple", "general_chat", "general_chat"]
SCORES = scores((0.9, 0.1), (0.6, 0.4), (0.7, 0.3), (0.2, 0.8))


def test_figures_of_four_questions() -> None:
    found = measure(LABELS, SCORES, alpha=0.25)
    assert (found.support, found.accuracy, found.chat_accuracy) == (4, 0.75, 0.75)
    assert found.macro_f1 == pytest.approx((2 * 2 / 5 + 2 / 3) / 2)
    assert found.chat_f1 == pytest.approx(0.8)
    assert found.chat_auc == 0.75
    assert found.confusion[0][:3] == (2, 0, 0)
    assert found.confusion[2][:3] == (1, 0, 1)


def test_labels_of_one_side_have_no_area_under_the_curve() -> None:
    assert measure(["simple", "simple"], SCORES[:2], alpha=0.5).chat_auc is None


def test_alpha_is_the_cut_with_the_best_chat_f1() -> None:
    higher = scores((0.9, 0.1), (0.4, 0.6), (0.2, 0.8), (0.1, 0.9))
    assert best_alpha(LABELS, higher) == pytest.approx(0.7)


def test_alpha_is_never_below_a_half_even_where_the_labels_would_have_it() -> None:
    assert best_alpha(LABELS, SCORES) == 0.5


def test_alpha_stays_at_a_half_when_nothing_is_chat() -> None:
    assert best_alpha(["simple", "simple"], SCORES[:2]) == 0.5


def test_reliability_sets_scores_beside_how_often_they_were_right() -> None:
    found = reliability(np.array([0.1, 0.2, 0.9, 1.0]), np.array([False, True, True, True]), bins=2)
    assert [(one.low, one.right, one.questions) for one in found.filled] == [(0.0, 0.5, 2), (0.5, 1.0, 2)]
    assert [one.score for one in found.filled] == pytest.approx([0.15, 0.95])
    assert found.error == pytest.approx((2 * 0.35 + 2 * 0.05) / 4)


def test_scores_that_are_right_as_often_as_they_say_have_no_calibration_error() -> None:
    assert reliability(np.full(10, 0.7), np.arange(10) < 7).error == pytest.approx(0)


def test_the_calibration_errors_are_those_of_the_winning_category_and_of_chat() -> None:
    found = measure(LABELS, SCORES, alpha=0.5)
    assert found.ece == pytest.approx((0.1 + 0.4 + 0.7 + 0.2) / 4)
    assert found.chat_ece == pytest.approx((0.1 + 0.4 + 0.7 + 0.2) / 4)
