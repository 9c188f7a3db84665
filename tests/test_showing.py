"""What students are shown of the graph, and that the labels behind it are sound."""

import sys
from dataclasses import asdict, replace
from pathlib import Path

import pyarrow as pa
import pytest
import yaml

from knowledge_graph.definitions.confidence import Saying, Setting, confidence
from knowledge_graph.definitions.define import define
from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.concept_map.drawing import draw_concept_map
from knowledge_graph.graph.merging import merge_concepts, merge_prerequisites
from knowledge_graph.graph.showing import DEFINITION_FROM, EDGE_FROM, concept_as_shown, edges_as_shown
from knowledge_graph.lake.records import Concept, CourseCard, Cue, Lang, Locator, Prerequisite, Span, from_row
from knowledge_graph.lake.schemas import CONCEPTS, GRAPH_COURSES, PREREQUISITES
from knowledge_graph.prerequisites.confidence import taught_later
from knowledge_graph.prerequisites.find import find_prerequisites
from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import LectureSpan

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from labelled import definition_labels, edge_labels  # noqa: E402  a benchmark's module, no package

HERE = Setting(titled=False, mentions=0, later=0)
HEAP = Concept(
    "ds",
    "en:heap",
    "heap",
    (),
    "en",
    1,
    0.9,
    "In a heap, there's no rule between left and right.",
    "subtitle",
    Locator(video_id="09", start_ms=5_000, end_ms=9_000),
    ("algorithms",),
    7,
    (Span("03", 1_000, 4_000, "Now we come to the heap."),),
    definition_confidence=0.3,
)
TREE = replace(
    HEAP,
    concept_id="en:tree",
    name="tree",
    definition="A tree is a graph without cycles.",
    definition_confidence=0.95,
    definition_locator=Locator(video_id="02", start_ms=0, end_ms=4_000),
    evidence=(Span("01", 0, 4_000, "Trees come later."),),
)
EDGE = Prerequisite("ds", "en:tree", "en:heap", "tree", "heap", 0.3, True, None, {}, (), 0.9)


def sure(text: str, term: str, *, weight: float = 1.0, lang: Lang = "en", setting: Setting = HERE) -> float:
    return confidence(Saying(text, term, lang, "subtitle", weight, setting))


def graph(concepts: list[Concept], edges: list[Prerequisite]) -> ConceptGraph:
    return ConceptGraph(
        merge_concepts([pa.Table.from_pylist([asdict(one) for one in concepts], schema=CONCEPTS)]),
        merge_prerequisites([pa.Table.from_pylist([asdict(one) for one in edges], schema=PREREQUISITES)]),
        GRAPH_COURSES.empty_table(),
    )


@pytest.mark.parametrize(
    ("good", "poor", "term"),
    [
        (
            "A stable sort is a sort that preserves the relative order of items with equal keys.",
            "The stable sort is something that we are going to see again in the next part, so remember it.",
            "stable sort",
        ),
        (
            "A binary heap is a complete binary tree in which the key of a node is at most its children's.",
            "A binary heap is a complete binary tree that was shown here, and this is the one I talked about.",
            "binary heap",
        ),
        (
            "A feature is a property of each example that the learning algorithm is given as one of its inputs.",
            "A feature would be some property of each example that the learning algorithm is given as an input.",
            "feature",
        ),
    ],
)
def test_what_stands_alone_is_surer_than_what_points_talks_or_supposes(good: str, poor: str, term: str) -> None:
    assert sure(good, term) >= DEFINITION_FROM > sure(poor, term)


def test_captions_without_punctuation_and_documents_are_believed_less() -> None:
    text = "图是由顶点的集合和顶点之间边的集合组成的数据结构。"
    assert sure(text, "图", lang="zh") > sure(text.replace("之间", "之间 "), "图", lang="zh")
    said = Saying("A quiz is a short test that is graded by another student.", "quiz", "en", "document", 1.0, HERE)
    assert confidence(said) < confidence(replace(said, kind="subtitle"))


def test_the_surest_sentence_is_taken_not_the_one_with_the_best_wording() -> None:
    terms = TermMatcher([("en:heap", "heap")])
    better = "A heap is a complete binary tree in which every key is at most as large as those below it."
    said = [
        LectureSpan("01", "Heaps", 0, "en", 0, 4_000, "By heap I mean one that was drawn."),
        LectureSpan("05", "Sorting", 4, "en", 9_000, 15_000, better),
    ]
    found = define(terms, said, [])["en:heap"]
    assert found.text == better
    assert found.confidence >= DEFINITION_FROM


def test_an_unsure_definition_gives_way_to_the_place_where_the_concept_is_spoken_of() -> None:
    held = graph([HEAP, TREE], [EDGE])
    heap = held.concept("en:heap")
    assert (heap.definition, heap.definition_kind, heap.definition_locator) == (None, "none", None)
    assert heap.evidence[0].span.video_id == "03"
    assert held.definition("en:tree") == TREE.definition


def test_what_nobody_weighed_is_shown_as_it_is() -> None:
    held = graph([replace(HEAP, definition_confidence=None), TREE], [replace(EDGE, confidence=None)])
    assert held.definition("en:heap") == HEAP.definition
    assert [step.because.probability for step in held.study_path("en:heap", least=0.0)] == [0.3]


def test_a_sure_definition_of_another_course_stands_in() -> None:
    other = replace(HEAP, course_id="sorting", score=0.1, definition="A heap is a tree.", definition_confidence=0.9)
    assert graph([HEAP, other], []).concept("en:heap").definition_course_id == "sorting"


def test_study_paths_follow_edges_that_are_sure_and_no_others() -> None:
    assert [step.concept.name for step in graph([HEAP, TREE], [EDGE]).study_path("en:heap")] == ["tree"]
    unsure = replace(EDGE, probability=0.99, confidence=EDGE_FROM - 0.01)
    assert graph([HEAP, TREE], [unsure]).study_path("en:heap") == ()


def test_the_map_shows_neither_unsure_definitions_nor_unsure_edges() -> None:
    page = draw_concept_map([HEAP, TREE], [replace(EDGE, confidence=0.2, probability=0.9)], title="Structures")
    assert "no rule between left and right" not in page
    assert "Spoken of in 00:01–00:04, 03." in page
    assert 'class="arrow' not in page
    assert 'class="arrow' in draw_concept_map([HEAP, TREE], [EDGE], title="Structures")


def test_records_are_shown_likewise() -> None:
    assert concept_as_shown(HEAP).definition is None
    assert concept_as_shown(TREE) == TREE
    assert edges_as_shown([EDGE, replace(EDGE, confidence=0.1)]) == [replace(EDGE, probability=0.9)]


def test_a_prerequisite_that_the_course_shows_in_a_later_lecture_is_taught_later() -> None:
    lectures = {"01": 0, "02": 1, "03": 2, "09": 8}
    assert taught_later(HEAP, TREE, lectures)  # where it is spoken of, as its definition is not shown
    assert not taught_later(TREE, HEAP, lectures)
    assert not taught_later(TREE, TREE, lectures)
    early = replace(TREE, definition_locator=None, evidence=())
    assert not taught_later(early, HEAP, lectures)


def test_an_accepted_edge_against_the_order_of_the_lectures_has_no_confidence() -> None:
    said = [
        "A heap is a binary tree in which every key is at most as large as those below it.",
        "Every heap needs the binary tree, and a heap is built from the binary tree.",
        "A binary tree is a tree in which every node has at most two children.",
    ]
    cues = [
        Cue("ds", f"0{at}", f"0{at}", at, line, 1_000 * line, 1_000 * line + 900, text, "en")
        for at, texts in enumerate((said[:2], said[2:]))
        for line, text in enumerate(texts)
    ]
    heap = replace(HEAP, definition=None, evidence=(Span("00", 0, 900, said[0]),))
    tree = replace(TREE, concept_id="en:binary tree", name="binary tree", definition=said[2])
    later = replace(tree, definition_locator=Locator(video_id="01", start_ms=0, end_ms=900))
    found = {
        one.confidence
        for one in find_prerequisites([heap, later], cues, CourseCard("ds", "Structures", "en")).prerequisites
        if one.accepted and one.prerequisite == "binary tree"
    }
    assert found == {0.0}


def test_a_table_of_an_older_build_is_read_and_merged() -> None:
    row = {key: value for key, value in asdict(TREE).items() if key != "definition_confidence"}
    assert from_row(Concept, row).definition_confidence is None
    older = pa.Table.from_pylist([row], schema=pa.schema(field for field in CONCEPTS if field.name in row))
    assert merge_concepts([older])["definition"].to_pylist() == [TREE.definition]


def test_sql_and_python_show_the_same_definitions() -> None:
    project = yaml.safe_load((ROOT / "dbt" / "dbt_project.yml").read_text(encoding="utf-8"))
    assert project["vars"]["definition_from"] == DEFINITION_FROM


def test_there_are_labels_enough_of_enough_courses_in_both_halves() -> None:
    for labels, least in ((definition_labels(), 300), (edge_labels(), 200)):
        assert len(labels) >= least
        assert len({course for course, *_ in labels}) >= 5
        assert {"development", "held_out"} == {label.split for label in labels.values()}
