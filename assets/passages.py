"""Stage `passages`: the citable pieces of lectures, documents and catalogues."""

from collections import Counter

import dagster as dg

from assets.catalog_pages import catalog_pages
from assets.course_card import course_card
from assets.documents import documents, read_sections
from assets.subtitles import read_cues, subtitles
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CatalogRecord, from_row, to_row
from knowledge_graph.lake.schemas import PASSAGES
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.passages import catalog_passages, document_passages, subtitle_passages
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import write_and_report

_MADE_OF = {
    "course_id": "course_card.course_id",
    "title": "subtitles.video_title documents.title documents.article documents.heading catalog_pages.code "
    "catalog_pages.title catalog_pages.topic",
    "text": "subtitles.text documents.text catalog_pages.text",
    "subject": "course_card.subject",
    "mode": "catalog_pages.mode",
    "lang": "subtitles.lang documents.lang catalog_pages.lang",
    "locator": "subtitles.video_id subtitles.video_title subtitles.start_ms subtitles.end_ms documents.document "
    "documents.page documents.article catalog_pages.url catalog_pages.page",
}


@dg.asset(
    deps=[course_card, subtitles, documents, catalog_pages],
    partitions_def=courses,
    group_name="search_index",
    kinds={"parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="3",
)
@unless_unchanged
def passages(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """What an answer can cite, each with its time in a lecture, its article and page, or its address."""
    course_id = context.partition_key
    card = read_card(data_dir, course_id)
    sections = read_sections(data_dir, course_id)
    records = [from_row(CatalogRecord, row) for row in read_rows(data_dir.table("catalog_pages", course_id))]
    found = [
        *subtitle_passages(read_cues(data_dir, course_id), card),
        *document_passages(sections, card),
        *catalog_passages(records, card),
    ]
    counts = Counter(passage.source for passage in found)
    return write_and_report(
        data_dir.table("passages", course_id),
        [to_row(passage) for passage in found],
        PASSAGES,
        metadata=declare_lineage(_MADE_OF) | {f"from_{source}": count for source, count in sorted(counts.items())},
    )
