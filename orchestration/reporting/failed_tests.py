"""What a failed test of dbt found: its rows with their keys and values, for Dagster's pages and the command line.

dbt tells how many there are. Its database is asked for them once dbt has ended: it is open to one process at a time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg

if TYPE_CHECKING:
    import duckdb

_SHOWN = 20
_TOLD = 3
"""Rows in the words that the command line shows; the table in Dagster has more."""
_TOLD_COLUMNS = 4
_LONGEST = 60


@dataclass(frozen=True)
class FoundRows:
    """The first rows that fail a test, with the columns that say anything."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tested: str | None
    """The column that a test is of, if it is of one."""

    def __str__(self) -> str:
        first = [name for name in self.columns if name != self.tested][:_TOLD_COLUMNS]
        named = [*first, *([self.tested] if self.tested else [])]
        lines = [dict(zip(self.columns, row, strict=True)) for row in self.rows[:_TOLD]]
        told = [", ".join(f"{name} {line[name]}" for name in named if name in line) for line in lines]
        return "\n".join([*told, *(["more rows are in Dagster"] if len(self.rows) > _TOLD else [])])

    def table(self) -> str:
        """As Markdown."""
        lines = [self.columns, ("---",) * len(self.columns), *self.rows]
        return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def with_failing_rows(
    failed: Sequence[dg.AssetCheckResult], manifest: Mapping[str, Any], *, target: Path, database: Path
) -> Iterator[dg.AssetCheckResult]:
    """Results of failed tests, each with the first rows that fail it; one whose rows cannot be asked for as it was.

    `target` is the folder that dbt compiled into, `database` the file it worked in.
    """
    if not failed:
        return
    import duckdb  # noqa: PLC0415  most builds have no failed test

    for result in failed:
        node = manifest["nodes"][str(result.metadata["unique_id"].value)]
        try:
            with duckdb.connect(str(database), read_only=True) as connection:
                found = _find_rows(connection, node, manifest, _read_compiled(node, target))
        except (duckdb.Error, OSError):
            yield result
            continue
        told = {"rows": dg.MetadataValue.md(found.table())} if found.rows else {}
        yield result._replace(metadata={**result.metadata, **told}, description=str(found) or result.description)


def _find_rows(
    connection: "duckdb.DuckDBPyConnection", node: Mapping[str, Any], manifest: Mapping[str, Any], test: str
) -> FoundRows:
    """The rows of the model whose column has a value that a test of this column found; of other tests what they
    found. dbt's own tests of a column, and ours, have its value first."""
    column, model = node.get("column_name"), manifest["nodes"].get(node.get("attached_node"))
    if column and model:
        query = (
            f"select model.* from {model['relation_name']} as model where exists "
            f'(select 1 from ({test}) as found(bad) where found.bad is not distinct from model."{column}")'
        )
    else:
        query = test
    asked = connection.execute(f"select * from ({query}) limit {_SHOWN}")
    names = [str(each[0]) for each in asked.description or ()]
    rows = asked.fetchall()
    kept = [at for at, name in enumerate(names) if name == column or any(row[at] is not None for row in rows)]
    return FoundRows(
        tuple(names[at] for at in kept), tuple(tuple(_display(row[at]) for at in kept) for row in rows), column
    )


def _read_compiled(node: Mapping[str, Any], target: Path) -> str:
    file = target / "compiled" / str(node["package_name"]) / str(node["original_file_path"])
    path = file if file.suffix == ".sql" else file / str(node["path"])
    return path.read_text(encoding="utf-8").strip().rstrip(";")


def _display(value: object) -> str:
    text = " ".join(str("null" if value is None else value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
