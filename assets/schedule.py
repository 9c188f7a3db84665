"""Stage `schedule`: when the classes of a catalogue are offered."""

from collections import Counter

from assets.catalog_pages import catalog_pages
from knowledge_graph.lake.expectations import SCHEDULE_EXPECTATIONS
from knowledge_graph.lake.records import CatalogRecord, from_row
from knowledge_graph.lake.schemas import SCHEDULE
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.schedule import read_schedule
from orchestration.reporting.course_source import Read, Reading, course_source


def _read(reading: Reading) -> Read:
    rows = read_rows(reading.data_dir.table("catalog_pages", reading.course_id))
    records = [from_row(CatalogRecord, row) for row in rows]
    offerings, problems = read_schedule(reading.folder, reading.card, records)
    return Read(offerings, problems, {"terms": dict(sorted(Counter(one.term for one in offerings).items()))})


schedule = course_source(
    "schedule",
    group="catalog",
    description="Which classes of a catalogue are offered in which term, when they meet, and how many seats are free.",
    read=_read,
    schema=SCHEDULE,
    expectations=SCHEDULE_EXPECTATIONS,
    deps=[catalog_pages.key],
    code_version="3",
)
