"""Formulas worked by hand, and what holds of the measures of any course."""

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import Concept
from knowledge_graph.prerequisites.embedding import positive_information
from knowledge_graph.prerequisites.measures import (
    PairMeasures,
    cosines,
    entropies,
    measure,
    nearest,
    reference_distance,
    references,
)
from knowledge_graph.prerequisites.mentions import LONGEST_STRETCH, find_mentions
from knowledge_graph.text.sentences import LectureSpan


def concept(name: str, rank: int, definition: str | None = None) -> Concept:
    return Concept("c", f"en:{name}", name, (), "en", rank, 1.0, definition, "none", None, (), 1, (), {})


def lectures(*videos: list[str], title: str = "Part") -> list[LectureSpan]:
    return [
        LectureSpan(f"v{index}", f"{title} {index}", index, "en", n, n + 1, text)
        for index, lines in enumerate(videos)
        for n, text in enumerate(lines)
    ]


TREE, HEAP, STACK = (concept(name, rank) for rank, name in enumerate(("tree", "heap", "stack")))


def measured(concepts: list[Concept], sentences: list[LectureSpan]) -> PairMeasures:
    return measure(find_mentions(concepts, sentences), sentences)


def test_references_are_the_weight_of_the_stretches_that_mention_the_other() -> None:
    # b is mentioned 1 and 3 times in stretches 0 and 1: weights log 2 and log 4; a only in stretch 1: log 4 / log 8
    shares = references(np.array([[0.0, 1.0], [1.0, 3.0]]))
    assert shares[0, 1] == pytest.approx(math.log(4) / math.log(8))
    assert shares[1, 0] == 1.0


def test_the_reference_distance_is_that_of_liang() -> None:
    # concepts a, b, c, d. The field of a is c (weight 1); that of b is c (1) and d (3).
    # c refers to a half of the time and to b never; d refers to a always and to b a quarter of the time.
    # b's field refers to a: (1 * 0.5 + 3 * 1) / 4 = 0.875; a's field refers to b: 0 / 1 = 0. RefD = 0.875.
    refers = np.zeros((4, 4))
    refers[0, 2], refers[0, 3], refers[1, 3] = 0.5, 1.0, 0.25
    related = np.zeros((4, 4))
    related[0, 2], related[1, 2], related[1, 3] = 1.0, 1.0, 3.0
    distance = reference_distance(refers, related)
    assert distance[0, 1] == pytest.approx(0.875)
    assert distance[1, 0] == pytest.approx(-0.875)


def test_no_concept_refers_to_itself() -> None:
    related = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert not reference_distance(np.eye(2), related).any()


def test_a_field_is_the_nearest_concepts_without_the_concept_itself() -> None:
    similarity = np.array([[1.0, 0.9, 0.2], [0.9, 1.0, 0.5], [0.2, 0.5, 1.0]])
    assert nearest(similarity, most=1).tolist() == [[0, 0.9, 0], [0.9, 0, 0], [0, 0.5, 0]]


def test_entropy_is_high_for_what_comes_back_everywhere() -> None:
    assert entropies(np.array([[2.0, 2.0, 0.0], [5.0, 0.0, 0.0]])) == pytest.approx([math.log(2), 0.0])


def test_cosines_of_vectors_and_of_nothing() -> None:
    assert cosines(np.array([[3.0, 4.0], [4.0, 3.0], [0.0, 0.0]]))[0] == pytest.approx([1.0, 24 / 25, 0.0])


def test_positive_information_is_the_log_of_observed_to_expected_and_never_negative() -> None:
    # the concept has words (3, 1) of a text with (4, 4): expected (2, 2), so log 1.5 and log 0.5 -> 0
    found = positive_information(np.array([[3.0, 1.0], [0.0, 0.0]]), np.array([4.0, 4.0]))
    assert found[0] == pytest.approx([math.log(1.5), 0.0])
    assert not found[1].any()


def test_what_is_known_and_used_when_the_other_is_introduced_comes_first() -> None:
    found = measured([TREE, HEAP], lectures(["A tree.", "The tree."], ["A heap comes from the tree.", "A heap."]))
    assert (found.known[0, 1], found.known[1, 0]) == (1, -1)
    assert found.first[0, 1] == 1


def test_what_helps_to_explain_comes_first() -> None:
    found = measured([TREE, HEAP], lectures(["A heap is a tree that keeps order.", "A tree."]))
    assert found.explains[0, 1] == 1
    written = measured([TREE, concept("heap", 1, "An ordered tree.")], lectures(["The heap.", "The tree."]))
    assert written.explains[0, 1] == 1


def test_recalls_count_where_the_other_is_taught() -> None:
    found = measured([TREE, HEAP], lectures(["Recall the tree.", "Now the heap.", "The heap."]))
    assert found.recalled[0, 1] > 0 > found.recalled[1, 0]


def test_lectures_named_after_concepts_put_them_in_order() -> None:
    sentences = [*lectures(["The tree."], title="Tree"), *lectures(["Nothing."], ["The heap."], title="Heap")[1:]]
    assert measured([TREE, HEAP], sentences).titled[0, 1] == 1


def test_what_comes_back_everywhere_is_basic_and_what_is_dwelt_on_is_not() -> None:
    found = measured([TREE, HEAP], lectures(["A tree."], ["A tree."], ["The heap.", "A heap.", "The heap, a tree."]))
    assert found.spread[0, 1] > 0 > found.spread[1, 0]
    assert found.dwelling[0, 1] > 0 > found.dwelling[1, 0]


def test_what_stands_beside_the_neighbours_of_another_is_referred_to() -> None:
    videos = ["The heap and the tree.", "The heap and the tree.", "The stack.", "The stack and the heap."]
    found = measured([TREE, HEAP, STACK], lectures(videos))
    assert found.embedded_reference[0, 2] >= 0 >= found.embedded_reference[2, 0]


def test_a_long_video_is_cut_into_equal_stretches() -> None:
    mentions = find_mentions([TREE], lectures(["A tree."] * (LONGEST_STRETCH + 50), ["A tree."]))
    assert mentions.stretch.count(0) == mentions.stretch.count(1) == (LONGEST_STRETCH + 50) // 2
    assert mentions.stretches == 3


def test_concepts_that_are_never_mentioned_are_left_out() -> None:
    assert [one.name for one in find_mentions([TREE, HEAP], lectures(["A heap."])).concepts] == ["heap"]


WORDS = st.sampled_from(["tree", "heap", "stack", "recall", "is a", "and"])
TEXT = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), max_size=12)
ANTISYMMETRIC = (
    "reference embedded_reference spread dwelling first explained titled known introduced_with explains recalled "
    "contained kernel"
).split()


@settings(max_examples=80, deadline=None)
@given(st.lists(TEXT, max_size=4))
def test_every_measure_is_finite_and_directions_are_antisymmetric(videos: list[list[str]]) -> None:
    found = measured([TREE, HEAP, STACK], lectures(*videos))
    for field in fields(found):
        matrix = np.asarray(getattr(found, field.name), dtype=np.float64)
        assert np.isfinite(matrix).all()
        expected = -matrix.T if field.name in ANTISYMMETRIC else matrix.T
        assert np.allclose(matrix, expected)
