"""Stage `reviewed_sources`: whether what TAs' approved answers rest on still says the same."""

from collections import Counter
from collections.abc import Sequence

import dagster as dg

from assets.catalog_pages import catalog_pages
from assets.documents import documents
from assets.faq import faq
from assets.subtitles import subtitles
from assets.ta_answers import ta_answers
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import REVIEWED_SOURCES
from knowledge_graph.lake.tables import Row
from orchestration.building.decisions import REVIEWED_ANSWERS, existing_store
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import show_ids, write_and_report
from orchestration.resources import Inputs
from serving.desk.course_tables import CourseTables
from serving.desk.revalidation import look_again, rests_of_approved
from serving.store.tables.review import ReviewedSource

UNCHANGED = "approved_answers_rest_on_unchanged_material"


@dg.asset(
    deps=[subtitles, faq, documents, catalog_pages, ta_answers, REVIEWED_ANSWERS],
    check_specs=[
        dg.AssetCheckSpec(
            UNCHANGED,
            asset="reviewed_sources",
            description="What approved answers rest on is as it was when a TA approved them.",
        )
    ],
    group_name="faq",
    kinds={"sqlalchemy", "parquet"},
    owners=["team:teaching"],
    pool=HOME_POOL,
    code_version="1",
)
def reviewed_sources(data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]) -> dg.MaterializeResult:
    """What approved answers rest on. Those whose material has changed go back to the TAs' queue."""
    rests: Sequence[ReviewedSource] = ()
    news: list[str] = []
    with existing_store(inputs.store_url) as store:
        if store is not None:
            news = look_again(store, CourseTables(data_dir))
            rests = store.read(rests_of_approved)
    stale = {rest.answer_id for rest in rests if rest.changed_to is not None}
    result = write_and_report(
        data_dir.reviewed_sources,
        [_row(rest) for rest in rests],
        REVIEWED_SOURCES,
        metadata={
            "rest_on": dict(sorted(Counter(rest.kind for rest in rests).items())),
            "answers": len({rest.answer_id for rest in rests}),
            "returned": show_ids([answer_id for answer_id in news if answer_id in stale]),
            "whole_again": show_ids([answer_id for answer_id in news if answer_id not in stale]),
        },
    )
    return result._replace(check_results=[_verdict(rests, stale)])


def _verdict(rests: Sequence[ReviewedSource], stale: set[str]) -> dg.AssetCheckResult:
    """Material is told in the order of how many answers rest on it."""
    changed = [rest for rest in rests if rest.changed_to is not None]
    resting = Counter((rest.course_id, rest.unit, rest.label) for rest in changed)
    lines = [f"{course_id}: {label} ({unit}): {count}" for (course_id, unit, label), count in resting.most_common()]
    return dg.AssetCheckResult(
        check_name=UNCHANGED,
        passed=not stale,
        severity=dg.AssetCheckSeverity.WARN,
        description="Changed, with how many approved answers rest on it:\n" + "\n".join(lines) if lines else None,
        metadata={"answers_on_changed_material": len(stale), "answers": show_ids(sorted(stale))},
    )


def _row(rest: ReviewedSource) -> Row:
    kept = {name: getattr(rest, name) for name in ("answer_id", "course_id", "kind", "unit", "label", "text_sha256")}
    return kept | {"is_changed": rest.changed_to is not None}
