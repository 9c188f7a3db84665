"""The tables of courses that dbt's source `lake` names, with their schemas, and where dbt finds a file of each."""

import pkgutil
import shutil
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import COURSE_CARDS, TA_ANSWERS
from knowledge_graph.lake.source_kinds import PAIR_SOURCES, CourseTable
from knowledge_graph.lake.tables import write_table

DBT_SOURCES: Mapping[CourseTable, pa.Schema] = {
    "course_cards": COURSE_CARDS,
    "ta_answers": TA_ANSWERS,
    **{source.table: pkgutil.resolve_name(source.schema) for source in PAIR_SOURCES.values()},
}


def readable_lake(data_dir: DataDir, scratch: Path) -> Path:
    """A folder in which every source has files: the lake, or `scratch`, made anew, while a source has none there.

    DuckDB reads no pattern that fits no file, and a table whose first rows a check refused, with what follows from it,
    is in no course. In `scratch` the tables that are there are links into the lake, the others are empty.
    """
    lake = data_dir.root.absolute() / "lake"
    if all(any((lake / name).glob("*.parquet")) for name in DBT_SOURCES):
        return lake
    shutil.rmtree(scratch, ignore_errors=True)
    for name, schema in DBT_SOURCES.items():
        if any((lake / name).glob("*.parquet")):
            scratch.mkdir(parents=True, exist_ok=True)
            (scratch / name).symlink_to(lake / name, target_is_directory=True)
        else:
            write_table(scratch / name / "none.parquet", [], schema)
    return scratch
