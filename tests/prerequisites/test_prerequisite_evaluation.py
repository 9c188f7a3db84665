"""Labelled pairs are read, and a graph is scored against them beside its baselines."""

import pytest

from knowledge_graph.lake.records import Concept
from knowledge_graph.prerequisites.evaluation import Scores, evaluate_pairs
from knowledge_graph.sources.gold import LabelledPair
from knowledge_graph.text.sentences import LectureSpan


def concept(name: str, *aliases: str) -> Concept:
    return Concept("c", f"en:{name}", name, aliases, "en", 1, 1.0, None, "none", None, (), 1, (), {})


def lectures(*videos: list[str]) -> list[LectureSpan]:
    return [
        LectureSpan(f"v{index}", f"Part {index}", index, "en", n, n + 1, text)
        for index, lines in enumerate(videos)
        for n, text in enumerate(lines)
    ]


CONCEPTS = [concept("tree", "trees"), concept("heap", "priority tree")]
SENTENCES = lectures(["A tree."], ["A heap and a tree.", "A stack and a tree."])
LABELLED = [LabelledPair("tree", "priority tree", "tree"), LabelledPair("stack", "tree", None)]


def test_both_directions_of_every_covered_pair_are_counted() -> None:
    labelled = [*LABELLED, LabelledPair("tree", "sheaf", "tree")]
    found = evaluate_pairs([("tree", "heap"), ("tree", "stack")], CONCEPTS, SENTENCES, labelled)
    assert (found.labelled, found.covered, found.instances, found.positives) == (3, 2, 4, 1)
    assert found.scores == Scores(precision=0.5, recall=1.0, f1=pytest.approx(2 / 3))


def test_edges_that_nobody_labelled_do_not_count() -> None:
    found = evaluate_pairs([("tree", "heap"), ("heap", "stack")], CONCEPTS, SENTENCES, LABELLED)
    assert found.scores == Scores(1.0, 1.0, 1.0)


def test_what_students_are_shown_is_scored_apart() -> None:
    accepted = [("tree", "heap"), ("tree", "stack")]
    found = evaluate_pairs(accepted, CONCEPTS, SENTENCES, LABELLED, shown=accepted[:1])
    assert (found.scores.precision, found.shown) == (0.5, Scores(1.0, 1.0, 1.0))


def test_edges_match_by_alias() -> None:
    assert evaluate_pairs([("Trees", "Priority-Tree")], CONCEPTS, SENTENCES, LABELLED).scores.recall == 1.0


def test_the_baselines_are_scored_on_the_same_instances() -> None:
    # the tree is mentioned first, so it precedes heap and stack: one of two is right
    found = evaluate_pairs([], CONCEPTS, SENTENCES, LABELLED).baselines
    assert found["first_mention"] == Scores(0.5, 1.0, pytest.approx(2 / 3))
    # the tree refers to the heap for log 3 of log 2 + log 3, the heap to the tree always: the same two edges
    assert found["reference_distance"] == Scores(0.5, 1.0, pytest.approx(2 / 3))
    assert found["every_pair"] == Scores(0.25, 1.0, pytest.approx(0.4))


def test_without_labels_or_text_every_score_is_zero() -> None:
    for found in (
        evaluate_pairs([("tree", "heap")], CONCEPTS, SENTENCES, []),
        evaluate_pairs([("tree", "heap")], CONCEPTS, [], LABELLED),
    ):
        assert found.scores == Scores(0.0, 0.0, 0.0)
        assert found.instances == 0
