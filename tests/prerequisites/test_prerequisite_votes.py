"""Each labelling function on pairs worked by hand."""

import pytest

from knowledge_graph.prerequisites.combine import WEIGHTS, probability
from knowledge_graph.prerequisites.pairs import ConceptContext, PairContext
from knowledge_graph.prerequisites.votes import (
    LABELLING_FUNCTIONS,
    cue_phrase,
    definition_order,
    far_apart,
    mention_in_definition,
    name_containment,
    reference_distance,
    spread,
    title_order,
    votes_on,
)
from knowledge_graph.records import Concept, Lang


def context(
    name: str,
    *,
    lang: Lang = "en",
    first: int = 0,
    defined: int | None = None,
    titled: int | None = None,
    videos: int = 1,
    explained_by: str | None = None,
) -> ConceptContext:
    concept = Concept("c", f"{lang}:{name}", name, (), lang, 1, 1.0, None, "none", None, (), 1, ())
    inside = frozenset({explained_by} if explained_by else ())
    return ConceptContext(concept, name, frozenset({first}), frozenset(), first, defined, titled, videos, inside)


def pair(
    a: ConceptContext,
    b: ConceptContext,
    *,
    a_near_b: float = 0.5,
    b_near_a: float = 0.5,
    a_recalled: int = 0,
    b_recalled: int = 0,
) -> PairContext:
    return PairContext(a, b, 3, a_near_b, b_near_a, a_recalled, b_recalled, 100)


TREE, HEAP = context("tree"), context("heap")


def test_the_concept_that_the_other_needs_more_often_comes_first() -> None:
    assert reference_distance(pair(TREE, HEAP, a_near_b=0.6, b_near_a=0.1)) == 1
    assert reference_distance(pair(TREE, HEAP, a_near_b=0.1, b_near_a=0.6)) == -1
    assert reference_distance(pair(TREE, HEAP, a_near_b=0.31, b_near_a=0.3)) == 0


def test_the_concept_that_is_explained_first_comes_first() -> None:
    early, late = context("tree", first=50, defined=2), context("heap", first=1, defined=40)
    assert definition_order(pair(early, late)) == 1
    assert definition_order(pair(late, early)) == -1
    assert definition_order(pair(context("a", first=10), context("b", first=12))) == 0


def test_the_concept_with_the_earlier_video_comes_first() -> None:
    early, late = context("tree", titled=0), context("heap", titled=3)
    assert title_order(pair(early, late)) == 1
    assert title_order(pair(late, early)) == -1
    assert title_order(pair(early, TREE)) == 0


def test_the_concept_in_the_others_definition_comes_first() -> None:
    heap = context("heap", explained_by="en:tree")
    assert mention_in_definition(pair(TREE, heap)) == 1
    assert mention_in_definition(pair(heap, TREE)) == -1
    assert mention_in_definition(pair(TREE, HEAP)) == 0


@pytest.mark.parametrize(
    ("a", "b", "lang", "expected"),
    [
        ("tree", "binary tree", "en", 1),
        ("binary tree", "tree", "en", -1),
        ("binary tree", "binary search tree", "en", 1),
        ("tree", "street", "en", 0),
        ("树", "二叉树", "zh", 1),
        ("栈", "二叉树", "zh", 0),
    ],
)
def test_the_concept_inside_the_others_name_comes_first(a: str, b: str, lang: Lang, expected: int) -> None:
    assert name_containment(pair(context(a, lang=lang), context(b, lang=lang))) == expected


def test_the_concept_that_is_called_back_to_mind_comes_first() -> None:
    assert cue_phrase(pair(TREE, HEAP, a_recalled=2)) == 1
    assert cue_phrase(pair(TREE, HEAP, b_recalled=2)) == -1
    assert cue_phrase(pair(TREE, HEAP, a_recalled=1, b_recalled=1)) == 0


def test_the_concept_that_comes_back_all_over_the_course_comes_first() -> None:
    wide, narrow = context("tree", videos=10), context("heap", videos=2)
    assert spread(pair(wide, narrow)) == 1
    assert spread(pair(narrow, wide)) == -1
    assert spread(pair(wide, context("list", videos=9))) == 0


def test_concepts_that_never_meet_do_not_need_each_other() -> None:
    assert far_apart(pair(TREE, HEAP, a_near_b=0.01, b_near_a=0.02)) == -1
    assert far_apart(pair(TREE, HEAP, a_near_b=0.5, b_near_a=0.0)) == 0


def test_votes_for_the_reverse_pair_are_reversed_except_far_apart() -> None:
    forward = pair(context("tree", titled=0, videos=9), context("binary tree", titled=4), a_near_b=0.7, b_near_a=0.1)
    there, back = votes_on(forward), votes_on(forward.reverse())
    assert {name: -vote for name, vote in there.items() if name != "far_apart"} == {
        name: vote for name, vote in back.items() if name != "far_apart"
    }


def test_every_labelling_function_has_a_weight_and_a_reason() -> None:
    assert set(WEIGHTS) == {function.__name__ for function in LABELLING_FUNCTIONS}
    assert all(function.__doc__ for function in LABELLING_FUNCTIONS)


def test_the_probability_is_the_sum_of_log_odds() -> None:
    # -2.0 + 2.2 + 0.9 = 1.1, and 1 / (1 + e^-1.1) = 0.750260
    assert probability({"name_containment": 1, "reference_distance": 1}) == pytest.approx(0.75026)
    # -2.0 - 0.7 = -2.7, and 1 / (1 + e^2.7) = 0.062973
    assert probability({"definition_order": -1, "spread": 0}) == pytest.approx(0.062973)


def test_a_vote_without_a_weight_is_refused() -> None:
    with pytest.raises(KeyError, match="hearsay"):
        probability({"hearsay": 1})
