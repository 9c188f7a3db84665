"""Stage `subtitles`: what every lecture says, sentence by sentence, in chapters."""

import dagster as dg

from assets.subtitles import read_cues, subtitles
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import LECTURE_SENTENCES
from knowledge_graph.lake.tables import write_atomic
from knowledge_graph.transcripts.sentence_cache import SentenceCache
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.tables import table_result

_CODE = "12"
_MADE_OF = {
    name: f"subtitles.{name}"
    for name in ("course_id", "video_id", "video_title", "video_index", "lang", "start_ms", "end_ms", "text")
}


@dg.asset(
    deps=[subtitles],
    partitions_def=courses,
    group_name="subtitles",
    kinds={"parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version=_CODE,
)
@unless_unchanged
def lecture_sentences(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """The sentences of a course's lectures, cleaned for reading, with times, chapters and weights."""
    course_id = context.partition_key
    cache = SentenceCache(data_dir.sentence_cache(course_id), made_by=f"lecture_sentences {_CODE}")
    found = cache.table(read_cues(data_dir, course_id), course_id)
    path = data_dir.table("lecture_sentences", course_id)
    write_atomic(path, found)
    return table_result(
        path,
        found.num_rows,
        LECTURE_SENTENCES,
        metadata={
            **declare_lineage(_MADE_OF),
            "chapters": found.group_by(["video_id", "chapter"]).aggregate([]).num_rows,
            "lectures_made": cache.made,
            "lectures_reused": cache.reused,
        },
    )
