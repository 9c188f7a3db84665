"""Stage `courses`: what each course says of itself."""

from dataclasses import asdict

import dagster as dg

from knowledge_graph.home import DataDir
from knowledge_graph.lake import COURSE_CARDS
from knowledge_graph.sources.course import read_course_card
from orchestration.automation import per_course
from orchestration.courses import files_key
from orchestration.partitions import courses
from orchestration.reporting import clean_input_spec, write_and_report
from orchestration.resources import Inputs


@dg.asset(
    deps=[files_key("card"), files_key("subtitles")],
    check_specs=[clean_input_spec("course_card", courses)],
    partitions_def=courses,
    group_name="courses",
    kinds={"yaml", "parquet"},
    owners=["team:pipeline"],
    automation_condition=per_course,
    code_version="4",
)
def course_card(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """A course's title, language, domains and policy; what `course.yaml` leaves out is detected."""
    card, problems = read_course_card(inputs.course(context.partition_key))
    return write_and_report(
        data_dir.table("course_cards", card.course_id),
        [asdict(card)],
        COURSE_CARDS,
        metadata={"title": card.title, "lang": card.lang},
        problems=problems,
    )
