"""From concepts and cues to prerequisite pairs with evidence."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.prerequisites.find import BELOW_THRESHOLD, WEAKEST_OF_CYCLE, find_prerequisites
from knowledge_graph.records import Concept, CourseCard, Cue, DefinitionKind, Locator, Prerequisite

CARD = CourseCard("ds", "Data Structures", "en")
TREES = ["A tree is a set of nodes.", "Every tree has a root.", "Trees are everywhere.", "A tree grows downwards."]
HEAPS = [
    "Recall that a tree is a set of nodes.",
    "A heap is a tree that keeps order.",
    "We draw the heap as a tree.",
    "The heap then is an array.",
    "A binary heap is a heap of binary nodes.",
]


def course(*videos: list[str]) -> list[Cue]:
    return [
        Cue("ds", f"v{index}", f"Part {index}", index, n, n * 1000, n * 1000 + 900, line, "en")
        for index, lines in enumerate(videos)
        for n, line in enumerate(lines)
    ]


def concept(name: str, rank: int, definition: str | None = None, at: Locator | None = None) -> Concept:
    kind: DefinitionKind = "subtitle" if definition else "none"
    return Concept("ds", f"en:{name}", name, (), "en", rank, 1.0, definition, kind, at, (), 1, ())


CONCEPTS = [
    concept("tree", 1, TREES[0], Locator(video_id="v0", start_ms=0)),
    concept("heap", 2, HEAPS[1], Locator(video_id="v1", start_ms=1000)),
    concept("binary heap", 3),
]


def accepted(found: list[Prerequisite]) -> set[tuple[str, str]]:
    return {(p.prerequisite, p.concept) for p in found if p.accepted}


def test_the_tree_comes_before_the_heap_and_the_heap_before_the_binary_heap() -> None:
    found = accepted(find_prerequisites(CONCEPTS, course(TREES, HEAPS), CARD))
    assert ("tree", "heap") in found
    assert ("heap", "binary heap") in found
    assert ("heap", "tree") not in found


def test_accepted_pairs_have_evidence_and_rejected_ones_a_reason() -> None:
    for pair in find_prerequisites(CONCEPTS, course(TREES, HEAPS), CARD):
        assert pair.accepted == (pair.rejected_because is None) == bool(pair.evidence)
        assert pair.rejected_because in {None, BELOW_THRESHOLD, WEAKEST_OF_CYCLE}
        assert 1 in pair.votes.values()
        assert 0 < pair.probability < 1


def test_the_sentence_that_calls_the_prerequisite_to_mind_is_evidence() -> None:
    heap = next(
        p for p in find_prerequisites(CONCEPTS, course(TREES, HEAPS), CARD) if p.concept == "heap" and p.accepted
    )
    assert [span.text for span in heap.evidence] == HEAPS[1:3]
    assert heap.evidence[0].video_id == "v1"


def test_pairs_come_with_the_most_probable_first() -> None:
    found = [pair.probability for pair in find_prerequisites(CONCEPTS, course(TREES, HEAPS), CARD)]
    assert found == sorted(found, reverse=True)


def test_only_the_best_concepts_are_paired() -> None:
    found = find_prerequisites(CONCEPTS, course(TREES, HEAPS), CARD, most_concepts=2)
    assert {p.concept for p in found} | {p.prerequisite for p in found} == {"tree", "heap"}


def test_no_cues_no_concepts_or_one_concept_give_no_pairs() -> None:
    assert find_prerequisites(CONCEPTS, [], CARD) == []
    assert find_prerequisites([], course(TREES), CARD) == []
    assert find_prerequisites(CONCEPTS[:1], course(TREES), CARD) == []


def test_concepts_that_never_meet_are_no_pair() -> None:
    far = course(["A stack is a list."], *[["Nothing else."] * 5] * 3, ["A graph is a set."])
    assert find_prerequisites([concept("stack", 1), concept("graph", 2)], far, CARD) == []


WORDS = st.sampled_from(["tree", "heap", "binary heap", "graph", "list", "and", "recall"])
LECTURE = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(lambda words: " ".join(words) + "."), max_size=25)


@settings(max_examples=60, deadline=None)
@given(st.lists(LECTURE, max_size=3))
def test_whatever_is_said_the_accepted_pairs_form_a_dag(videos: list[list[str]]) -> None:
    concepts = [concept(name, n) for n, name in enumerate(["tree", "heap", "binary heap", "graph", "list"], 1)]
    found = find_prerequisites(concepts, course(*videos), CARD)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(accepted(found)))
    assert all(pair.prerequisite_id != pair.concept_id for pair in found)
    assert all(pair.evidence for pair in found if pair.accepted)
