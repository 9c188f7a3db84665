"""Asking the merged graph."""

from pathlib import Path
from typing import Any

import pytest
from graph_rows import concept, edge, graph_of, merged_concepts, merged_edges

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphEvidence, Neighbours
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Lang, Span
from knowledge_graph.lake.schemas import GRAPH_COURSES
from knowledge_graph.lake.tables import write_atomic, write_table


def course(course_id: str, *domains: str) -> dict[str, Any]:
    fixed = {
        "title": course_id.upper(),
        "lang": "en",
        "subject": None,
        "policy": None,
        "support": None,
        "instructors": [],
        "shares_with": None,
        "is_platform": False,
    }
    return {"course_id": course_id, "domains": list(domains), **fixed}


ROWS = [
    concept("tree", score=0.9, definition="A tree is a graph without cycles.", kind="subtitle"),
    concept("binary tree", score=0.8),
    concept("binary search tree", "BST", score=0.7),
    concept("SVM", "support vector machine", score=0.6),
    concept("SVM", score=0.9, lang="zh", course="zh"),
    concept("二叉树", "binary tree", lang="zh", course="zh"),
]
EDGES = [
    edge("tree", "binary tree", 0.7),
    edge("binary tree", "binary search tree", 0.9),
    edge("tree", "binary search tree", 0.6),
]
GRAPH = graph_of(ROWS, EDGES)


def found(text: str, lang: Lang | None = None) -> list[tuple[str, str]]:
    return [(mention.concept_id, mention.surface) for mention in GRAPH.mentions(text, lang)]


def test_a_question_names_its_concepts_longest_first() -> None:
    assert found("Is a binary search tree a Tree?") == [
        ("en:binary search tree", "binary search tree"),
        ("en:tree", "Tree"),
    ]


def test_a_mention_says_where_it_is() -> None:
    text = "compare BSTs with street maps"
    mention = GRAPH.mentions(text)[0]
    assert (mention.concept_id, mention.name) == ("en:binary search tree", "binary search tree")
    assert text[mention.start : mention.end] == mention.surface == "BSTs"
    assert len(GRAPH.mentions(text)) == 1


def test_a_chinese_question_names_chinese_concepts() -> None:
    assert found("什么是二叉树？") == [("zh:二叉树", "二叉树")]


def test_in_a_course_a_text_names_the_concepts_of_that_course_alone() -> None:
    own = GRAPH.restrict_mentions("zh")
    assert [one.concept_id for one in own.mentions("a tree and an SVM, 二叉树")] == ["zh:svm", "zh:二叉树"]
    assert len(GRAPH.restrict_mentions(None).mentions("a tree")) == 1


def test_a_shared_name_goes_to_the_language_of_the_question() -> None:
    assert found("what is an svm") == [("en:svm", "svm")]
    assert found("什么是SVM") == [("zh:svm", "SVM")]
    assert found("what is an svm", "zh") == [("zh:svm", "svm")]


def test_a_text_without_concepts_has_no_mentions() -> None:
    assert found("") == found("hello") == []
    assert ConceptGraph.from_rows().mentions("tree") == ()


def test_a_concept_is_looked_up_by_id() -> None:
    tree = GRAPH.concept("en:tree")
    assert (tree.name, tree.domains, tree.course_ids, tree.score) == ("tree", ("algorithms",), ("ds",), 0.9)
    assert GRAPH.definition("en:tree") == "A tree is a graph without cycles."
    assert GRAPH.definition("en:binary tree") is None
    assert GRAPH.domains("en:tree") == ("algorithms",)
    assert "en:tree" in GRAPH
    assert len(GRAPH) == 6


LOOK_UPS = (
    GRAPH.concept,
    GRAPH.definition,
    GRAPH.domains,
    GRAPH.prerequisites,
    GRAPH.dependants,
    GRAPH.neighbours,
    GRAPH.study_path,
    GRAPH.course,
)


def test_an_unknown_id_is_an_error_everywhere() -> None:
    for look_up in LOOK_UPS:
        with pytest.raises(KeyError, match="nope"):
            look_up("nope")


def test_prerequisites_come_with_the_most_probable_first() -> None:
    assert [c.name for c in GRAPH.prerequisites("en:binary search tree")] == ["binary tree", "tree"]
    assert GRAPH.prerequisites("en:tree") == ()
    assert [c.name for c in GRAPH.prerequisites("en:binary search tree", least=0.7)] == ["binary tree"]


def test_dependants_are_the_other_side_of_prerequisites() -> None:
    assert [c.name for c in GRAPH.dependants("en:tree")] == ["binary tree", "binary search tree"]
    assert GRAPH.dependants("en:binary search tree") == ()


def test_every_edge_opens_at_its_evidence() -> None:
    edges = [step.because for step in GRAPH.study_path("en:binary search tree")]
    (edge,) = [one for one in edges if one.prerequisite_id == "en:binary tree"]
    assert (edge.concept_id, edge.probability) == ("en:binary search tree", 0.9)
    assert edge.evidence == (GraphEvidence("ds", Span("v", 0, 1, "binary tree then binary search tree")),)


def test_an_edge_to_a_concept_that_no_course_holds_is_left_out() -> None:
    graph = graph_of([concept("tree")], [edge("forest", "tree", 0.9)])
    assert graph.prerequisites("en:tree") == graph.study_path("en:tree") == ()


@pytest.mark.parametrize("name", ["binary search tree", "Binary-Search Trees", "bst", "BST", " BSTs "])
def test_a_concept_is_found_by_any_spelling_of_its_names(name: str) -> None:
    assert GRAPH.find(name) == "en:binary search tree"


def test_only_a_whole_name_finds_a_concept() -> None:
    assert GRAPH.find("a binary search tree") is None
    assert GRAPH.find("") is None
    assert GRAPH.candidates("search") == ()


def test_of_several_concepts_with_one_name_that_of_the_language_comes_first() -> None:
    assert GRAPH.candidates("svm") == ("en:svm", "zh:svm")
    assert GRAPH.candidates("svm", "zh") == ("zh:svm", "en:svm")
    assert GRAPH.find("二叉树") == "zh:二叉树"


def test_concepts_of_the_same_lectures_are_taught_together() -> None:
    one, two, paper = Span("v1", 0, 1, ""), Span("v2", 0, 1, ""), Span(None, None, None, "", "notes.pdf", 3)
    graph = graph_of(
        [
            concept("heap", evidence=(one, two)),
            concept("sift", evidence=(one, two)),
            concept("array", evidence=(one,)),
            concept("queue", evidence=(two, paper)),
            concept("stack", evidence=(paper,)),
            concept("heat", evidence=(one,), course="physics"),
            concept("silent"),
        ]
    )
    assert [c.name for c in graph.neighbours("en:heap").taught_with] == ["sift", "array", "queue"]
    assert [c.name for c in graph.neighbours("en:heap", most=1).taught_with] == ["sift"]
    assert [c.name for c in graph.neighbours("en:stack").taught_with] == ["queue"]
    assert graph.neighbours("en:silent") == graph.neighbours("en:heat") == Neighbours((), (), ())


def test_neighbours_are_what_comes_before_and_after() -> None:
    around = GRAPH.neighbours("en:binary tree")
    assert [c.name for c in around.prerequisites] == ["tree"]
    assert [c.name for c in around.dependants] == ["binary search tree"]


def test_hostile_names_are_concepts_like_others() -> None:
    names = ["c++", "(.*)+[a-z]", "<script>alert(1)</script>", "🎄 tree", "a\\b"]
    graph = graph_of([concept(name) for name in names])
    for name in names:
        assert graph.find(name) == f"en:{name}"
        assert [m.concept_id for m in graph.mentions(f"what is {name} good for")] == [f"en:{name}"]


def test_warming_up_leaves_nothing_for_the_first_question() -> None:
    graph = graph_of(ROWS, EDGES)
    graph.warm_up()
    assert "_matcher" in vars(graph)


COURSES = ConceptGraph.from_rows(
    courses=[course("a", "x", "y"), course("b", "y", "z"), course("c", "z"), course("d"), course("e")]
)


def test_courses_are_listed_by_id() -> None:
    assert [card.course_id for card in COURSES.courses] == ["a", "b", "c", "d", "e"]
    assert COURSES.course("a").domains == ("x", "y")


def test_a_graph_is_loaded_from_the_three_tables_of_a_home(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    write_atomic(data_dir.graph_concepts, merged_concepts(ROWS))
    write_atomic(data_dir.graph_prerequisites, merged_edges(EDGES))
    write_table(data_dir.graph_courses, [course("ds", "x")], GRAPH_COURSES)
    graph = ConceptGraph.load(data_dir)
    assert graph.concept("en:tree") == GRAPH.concept("en:tree")
    assert [c.name for c in graph.prerequisites("en:binary search tree")] == ["binary tree", "tree"]
    assert graph.course("ds").title == "DS"


def test_a_home_without_a_graph_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"concepts\.parquet.*coteach build"):
        ConceptGraph.load(DataDir(tmp_path))
