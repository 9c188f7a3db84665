"""The tables of courses that dbt's source `lake` names, with their schemas."""

import pkgutil
from collections.abc import Mapping

import pyarrow as pa

from knowledge_graph.lake.schemas import COURSE_CARDS, TA_ANSWERS
from knowledge_graph.lake.source_kinds import PAIR_SOURCES, CourseTable

DBT_SOURCES: Mapping[CourseTable, pa.Schema] = {
    "course_cards": COURSE_CARDS,
    "ta_answers": TA_ANSWERS,
    **{source.table: pkgutil.resolve_name(source.schema) for source in PAIR_SOURCES.values()},
}
