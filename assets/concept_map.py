"""Stage `concept_map`: a picture of what a course teaches and what comes before what."""

from urllib.parse import quote

import dagster as dg

from assets.concepts import concepts, read_concepts
from assets.course_card import course_card
from assets.prerequisites import prerequisites, read_accepted
from assets.subtitles import subtitles
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, write_text_atomic
from knowledge_graph.transcripts.lecture_names import read_lecture_names
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs


@dg.asset(
    deps=[course_card, subtitles, concepts, prerequisites],
    partitions_def=courses,
    group_name="knowledge_graph",
    kinds={"html"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="3",
)
@unless_unchanged
def concept_map(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """The course's best concepts with their prerequisites above them: one HTML page, to open in a browser."""
    from knowledge_graph.graph.concept_map.drawing import draw_concept_map  # noqa: PLC0415  networkx: 0.2 s

    course_id = context.partition_key
    path = data_dir.concept_map(course_id)
    page = draw_concept_map(
        read_concepts(data_dir, course_id),
        read_accepted(data_dir, course_id),
        title=read_card(data_dir, course_id).title,
        names=read_lecture_names(data_dir.table("cues", course_id)),
    )
    write_text_atomic(path, page)
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(path),
            "map": dg.MetadataValue.url(f"{inputs.gateway_url.rstrip('/')}/courses/{quote(course_id, safe='')}/map"),
        },
        data_version=dg.DataVersion(digest(path)),
    )
