"""Stage `search_snippets`: what a search engine said of the course's topics."""

from knowledge_graph.lake.expectations import SNIPPET_EXPECTATIONS
from knowledge_graph.lake.schemas import SEARCH_SNIPPETS
from knowledge_graph.sources.snippets import read_snippets
from orchestration.reporting.course_source import course_source, of_files

search_snippets = course_source(
    "search_snippets",
    group="search",
    description="A course's recorded search replies with the query and the time of fetching.",
    read=of_files(read_snippets),
    schema=SEARCH_SNIPPETS,
    expectations=SNIPPET_EXPECTATIONS,
)
