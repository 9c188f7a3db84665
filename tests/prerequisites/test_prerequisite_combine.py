"""From votes to probabilities and the cut: formulas by hand, and the truth behind synthetic votes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from knowledge_graph.labelling.functions import VoteMatrix
from knowledge_graph.prerequisites.combine import SURE, best_cut, combine, one_direction
from knowledge_graph.prerequisites.pairs import Pairs
from knowledge_graph.prerequisites.votes import FUNCTIONS

ALL = 10**6


def test_a_pair_holds_in_one_direction_at_most() -> None:
    # odds 3 for a before b, 1 for b before a, 1 for neither: 3/5 and 1/5
    pairs = Pairs(np.array([0, 1]), np.array([1, 0]))
    assert one_direction(np.log([3.0, 1.0]), pairs, size=2) == pytest.approx([0.6, 0.2])


def test_the_cut_maximises_expected_f1() -> None:
    # accepting 1, 2, 3 of (0.9, 0.5, 0.1), sum 1.5: 1.8/2.5 = 0.72, 2.8/3.5 = 0.8, 3/4.5 = 0.667
    assert best_cut(np.array([0.1, 0.9, 0.5]), most=ALL) == 0.5


def test_the_cut_rises_when_fewer_may_be_accepted() -> None:
    assert best_cut(np.array([0.1, 0.9, 0.5]), most=1) == 0.9


def test_without_pairs_nothing_is_accepted() -> None:
    assert best_cut(np.array([]), most=ALL) == 1.0
    assert best_cut(np.zeros(3), most=ALL) == 1.0


@settings(deadline=None)
@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=30))
def test_no_other_cut_expects_more(values: list[float]) -> None:
    def expected(cut: float) -> float:
        chosen = [value for value in values if value >= cut]
        return 2 * sum(chosen) / (len(chosen) + sum(values))

    assert expected(best_cut(np.array(values), most=ALL)) >= max(map(expected, values)) - 1e-9


def synthetic(size: int = 60) -> tuple[VoteMatrix, Pairs, NDArray[np.bool_]]:
    """Votes on all ordered pairs of which one in five is true; every function hears half the truth, and guesses.

    Silence says nothing: where neither comes first, who hears it says no to both.
    """
    random = np.random.default_rng(7)
    a, b = np.nonzero(~np.eye(size, dtype=bool))
    kind = np.triu(random.choice([-1, 0, 1], p=[0.2, 0.6, 0.2], size=(size, size)), 1)
    truth = (kind - kind.T)[a, b]
    columns = []
    for _ in FUNCTIONS:
        noise = np.triu(random.choice([-1, 0, 1], p=[0.3, 0.4, 0.3], size=(size, size)), 1)
        heard = np.triu(random.random((size, size)) < 0.5, 1)
        columns.append(np.where((heard | heard.T)[a, b], np.where(truth == 1, 1, -1), (noise - noise.T)[a, b]))
    votes = np.stack(columns, axis=1).astype(np.int8)
    names = tuple(each.name for each in FUNCTIONS)
    return VoteMatrix(names, tuple("" for _ in names), votes), Pairs(a, b), truth == 1


def test_the_truth_behind_synthetic_votes_is_found_without_labels() -> None:
    matrix, pairs, truth = synthetic()
    found = combine(matrix, pairs, size=60, most=ALL)
    accepted = found.probabilities >= found.cut
    f1 = 2 * (accepted & truth).sum() / (accepted.sum() + truth.sum())
    assert f1 > 0.85
    assert found.probabilities.mean() == pytest.approx(truth.mean(), abs=0.05)


def test_labels_that_people_give_fix_their_pairs_and_teach_the_model() -> None:
    matrix, pairs, truth = synthetic()
    gold = {row: bool(truth[row]) for row in range(0, len(truth), 40)}
    found = combine(matrix, pairs, size=60, most=ALL, gold=gold)
    assert all(found.probabilities[row] == pytest.approx(SURE if label else 1 - SURE) for row, label in gold.items())


def test_the_same_votes_give_the_same_probabilities() -> None:
    matrix, pairs, _ = synthetic(20)
    first, second = (combine(matrix, pairs, size=20, most=ALL) for _ in range(2))
    assert first.probabilities.tobytes() == second.probabilities.tobytes()


def test_no_pairs_are_no_error() -> None:
    names = tuple(each.name for each in FUNCTIONS)
    empty = VoteMatrix(names, tuple("" for _ in names), np.zeros((0, len(names)), dtype=np.int8))
    none = np.zeros(0, dtype=np.intp)
    assert combine(empty, Pairs(none, none), size=0, most=ALL).cut == 1.0
