"""Stage `faq`: questions with the answers people stand behind."""

from knowledge_graph.lake.expectations import FAQ_EXPECTATIONS
from knowledge_graph.lake.schemas import FAQ
from knowledge_graph.sources.faq import read_faq
from orchestration.reporting.course_source import course_source, of_files

faq = course_source(
    "faq",
    group="faq",
    description="A course's frequently asked questions with author, reviewer and date.",
    read=of_files(read_faq),
    schema=FAQ,
    expectations=FAQ_EXPECTATIONS,
)
