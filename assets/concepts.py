"""Stage `concepts`: what a course teaches."""

import dagster as dg

from assets.course_card import course_card
from assets.documents import documents, read_sections
from assets.faq import faq
from assets.search_snippets import search_snippets
from assets.statements import read_given, statements
from assets.subtitles import read_cues, subtitles
from knowledge_graph.concepts.domains import infer_domains, with_domains
from knowledge_graph.graph.showing import definition_to_show
from knowledge_graph.labelling.analysis import as_markdown
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import GIVEN, Concept, FaqEntry, Snippet, from_row, to_row
from knowledge_graph.lake.schemas import CONCEPTS
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.statements.applying import apply_to_concepts, collect_given_terms
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, course_check, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import clean_input_spec, write_and_report, write_function_reports

_PARSED_TOLD_EVERY = 25

_SAID = "subtitles.text documents.text"
_MADE_OF = {
    "course_id": "course_card.course_id",
    "lang": "course_card.lang",
    "name": f"{_SAID} search_snippets.text statements.subject",
    "aliases": f"{_SAID} statements.object",
    "definition": f"{_SAID} search_snippets.text statements.definition",
    "definition_locator": "subtitles.video_id subtitles.start_ms documents.document documents.page",
    "mention_count": _SAID,
    "evidence": "subtitles.video_id subtitles.start_ms subtitles.end_ms",
}


def read_concepts(data_dir: DataDir, course_id: str) -> list[Concept]:
    """The concepts as `concepts` wrote them, best first."""
    return [from_row(Concept, row) for row in read_rows(data_dir.table("concepts", course_id))]


@dg.asset(
    deps=[course_card, subtitles, documents, search_snippets, faq, statements],
    check_specs=[clean_input_spec("concepts", courses)],
    partitions_def=courses,
    group_name="knowledge_graph",
    kinds={"spacy", "parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="11",
)
@unless_unchanged
def concepts(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """The concepts a course teaches, ranked, each with votes, definition and the words that are its evidence."""
    from knowledge_graph.concepts.extract import extract_concepts  # noqa: PLC0415  spaCy brings torch: 3 to 6 s
    from knowledge_graph.concepts.parses import Parses  # noqa: PLC0415

    def log_parsed(parsed: int) -> None:
        if parsed % _PARSED_TOLD_EVERY == 0:
            context.log.info(f"{parsed} videos and documents parsed")

    course_id = context.partition_key
    card, said = read_card(data_dir, course_id), read_given(data_dir, course_id)
    parses = Parses(data_dir.parses(course_id), on_parsed=log_parsed)
    extraction = extract_concepts(
        read_cues(data_dir, course_id),
        card,
        documents=read_sections(data_dir, course_id),
        snippets=[from_row(Snippet, row) for row in read_rows(data_dir.table("search_snippets", course_id))],
        faq=[from_row(FaqEntry, row) for row in read_rows(data_dir.table("faq", course_id))],
        terms=collect_given_terms(said, card),
        parses=parses,
        limit=0 if card.concepts == "given" else None,
    )
    parses.save()
    applied = apply_to_concepts(extraction.concepts, said, card)
    domains = infer_domains(card, applied.concepts)
    found = with_domains(applied.concepts, domains)
    functions = write_function_reports(data_dir.table("concept_functions", course_id), course_id, extraction.reports)
    defined = sum(concept.definition is not None for concept in found)
    shown = sum(definition_to_show(concept) is not None for concept in found)
    return write_and_report(
        data_dir.table("concepts", course_id),
        [to_row(concept) for concept in found],
        CONCEPTS,
        metadata={
            "defined_share": defined / len(found) if found else 0.0,
            "definitions_shown": shown,
            "first_twenty": ", ".join(concept.name for concept in found[:20]),
            "domains": ", ".join(domains),
            "labelling_functions": dg.MetadataValue.md(as_markdown(extraction.reports)),
            "parsed": parses.parsed,
            "parses_reused": parses.reused,
            **declare_lineage(_MADE_OF),
        },
        also=[functions],
        problems=applied.problems,
    )


@course_check(concepts)
def concepts_have_evidence(
    context: dg.AssetCheckExecutionContext, data_dir: dg.ResourceParam[DataDir]
) -> dg.AssetCheckResult:
    """Ids are unique, ranks run from 1, and a concept is said somewhere, defined, or given by people."""
    found = read_concepts(data_dir, context.partition_key)
    doubled = len(found) - len({concept.concept_id for concept in found})
    unsupported = [
        one.name
        for one in found
        if not one.evidence and one.definition_kind in ("none", "subtitle") and not GIVEN & one.votes.keys()
    ]
    ranked = [concept.rank for concept in found] == list(range(1, len(found) + 1))
    return dg.AssetCheckResult(
        passed=not doubled and not unsupported and ranked,
        metadata={"concepts": len(found), "doubled": doubled, "unsupported": unsupported, "ranks_in_order": ranked},
    )
