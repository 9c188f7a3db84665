"""Each labelling function on pairs worked by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.labelling.functions import labelling_functions
from knowledge_graph.prerequisites.pairs import PairContext, closeness, rank_with_sign
from knowledge_graph.prerequisites.votes import BELIEFS, FUNCTIONS

NEUTRAL = PairContext(
    time_closeness=0.5,
    meaning_closeness=0.5,
    reference_rank=0.0,
    embedded_reference_rank=0.0,
    spread_rank=0.0,
    dwelling_rank=0.0,
    first=0,
    explained=0,
    titled=0,
    known=0,
    introduced_with=0.0,
    explains=0,
    recalled=0,
    contained=0,
    kernel=0,
    shares_word=False,
)
DIRECTIONS: dict[str, dict[str, Any]] = {
    "reference_distance": {"reference_rank": 0.8},
    "embedding_asymmetry": {"embedded_reference_rank": 0.8},
    "definition_order": {"explained": 12},
    "lecture_order": {"first": 1},
    "title_order": {"titled": 2},
    "known_when_introduced": {"known": 1},
    "introduced_with": {"introduced_with": 0.2},
    "mention_in_definition": {"explains": 1},
    "cue_phrase": {"recalled": 2},
    "name_containment": {"contained": 1},
    "name_kernel": {"kernel": 1},
    "spread": {"spread_rank": 0.6},
    "used_in_passing": {"dwelling_rank": 0.6},
}
KINSHIP = {"together_in_time", "close_in_meaning", "closest_in_meaning", "shared_word"}
SIGNED = [name for seen in DIRECTIONS.values() for name in seen]
VOTE = {each.name: each.vote for each in FUNCTIONS}


def reverse(pair: PairContext) -> PairContext:
    return replace(pair, **{name: -getattr(pair, name) for name in SIGNED})


@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_function_on_direction_votes_for_what_it_sees_and_against_the_reverse(name: str) -> None:
    seen = replace(NEUTRAL, **DIRECTIONS[name])
    assert (VOTE[name](seen), VOTE[name](reverse(seen)), VOTE[name](NEUTRAL)) == (1, -1, 0)


@pytest.mark.parametrize("name", ["reference_rank", "embedded_reference_rank", "spread_rank", "dwelling_rank"])
def test_differences_below_the_median_of_the_course_say_nothing(name: str) -> None:
    slight = replace(NEUTRAL, **{name: 0.4})
    assert [each.vote(slight) for each in FUNCTIONS] == [each.vote(NEUTRAL) for each in FUNCTIONS]


@pytest.mark.parametrize(
    ("name", "field", "near", "far"),
    [
        ("together_in_time", "time_closeness", 1, -1),
        ("close_in_meaning", "meaning_closeness", 1, -1),
        ("closest_in_meaning", "meaning_closeness", 1, 0),
    ],
)
def test_kinship_is_the_closest_pairs_of_the_course(name: str, field: str, near: int, far: int) -> None:
    assert VOTE[name](replace(NEUTRAL, **{field: 0.95})) == near
    assert VOTE[name](replace(NEUTRAL, **{field: 0.1})) == far
    assert VOTE[name](NEUTRAL) == 0


def test_a_shared_word_makes_names_kin() -> None:
    assert VOTE["shared_word"](replace(NEUTRAL, shares_word=True)) == 1
    assert VOTE["shared_word"](NEUTRAL) == -1


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=13, max_size=13), st.floats(0, 1), st.booleans())
def test_votes_on_the_reverse_pair_are_reversed_except_those_on_kinship(
    signs: list[float], close: float, shares: bool
) -> None:
    seen = dict(zip(SIGNED, signs, strict=True))
    pair = replace(NEUTRAL, time_closeness=close, meaning_closeness=close, shares_word=shares, **seen)
    for each in FUNCTIONS:
        there, back = each.vote(pair), each.vote(reverse(pair))
        assert back == (there if each.name in KINSHIP else -there)


def test_every_function_is_tried_here_and_has_a_belief_and_a_reason() -> None:
    assert set(VOTE) == set(DIRECTIONS) | KINSHIP == set(BELIEFS)
    assert all(each.reason.endswith((".", ")")) for each in FUNCTIONS)
    assert labelling_functions(*(each.vote for each in FUNCTIONS)) == FUNCTIONS


def test_a_closeness_is_the_share_of_pairs_that_are_less_close() -> None:
    values = closeness(np.array([0.1, 0.9, 0.5, 0.5]))
    assert values.tolist() == [0.0, 0.75, 0.25, 0.25]


def test_a_rank_keeps_the_sign_and_orders_by_size() -> None:
    ranks = rank_with_sign(np.array([-3.0, 3.0, 1.0, 0.0]))
    assert ranks.tolist() == [-0.5, 0.5, 0.25, 0.0]
