"""Stage `passages`: the citable pieces of lectures and documents."""

from dataclasses import asdict

import dagster as dg

from assets.documents import documents
from assets.subtitles import read_cues, subtitles
from knowledge_graph.home import DataDir
from knowledge_graph.lake import PASSAGES, read_rows
from knowledge_graph.records import Section, from_row
from knowledge_graph.sources.passages import document_passages, subtitle_passages
from orchestration.automation import per_course
from orchestration.partitions import courses
from orchestration.reporting import write_and_report
from orchestration.sources import read_card


@dg.asset(
    deps=[subtitles, documents],
    partitions_def=courses,
    group_name="search_index",
    kinds={"parquet"},
    owners=["team:pipeline"],
    automation_condition=per_course,
    code_version="1",
)
def passages(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """What an answer can cite, each with its time in a lecture or its article and page."""
    course_id = context.partition_key
    card = read_card(data_dir, course_id)
    sections = [from_row(Section, row) for row in read_rows(data_dir.table("documents", course_id))]
    found = [*subtitle_passages(read_cues(data_dir, course_id), card), *document_passages(sections, card)]
    return write_and_report(data_dir.table("passages", course_id), [asdict(passage) for passage in found], PASSAGES)
