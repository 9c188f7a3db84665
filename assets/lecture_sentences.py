"""Stage `subtitles`: what every lecture says, sentence by sentence, in chapters."""

from dataclasses import asdict

import dagster as dg

from assets.subtitles import read_cues, subtitles
from knowledge_graph.home import DataDir
from knowledge_graph.lake import LECTURE_SENTENCES
from knowledge_graph.transcripts.sentences import lecture_sentences as sentences_of
from orchestration.automation import per_course
from orchestration.partitions import courses
from orchestration.reporting import write_and_report


@dg.asset(
    deps=[subtitles],
    partitions_def=courses,
    group_name="subtitles",
    kinds={"parquet"},
    owners=["team:pipeline"],
    automation_condition=per_course,
    code_version="3",
)
def lecture_sentences(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """The sentences of a course's lectures, cleaned for reading, with times, chapters and weights."""
    course_id = context.partition_key
    found = sentences_of(read_cues(data_dir, course_id), course_id)
    return write_and_report(
        data_dir.table("lecture_sentences", course_id),
        [asdict(sentence) for sentence in found],
        LECTURE_SENTENCES,
        metadata={"chapters": len({(sentence.video_id, sentence.chapter) for sentence in found})},
    )
