"""Reciprocal rank fusion, the weighted sum and maximal marginal relevance, worked by hand and by their properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from serving.assistant.retrieval.fusion import (
    diverse,
    in_order,
    normalise_scores,
    reciprocal_ranks,
    stretch_scores,
    sum_weighted,
)

KEYS = st.sampled_from("abcdefgh")
SCORES = st.dictionaries(KEYS, st.floats(0, 1, width=32), min_size=1)


def unit(*numbers: float) -> NDArray[np.float32]:
    vector = np.array(numbers, dtype=np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ([["a", "b"]], {"a": 1 / 61, "b": 1 / 62}),
        ([["a", "b"], ["b", "c"]], {"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62}),
        ([["a"], []], {"a": 1 / 61}),
        ([["a", "a", "b"]], {"a": 1 / 61, "b": 1 / 62}),
        ([], {}),
    ],
)
def test_reciprocal_rank_fusion_is_the_sum_of_one_over_sixty_plus_rank(
    lists: list[list[str]], expected: dict[str, float]
) -> None:
    assert reciprocal_ranks(lists) == pytest.approx(expected)


def test_what_two_lists_agree_on_comes_before_the_first_of_one() -> None:
    assert in_order(reciprocal_ranks([["a", "b"], ["c", "b"]]))[0] == "b"


def test_a_smaller_constant_gives_first_places_more_weight() -> None:
    lists = [["a", "b", "c"], ["x", "y", "c"]]
    assert in_order(reciprocal_ranks(lists))[0] == "c"
    assert in_order(reciprocal_ranks(lists, k=0))[0] == "a"


@given(st.lists(st.lists(KEYS, unique=True), min_size=1, max_size=4))
def test_fusion_knows_every_id_and_no_order_of_lists(lists: list[list[str]]) -> None:
    fused = reciprocal_ranks(lists)
    assert set(fused) == {key for each in lists for key in each}
    assert fused == pytest.approx(reciprocal_ranks(lists[::-1]))


def test_scores_become_shares_of_the_largest() -> None:
    assert normalise_scores({"a": 8.0, "b": 2.0}) == {"a": 1.0, "b": 0.25}
    assert normalise_scores({"a": 0.0}) == {"a": 0.0}
    assert normalise_scores({}) == {}


def test_cosines_are_stretched_from_the_least_to_the_largest() -> None:
    assert stretch_scores({"a": 0.75, "b": 0.5, "c": 0.625}) == {"a": 1.0, "b": 0.0, "c": 0.5}
    assert stretch_scores({"a": 0.5}) == {"a": 1.0}
    assert stretch_scores({}) == {}


def test_the_weighted_sum_counts_what_is_missing_as_nothing() -> None:
    found = sum_weighted([(0.5, {"a": 1.0, "b": 0.5}), (0.25, {"b": 1.0, "c": 1.0})])
    assert found == {"a": 0.5, "b": 0.5, "c": 0.25}


@given(SCORES)
def test_with_all_weight_on_relevance_diversity_keeps_its_order(relevance: dict[str, float]) -> None:
    vectors = {key: unit(1, place) for place, key in enumerate(relevance)}
    assert [key for key, _ in diverse(relevance, vectors, weight=1.0, k=99)] == in_order(relevance)


@given(SCORES, st.floats(0, 1), st.integers(0, 5))
def test_diversity_gives_each_id_once_and_the_most_relevant_first(
    relevance: dict[str, float], weight: float, k: int
) -> None:
    chosen = [key for key, _ in diverse(relevance, {}, weight=weight, k=k)]
    assert len(chosen) == len(set(chosen)) == min(k, len(relevance))
    if chosen:
        assert chosen[0] == in_order(relevance)[0]


def test_a_duplicate_drops_behind_something_new_at_a_lower_weight() -> None:
    relevance = {"first": 1.0, "same": 0.9, "new": 0.5}
    vectors = {"first": unit(1, 0), "same": unit(1, 0), "new": unit(0, 1)}
    chosen = diverse(relevance, vectors, weight=0.5, k=3)
    # "new": .5 * .5 - .5 * 0 = .25; "same": .5 * .9 - .5 * 1 = -.05
    assert [key for key, _ in chosen] == ["first", "new", "same"]
    assert [value for _, value in chosen] == pytest.approx([0.5, 0.25, -0.05])


def test_what_has_no_vector_is_like_nothing() -> None:
    chosen = diverse({"a": 1.0, "b": 0.9, "c": 0.8}, {"a": unit(1, 0), "b": unit(1, 0)}, weight=0.5, k=3)
    assert [key for key, _ in chosen] == ["a", "c", "b"]
