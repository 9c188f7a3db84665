"""Comparisons of two systems: by hand, and on synthetic truth, where a difference that is none is rarely found."""

import numpy as np
import pytest
from scipy.stats import binom

from models.statistics.paired import LEVEL, holm
from serving.evaluation.release.paired_comparison import (
    POWER,
    compare,
    floor_of_equals,
    floor_of_halves,
    sign_flips,
    smallest_loss,
)

QUESTIONS = 60


def right(*, wrong: int) -> list[float]:
    return [0.0] * wrong + [1.0] * (QUESTIONS - wrong)


def test_holm_multiplies_the_smallest_most() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.5, 0.6]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_the_same_answers_are_no_difference() -> None:
    (found,) = compare({"hit": right(wrong=9)}, {"hit": right(wrong=9)}, floors={})
    assert (found.p, found.difference.value, found.verdict) == (1.0, 0.0, "no difference shown")


def test_a_loss_beyond_chance_is_worse_and_a_gain_is_better() -> None:
    before, after = {"hit": right(wrong=3)}, {"hit": right(wrong=18)}
    (worse,), (better,) = compare(before, after, floors={"hit": 0.05}), compare(after, before, floors={"hit": 0.05})
    assert (worse.verdict, worse.only_before, worse.only_after) == ("worse", 15, 0)
    assert worse.p == pytest.approx(2 * 0.5**15)
    assert worse.difference.high < 0
    assert better.verdict == "better"


def test_a_loss_within_the_noise_floor_is_none_however_sure_it_is() -> None:
    (found,) = compare({"hit": right(wrong=3)}, {"hit": right(wrong=18)}, floors={"hit": 0.3})
    assert found.p_holm < LEVEL
    assert found.verdict == "no difference shown"


def test_graded_measures_are_compared_by_flipping_signs() -> None:
    before = [0.5] * QUESTIONS
    after = [0.4] * (QUESTIONS // 2) + [0.5] * (QUESTIONS // 2)
    (found,) = compare({"mrr": before}, {"mrr": after}, floors={})
    assert found.only_before is None
    assert found.p == pytest.approx(1 / 2001)
    assert found.verdict == "worse"


def test_measures_are_corrected_for_together() -> None:
    before = {"hit": right(wrong=2), "recall": right(wrong=2)}
    after = {"hit": right(wrong=8), "recall": right(wrong=2)}
    hit, recall = compare(before, after, floors={})
    assert hit.p == pytest.approx(2 / 2**6)
    assert (hit.p_holm, hit.verdict) == (pytest.approx(4 / 2**6), "no difference shown")
    assert recall.p_holm == 1.0


def test_values_of_other_questions_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="as many values after as before, found 1 and 2"):
        compare({"hit": [1.0, 0.0]}, {"hit": [1.0]}, floors={})
    with pytest.raises(ValueError, match="Other measures"):
        compare({"hit": [1.0]}, {"mrr": [1.0]}, floors={})


@pytest.mark.parametrize("graded", [False, True])
def test_two_equal_systems_are_told_apart_no_more_often_than_the_level_says(graded: bool) -> None:
    source, runs = np.random.default_rng(11), 200
    found = 0
    for _ in range(runs):
        sides = source.random((2, QUESTIONS))
        first, second = sides if graded else (sides < 0.7).astype(float)
        (one,) = compare({"m": first.tolist()}, {"m": second.tolist()}, floors={})
        found += one.p <= LEVEL
    assert found <= binom.ppf(0.999, runs, LEVEL)
    if graded:
        assert found >= binom.ppf(0.001, runs, LEVEL)  # exact; McNemar's test is on the careful side


def test_sign_flips_are_the_same_for_the_same_seed() -> None:
    differences = np.random.default_rng(3).normal(0.1, 0.3, 40).tolist()
    assert sign_flips(differences, seed=1) == sign_flips(differences, seed=1)
    assert sign_flips([0.0] * 40) == 1.0


def test_the_floor_is_how_far_equals_are_apart() -> None:
    assert floor_of_equals([0.8, 0.8, 0.8]) == 0.0
    assert floor_of_equals([0.80, 0.85]) == pytest.approx(0.05)
    with pytest.raises(ValueError, match="two sets"):
        floor_of_equals([0.8])


def test_the_floor_of_halves_is_that_of_the_normal_distribution() -> None:
    values = [1.0] * 80 + [0.0] * 20
    expected = 1.96 * 2 * np.sqrt(0.8 * 0.2 / 99)
    assert floor_of_halves(values) == pytest.approx(expected, abs=0.025)
    assert floor_of_halves(values) == floor_of_halves(values)


def test_the_smallest_loss_is_seen_as_often_as_it_says() -> None:
    share = smallest_loss(120, measures=3, floor=0.02)
    source, runs = np.random.default_rng(5), 60
    seen = 0
    for _ in range(runs):
        lost = (source.random(120) < share).astype(float)
        after = {name: (1 - lost).tolist() for name in "abc"}
        found = compare({name: [1.0] * 120 for name in "abc"}, after, floors=dict.fromkeys("abc", 0.02))
        seen += all(one.verdict == "worse" for one in found)
    assert binom.ppf(0.001, runs, POWER - 0.03) <= seen <= binom.ppf(0.999, runs, POWER + 0.03)


def test_too_few_questions_show_no_loss_at_all() -> None:
    assert smallest_loss(5, measures=7, floor=0.0) == 1.0
