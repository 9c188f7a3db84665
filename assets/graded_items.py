"""Stage `courses`: the items of graded work, which the assistant recognises and students never see."""

from collections import Counter

from knowledge_graph.lake.expectations import GRADED_ITEM_EXPECTATIONS
from knowledge_graph.lake.schemas import GRADED_ITEMS
from knowledge_graph.sources.graded_items import read_graded_items
from orchestration.building.courses import files_key
from orchestration.reporting.course_source import Read, Reading, course_source


def _read(reading: Reading) -> Read:
    items, problems = read_graded_items(reading.folder, reading.card)
    return Read(items, problems, {"assessments": dict(sorted(Counter(one.assessment for one in items).items()))})


graded_items = course_source(
    "graded_items",
    group="courses",
    description="What `course.yaml` says of graded work: its items, when it is open, and what the assistant may say.",
    read=_read,
    schema=GRADED_ITEMS,
    expectations=GRADED_ITEM_EXPECTATIONS,
    deps=[files_key("card"), files_key("gold")],
    code_version="1",
)
