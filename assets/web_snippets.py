"""Stage `search`: what a search engine says now (LittleMu 3.2.2). Nothing is asked unless an engine is set."""

from assets.search_queries import read_queries
from knowledge_graph.expectations import SNIPPET_EXPECTATIONS
from knowledge_graph.lake import SEARCH_SNIPPETS
from knowledge_graph.sources.web.fetching import WebClient
from knowledge_graph.sources.web.replies import fetch_replies
from knowledge_graph.sources.web.searxng import SearXNG
from orchestration.courses import SEARCH_SERVICES
from orchestration.sources import Read, Reading, course_source


def _read(reading: Reading) -> Read:
    url = reading.inputs.web.search_url
    if url is None:
        return Read((), facts={"engine": "none: recorded replies only"})
    queries = read_queries(reading.data_dir, reading.course_id)
    reading.log(f"{len(queries)} queries for {url}, at most one a second.")
    with WebClient(reading.inputs.web, cache=reading.data_dir.web_cache) as client:
        snippets, problems = fetch_replies(queries, SearXNG(client, url))
    return Read(snippets, problems, {"engine": url, "queries": len(queries)})


web_snippets = course_source(
    "web_snippets",
    group="search",
    description="What a search engine says now of what the course does not explain.",
    read=_read,
    schema=SEARCH_SNIPPETS,
    expectations=SNIPPET_EXPECTATIONS,
    deps=["search_queries", SEARCH_SERVICES],
    code_version="1",
)
