"""Merging the courses' graphs and asking the merged one."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from knowledge_graph.graph import ConceptGraph, merge_concepts, merge_prerequisites
from knowledge_graph.home import DataDir
from knowledge_graph.lake import GRAPH_CONCEPTS, GRAPH_COURSES, GRAPH_PREREQUISITES, write_table
from knowledge_graph.records import Concept, DefinitionKind, Lang, Prerequisite, Span


def concept(
    name: str,
    *aliases: str,
    course: str = "ds",
    lang: Lang = "en",
    score: float = 0.5,
    definition: str | None = None,
    kind: DefinitionKind = "none",
    domains: tuple[str, ...] = ("algorithms",),
) -> dict[str, Any]:
    concept_id = f"{lang}:{name.lower()}"
    return asdict(Concept(course, concept_id, name, aliases, lang, 1, score, definition, kind, None, domains, 1, ()))


def edge(before: str, after: str, probability: float, *, course: str = "ds", accepted: bool = True) -> dict[str, Any]:
    spans = (Span("v", 0, 1, f"{before} then {after}"),)
    return asdict(
        Prerequisite(course, f"en:{before}", f"en:{after}", before, after, probability, accepted, None, {}, spans)
    )


def course(course_id: str, *domains: str) -> dict[str, Any]:
    fixed = {"title": course_id.upper(), "lang": "en", "subject": None, "policy": None}
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
GRAPH = ConceptGraph.from_rows(merge_concepts(ROWS), merge_prerequisites(EDGES))


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


def test_an_unknown_id_is_an_error_everywhere() -> None:
    for look_up in (GRAPH.concept, GRAPH.definition, GRAPH.domains, GRAPH.prerequisites, GRAPH.course):
        with pytest.raises(KeyError, match="nope"):
            look_up("nope")


def test_prerequisites_come_with_the_most_probable_first() -> None:
    assert [c.name for c in GRAPH.prerequisites("en:binary search tree")] == ["binary tree", "tree"]
    assert GRAPH.prerequisites("en:tree") == ()


COURSES = ConceptGraph.from_rows(
    courses=[course("a", "x", "y"), course("b", "y", "z"), course("c", "z"), course("d"), course("e")]
)


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ("a", "a", 1.0),
        ("a", "b", 1 / 3),
        ("b", "a", 1 / 3),
        ("b", "c", 1 / 2),
        ("a", "c", 0.0),
        ("d", "e", 0.0),
        ("d", "d", 1.0),
    ],
)
def test_the_overlap_of_two_courses_is_the_jaccard_index_of_their_domains(one: str, other: str, overlap: float) -> None:
    assert COURSES.domain_overlap(one, other) == pytest.approx(overlap)


def test_courses_are_listed_by_id() -> None:
    assert [card.course_id for card in COURSES.courses] == ["a", "b", "c", "d", "e"]
    assert COURSES.course("a").domains == ("x", "y")


def test_a_concept_of_two_courses_becomes_one() -> None:
    rows = [
        concept("Heap", "heaps", course="b", score=0.4, definition="A heap is a pile.", kind="search", domains=("x",)),
        concept("heap", course="a", score=0.9, domains=("y",)),
        concept("heap", "HEAP tree", course="c", score=0.2, definition="A heap is a tree.", kind="subtitle"),
    ]
    (merged,) = merge_concepts(rows)
    assert (merged["name"], merged["score"]) == ("heap", 0.9)
    assert merged["aliases"] == ["HEAP tree", "Heap", "heaps"]
    assert (merged["definition"], merged["definition_course_id"]) == ("A heap is a tree.", "c")
    assert merged["domains"] == ["algorithms", "x", "y"]
    assert merged["course_ids"] == ["a", "b", "c"]
    assert merge_concepts(rows[::-1]) == [merged]


def test_courses_that_contradict_each_other_still_give_an_acyclic_graph() -> None:
    rows = [
        edge("tree", "graph", 0.9, course="a"),
        edge("graph", "list", 0.8, course="b"),
        edge("list", "tree", 0.6, course="c"),
        edge("graph", "tree", 0.7, course="c"),
    ]
    edges = [(row["prerequisite_id"], row["concept_id"]) for row in rows]
    merged = [(row["prerequisite_id"], row["concept_id"]) for row in merge_prerequisites(rows)]
    assert not nx.is_directed_acyclic_graph(nx.DiGraph(edges))
    assert merged == [("en:graph", "en:list"), ("en:tree", "en:graph")]


def test_only_accepted_edges_are_merged_and_the_surest_course_counts() -> None:
    rows = [
        edge("tree", "heap", 0.6, course="a"),
        edge("tree", "heap", 0.8, course="b"),
        edge("heap", "tree", 0.2, course="b", accepted=False),
    ]
    (merged,) = merge_prerequisites(rows)
    assert (merged["probability"], merged["course_ids"]) == (0.8, ["a", "b"])
    assert len(merged["evidence"]) == 2
    assert merge_prerequisites(rows[::-1]) == [merged]


def write(data_dir: DataDir, rows: Mapping[str, list[dict[str, Any]]]) -> None:
    write_table(data_dir.graph_concepts, rows["concepts"], GRAPH_CONCEPTS)
    write_table(data_dir.graph_prerequisites, rows["prerequisites"], GRAPH_PREREQUISITES)
    write_table(data_dir.graph_courses, rows["courses"], GRAPH_COURSES)


def test_a_graph_is_loaded_from_the_three_tables_of_a_home(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    tables = {
        "concepts": merge_concepts(ROWS),
        "prerequisites": merge_prerequisites(EDGES),
        "courses": [course("ds", "x")],
    }
    write(data_dir, tables)
    graph = ConceptGraph.load(data_dir)
    assert graph.concept("en:tree") == GRAPH.concept("en:tree")
    assert [c.name for c in graph.prerequisites("en:binary search tree")] == ["binary tree", "tree"]
    assert graph.course("ds").title == "DS"


def test_a_home_without_a_graph_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"concepts\.parquet.*coteach build"):
        ConceptGraph.load(DataDir(tmp_path))
