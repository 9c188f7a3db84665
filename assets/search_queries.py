"""Stage `search`: queries to outside services for what the course does not explain."""

from collections import Counter

import dagster as dg

from assets.concepts import concepts, read_concepts
from assets.course_card import course_card
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import SearchQuery, from_row, to_row
from knowledge_graph.lake.schemas import SEARCH_QUERIES
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.web.queries import plan_queries
from orchestration.building.courses import SEARCH_SERVICES
from orchestration.building.decisions import TURNS, existing_store
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import write_and_report
from orchestration.resources import Inputs
from serving.store.for_builds import list_unanswered_questions

_MADE_OF = {
    "course_id": "course_card.course_id",
    "query": "concepts.name course_card.subject course_card.domains",
    **{name: f"concepts.{name}" for name in ("concept_id", "lang")},
}
"""Lineage of a concept's query; the other queries are students' questions."""


def read_queries(data_dir: DataDir, course_id: str) -> list[SearchQuery]:
    """The queries as `search_queries` wrote them."""
    return [from_row(SearchQuery, row) for row in read_rows(data_dir.table("search_queries", course_id))]


@dg.asset(
    deps=[course_card, concepts, SEARCH_SERVICES, TURNS],
    partitions_def=courses,
    group_name="search",
    kinds={"parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="3",
)
@unless_unchanged
def search_queries(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Queries for concepts that the course does not define and, where they may be sent, for questions that found no
    answer."""
    course_id = context.partition_key
    with existing_store(inputs.store_url) as store:
        asked = store.read(lambda db: list_unanswered_questions(db, course_id)) if store else []
    plan = plan_queries(
        read_card(data_dir, course_id),
        read_concepts(data_dir, course_id),
        asked,
        max_queries=inputs.web.max_queries,
        send_questions=inputs.web.send_questions,
    )
    reasons = Counter(query.reason for query in plan.queries)
    return write_and_report(
        data_dir.table("search_queries", course_id),
        [to_row(query) for query in plan.queries],
        SEARCH_QUERIES,
        metadata={
            **declare_lineage(_MADE_OF),
            **{f"for_{reason}": count for reason, count in sorted(reasons.items())},
            "withheld": plan.withheld,
            "left_out": plan.left_out,
        },
    )
