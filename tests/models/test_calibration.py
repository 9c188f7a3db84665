"""Cuts with a promise, against figures worked by hand and against distributions whose truth is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.statistics.calibration import RiskPromise, choose_cut, choose_cuts, fewest_accepted, judge, upper_bound


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores spread over 0..1, and whether accepting each would be wrong: the higher the score, the less often."""
    source = np.random.default_rng(seed)
    scores = source.random(n)
    return scores, source.random(n) > scores


def test_the_exact_bound_is_that_of_clopper_and_pearson() -> None:
    bounds = upper_bound(np.array([0, 1, 5, 0]), np.array([10, 10, 5, 0]), 0.05)
    assert bounds[0] == pytest.approx(1 - 0.05 ** (1 / 10))  # (1 - p)^10 = .05
    assert bounds[1] == pytest.approx(0.39416, abs=1e-5)  # printed in tables of binomial limits
    assert bounds[2:].tolist() == [1, 1]


def test_forty_five_right_ones_are_the_fewest_for_five_percent_with_ninety() -> None:
    assert fewest_accepted(0.05, 0.1) == 45
    assert 0.95**45 <= 0.1 < 0.95**44


def test_a_cut_accepts_as_much_as_its_promise_allows() -> None:
    scores = np.array([0.9] * 100 + [0.4] * 100)
    wrong = np.array([False] * 100 + [True] * 100)
    found = choose_cut(scores, wrong, risk=0.05, delta=0.1)
    assert (found.cut, found.accepted, found.errors) == (0.89, 100, 0)
    assert found.coverage == 0.5
    assert found.upper_bound == pytest.approx(1 - 0.05 ** (1 / 100))


def test_direct_answers_are_cut_by_the_same_function() -> None:
    match = np.array([0.95] * 200 + [0.7] * 50)
    wrong_answer = np.array([False] * 198 + [True] * 2 + [True] * 25 + [False] * 25)
    beta = choose_cut(match, wrong_answer, risk=0.05, delta=0.05, lowest=0.6)
    assert beta.cut == 0.94
    assert (beta.accepted, beta.errors) == (200, 2)


def test_no_cut_lies_under_the_lowest() -> None:
    scores, _ = drawn(500)
    assert choose_cut(scores, np.zeros(500, bool), risk=0.1, delta=0.1, lowest=0.5).cut == 0.5


def test_of_cuts_that_accept_the_same_questions_the_highest_is_taken() -> None:
    assert choose_cut(np.full(200, 0.8), np.zeros(200, bool), risk=0.1, delta=0.1).cut == 0.79


@pytest.mark.parametrize(
    ("scores", "wrong"),
    [
        ([], []),
        ([0.9] * 10, [False] * 10),
        ([0.9] * 200, [True] * 200),
        ([0.5] * 200, [True, False] * 100),
        ([0.0] * 200, [False] * 200),
    ],
    ids=["no labels", "too few", "all wrong", "all equal and half wrong", "nothing above any cut"],
)
def test_without_evidence_there_is_no_promise(scores: list[float], wrong: list[bool]) -> None:
    found = choose_cut(np.array(scores), np.array(wrong, bool), risk=0.05, delta=0.1)
    assert (found.cut, found.accepted, found.coverage) == (None, 0, 0)
    assert found.upper_bound > 0.05


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, 2.0, float("nan")])
def test_a_risk_or_confidence_outside_zero_and_one_is_refused(share: float) -> None:
    scores, wrong = drawn(10)
    with pytest.raises(ValueError, match="risk must lie between 0 and 1"):
        choose_cut(scores, wrong, risk=share, delta=0.1)
    with pytest.raises(ValueError, match="delta must lie between 0 and 1"):
        choose_cut(scores, wrong, risk=0.1, delta=share)
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        judge(wrong, risk=0.1, confidence=share)


def test_scores_that_are_no_numbers_and_labels_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="found 1 NaN"):
        choose_cut(np.array([0.5, np.nan]), np.array([True, False]), risk=0.1, delta=0.1)
    with pytest.raises(ValueError, match="one label per score"):
        choose_cut(np.array([0.5, 0.6]), np.array([True]), risk=0.1, delta=0.1)
    with pytest.raises(ValueError, match="one name per score"):
        choose_cuts(np.array([0.5]), np.array([True]), [], order=("short",), risk=0.1, delta=0.1)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=120), st.floats(0.02, 0.5))
def test_what_is_told_of_a_cut_is_what_the_labels_say(rows: list[tuple[float, bool]], risk: float) -> None:
    scores = np.array([score for score, _ in rows])
    wrong = np.array([bad for _, bad in rows], bool)
    found = choose_cut(scores, wrong, risk=risk, delta=0.2)
    if found.cut is not None:
        assert found.accepted == (scores > found.cut).sum()
        assert found.errors == wrong[scores > found.cut].sum()
        assert found.errors / found.accepted <= found.upper_bound <= risk


def test_the_promise_holds_as_often_as_it_says() -> None:
    """200 resamples; with scores uniform and wrong with chance 1 - score, the risk above c is (1 - c) / 2."""
    risk, delta = 0.15, 0.1
    found = [choose_cut(*drawn(400, seed), risk=risk, delta=delta) for seed in range(200)]
    kept = [one.cut is None or (1 - one.cut) / 2 <= risk for one in found]
    assert np.mean(kept) >= 1 - delta
    assert np.mean([one.cut is not None for one in found]) > 0.5, "a promise that is hardly ever made proves nothing"
    assert np.mean([one.coverage for one in found]) > 0.05


def test_the_best_looking_cut_without_a_bound_breaks_the_promise() -> None:
    """What the exact bound is for: the cut whose observed share of errors just fits fails in about half the samples."""
    risk, failures = 0.15, 0
    for seed in range(200):
        scores, wrong = drawn(400, seed)
        fitting = [cut for cut in np.arange(100) / 100 if (scores > cut).any() and wrong[scores > cut].mean() <= risk]
        failures += (1 - min(fitting, default=1.0)) / 2 > risk
    assert failures / 200 > 0.3


KINDS = ("short", "long")


def test_each_part_gets_a_cut_when_each_keeps_the_promise() -> None:
    scores = np.array(([0.9] * 300 + [0.3] * 300) * 2)
    wrong = np.array([False] * 300 + [True] * 300 + [False] * 600)
    names = ["short"] * 600 + ["long"] * 600
    found = choose_cuts(scores, wrong, names, order=KINDS, risk=0.1, delta=0.1)
    cuts = {part.names: part.promise.cut for part in found.parts}
    assert cuts == {("short",): 0.89, ("long",): 0.29}
    assert sum(part.promise.delta for part in found.parts) + found.overall.delta == pytest.approx(0.1)


def test_a_part_that_cannot_keep_it_leaves_one_cut_for_all() -> None:
    scores = np.full(1200, 0.9)
    wrong = np.array([True, False, False, False] * 50 + [False] * 1000)
    names = ["short"] * 200 + ["long"] * 1000
    found = choose_cuts(scores, wrong, names, order=KINDS, risk=0.1, delta=0.1)
    assert found.parts == ()
    assert found.overall.cut == 0.89


def test_a_kind_with_few_labels_joins_its_neighbour_and_costs_nothing() -> None:
    scores, wrong = np.full(500, 0.9), np.zeros(500, bool)
    names = ["short"] * 480 + ["long"] * 20
    found = choose_cuts(scores, wrong, names, order=KINDS, risk=0.1, delta=0.1)
    assert found.parts == ()
    assert found.overall == choose_cut(scores, wrong, risk=0.1, delta=0.1)


def test_later_labels_that_agree_do_not_refute_the_promise() -> None:
    verdict = judge(np.array([True] * 12 + [False] * 88), risk=0.1, confidence=0.95)
    assert not verdict.is_broken, "twelve of a hundred is more than promised, and may well be chance"
    assert verdict.lower_bound == pytest.approx(0.0708, abs=1e-4)


def test_later_labels_that_disagree_refute_it() -> None:
    verdict = judge(np.array([True] * 25 + [False] * 75), risk=0.1, confidence=0.95)
    assert verdict.is_broken
    assert verdict.lower_bound > 0.1


def test_nothing_accepted_refutes_nothing() -> None:
    assert judge(np.zeros(0, bool), risk=0.1, confidence=0.95).lower_bound == 0


def test_a_kept_promise_is_seldom_called_broken() -> None:
    source = np.random.default_rng(3)
    broken = [judge(source.random(80) < 0.1, risk=0.1, confidence=0.95).is_broken for _ in range(1000)]
    assert np.mean(broken) <= 0.05


def test_coverage_of_no_questions_is_nothing() -> None:
    assert RiskPromise(None, 0.1, 0.1, 0, 0, 0, 1.0).coverage == 0
