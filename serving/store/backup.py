"""A copy of a store while it is in use. For SQLite; PostgreSQL has its own tools."""

import os
import sqlite3
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from serving.store.database_errors import StoreUnavailable, format_url
from serving.store.engines import Engines, sqlite_path


class BackupRefused(CoteachError):
    """The copy cannot be made, or not there."""


def back_up(engines: Engines, target: Path) -> int:
    """Copy the store as it is at one moment to a new file that only its owner may read; its size in bytes.

    The copy is complete and checked before it has its name. Nobody who reads or writes meanwhile waits.
    """
    source = sqlite_path(engines.url) if engines.is_sqlite else None
    if source is None:
        raise BackupRefused(
            f"{format_url(engines.url)} is not a SQLite file. Copy a PostgreSQL store with pg_dump, for example: "
            f"pg_dump --format=custom --file={target} {engines.url.database or 'DATABASE'}"
        )
    if target.exists():
        raise BackupRefused(f"{target} is there already. Name a new file, or move it away.")
    part = target.with_name(f".{target.name}.part")
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        _copy(source, part)
        part.rename(target)
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{source} was not copied to {target}: {error}. Check both disks.") from error
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size


def _copy(source: Path, part: Path) -> None:
    reading, writing = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True), sqlite3.connect(part)
    try:
        reading.backup(writing)
        # One file, without a log beside it.
        writing.execute("PRAGMA journal_mode=DELETE")
        (found,) = writing.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged: {found}")
    finally:
        reading.close()
        writing.close()
