"""Ranking features against cases worked by hand."""

import math
from collections import Counter

import pytest

from knowledge_graph.concepts.candidates import Candidate
from knowledge_graph.concepts.ranking import (
    CourseCounts,
    absorbed,
    asked,
    c_value,
    clumping,
    generic_head,
    in_title,
    keyness,
    rarity,
    scaled,
    score,
)


def candidate(
    term: str, count: int, *, nested_count: int = 0, containers: int = 0, largest_container: int = 0
) -> Candidate:
    words = tuple(term.split(" "))
    one = Candidate("en", term, words, count=count, videos=Counter({0: count}))
    one.nested_count, one.containers, one.largest_container = nested_count, containers, largest_container
    return one


COURSE = CourseCounts(
    videos=10,
    words=10_000,
    word_counts={"gradient": 50, "thing": 60},
    titles=[" gradient descent "],
    questions=[" what is svd "],
)


def test_the_c_value_of_a_term_that_is_never_nested_is_its_weighted_frequency() -> None:
    assert c_value(candidate("binary search tree", 8)) == pytest.approx(math.log2(4) * 8)


def test_the_c_value_takes_off_the_mean_frequency_of_the_longer_terms() -> None:
    # f(a) = 20, nested in 2 longer terms that occur 6 and 4 times: log2(1 + 2) * (20 - (6 + 4) / 2)
    assert c_value(candidate("search tree", 20, nested_count=10, containers=2)) == pytest.approx(math.log2(3) * 15)


def test_a_term_that_lives_in_one_longer_term_is_absorbed() -> None:
    assert absorbed(candidate("descent", 100, largest_container=100)) == 1.0
    assert absorbed(candidate("tree", 100, largest_container=50)) == 0.0


def test_technical_words_are_rarer_and_more_key_than_common_ones() -> None:
    assert rarity(candidate("gradient", 50)) > 0.7 > 0.2 > rarity(candidate("thing", 60))
    assert keyness(candidate("gradient", 50), COURSE) > keyness(candidate("thing", 60), COURSE)


def test_a_term_in_one_video_clumps_and_a_term_in_all_does_not() -> None:
    everywhere = Candidate("en", "data", ("data",), count=20, videos=Counter(dict.fromkeys(range(10), 2)))
    assert clumping(candidate("heap", 20), COURSE) == 1.0
    assert clumping(everywhere, COURSE) == 0.0


def test_titles_and_questions_name_whole_words() -> None:
    assert in_title(candidate("gradient descent", 1), COURSE) == 1.0
    assert in_title(candidate("radient descent", 1), COURSE) == 0.0
    assert asked(candidate("svd", 1), COURSE) == 1.0


def test_a_generic_head_adds_nothing() -> None:
    assert generic_head(candidate("sorting algorithm", 1)) == 1.0
    assert generic_head(candidate("algorithm", 1)) == 0.0


def test_being_defined_raises_the_score() -> None:
    term = candidate("gradient", 50)
    assert score(term, COURSE, defined=1.0) > score(term, COURSE)


def test_scores_are_scaled_to_between_nought_and_one_in_order() -> None:
    values = [scaled(raw) for raw in (-3.0, 0.0, 1.6, 3.0, 6.0)]
    assert values == sorted(values)
    assert values[2] == 0.5
    assert all(0 <= value <= 1 for value in values)
