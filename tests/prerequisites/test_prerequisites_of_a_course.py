"""From concepts and the course's text to prerequisite pairs with evidence."""

from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import (
    Concept,
    CourseCard,
    Cue,
    DocumentSection,
    GivenBy,
    Prerequisite,
    Span,
    Statement,
    StatementKind,
)
from knowledge_graph.prerequisites.decide import BELOW_THRESHOLD, BY_TEACHER, WEAKEST_OF_CYCLE
from knowledge_graph.prerequisites.find import Discovery, find_prerequisites
from knowledge_graph.prerequisites.votes import FUNCTIONS

CARD = CourseCard("ds", "Data Structures", "en")
TREES = ["A tree is a set of nodes.", "Every tree has a root.", "Trees are everywhere.", "A tree grows downwards."]
HEAPS = [
    "Recall that a tree is a set of nodes.",
    "A heap is a tree that keeps order.",
    "We draw the heap as a tree.",
    "The heap then is an array.",
    "A binary heap is a heap of binary nodes.",
]
STACKS = ["A stack keeps plates.", "The stack grows.", "Plates leave the stack.", "A stack is not a heap."]


def course(*videos: list[str]) -> list[Cue]:
    return [
        Cue("ds", f"v{index}", f"Part {index}", index, n, n * 1000, n * 1000 + 900, line, "en")
        for index, lines in enumerate(videos)
        for n, line in enumerate(lines)
    ]


def concept(name: str, rank: int, evidence: tuple[Span, ...] = ()) -> Concept:
    return Concept("ds", f"en:{name}", name, (), "en", rank, 1.0, None, "none", None, (), 1, evidence, {})


def said(kind: StatementKind, subject: str, object_: str, given_by: GivenBy = "teacher", row: int = 1) -> Statement:
    return Statement("ds", kind, given_by, subject, object_, None, "graph.yaml", row)


CONCEPTS = [concept("tree", 1), concept("heap", 2), concept("binary heap", 3), concept("stack", 4)]
CUES = course(TREES, HEAPS, STACKS)


def accepted(found: Discovery) -> set[tuple[str, str]]:
    return {(p.prerequisite, p.concept) for p in found.prerequisites if p.accepted}


def pair(found: Discovery, prerequisite: str, concept: str) -> Prerequisite:
    return next(p for p in found.prerequisites if (p.prerequisite, p.concept) == (prerequisite, concept))


def test_the_tree_comes_before_the_heap_and_the_heap_before_the_binary_heap() -> None:
    found = accepted(find_prerequisites(CONCEPTS, CUES, CARD))
    assert {("tree", "heap"), ("heap", "binary heap")} <= found
    assert ("heap", "tree") not in found


def test_accepted_pairs_have_evidence_and_rejected_ones_a_reason() -> None:
    for one in find_prerequisites(CONCEPTS, CUES, CARD).prerequisites:
        assert one.accepted == (one.rejected_because is None) == bool(one.evidence)
        assert one.rejected_because in {None, BELOW_THRESHOLD, WEAKEST_OF_CYCLE}
        assert one.accepted or 1 in one.votes.values()
        assert 0 < one.probability < 1


def test_the_sentences_that_name_both_are_evidence() -> None:
    heap = pair(find_prerequisites(CONCEPTS, CUES, CARD), "tree", "heap")
    assert [span.text for span in heap.evidence] == HEAPS[1:3]
    assert heap.evidence[0].video_id == "v1"


def test_where_no_sentence_names_both_the_nearest_stretch_is_evidence() -> None:
    cues = course(["A tree.", "It grows.", "Now a binary tree comes.", "Here is a heap.", "A heap.", "A heap."])
    found = find_prerequisites(
        [concept("binary tree", 1), concept("heap", 2)],
        cues,
        CARD,
        statements=[said("prerequisite", "binary tree", "heap")],
    )
    assert pair(found, "binary tree", "heap").evidence == (
        Span("v0", 2000, 3900, "Now a binary tree comes. Here is a heap."),
        Span("v0", 2000, 4900, "Now a binary tree comes. Here is a heap. A heap."),
        Span("v0", 2000, 5900, "Now a binary tree comes. Here is a heap. A heap. A heap."),
    )


def test_far_apart_in_one_lecture_both_places_are_evidence() -> None:
    cues = course(["Draw a tree.", *["And so on."] * 9, "Fill the heap."])
    found = find_prerequisites(CONCEPTS[:2], cues, CARD, statements=[said("prerequisite", "tree", "heap")])
    assert [span.text for span in pair(found, "tree", "heap").evidence] == ["Draw a tree.", "Fill the heap."]


def test_pairs_come_with_the_most_probable_first() -> None:
    found = [one.probability for one in find_prerequisites(CONCEPTS, CUES, CARD).prerequisites]
    assert found == sorted(found, reverse=True)


def test_every_function_is_reported() -> None:
    found = find_prerequisites(CONCEPTS, CUES, CARD)
    assert [report.name for report in found.reports] == [each.name for each in FUNCTIONS]
    assert all(0 <= report.conflict <= report.overlap <= report.coverage <= 1 for report in found.reports)
    assert found.pairs == 12 - 4  # the stack meets the heap alone


def test_only_the_best_concepts_are_paired_and_those_people_speak_of() -> None:
    def named(found: Discovery) -> set[str]:
        return {name for one in found.prerequisites for name in (one.prerequisite, one.concept)}

    assert named(find_prerequisites(CONCEPTS, CUES, CARD, most_concepts=2)) == {"tree", "heap"}
    statements = [said("prerequisite", "heap", "stack")]
    assert "stack" in named(find_prerequisites(CONCEPTS, CUES, CARD, most_concepts=2, statements=statements))


def test_concepts_that_people_give_are_looked_at_before_better_ranked_ones() -> None:
    given_last = [*CONCEPTS[:2], replace(CONCEPTS[2], votes={"seed": 1}), CONCEPTS[3]]
    found = find_prerequisites(given_last, CUES, CARD, most_concepts=2).prerequisites
    assert {name for one in found for name in (one.prerequisite, one.concept)} == {"tree", "binary heap"}


def test_no_more_pairs_are_kept_than_asked_for() -> None:
    whole = find_prerequisites(CONCEPTS, CUES, CARD)
    few = find_prerequisites(CONCEPTS, CUES, CARD, most_pairs=2)
    assert len(whole.prerequisites) > len(few.prerequisites) == 2
    assert all(one.accepted for one in few.prerequisites)


@pytest.mark.parametrize(("concepts", "cues"), [(CONCEPTS, []), ([], CUES), (CONCEPTS[:1], CUES)])
def test_no_text_no_concepts_or_one_concept_give_no_pairs(concepts: list[Concept], cues: list[Cue]) -> None:
    found = find_prerequisites(concepts, cues, CARD)
    assert (found.prerequisites, found.pairs, found.cut) == ((), 0, 1.0)


def test_concepts_that_never_meet_are_no_pair() -> None:
    far = course(["A stack is a list."], ["Nothing else."], ["A graph is a set."])
    assert find_prerequisites([concept("stack", 1), concept("graph", 2)], far, CARD).prerequisites == ()


def test_documents_are_read_and_open_at_their_page() -> None:
    text = "A queue is a list. A priority queue is a queue that keeps order. The priority queue orders the queue."
    notes = DocumentSection("ds", "notes.pdf", "Notes", 0, "p4", 4, None, None, text, "en")
    found = find_prerequisites([concept("queue", 1), concept("priority queue", 2)], [], CARD, documents=[notes])
    (edge,) = (one for one in found.prerequisites if one.accepted)
    assert (edge.prerequisite, edge.concept) == ("queue", "priority queue")
    assert {(span.document, span.page, span.video_id) for span in edge.evidence} == {("notes.pdf", 4, None)}


def test_a_teachers_no_rejects_what_the_machine_accepts() -> None:
    found = find_prerequisites(CONCEPTS, CUES, CARD, statements=[said("no_prerequisite", "tree", "heap")])
    edge = pair(found, "tree", "heap")
    assert (edge.accepted, edge.rejected_because, edge.probability) == (False, BY_TEACHER, 0.0)


def test_a_teachers_yes_is_accepted_with_evidence_and_survives_the_machines_opposite() -> None:
    found = find_prerequisites(CONCEPTS, CUES, CARD, statements=[said("prerequisite", "binary heap", "tree")])
    edge = pair(found, "binary heap", "tree")
    assert (edge.accepted, edge.probability) == (True, 1.0)
    assert edge.evidence
    assert nx.is_directed_acyclic_graph(nx.DiGraph(accepted(found)))


def test_a_teachers_edge_the_text_does_not_support_opens_where_a_concept_was_found_if_anywhere() -> None:
    span = Span(None, None, None, "Monoids matter.", "notes.pdf", 2)
    concepts = [*CONCEPTS, concept("monoid", 5, (span,)), concept("category", 6), concept("functor", 7)]
    statements = [said("prerequisite", "monoid", "heap"), said("prerequisite", "category", "functor", row=2)]
    found = find_prerequisites(concepts, CUES, CARD, statements=statements)
    assert pair(found, "monoid", "heap").evidence == (span,)
    assert pair(found, "category", "functor").evidence == ()


def test_what_people_state_is_among_the_votes() -> None:
    statements = [said("prerequisite", "tree", "stack"), said("no_prerequisite", "heap", "stack", "dataset", row=2)]
    found = find_prerequisites(CONCEPTS, CUES, CARD, statements=statements)
    assert pair(found, "tree", "stack").votes["teacher"] == 1
    assert pair(found, "heap", "stack").votes["dataset"] == -1


def test_in_a_document_the_two_nearest_sentences_are_evidence_each_on_its_page() -> None:
    pages = [
        DocumentSection("ds", "notes.pdf", "Notes", 0, "p1", 1, None, None, "A queue is a list.", "en"),
        DocumentSection("ds", "notes.pdf", "Notes", 1, "p2", 2, None, None, "A heap is an array.", "en"),
    ]
    concepts, statements = [concept("queue", 1), concept("heap", 2)], [said("prerequisite", "queue", "heap")]
    (edge, *_) = find_prerequisites(concepts, [], CARD, documents=pages, statements=statements).prerequisites
    assert [(span.page, span.text) for span in edge.evidence] == [(1, "A queue is a list."), (2, "A heap is an array.")]


def test_teachers_who_contradict_themselves_are_told_and_the_graph_stays_acyclic() -> None:
    statements = [said("prerequisite", "tree", "stack"), said("prerequisite", "stack", "tree", row=2)]
    found = find_prerequisites(CONCEPTS, CUES, CARD, statements=statements)
    assert ("tree", "stack") in accepted(found)
    assert ("stack", "tree") not in accepted(found)
    assert [problem.line for problem in found.problems] == [2]


def test_what_a_dataset_states_is_followed() -> None:
    statements = [
        said("prerequisite", "stack", "heap", "dataset"),
        said("no_prerequisite", "tree", "heap", "dataset", row=2),
    ]
    found = find_prerequisites(CONCEPTS, CUES, CARD, statements=statements)
    assert pair(found, "stack", "heap").accepted
    assert not pair(found, "tree", "heap").accepted


def test_pairs_that_a_dataset_gives_are_kept_beyond_the_best_concepts() -> None:
    statements = [said("prerequisite", "stack", "binary heap", "dataset")]
    found = find_prerequisites(CONCEPTS, CUES, CARD, most_concepts=2, statements=statements)
    edge = pair(found, "stack", "binary heap")
    assert (edge.accepted, edge.votes, [span.text for span in edge.evidence]) == (True, {"dataset": 1}, [])


def test_statements_about_concepts_the_course_does_not_have_are_told() -> None:
    found = find_prerequisites(CONCEPTS, CUES, CARD, statements=[said("prerequisite", "sheaf", "heap")])
    assert ["sheaf" in problem.message for problem in found.problems] == [True]


WORDS = st.sampled_from(["tree", "heap", "binary heap", "graph", "list", "and", "recall", "is a"])
LECTURE = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(lambda words: " ".join(words) + "."), max_size=25)
FIVE = [concept(name, n) for n, name in enumerate(["tree", "heap", "binary heap", "graph", "list"], 1)]
STATEMENTS = st.lists(
    st.builds(
        said,
        st.sampled_from(["prerequisite", "no_prerequisite"]),
        st.sampled_from([one.name for one in FIVE]),
        st.sampled_from([one.name for one in FIVE]),
        st.sampled_from(["teacher", "dataset"]),
    ),
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(LECTURE, max_size=3), STATEMENTS)
def test_whatever_is_said_the_accepted_pairs_form_a_dag_with_evidence(
    videos: list[list[str]], statements: list[Statement]
) -> None:
    found = find_prerequisites(FIVE, course(*videos), CARD, statements=statements)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(accepted(found)))
    assert all(
        one.evidence for one in found.prerequisites if one.accepted and not {"teacher", "dataset"} & one.votes.keys()
    )
    edges = [(one.prerequisite_id, one.concept_id) for one in found.prerequisites]
    assert len(edges) == len(set(edges))
    assert all(a != b for a, b in edges)


@settings(max_examples=30, deadline=None)
@given(st.lists(LECTURE, max_size=3), st.permutations(FIVE), st.randoms(use_true_random=False))
def test_the_order_in_which_concepts_and_cues_come_does_not_matter(
    videos: list[list[str]], concepts: list[Concept], random: object
) -> None:
    cues = course(*videos)
    shuffled = sorted(cues, key=lambda cue: hash((cue.cue_index, cue.video_id, str(random))))
    assert find_prerequisites(concepts, shuffled, CARD) == find_prerequisites(FIVE, cues, CARD)


def test_of_many_sentences_that_name_both_the_reminding_one_is_quoted() -> None:
    lines = ["A heap is a tree."] * 4 + ["Recall that the heap is a tree of keys."]
    found = pair(find_prerequisites(CONCEPTS, course(TREES, [*HEAPS[3:], *lines]), CARD), "tree", "heap")
    assert any(span.text.startswith("Recall") for span in found.evidence)
