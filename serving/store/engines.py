"""Opens the database: SQLAlchemy engines for readers and for the writer, and what SQLite must be told.

SQLite's transactions are begun here and not by its driver, which begins none before a SAVEPOINT (SQLAlchemy,
"Transactions with SQLite and the sqlite3 driver"). The writer begins with `BEGIN IMMEDIATE`: it waits for its turn
before it reads, so that nothing it read is out of date when it writes. Readers see one state from begin to end and
cannot write.
"""

import json
import os
import re
import sqlite3
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from serving.store.database_errors import StoreUnavailable, format_url

BUSY_SECONDS = 10
"""How long SQLite waits for another process that writes. A choice."""

CONNECT_SECONDS = 5
"""How long PostgreSQL may take to answer a new connection. A choice; `connect_timeout` in the URL wins."""

POOL, MORE = 8, 24
"""Connections that are kept, and how many more may be opened at once. A choice."""

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""PostgreSQL's text takes no NUL, and neither database half a character."""


@dataclass(frozen=True)
class Engines:
    """One pool of connections behind two doors."""

    url: URL
    reader: Engine
    writer: Engine

    @property
    def is_sqlite(self) -> bool:
        return self.writer.dialect.name == "sqlite"

    def dispose(self) -> None:
        self.writer.dispose()


def parse_url(text: str) -> URL:
    """Raises `StoreUnavailable` for what is no URL, or one of a database that coteach does not know."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The text may hold a password: it is not repeated, and neither is what SQLAlchemy says of it.
        raise StoreUnavailable(
            "COTEACH_STORE_URL is no URL of a database. Expected sqlite:////path/store.db or "
            "postgresql://user:password@host/database; characters such as @ or / in a password are written %40, %2F."
        ) from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreUnavailable(
            f"The store {format_url(url)} is neither SQLite nor PostgreSQL. Change COTEACH_STORE_URL."
        )
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreUnavailable("A store in memory would be lost. Name a file: sqlite:////path/store.db.")
    return url


def open_engines(url: URL) -> Engines:
    """Engines that have not connected yet. A missing SQLite file is made, for its owner alone."""
    if url.get_backend_name() == "sqlite":
        return _open_sqlite(url)
    return _open_postgresql(url)


def sqlite_path(url: URL) -> Path | None:
    """The file of a SQLite database; `None` for a database that is named by a `file:` URI."""
    name = url.database or ""
    return None if name.startswith("file:") else Path(name)


def _open_sqlite(url: URL) -> Engines:
    if (path := sqlite_path(url)) is not None:
        _make_private(path)
    engine = create_engine(url, hide_parameters=True, json_serializer=as_json, pool_size=POOL, max_overflow=MORE)
    event.listen(engine, "connect", _tune_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    event.listen(engine, "before_cursor_execute", _storable, retval=True)
    return Engines(url, engine, engine.execution_options(writes=True))


def _open_postgresql(url: URL) -> Engines:
    defaults = {"connect_timeout": CONNECT_SECONDS, "application_name": "coteach"}
    try:
        engine = create_engine(
            url,
            hide_parameters=True,
            json_serializer=as_json,
            pool_pre_ping=True,
            pool_size=POOL,
            max_overflow=MORE,
            connect_args={name: value for name, value in defaults.items() if name not in url.query},
        )
    except (ImportError, NoSuchModuleError) as error:
        raise StoreUnavailable(
            f"No driver for {url.drivername}: {error}. Write postgresql:// in COTEACH_STORE_URL."
        ) from error
    event.listen(engine, "before_cursor_execute", _storable, retval=True)
    reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return Engines(url, reader, engine)


def _make_private(path: Path) -> None:
    """An empty file that only its owner may read; SQLite gives its `-wal` and `-shm` the same rights."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreUnavailable(
            f"The store {path} cannot be opened: {error.strerror}. Check the path, and that the account that runs "
            "coteach may read and write there."
        ) from error


def _tune_sqlite(connection: sqlite3.Connection, record: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    # A commit is on the disk when it returns (synchronous); what is deleted is overwritten (secure_delete).
    for pragma in (
        f"busy_timeout={BUSY_SECONDS * 1000}",
        "foreign_keys=ON",
        "synchronous=FULL",
        "secure_delete=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Readers beside a writer. Two processes that switch a new file at once get `SQLITE_BUSY` without a wait."""
    until = time.monotonic() + BUSY_SECONDS
    while cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            if cursor.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
                return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    writes = bool(connection.get_execution_options().get("writes"))
    connection.exec_driver_sql(f"PRAGMA query_only={'OFF' if writes else 'ON'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _storable(
    connection: Connection, cursor: Any, statement: str, parameters: Any, context: Any, executemany: bool
) -> tuple[str, Any]:
    return statement, storable(parameters)


def as_json(value: Any) -> str:
    """A column's value as JSON text; records in it become objects. Half characters are written as escapes."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return json.dumps(value, default=asdict)


def storable(value: Any) -> Any:
    """The parameters of a statement; in their texts, what no database can hold is U+FFFD."""
    if isinstance(value, str):
        # Most texts are plain, which is seen a hundred times as fast as their characters are looked through.
        return value if value.isascii() and "\x00" not in value else UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {name: storable(each) for name, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(storable(each) for each in value)
    return value
