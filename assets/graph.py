"""Stage `graph`: the concepts and prerequisites of all courses, merged."""

import dagster as dg
import pyarrow.parquet as pq

from assets.concepts import concepts
from assets.course_card import course_card
from assets.prerequisites import prerequisites
from knowledge_graph.graph.merging import merge_concepts, merge_prerequisites
from knowledge_graph.graph.soundness import edge_findings
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import GRAPH_CONCEPTS, GRAPH_COURSES
from knowledge_graph.lake.tables import Row, read_rows, write_atomic, write_table
from knowledge_graph.sources.sharing import unknown_shares
from orchestration.building.courses import gone_courses
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.tables import FOLDERS, edge_facts, folders_result, problem_facts, table_result
from orchestration.resources import Inputs

_MADE_OF = {
    **{name: f"concepts.{name}" for name in ("concept_id", "name", "aliases", "lang", "score", "domains", "evidence")},
    **{name: f"concepts.{name}" for name in ("definition", "definition_kind", "definition_locator", "mention_count")},
    "definition_course_id": "concepts.course_id",
    "course_ids": "concepts.course_id",
}


@dg.asset(
    deps=[course_card, concepts, prerequisites],
    group_name="knowledge_graph",
    kinds={"networkx", "parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="7",
)
@unless_unchanged
def graph(data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """One concept graph over all courses: a concept keeps the courses it comes from."""
    found = merge_concepts(pq.ParquetFile(path).read() for path in data_dir.tables("concepts"))
    edges = merge_prerequisites(pq.ParquetFile(path).read() for path in data_dir.tables("prerequisites"))
    cards = [_card(data_dir, row) for path in data_dir.tables("course_cards") for row in read_rows(path)]
    write_table(data_dir.graph_courses, cards, GRAPH_COURSES)
    write_atomic(data_dir.graph_prerequisites, edges)
    write_atomic(data_dir.graph_concepts, found)
    return table_result(
        data_dir.graph_concepts,
        len(found),
        GRAPH_CONCEPTS,
        also=[data_dir.graph_courses, data_dir.graph_prerequisites],
        metadata={"courses": len(cards), "edges": len(edges), **declare_lineage(_MADE_OF)},
    )


def _card(data_dir: DataDir, card: Row) -> Row:
    """The row of a course with its domains, D(c) of LittleMu eq. 5: the card's own, else those of its concepts."""
    kept = {name: card.get(name) for name in GRAPH_COURSES.names}
    path = data_dir.table("concepts", card["course_id"])
    if card["domains"] or not path.is_file():
        return kept
    inferred = pq.ParquetFile(path).read(columns=["domains"]).column("domains").to_pylist()
    return kept | {"domains": sorted({domain for each in inferred for domain in each})}


@dg.asset_check(asset=graph, blocking=True)
def graph_is_sound(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """The merged edges form a DAG without self-loops, and both ends of each exist."""
    known = set(pq.ParquetFile(data_dir.graph_concepts).read(columns=["concept_id"])["concept_id"].to_pylist())
    table = pq.ParquetFile(data_dir.graph_prerequisites).read(columns=["prerequisite_id", "concept_id"])
    edges = dict.fromkeys(zip(*(column.to_pylist() for column in table.columns), strict=True), ())
    findings = edge_findings(edges, known, stated=edges.keys())  # evidence was looked at course by course
    return dg.AssetCheckResult(
        passed=findings.sound, metadata={"concepts": len(known), "edges": len(table)} | edge_facts(findings)
    )


@dg.asset_check(asset=graph, name=FOLDERS)
def every_course_has_its_folder(
    context: dg.AssetCheckExecutionContext, inputs: dg.ResourceParam[Inputs]
) -> dg.AssetCheckResult:
    """No course lacks its folder: a removed or renamed one is served until `coteach forget`. A sensor checks too."""
    return folders_result(gone_courses(context.instance, (folder.course_id for folder in inputs.find_folders())))


@dg.asset_check(asset=graph)
def every_course_shared_with_exists(
    context: dg.AssetCheckExecutionContext, inputs: dg.ResourceParam[Inputs]
) -> dg.AssetCheckResult:
    """Every course that `shares_with` names exists; a name without a course is most likely a slip."""
    problems = unknown_shares(inputs.find_folders(), context.instance.get_dynamic_partitions(courses.name or "courses"))
    return dg.AssetCheckResult(
        passed=not problems,
        severity=dg.AssetCheckSeverity.WARN,
        description="\n".join(map(str, problems)) or None,
        metadata=problem_facts(problems),
    )
