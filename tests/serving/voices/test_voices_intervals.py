"""Every formula against figures that were published, or against scipy."""

import pytest
from scipy import stats

from models.statistics.intervals import Interval, chi_square, count_needed, difference, lift, mean, wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_is_that_of_newcombe_1998a_table_1_method_3(hits: int, n: int, low: float, high: float) -> None:
    found = wilson(hits, n)
    assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (low, high)


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (7, 7), (330, 9000), (9, 330)])
def test_wilson_is_that_of_scipy(hits: int, n: int) -> None:
    theirs = stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n).low == pytest.approx(theirs.low, abs=1e-12)
    assert wilson(hits, n).high == pytest.approx(theirs.high, abs=1e-12)


def test_nothing_counted_has_no_interval() -> None:
    nothing = Interval(None, None, None, 0)
    assert wilson(0, 0) == mean([]) == nothing
    assert difference(wilson(1, 2), nothing).value is None
    assert lift(wilson(1, 2), wilson(0, 5)).value is None
    assert mean([2.0]) == Interval(2.0, None, None, 1)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 10), 0.6075, 1.0),
        ((0, 10), (0, 10), -0.2775, 0.2775),
    ],
)
def test_the_difference_is_that_of_newcombe_1998b_table_2_method_10(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    found = difference(wilson(*first), wilson(*second))
    assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (low, high)


def test_the_lift_is_scipys_relative_risk_less_one() -> None:
    theirs = stats.contingency.relative_risk(784, 1000, 700, 1000)
    interval = theirs.confidence_interval(0.95)
    found = lift(wilson(784, 1000), wilson(700, 1000))
    assert found.value == pytest.approx(0.12)
    assert found.low == pytest.approx(interval.low - 1)
    assert found.high == pytest.approx(interval.high - 1)


def test_the_mean_is_that_of_scipys_t_interval_and_of_the_papers_with_many_values() -> None:
    few = [0.0, 1.0, 2.0, 2.0]
    low, high = stats.t.interval(0.95, 3, loc=1.25, scale=stats.sem(few))
    assert (mean(few).low, mean(few).high) == pytest.approx((low, high))
    many = few * 500
    half = 1.96 * stats.tstd(many) / len(many) ** 0.5
    assert mean(many).high == pytest.approx(1.25 + half, abs=1e-4)


def test_chi_square_is_that_of_scipy() -> None:
    assert chi_square([30, 50, 20], [25, 50, 25]) == pytest.approx(stats.chisquare([30, 50, 20], [25, 50, 25]).pvalue)


def test_the_sample_needed_is_that_of_rs_power_prop_test() -> None:
    assert count_needed(0.5, 0.1) == 1565  # power.prop.test(p1=.5, p2=.55, power=.8): n = 1564.672
    assert count_needed(0.0, 0.1) is None
    assert count_needed(0.95, 0.1) is None
