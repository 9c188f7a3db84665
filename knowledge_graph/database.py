"""DuckDB as this project uses it: in memory, bounded, over Parquet files. The one lasting DuckDB file is dbt's."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

MEMORY = "1GB"
"""Beyond it DuckDB writes to a temporary folder."""


@contextmanager
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty database; the order of rows is what queries ask for, nothing else."""
    with duckdb.connect(":memory:", config={"memory_limit": MEMORY, "preserve_insertion_order": False}) as connection:
        yield connection


def quoted(path: Path) -> str:
    """A path as an SQL text, quotes around it."""
    return "'" + str(path).replace("'", "''") + "'"
