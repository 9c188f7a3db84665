"""Reading and writing the tables of the lake.

A write is deterministic (same rows, same bytes), atomic (temp file, then rename) and lasting (both are on the disk when
it returns). Pages carry checksums: a table with a wrong bit is refused, not read. The schemas are in schemas.py,
log_schemas.py and evaluation_schemas.py.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import structlog

from knowledge_graph.lake.problems import CoteachError

log = structlog.get_logger(__name__)

Where = Sequence[tuple[str, str, Any]]
"""Conditions on columns that all hold, as pyarrow's filters: `("page", "=", "x.html")`."""

_BATCH = 100_000
"""Rows in memory while a table is copied."""

Row = Mapping[str, Any]

WRITING: Mapping[str, Any] = {"compression": "zstd", "write_page_checksum": True}
"""How every table is written."""

_REASON = 200
"""Characters of what Arrow says of a file."""


class TableDamaged(CoteachError):
    """A table that was published, and is not what it was."""


class ColumnsDiffer(CoteachError):
    """A table with other columns than its readers know."""


def write_table(path: Path, rows: Iterable[Row], schema: pa.Schema) -> int:
    """Write `rows` to `path` and return how many there were.

    A row with a missing or an unknown column raises `ValueError`: a silent null would only be found by a student.
    """
    listed = list(rows)
    names = set(schema.names)
    for number, row in enumerate(listed):
        if set(row) != names:
            missing, unknown = sorted(names - set(row)), sorted(set(row) - names)
            raise ValueError(f"{path.name}, row {number}: missing columns {missing}, unknown columns {unknown}.")
    write_atomic(path, pa.Table.from_pylist(listed, schema=schema))
    return len(listed)


def write_atomic(path: Path, table: pa.Table) -> None:
    """Write a table so that a reader sees the old file or the new one, never a part."""
    with replacing(path) as temporary:
        pq.write_table(table, temporary, **WRITING)


def rewrite_atomic(source: Path, path: Path, schema: pa.Schema, *, key: str | None = None) -> int:
    """Copy a Parquet file in batches, with the columns and types of `schema`; return its rows. Memory stays small.

    Rows without a `key` are left out: dbt-duckdb writes one of nulls alone when a model has no rows. Raises
    `ColumnsDiffer` for a file with other columns: none is dropped, or made up, without a word.
    """
    there = pq.ParquetFile(source).schema_arrow.names
    if more := sorted(set(there) - set(schema.names)):
        raise ColumnsDiffer(
            f"{source.name} has columns that no reader knows: {', '.join(more)}. Add them to its schema in "
            "knowledge_graph/lake (schemas.py, of a mart log_schemas.py), or take them out of the model."
        )
    if missing := sorted(set(schema.names) - set(there)):
        raise ColumnsDiffer(
            f"{source.name} lacks the columns {', '.join(missing)}. Add them to its model in dbt/models."
        )
    rows = 0
    with replacing(path) as temporary, pq.ParquetWriter(temporary, schema, **WRITING) as writer:
        for batch in pq.ParquetFile(source).iter_batches(_BATCH, columns=schema.names):
            table = pa.Table.from_batches([batch]).select(schema.names).cast(schema)
            table = table if key is None else table.filter(pc.field(key).is_valid())
            writer.write_table(table)
            rows += len(table)
    return rows


def write_batches(path: Path, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> int:
    """Write what comes in parts, one in memory at a time; return the rows. Nothing comes: an empty table."""
    rows = 0
    with replacing(path) as temporary, pq.ParquetWriter(temporary, schema, **WRITING) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def write_text_atomic(path: Path, text: str) -> None:
    """The same promise for a small text file."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to that takes the place of `path` at the end, or is gone when an error came first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        move_lastingly(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def move_lastingly(made: Path, path: Path) -> None:
    """Rename a finished file or folder so that it is there, and whole, after the power fails."""
    for each in (made, *made.rglob("*")) if made.is_dir() else (made,):
        _to_disk(each)
    os.replace(made, path)
    _to_disk(path.parent)


def _to_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def read_table(path: Path, columns: Sequence[str] | None = None, *, where: Where | None = None) -> pa.Table:
    """A table, or some of its columns, or the rows `where` a condition holds.

    Raises `FileNotFoundError`, and `TableDamaged` for a file that is not whole.
    """
    try:
        named = None if columns is None else list(columns)
        if where is not None:
            conditions = list(where)
            return pq.read_table(
                path, columns=named, filters=conditions, use_threads=False, page_checksum_verification=True
            )
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            return file.read(columns=named)
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError) as error:
        reason = (str(error).splitlines() or ["it cannot be read"])[0][:_REASON]
        raise TableDamaged(f"{path} is damaged: {reason} Run `coteach build`, which makes it again.") from error


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Every row of a table as plain Python values; a map column comes back as a dict. Raises as `read_table`."""
    rows: list[dict[str, Any]] = read_table(path).to_pylist(maps_as_pydicts="strict")
    return rows


def read_if_whole(path: Path, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Rows of a table that only helps, without which its reader goes on: none where it is missing or damaged."""
    try:
        rows: list[dict[str, Any]] = read_table(path, columns).to_pylist()
    except FileNotFoundError:
        return []
    except TableDamaged as error:
        log.warning("table_left_out", reason=str(error))
        return []
    return rows


def digest(path: Path) -> str:
    """SHA-256 of a file's bytes, hex; of a folder, over its files' names and bytes in sorted order."""
    found = hashlib.sha256()
    if path.is_dir():
        for file in sorted(p for p in path.rglob("*") if p.is_file()):
            found.update(f"{file.relative_to(path)}\0{digest(file)}\n".encode("utf-8", "surrogateescape"))
        return found.hexdigest()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            found.update(block)
    return found.hexdigest()
