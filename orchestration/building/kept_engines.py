"""Dagster's SQLite event log with one SQLAlchemy engine for each database, where it makes one for every statement.

An engine keeps the statements it compiled: made anew, each of a small build's three thousand is compiled again, a
seventh of its processor time. The pool stays `NullPool`, as Dagster asks: no connection is kept, none crosses a fork.

A write waits for the disk when a checkpoint copies it from the write-ahead log, and not at its own commit: the log is
whole after a power cut, and what its last writes told is built once more. SQLite makes a checkpoint whenever the last
connection to a database is closed, which is after each of those statements. `held` keeps one open for a whole build.

It replaces a private name of the pinned Dagster: `tests/orchestration/test_kept_engines.py` says whether that holds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import sqlalchemy as db
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

_KEPT = 64
"""Engines at most; there is a database for each run."""


def keep_engines() -> None:
    """Let the event logs of this process share their engines from now on. Twice is once.

    Runs and schedules are asked little, and their modules load Dagster's daemon.
    """
    vars(sqlite_event_log)["create_engine"] = create_engine


def create_engine(url: str, *, poolclass: type[db.Pool], connect_args: dict[str, Any] | None = None) -> db.Engine:
    """The engine of a database, the one that was made for it before where there is one."""
    if poolclass is not NullPool:
        raise ValueError("An engine that keeps connections must not be shared between the threads of Dagster.")
    return _engine(url, tuple(sorted((connect_args or {}).items())))


@lru_cache(maxsize=_KEPT)
def _engine(url: str, connect_args: tuple[tuple[str, Any], ...]) -> db.Engine:
    engine = db.create_engine(url, poolclass=NullPool, connect_args=dict(connect_args))
    db.event.listen(engine, "connect", _prepare)
    return engine


_held: dict[str, sqlite3.Connection] | None = None
"""Open connections by database, one each; `None` outside of `held`."""


@contextmanager
def held() -> Iterator[None]:
    """Keep one connection open to each database that an event log writes until the end of this.

    For a process that does not fork meanwhile: SQLite's locks do not survive that.
    """
    global _held
    if _held is not None:
        yield
        return
    _held = {}
    try:
        yield
    finally:
        closing, _held = _held, None
        for connection in closing.values():
            connection.close()


def _prepare(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA journal_mode = WAL")  # which Dagster sets too, after it has made every table
    connection.execute("PRAGMA synchronous = NORMAL")
    if _held is None:
        return
    path = connection.execute("PRAGMA database_list").fetchone()[2]
    if path:
        if path not in _held:
            _held[path] = sqlite3.connect(path, check_same_thread=False)
        # It counts as open once it has read what has a write-ahead log; a new database has none at first.
        _held[path].execute("PRAGMA schema_version").fetchone()
