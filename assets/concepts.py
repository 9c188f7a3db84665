"""Stage `concepts`: what a course teaches."""

from dataclasses import asdict

import dagster as dg

from assets.documents import documents
from assets.faq import faq
from assets.search_snippets import search_snippets
from assets.subtitles import read_cues, subtitles
from knowledge_graph.home import DataDir
from knowledge_graph.lake import CONCEPTS, read_rows
from knowledge_graph.records import Concept, FaqEntry, Section, Snippet, from_row
from orchestration.automation import per_course
from orchestration.partitions import course_check, courses
from orchestration.reporting import write_and_report
from orchestration.sources import read_card


def read_concepts(data_dir: DataDir, course_id: str) -> list[Concept]:
    """The concepts as `concepts` wrote them, best first."""
    return [from_row(Concept, row) for row in read_rows(data_dir.table("concepts", course_id))]


@dg.asset(
    deps=[subtitles, documents, search_snippets, faq],
    partitions_def=courses,
    group_name="knowledge_graph",
    kinds={"spacy", "parquet"},
    owners=["team:pipeline"],
    automation_condition=per_course,
    code_version="1",
)
def concepts(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """The concepts a course teaches, ranked, each with its definition and the cues that are its evidence."""
    from knowledge_graph.concepts.extract import extract_concepts  # noqa: PLC0415  spaCy brings torch: 3 to 6 s

    course_id = context.partition_key
    found = extract_concepts(
        read_cues(data_dir, course_id),
        read_card(data_dir, course_id),
        documents=[from_row(Section, row) for row in read_rows(data_dir.table("documents", course_id))],
        snippets=[from_row(Snippet, row) for row in read_rows(data_dir.table("search_snippets", course_id))],
        faq=[from_row(FaqEntry, row) for row in read_rows(data_dir.table("faq", course_id))],
    )
    defined = sum(concept.definition is not None for concept in found)
    return write_and_report(
        data_dir.table("concepts", course_id),
        [asdict(concept) for concept in found],
        CONCEPTS,
        metadata={
            "defined_share": defined / len(found) if found else 0.0,
            "first_twenty": ", ".join(concept.name for concept in found[:20]),
        },
    )


@course_check(concepts)
def concepts_have_evidence(
    context: dg.AssetCheckExecutionContext, data_dir: dg.ResourceParam[DataDir]
) -> dg.AssetCheckResult:
    """Ids are unique, ranks run from 1, and a concept is said somewhere or defined in a document or a search reply."""
    found = read_concepts(data_dir, context.partition_key)
    doubled = len(found) - len({concept.concept_id for concept in found})
    unsupported = [c.name for c in found if not c.evidence and c.definition_kind in ("none", "subtitle")]
    ranked = [concept.rank for concept in found] == list(range(1, len(found) + 1))
    return dg.AssetCheckResult(
        passed=not doubled and not unsupported and ranked,
        metadata={"concepts": len(found), "doubled": doubled, "unsupported": unsupported, "ranks_in_order": ranked},
    )
