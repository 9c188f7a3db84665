"""Stage `search`: what a search engine says (LittleMu 3.2.2). Nothing is asked unless an engine is set."""

from assets.search_queries import read_queries
from knowledge_graph.lake.expectations import SNIPPET_EXPECTATIONS
from knowledge_graph.lake.records import Snippet, from_row
from knowledge_graph.lake.schemas import SEARCH_SNIPPETS
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.web.addresses import without_user
from knowledge_graph.sources.web.fetching import WebClient
from knowledge_graph.sources.web.replies import fetch_replies, with_live
from knowledge_graph.sources.web.searxng import SearXNG
from orchestration.building.courses import SEARCH_SERVICES
from orchestration.reporting.course_source import Read, Reading, course_source


def _read(reading: Reading) -> Read:
    path = reading.data_dir.table("search_snippets", reading.course_id)
    recorded = [from_row(Snippet, row) for row in read_rows(path)]
    url = reading.inputs.web.search_url
    if url is None:
        return Read(recorded, facts={"engine": "none: recorded replies only"})
    queries = read_queries(reading.data_dir, reading.course_id)
    reading.log(f"{without_user(url)} is asked; queries: {len(queries)}.")
    with WebClient(reading.inputs.web, cache=reading.data_dir.web_cache) as client:
        live, problems = fetch_replies(queries, SearXNG(client, url))
    facts = {"engine": without_user(url), "queries": len(queries), "live": len(live)}
    return Read(with_live(recorded, live), problems, facts)


web_snippets = course_source(
    "web_snippets",
    group="search",
    description="Recorded search replies, and what a search engine says now in the place of those to the same query.",
    read=_read,
    schema=SEARCH_SNIPPETS,
    expectations=SNIPPET_EXPECTATIONS,
    deps=["search_snippets", "search_queries", SEARCH_SERVICES],
    code_version="3",
)
