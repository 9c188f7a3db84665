"""From votes and measures to an order."""

from dataclasses import replace

import numpy as np
import pytest
from term_facts import facts

from knowledge_graph.concepts.facts import Facts
from knowledge_graph.concepts.ranking import blend, end_model, likely, rank


def judged(name: str, *, good: bool, seed: bool = False) -> Facts:
    """A term that every function speaks for, or none."""
    one = replace(facts(name), association=0.8, words=2 if good else 1, c_value=1.0, alone=0.1, seed=seed)
    if not good:
        return replace(one, rarest=5.5, keyness=0.2, clumping=0.1, spread=1)
    return replace(one, c_value=20.0, alone=0.8, rarest=3.0, keyness=2.0, clumping=1.5, spread=5, titled=True, named=1)


COURSE = [*(judged(f"good {n}", good=True) for n in range(5)), *(judged(f"poor {n}", good=False) for n in range(40))]


def test_what_the_functions_agree_on_comes_first_with_the_votes_it_got() -> None:
    ranking = rank(COURSE)
    assert {each.facts.term.name for each in ranking.terms[:5]} == {f"good {n}" for n in range(5)}
    assert ranking.terms[0].votes["named_in_a_title"] == 1
    assert 0 not in ranking.terms[0].votes.values()
    assert all(0 <= each.probability <= 1 for each in ranking.terms)


def test_probabilities_fall_with_the_rank_and_equal_terms_stand_by_name() -> None:
    terms = rank(COURSE[::-1]).terms
    assert [each.probability for each in terms] == sorted((each.probability for each in terms), reverse=True)
    assert [each.facts.term.name for each in terms[:5]] == [f"good {n}" for n in range(5)]


def test_every_function_is_reported() -> None:
    reports = {report.name: report for report in rank(COURSE).reports}
    assert (reports["named_in_a_title"].yes, reports["named_in_a_title"].no) == (5, 0)
    assert reports["given_as_a_seed"].coverage == 0


def test_a_seed_is_looked_at_however_little_speaks_for_it() -> None:
    seed = judged("poor seed", good=False, seed=True)
    assert likely([*COURSE, seed], 3)[0] is seed


def test_nothing_to_rank_gives_nothing() -> None:
    assert rank([]).terms == ()
    assert likely([], 5) == []


def test_one_term_alone_can_be_ranked() -> None:
    assert len(rank(COURSE[:1]).terms) == 1


def test_the_end_model_learns_the_direction_that_the_labels_share() -> None:
    table = np.array([[2.0], [1.0], [-1.0], [-2.0]])
    fitted = end_model(table, np.array([6.0, 6.0, -6.0, -6.0]))
    assert fitted[0] > fitted[1] > 0 > fitted[2] > fitted[3]
    assert fitted == pytest.approx(-fitted[::-1])


def test_the_blend_is_the_mean_of_both_log_odds_with_the_votes_bounded() -> None:
    assert blend(np.array([1.0, 50.0]), np.array([3.0, 2.0])).tolist() == [2.0, 4.0]


def test_a_measure_tells_terms_apart_that_got_the_same_votes() -> None:
    stronger = replace(judged("good x", good=True), c_value=200.0)
    terms = rank([*COURSE, stronger]).terms
    assert terms[0].facts is stronger
