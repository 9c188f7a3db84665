"""Stage `search`: scholars, papers and research trends (LittleMu 3.2.2), recorded and live."""

from assets.search_queries import read_queries
from knowledge_graph.lake.expectations import SCHOLAR_EXPECTATIONS
from knowledge_graph.lake.schemas import SCHOLAR_RECORDS
from knowledge_graph.sources.scholar import read_scholar_records
from knowledge_graph.sources.web.addresses import without_user
from knowledge_graph.sources.web.fetching import WebClient
from knowledge_graph.sources.web.openalex import OpenAlex
from knowledge_graph.sources.web.replies import fetch_replies, with_live
from orchestration.building.courses import SEARCH_SERVICES
from orchestration.reporting.course_source import Read, Reading, course_source


def _read(reading: Reading) -> Read:
    recorded, problems = read_scholar_records(reading.folder, reading.card)
    url = reading.inputs.web.scholar_url
    if url is None:
        return Read(recorded, problems, {"service": "none: recorded replies only"})
    queries = read_queries(reading.data_dir, reading.course_id)
    reading.log(f"{without_user(url)} is asked; queries: {len(queries)}.")
    with WebClient(reading.inputs.web, cache=reading.data_dir.web_cache) as client:
        live, failures = fetch_replies(queries, OpenAlex(client, url, reading.card.lang))
    return Read(
        with_live(recorded, live), [*problems, *failures], {"service": without_user(url), "queries": len(queries)}
    )


scholar_records = course_source(
    "scholar_records",
    group="search",
    description="Scholars, papers and research trends of the course's subject.",
    read=_read,
    schema=SCHOLAR_RECORDS,
    expectations=SCHOLAR_EXPECTATIONS,
    deps=["search_queries", SEARCH_SERVICES],
    code_version="2",
)
