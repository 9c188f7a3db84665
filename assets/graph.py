"""Stage `graph`: the concepts and prerequisites of all courses, merged."""

import dagster as dg
import networkx as nx

from assets.concepts import concepts
from assets.course_card import course_card
from assets.prerequisites import prerequisites
from knowledge_graph.graph import merge_concepts, merge_prerequisites
from knowledge_graph.home import DataDir
from knowledge_graph.lake import GRAPH_CONCEPTS, GRAPH_COURSES, GRAPH_PREREQUISITES, read_rows, write_table
from orchestration.automation import fan_in
from orchestration.reporting import table_result
from orchestration.staleness import ALSO_WRITTEN


@dg.asset(
    deps=[course_card, concepts, prerequisites],
    group_name="knowledge_graph",
    kinds={"networkx", "parquet"},
    owners=["team:pipeline"],
    automation_condition=fan_in,
    code_version="1",
)
def graph(data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """One concept graph over all courses: a concept keeps the courses it comes from."""
    cards = [row for path in data_dir.tables("course_cards") for row in read_rows(path)]
    found = merge_concepts([row for path in data_dir.tables("concepts") for row in read_rows(path)])
    edges = merge_prerequisites([row for path in data_dir.tables("prerequisites") for row in read_rows(path)])
    write_table(
        data_dir.graph_courses, [{name: card[name] for name in GRAPH_COURSES.names} for card in cards], GRAPH_COURSES
    )
    write_table(data_dir.graph_prerequisites, edges, GRAPH_PREREQUISITES)
    count = write_table(data_dir.graph_concepts, found, GRAPH_CONCEPTS)
    return table_result(
        data_dir.graph_concepts,
        count,
        GRAPH_CONCEPTS,
        metadata={
            "courses": len(cards),
            "edges": len(edges),
            ALSO_WRITTEN: [str(data_dir.graph_courses), str(data_dir.graph_prerequisites)],
        },
    )


@dg.asset_check(asset=graph, blocking=True)
def graph_is_sound(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """The merged edges form a DAG without self-loops, and both ends of each exist."""
    known = {row["concept_id"] for row in read_rows(data_dir.graph_concepts)}
    edges = [(row["prerequisite_id"], row["concept_id"]) for row in read_rows(data_dir.graph_prerequisites)]
    acyclic = nx.is_directed_acyclic_graph(nx.DiGraph(edges))
    dangling = sum(not known.issuperset(edge) for edge in edges)
    return dg.AssetCheckResult(
        passed=acyclic and not dangling,
        metadata={"concepts": len(known), "edges": len(edges), "acyclic": acyclic, "dangling": dangling},
    )
