"""`Store`: the database, opened. Work on it is a function over a SQLAlchemy session, run whole or not at all."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypeVar

import structlog
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, sessionmaker

from serving.settings import Settings
from serving.store.database_errors import ReadWrote, StoreClosed, explain_troubles, format_url, is_read_only
from serving.store.engines import Engines, open_engines, parse_url
from serving.store.meta import has_salt, salt
from serving.store.schema import bring_to_head
from serving.store.writer import StoreWriter

Result = TypeVar("Result")

READERS = 16
"""Threads that read for `reading`. A choice: below the connections there may be, so that none waits for one."""

log = structlog.get_logger(__name__)


class Store:
    """Shared by all requests and threads. What `write` and `writing` return is on disk.

    Work given to `write` may be run twice when the first run came to nothing, so it touches rows and nothing else. It
    runs on the writer's thread: it must not wait for other work that writes. Rows that it returns may be read after.
    Raises `StoreUnavailable` when the database does not do its part, and whatever the work raises.
    """

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._reading = sessionmaker(engines.reader, expire_on_commit=False)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._writer = StoreWriter(engines)

    @classmethod
    def open(cls, url: str) -> "Store":
        """The store at a SQLAlchemy URL, made when it is missing and brought to the newest schema."""
        engines = open_engines(parse_url(url))
        store = cls(engines)
        try:
            with explain_troubles(engines.url):
                bring_to_head(engines)
            if not store.read(has_salt):
                store.write(salt)
        except BaseException:
            store.close()
            raise
        return store

    @property
    def url(self) -> URL:
        return self._engines.url

    @property
    def last_trouble(self) -> Exception | None:
        """What the database had against the last write; `None` when it was kept, or nothing was written yet."""
        return self._writer.last_trouble

    def read(self, work: Callable[[Session], Result]) -> Result:
        """Waits for no write. All that `work` reads is from one moment; it cannot change anything."""
        with explain_troubles(self.url), self._reading() as session:
            try:
                result = work(session)
            except DBAPIError as error:
                if not is_read_only(error):
                    raise
                raise ReadWrote("Work given to `read` wrote; nothing was stored. Give it to `write`.") from error
            if session.new or session.dirty or session.deleted:
                raise ReadWrote("Work given to `read` changed rows; nothing was stored. Give it to `write`.")
            return result

    def write(self, work: Callable[[Session], Result]) -> Result:
        return self._writer.submit(work).result()

    async def reading(self, work: Callable[[Session], Result]) -> Result:
        """As `read`, on threads of the store's own: what else keeps a gateway's threads busy does not keep it waiting.

        Raises `StoreClosed` too.
        """
        try:
            found = self._readers.submit(copy_context().run, self.read, work)
        except RuntimeError as error:
            raise StoreClosed(f"The store {format_url(self.url)} is closed: coteach is shutting down.") from error
        return await asyncio.wrap_future(found)

    async def writing(self, work: Callable[[Session], Result]) -> Result:
        """As `write`, for many at once: those that wait together are committed together.

        What was handed over is done, also when the one who waits for it is cancelled.
        """
        done = asyncio.wrap_future(self._writer.submit(work))
        done.add_done_callback(_log_unheard)
        return await asyncio.shield(done)

    def checkpoint(self) -> None:
        """Move what is in SQLite's write-ahead log into the file and empty the log; nothing for PostgreSQL.

        What was deleted is in neither afterwards, unless somebody was reading the old state meanwhile.
        """
        if self._engines.is_sqlite:
            with self._engines.writer.connect() as connection:
                driver: Any = connection.connection
                driver.execute("PRAGMA query_only=OFF")
                driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def close(self) -> None:
        """Writes what waits, then lets go of the database."""
        self._writer.close()
        self._readers.shutdown()
        self._engines.dispose()


def open_store(settings: Settings) -> Store:
    """The store that the settings name."""
    return Store.open(url_of(settings))


def url_of(settings: Settings) -> str:
    return settings.store_url or sqlite_url(settings.data_dir.store)


def sqlite_url(path: Path) -> str:
    return URL.create("sqlite", database=str(path.absolute())).render_as_string()


def _log_unheard(done: "asyncio.Future[Any]") -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        log.debug("write_failed", reason=type(error).__name__)
