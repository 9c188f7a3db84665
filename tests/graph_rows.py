"""Rows from which the tests of the graph are made, and the courses' tables merged from them."""

from collections.abc import Sequence
from dataclasses import asdict

import pyarrow as pa

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.merging import merge_concepts, merge_prerequisites
from knowledge_graph.lake.records import Concept, DefinitionKind, Lang, Locator, Prerequisite, Span
from knowledge_graph.lake.schemas import CONCEPTS, GRAPH_COURSES, PREREQUISITES
from knowledge_graph.lake.tables import Row


def concept(
    name: str,
    *aliases: str,
    course: str = "ds",
    lang: Lang = "en",
    score: float = 0.5,
    definition: str | None = None,
    kind: DefinitionKind = "none",
    locator: Locator | None = None,
    domains: tuple[str, ...] = ("algorithms",),
    mentions: int = 1,
    evidence: tuple[Span, ...] = (),
) -> Row:
    concept_id = f"{lang}:{name.lower()}"
    return asdict(
        Concept(
            course,
            concept_id,
            name,
            aliases,
            lang,
            1,
            score,
            definition,
            kind,
            locator,
            domains,
            mentions,
            evidence,
            {},
        )
    )


def edge(before: str, after: str, probability: float, *, course: str = "ds", accepted: bool = True) -> Row:
    spans = (Span("v", 0, 1, f"{before} then {after}"),)
    return asdict(
        Prerequisite(course, f"en:{before}", f"en:{after}", before, after, probability, accepted, None, {}, spans)
    )


def merged_concepts(rows: Sequence[Row]) -> pa.Table:
    """As from one table a row: what is merged may come in any pieces."""
    return merge_concepts(pa.Table.from_pylist([row], schema=CONCEPTS) for row in rows)


def merged_edges(rows: Sequence[Row]) -> pa.Table:
    return merge_prerequisites(pa.Table.from_pylist([row], schema=PREREQUISITES) for row in rows)


def graph_of(concepts: Sequence[Row], edges: Sequence[Row] = ()) -> ConceptGraph:
    return ConceptGraph(merged_concepts(concepts), merged_edges(edges), GRAPH_COURSES.empty_table())
