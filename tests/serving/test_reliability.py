"""Agreement of raters, on data whose agreement is known."""

from pathlib import Path

import numpy as np
import pytest
from rating_files import six, write_ratings
from sklearn.metrics import cohen_kappa_score

from serving.evaluation.ratings.human_ratings import ASPECTS, read_human_ratings
from serving.evaluation.ratings.rating_table import rows_of
from serving.evaluation.ratings.reliability import SystemReliability, jackknife, quadratic_kappa, reliability_of
from serving.evaluation.ratings.reliability_table import reliability_table
from serving.evaluation.tables import markdown

MIXED = [0, 1, 2, 1, 0, 2, 2, 1, 0, 1] * 6


def two_raters(folder: Path, first: list[list[int]], second: list[list[int]]) -> SystemReliability:
    write_ratings(folder / "A" / "A_1.csv", first)
    write_ratings(folder / "A" / "A_2.csv", second)
    (system,) = read_human_ratings(folder).systems
    return reliability_of(system)


def test_kappa_is_that_of_scikit_learn_on_every_single_rating() -> None:
    draw = np.random.default_rng(7)
    first = draw.integers(0, 3, 500)
    second = np.clip(first + draw.integers(-1, 2, 500), 0, 2)
    expected = cohen_kappa_score(first, second, weights="quadratic")
    assert quadratic_kappa(np.stack([first, second], axis=1)) == pytest.approx(expected, abs=1e-12)


def test_kappa_of_a_case_worked_by_hand() -> None:
    """Squared distances 0, 0, 1, 0 against 0, 0, 1, 1 by chance over all 16 pairings: 1 - (1/4) / (20/16)."""
    pairs = np.array([[0, 0], [2, 2], [1, 2], [0, 0]])
    by_chance = np.mean([(a - b) ** 2 for a in pairs[:, 0] for b in pairs[:, 1]])
    assert quadratic_kappa(pairs) == pytest.approx(1 - 0.25 / by_chance)


def test_raters_who_disagree_on_every_row_have_a_negative_kappa_and_no_nan(tmp_path: Path) -> None:
    found = two_raters(tmp_path, six(*MIXED), six(*[(value + 1) % 3 for value in MIXED]))
    one = found.agreements[0]
    assert one.kappa.value is not None
    assert one.kappa.value < 0
    assert one.alpha.value is not None
    assert one.alpha.value < 0
    assert one.same == 0
    assert one.is_unreliable
    assert not found.flags


def test_opposite_raters_have_a_kappa_of_minus_one(tmp_path: Path) -> None:
    found = two_raters(tmp_path, six(*[0, 2] * 10), six(*[2, 0] * 10))
    assert found.agreements[0].kappa.value == pytest.approx(-1)


def test_a_constant_rating_leaves_both_undefined_and_says_so(tmp_path: Path) -> None:
    constant = [[1, *row[1:]] for row in six(*MIXED)]
    found = two_raters(tmp_path, constant, [[1, *((value + 1) % 3 for value in row[1:])] for row in constant])
    assert found.agreements[0].kappa.value is None
    assert found.agreements[0].alpha.value is None
    assert found.agreements[0].why == "every rating is 1: chance alone would agree as often"
    assert found.agreements[0].is_unreliable
    rows = rows_of(read_human_ratings(tmp_path).systems, [found])
    assert "undefined: all the same" in markdown(reliability_table(rows))


def test_a_constant_rater_beside_one_who_varies_has_a_kappa_of_nought(tmp_path: Path) -> None:
    found = two_raters(tmp_path, six(*[1] * len(MIXED)), six(*MIXED))
    assert found.agreements[0].kappa.value == pytest.approx(0)


def test_a_copied_file_is_flagged_and_says_nothing_of_agreement(tmp_path: Path) -> None:
    found = two_raters(tmp_path, six(*MIXED), six(*MIXED))
    assert [(flag.part, flag.kind, flag.answers) for flag in found.flags] == [("", "same_file", len(MIXED))]
    assert not found.has_two_raters
    assert all(one.kappa.value is None for one in found.agreements)


def test_copied_labels_are_flagged_though_the_files_differ(tmp_path: Path) -> None:
    labels: list[list[object]] = [list(row) for row in six(*MIXED)]
    labels[3] = [""] * 6
    write_ratings(tmp_path / "A" / "A_1.csv", six(*MIXED))
    write_ratings(tmp_path / "A" / "A_2.csv", labels)
    (system,) = read_human_ratings(tmp_path).systems
    assert [flag.kind for flag in reliability_of(system).flags] == ["same_labels"]


def test_few_answers_with_the_same_labels_are_no_copy(tmp_path: Path) -> None:
    write_ratings(tmp_path / "A" / "A_1.csv", six(0, 1, 2))
    second = write_ratings(tmp_path / "A" / "A_2.csv", six(0, 1, 2))
    second.write_text(second.read_text() + "\n")
    (system,) = read_human_ratings(tmp_path).systems
    found = reliability_of(system)
    assert not found.flags
    assert found.agreements[0].kappa.value == 1


def test_a_single_rating_is_flagged_by_part_and_the_other_part_is_still_measured(tmp_path: Path) -> None:
    write_ratings(tmp_path / "A" / "A_general_1.csv", six(*MIXED))
    write_ratings(tmp_path / "A" / "A_specific_1.csv", six(*MIXED))
    write_ratings(tmp_path / "A" / "A_specific_2.csv", six(*reversed(MIXED)))
    (system,) = read_human_ratings(tmp_path).systems
    found = reliability_of(system)
    assert [(flag.part, flag.kind) for flag in found.flags] == [("general", "single")]
    assert found.answers == len(MIXED)


def test_intervals_hold_the_true_agreement_about_as_often_as_they_say() -> None:
    """40 samples of 120 answers of a known population: the 95% interval covers its kappa in at least 88% of them."""
    draw = np.random.default_rng(11)
    joint = np.array([[0.25, 0.05, 0.02], [0.06, 0.2, 0.06], [0.02, 0.06, 0.28]])
    cells = np.array([(a, b) for a in range(3) for b in range(3)])
    whole = np.repeat(cells, (joint.ravel() * 100).round().astype(int), axis=0)
    true = quadratic_kappa(whole)
    assert true is not None
    covered = 0
    for _ in range(40):
        pairs = whole[draw.integers(0, len(whole), 120)]
        found = jackknife(lambda kept, pairs=pairs: quadratic_kappa(pairs[kept]), np.arange(120) // 6)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= true <= found.high
    assert covered >= 0.88 * 40


def test_a_column_that_is_unreliable_for_most_systems_is_named(tmp_path: Path) -> None:
    humanness = ASPECTS.index("humanness")
    second = [[value] * 6 for value in MIXED]
    for row in second:
        row[humanness] = (row[humanness] + 1) % 3
    found = two_raters(tmp_path, six(*MIXED), second)
    assert [one.aspect for one in found.agreements if one.is_unreliable] == ["humanness"]
    shown = markdown(reliability_table(rows_of(read_human_ratings(tmp_path).systems, [found])))
    assert "The column humanness is unreliable: for 1 of 1 systems rated twice." in shown
