"""DuckDB as this project uses it: in memory, bounded, over Parquet files. The one lasting DuckDB file is dbt's."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

MEMORY = "1GB"
"""Beyond it DuckDB writes to a temporary folder."""


@contextmanager
def database() -> Iterator["duckdb.DuckDBPyConnection"]:
    """An empty database. Rows keep the order of the files they come from, so that the same input gives the same."""
    # Not before it is used: loaded with every asset, its bindings tell of leaks when a run of Great Expectations ends.
    import duckdb  # noqa: PLC0415

    with duckdb.connect(":memory:", config={"memory_limit": MEMORY}) as connection:
        yield connection


def drop_if_damaged(path: Path) -> bool:
    """Remove a database file that DuckDB cannot open; one that another process has open is left alone."""
    import duckdb  # noqa: PLC0415

    if not path.exists():
        return False
    try:
        duckdb.connect(path).close()
    except duckdb.Error as error:
        if "lock" in str(error):
            return False
        path.unlink()
        path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
        return True
    return False


def quote_path(path: Path) -> str:
    """A path as an SQL text, quotes around it."""
    return "'" + str(path).replace("'", "''") + "'"
