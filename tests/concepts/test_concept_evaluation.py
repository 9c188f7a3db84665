"""The measures on a ranking worked by hand."""

import pytest

from knowledge_graph.concepts.evaluation import evaluate_concepts
from knowledge_graph.lake.records import Concept


def concept(rank: int, name: str, *aliases: str) -> Concept:
    return Concept("c", f"en:{name}", name, aliases, "en", rank, 0.5, None, "none", None, (), 1, ())


def test_average_precision_is_that_worked_by_hand() -> None:
    """Right at ranks 1 and 3 of 4, two gold concepts of three found: (1/1 + 2/3) / 3."""
    ranked = [concept(1, "binary tree"), concept(2, "lunch"), concept(3, "BST"), concept(4, "shirt")]
    scores = evaluate_concepts(ranked, [["Binary Trees"], ["binary search tree", "BST"], ["heap"]])
    assert scores.average_precision == pytest.approx((1 + 2 / 3) / 3)
    assert (scores.precision[50], scores.recall[100], scores.found) == (2 / 50, 2 / 3, 2)


def test_the_order_is_that_of_the_ranks() -> None:
    ranked = [concept(2, "tree"), concept(1, "lunch")]
    assert evaluate_concepts(ranked, [["tree"]]).average_precision == 0.5


def test_a_gold_concept_counts_once() -> None:
    ranked = [concept(1, "k-means"), concept(2, "K means"), concept(3, "heaps")]
    scores = evaluate_concepts(ranked, [["k means"], ["heap"]])
    assert scores.average_precision == pytest.approx((1 + 2 / 3) / 2)


def test_an_alias_is_as_good_as_a_name() -> None:
    assert evaluate_concepts([concept(1, "trees", "search-trees")], [["search tree"]]).found == 1


def test_nothing_ranked_scores_nothing() -> None:
    assert evaluate_concepts([], [["heap"]]).measures()["average_precision"] == 0.0
