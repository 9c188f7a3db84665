"""Stage `prerequisites`: what should be known before what."""

from dataclasses import asdict

import dagster as dg
import networkx as nx

from assets.concepts import concepts, read_concepts
from assets.subtitles import read_cues, subtitles
from knowledge_graph.home import DataDir
from knowledge_graph.lake import PREREQUISITES, read_rows
from knowledge_graph.prerequisites.find import find_prerequisites
from orchestration.automation import per_course
from orchestration.partitions import course_check, courses
from orchestration.reporting import write_and_report
from orchestration.sources import read_card


@dg.asset(
    deps=[concepts, subtitles],
    partitions_def=courses,
    group_name="knowledge_graph",
    kinds={"networkx", "parquet"},
    owners=["team:pipeline"],
    automation_condition=per_course,
    code_version="1",
)
def prerequisites(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """Ordered pairs of concepts with votes, probability and evidence; the accepted ones form a DAG."""
    course_id = context.partition_key
    pairs = find_prerequisites(
        read_concepts(data_dir, course_id), read_cues(data_dir, course_id), read_card(data_dir, course_id)
    )
    accepted = [pair for pair in pairs if pair.accepted]
    return write_and_report(
        data_dir.table("prerequisites", course_id),
        [asdict(pair) for pair in pairs],
        PREREQUISITES,
        metadata={
            "accepted": len(accepted),
            "removed_from_cycles": sum((pair.rejected_because or "").endswith("cycle") for pair in pairs),
        },
    )


@course_check(prerequisites)
def prerequisites_are_sound(
    context: dg.AssetCheckExecutionContext, data_dir: dg.ResourceParam[DataDir]
) -> dg.AssetCheckResult:
    """Accepted edges form a DAG, join concepts that exist, and each names the cues it rests on."""
    course_id = context.partition_key
    known = {concept.concept_id for concept in read_concepts(data_dir, course_id)}
    rows = [row for row in read_rows(data_dir.table("prerequisites", course_id)) if row["accepted"]]
    edges = [(row["prerequisite_id"], row["concept_id"]) for row in rows]
    acyclic = nx.is_directed_acyclic_graph(nx.DiGraph(edges))
    dangling = sum(not known.issuperset(edge) for edge in edges)
    unsupported = sum(not row["evidence"] for row in rows)
    return dg.AssetCheckResult(
        passed=acyclic and not dangling and not unsupported,
        metadata={"edges": len(edges), "acyclic": acyclic, "dangling": dangling, "without_evidence": unsupported},
    )
