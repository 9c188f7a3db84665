"""Stage `prerequisites`: what should be known before what."""

import dagster as dg

from assets.concepts import concepts, read_concepts
from assets.course_card import course_card
from assets.documents import documents, read_sections
from assets.statements import read_given, statements
from assets.subtitles import read_cues, subtitles
from knowledge_graph.graph.showing import is_shown
from knowledge_graph.graph.soundness import Corpus, edge_findings
from knowledge_graph.labelling.analysis import as_markdown
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import GIVEN, Prerequisite, from_row, to_row
from knowledge_graph.lake.schemas import PREREQUISITES
from knowledge_graph.lake.tables import read_table
from knowledge_graph.prerequisites.find import find_prerequisites
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, course_check, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import clean_input_spec, edge_facts, write_and_report, write_function_reports


def read_accepted(data_dir: DataDir, course_id: str) -> list[Prerequisite]:
    """The accepted of the pairs that `prerequisites` wrote, most probable first: a few hundred of up to 20,000."""
    found = read_table(data_dir.table("prerequisites", course_id), where=[("accepted", "=", True)])
    return [from_row(Prerequisite, row) for row in found.to_pylist(maps_as_pydicts="strict")]


_MADE_OF = {
    **dict.fromkeys(("prerequisite_id", "concept_id"), "concepts.concept_id"),
    **dict.fromkeys(("prerequisite", "concept"), "concepts.name"),
    "course_id": "course_card.course_id",
    "evidence": "subtitles.text documents.text",
}


@dg.asset(
    deps=[course_card, concepts, subtitles, documents, statements],
    check_specs=[clean_input_spec("prerequisites", courses)],
    partitions_def=courses,
    group_name="knowledge_graph",
    kinds={"networkx", "parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="8",
)
@unless_unchanged
def prerequisites(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """Ordered pairs of concepts with votes, probability and evidence; the accepted ones form a DAG."""
    course_id = context.partition_key
    found = find_prerequisites(
        read_concepts(data_dir, course_id),
        read_cues(data_dir, course_id),
        read_card(data_dir, course_id),
        documents=read_sections(data_dir, course_id),
        statements=read_given(data_dir, course_id),
    )
    functions = write_function_reports(data_dir.table("prerequisite_functions", course_id), course_id, found.reports)
    return write_and_report(
        data_dir.table("prerequisites", course_id),
        [to_row(pair) for pair in found.prerequisites],
        PREREQUISITES,
        metadata={
            **declare_lineage(_MADE_OF),
            "accepted": sum(pair.accepted for pair in found.prerequisites),
            "shown": sum(is_shown(pair) for pair in found.prerequisites),
            "removed_from_cycles": sum((pair.rejected_because or "").endswith("cycle") for pair in found.prerequisites),
            "pairs_voted_on": found.pairs,
            "accepted_from": found.cut,
            "labelling_functions": dg.MetadataValue.md(as_markdown(found.reports)),
        },
        also=[functions],
        problems=found.problems,
    )


@course_check(prerequisites)
def prerequisites_are_sound(
    context: dg.AssetCheckExecutionContext, data_dir: dg.ResourceParam[DataDir]
) -> dg.AssetCheckResult:
    """Accepted edges form a DAG without self-loops, join concepts that exist, and open at the words they rest on."""
    course_id = context.partition_key
    accepted = read_accepted(data_dir, course_id)
    findings = edge_findings(
        {(pair.prerequisite_id, pair.concept_id): pair.evidence for pair in accepted},
        {concept.concept_id for concept in read_concepts(data_dir, course_id)},
        Corpus(read_cues(data_dir, course_id), read_sections(data_dir, course_id)),
        stated={(pair.prerequisite_id, pair.concept_id) for pair in accepted if GIVEN & pair.votes.keys()},
    )
    return dg.AssetCheckResult(passed=findings.sound, metadata={"edges": len(accepted)} | edge_facts(findings))
