"""Stage `informal_reviews`: what students say of classes among themselves (Tulane 6)."""

from knowledge_graph.lake.expectations import INFORMAL_REVIEW_EXPECTATIONS
from knowledge_graph.lake.schemas import INFORMAL_REVIEWS
from knowledge_graph.sources.informal_reviews import read_informal_reviews
from orchestration.reporting.course_source import course_source, of_files

informal_reviews = course_source(
    "informal_reviews",
    group="faq",
    description="Informal reviews of classes, checked by nobody; searched only where that is set.",
    read=of_files(read_informal_reviews),
    schema=INFORMAL_REVIEWS,
    expectations=INFORMAL_REVIEW_EXPECTATIONS,
)
