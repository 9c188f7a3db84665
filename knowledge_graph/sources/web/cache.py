"""Pages kept on disk, with when their content was first seen and when it was last checked. SQLite, one file.

Not hishel 2: it answers by the rules of RFC 9111 alone, so a reply marked `no-store` (SearXNG's) is never kept and the
server's own freshness counts instead of the age we allow; nor does an entry say when its content was first seen.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from knowledge_graph.sources.web.errors import WebCacheUnusable

_FILE = "pages.sqlite"
_KEPT = timedelta(days=400)
"""Pages nobody asked for in over a year are let go, so that the cache does not grow for ever."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    address TEXT PRIMARY KEY, url TEXT NOT NULL, content_type TEXT NOT NULL, body BLOB NOT NULL,
    etag TEXT, last_modified TEXT, first_seen TEXT NOT NULL, checked_at TEXT NOT NULL
) WITHOUT ROWID
"""

T = TypeVar("T")


@dataclass(frozen=True)
class KeptPage:
    """A page with status 200. `address` is what was asked, `url` where redirects led; times are ISO 8601 in UTC."""

    address: str
    url: str
    content_type: str
    body: bytes
    etag: str | None
    last_modified: str | None
    first_seen: str
    checked_at: str

    def age(self, now: datetime) -> timedelta:
        """Time since the server was last asked."""
        return now - datetime.fromisoformat(self.checked_at)


class PageCache:
    """Several processes may use one folder. A file that is no database is thrown away: everything can be had again."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE

    def find(self, address: str) -> KeptPage | None:
        """The page kept for an address; `None` when there is none. Raises `WebCacheUnusable`."""
        query = "SELECT * FROM pages WHERE address = ?"
        row = self._try(lambda database: database.execute(query, (address,)).fetchone())
        return None if row is None else KeptPage(*row)

    def keep(self, page: KeptPage) -> None:
        """Keep a page in place of the one with its address. Raises `WebCacheUnusable`."""
        oldest = (datetime.fromisoformat(page.checked_at) - _KEPT).isoformat()

        def write(database: sqlite3.Connection) -> None:
            database.execute("DELETE FROM pages WHERE checked_at < ?", (oldest,))
            database.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(page))

        self._try(write)

    def _try(self, action: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._done(action)
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from error
        except sqlite3.DatabaseError:
            self._path.unlink(missing_ok=True)
        try:
            return self._done(action)
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error

    def _done(self, action: Callable[[sqlite3.Connection], T]) -> T:
        with self._database() as database:
            return action(database)

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unusable(error) from error
        with closing(sqlite3.connect(self._path, timeout=30)) as database, database:
            database.execute(_SCHEMA)
            yield database

    def _unusable(self, error: Exception) -> WebCacheUnusable:
        remedy = "Make room, or let the folder be written; the file may be deleted at any time."
        return WebCacheUnusable(str(self._path), expected="the cache of web pages", found=str(error), remedy=remedy)
