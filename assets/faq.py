"""Stage `faq`: questions with the answers people stand behind."""

from knowledge_graph.expectations import FAQ_EXPECTATIONS
from knowledge_graph.lake import FAQ
from knowledge_graph.sources.faq import read_faq
from orchestration.sources import course_source, of_files

faq = course_source(
    "faq",
    group="faq",
    description="A course's frequently asked questions with author, reviewer and date.",
    read=of_files(read_faq),
    schema=FAQ,
    expectations=FAQ_EXPECTATIONS,
)
