"""Dagster's SQLite event log with one SQLAlchemy engine for each database, where it makes one for every statement.

An engine keeps the statements it compiled: made anew, each of a small build's three thousand is compiled again, a
seventh of its processor time. The pool stays `NullPool`, as Dagster asks: no connection is kept, none crosses a fork.

A write waits for the disk when a checkpoint copies it from the write-ahead log, and not at its own commit: the log is
whole after a power cut, and what its last writes told is built once more. SQLite makes a checkpoint whenever the last
connection to a database is closed, which is after each of those statements. Within `held` connections are kept for a
whole build: no checkpoint in between, and two thousand times less to open one and to set it up.

Dagster also asks Alembic for the newest revision of every database that it opens, and Alembic loads all 88 files of
revisions for each answer: a tenth of a small build's processor time, whose every run has a database of its own.

It replaces private names of the pinned Dagster: `tests/orchestration/test_kept_engines.py` says whether that holds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

import alembic.command
import sqlalchemy as db
from alembic.config import Config
from alembic.script import ScriptDirectory
from dagster._core.storage import sql
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, QueuePool

_KEPT = 64
"""Engines at most; there is a database for each run."""


def keep_engines() -> None:
    """Let the event logs of this process share their engines from now on, and all of Dagster's databases what Alembic
    read of their revisions. Twice is once.

    Runs and schedules are asked little, and their modules load Dagster's daemon.
    """
    vars(sqlite_event_log)["create_engine"] = create_engine
    vars(sql)["ScriptDirectory"] = vars(alembic.command)["ScriptDirectory"] = KeptScripts


def create_engine(url: str, *, poolclass: type[db.Pool], connect_args: dict[str, Any] | None = None) -> db.Engine:
    """The engine of a database, the one that was made for it before where there is one."""
    if poolclass is not NullPool:
        raise ValueError("An engine that keeps connections must not be shared between the threads of Dagster.")
    key = (url, tuple(sorted((connect_args or {}).items())))
    if _held is None:
        return _engine(*key)
    if key not in _held:
        _held[key] = _make_engine(*key, QueuePool)
        _held[key].__class__ = KeptEngine
    return _held[key]


@lru_cache(maxsize=_KEPT)
def _engine(url: str, connect_args: tuple[tuple[str, Any], ...]) -> db.Engine:
    return _make_engine(url, connect_args, NullPool)


def _make_engine(url: str, connect_args: tuple[tuple[str, Any], ...], poolclass: type[db.Pool]) -> db.Engine:
    engine = db.create_engine(url, poolclass=poolclass, connect_args=dict(connect_args))
    db.event.listen(engine, "connect", _prepare)
    return engine


class KeptEngine(db.Engine):
    """An engine that keeps its connections until `held` ends, though Dagster disposes of it after each statement."""

    def dispose(self, close: bool = True) -> None:
        if _held is None:
            super().dispose(close=close)


class KeptScripts(ScriptDirectory):
    """Revisions of databases as Alembic reads them from files, those of Dagster's once for all of its databases.

    Dagster asks for them one thread at a time. Those of others, MLflow's, are read whenever they are asked for.
    """

    @classmethod
    def from_config(cls, config: Config) -> ScriptDirectory:
        if config.get_main_option("script_location") == sql.ALEMBIC_SCRIPTS_LOCATION:
            return _revisions_of_dagster()
        return super().from_config(config)


@cache
def _revisions_of_dagster() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", sql.ALEMBIC_SCRIPTS_LOCATION)
    return ScriptDirectory.from_config(config)


_held: dict[tuple[str, tuple[tuple[str, Any], ...]], db.Engine] | None = None
"""Engines that keep their connections; `None` outside of `held`."""


@contextmanager
def held() -> Iterator[None]:
    """Keep the connections to each database that an event log writes until the end of this.

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
        for engine in closing.values():
            engine.dispose()


def _prepare(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA journal_mode = WAL")  # which Dagster sets too, after it has made every table
    connection.execute("PRAGMA synchronous = NORMAL")
