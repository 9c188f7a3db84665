"""Dagster's SQLite event log with one SQLAlchemy engine for each database, where it makes one for every statement.

An engine keeps the statements it compiled: made anew, each of a small build's three thousand is compiled again, a
seventh of its processor time. The pool stays `NullPool`, as Dagster asks: no connection is kept, none crosses a fork.

It replaces a private name of the pinned Dagster: `tests/orchestration/test_kept_engines.py` says whether that holds.
"""

from functools import lru_cache
from typing import Any

import sqlalchemy as db
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from sqlalchemy.pool import NullPool

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
    return db.create_engine(url, poolclass=NullPool, connect_args=dict(connect_args))
