"""Stage `courses`: what each course says of itself."""

from collections.abc import Iterator
from dataclasses import asdict

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import COURSE_CARDS
from knowledge_graph.lake.source_reports import keep_report
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.course_files.reading import digests_by_file
from knowledge_graph.sources.own_expectations import read_own_expectations
from orchestration.building.courses import LANGUAGE, files_key
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.course_source import SUITES
from orchestration.reporting.tables import clean_input_result, clean_input_spec, write_and_report
from orchestration.resources import Inputs


@dg.asset(
    deps=[files_key("card"), files_key("expectations"), LANGUAGE],
    check_specs=[clean_input_spec("course_card", courses)],
    partitions_def=courses,
    group_name="courses",
    kinds={"yaml", "parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="7",
    output_required=False,
)
def course_card(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
    """A course's title, language, domains and policy; what `course.yaml` leaves out is detected.

    Of a course that was renamed or removed since its run was asked for nothing is made, nor of what reads this.
    """
    if context.partition_key not in {folder.course_id for folder in inputs.find_folders()}:
        context.log.warning(f"The folder of {context.partition_key} is gone; nothing is made of it.")
        yield clean_input_result(())
        return
    folder = inputs.course(context.partition_key)
    card, problems = read_course_card(folder)
    misplaced = read_own_expectations(folder, SUITES).problems.get("", ())
    keep_report(
        data_dir,
        "course_card",
        card.course_id,
        digests=digests_by_file(folder, "card", "expectations"),
        records={},
        problems=[*problems, *misplaced],
    )
    yield write_and_report(
        data_dir.table("course_cards", card.course_id),
        [asdict(card)],
        COURSE_CARDS,
        metadata={"title": card.title, "lang": card.lang},
        problems=[*problems, *misplaced],
    )
