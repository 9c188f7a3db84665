"""Stage `catalog_pages`: classes and programs of a university's catalogue (Tulane 2.I)."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict

from knowledge_graph.lake.expectations import CATALOG_EXPECTATIONS
from knowledge_graph.lake.records import CatalogRecord, from_row
from knowledge_graph.lake.schemas import CATALOG_PAGES
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.catalog.reading import read_catalog
from knowledge_graph.sources.folders import input_files
from knowledge_graph.sources.web.fetching import WebClient
from orchestration.reporting.course_source import Read, Reading, course_source
from orchestration.reporting.tables import show_ids


def _read(reading: Reading) -> Read:
    folder = reading.folder
    if not input_files(folder, "catalog_pages"):
        return Read(())
    has_links = any(path.suffix.lower() in (".yaml", ".yml") for path in input_files(folder, "catalog_pages"))
    web = WebClient(reading.inputs.web, cache=reading.data_dir.web_cache) if has_links else nullcontext()
    with web as client:
        found = read_catalog(folder, reading.card, client=client, previous=_previous(reading))
    return Read(
        found.records,
        found.problems,
        {
            "pages": found.page_count,
            "dropped": found.dropped_counts,
            "changes": {name: show_ids(ids) for name, ids in asdict(found.changes).items() if name != "unchanged"},
        },
    )


def _previous(reading: Reading) -> Sequence[CatalogRecord]:
    path = reading.data_dir.table("catalog_pages", reading.course_id)
    return [from_row(CatalogRecord, row) for row in read_rows(path)] if path.exists() else []


catalog_pages = course_source(
    "catalog_pages",
    group="catalog",
    description="Classes and programs of a catalogue, from start links and saved pages.",
    read=_read,
    schema=CATALOG_PAGES,
    expectations=CATALOG_EXPECTATIONS,
    code_version="5",
)
