"""How two versions of a table differ: by DuckDB, so that a million rows take a second and little memory."""

from dataclasses import dataclass
from pathlib import Path

import duckdb

_MEMORY = "1GB"


@dataclass(frozen=True)
class Changes:
    """How many rows one version has and another has not, or has with other content."""

    added: int = 0
    changed: int = 0
    removed: int = 0


def changes_between(before: Path | None, after: Path, *, key: str) -> Changes:
    """Compare two Parquet files whose rows are named by the column `key`; all is new when there was nothing `before`.

    A file whose columns differ from the other's counts as changed throughout.
    """
    with duckdb.connect(":memory:", config={"memory_limit": _MEMORY}) as db:
        now = f"(select \"{key}\" as key, hash(t) as content from '{_quoted(after)}' as t)"
        nothing = f"(from {now} limit 0)"
        past = f"(select \"{key}\" as key, hash(t) as content from '{_quoted(before)}' as t)" if before else nothing
        query = f"""
            select count(*) filter (past.key is null), count(*) filter (past.key is not null and now.key is not null),
                   count(*) filter (now.key is null)
            from {now} as now full join {past} as past using (key)
            where now.content is distinct from past.content
        """
        return Changes(*db.sql(query).fetchall()[0])


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
