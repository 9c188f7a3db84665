"""Vectors from co-occurrence, on courses of a few sentences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from knowledge_graph.concepts.term_vectors import WINDOW, term_vectors, unit


def at(*windows: int) -> NDArray[np.int64]:
    return np.array([window * WINDOW for window in windows], dtype=np.int64)


def test_terms_that_are_talked_of_together_are_near_each_other() -> None:
    first, second = at(0, 1, 2, 3), at(5, 6, 7, 8)
    heap, gradient = 0, 12
    near = (vectors := term_vectors([first] * 12 + [second] * 12)) @ vectors.T
    assert near[heap, heap + 1] > 0.4
    assert near[heap, gradient] < 0.1


def test_a_term_that_meets_no_other_has_no_vector() -> None:
    vectors = term_vectors([at(0, 1), at(0, 1), at(9)])
    assert not vectors[2].any()


def test_no_terms_or_no_meetings_give_empty_vectors() -> None:
    assert term_vectors([]).shape == (0, 1)
    assert not term_vectors([at(0), at(5)]).any()


@given(st.lists(st.lists(st.integers(0, 60), min_size=1, max_size=6), min_size=1, max_size=12))
def test_vectors_are_of_length_one_or_nought_and_the_same_each_time(places: list[list[int]]) -> None:
    rows = [np.array(sorted(each), dtype=np.int64) for each in places]
    first, second = term_vectors(rows), term_vectors(rows)
    lengths = np.linalg.norm(first, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-9) | (lengths < 1e-9))
    assert np.array_equal(first, second)


def test_unit_leaves_rows_of_zeros() -> None:
    assert unit(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist() == [[0.6, 0.8], [0.0, 0.0]]
