"""The status of a store: where it is, its schema, how much it holds. Reads only."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import URL, Connection, func, inspect, select, text

from serving.store.database_errors import explain_troubles, format_url
from serving.store.engines import Engines, sqlite_path
from serving.store.schema import head, revisions, version
from serving.store.tables.base import Base
from serving.store.tables.conversation import TurnRow


@dataclass(frozen=True)
class StoreStanding:
    """`url` without its password; `schema` is `None` before the tables are made; `size` in bytes."""

    url: str
    schema: str | None
    newest_schema: str
    rows: dict[str, int]
    size: int
    oldest_answer: datetime | None

    @property
    def is_known(self) -> bool:
        """Whether this coteach can bring the schema to its newest; none at all counts."""
        return self.schema is None or self.schema in revisions()

    @property
    def is_current(self) -> bool:
        return self.schema == self.newest_schema


def exists(url: URL) -> bool:
    """Whether there is something to open: a SQLite file that is there, or any server."""
    path = sqlite_path(url) if url.get_backend_name() == "sqlite" else None
    return path is None or path.is_file()


def standing(engines: Engines) -> StoreStanding:
    """Raises `StoreUnavailable`."""
    with explain_troubles(engines.url), engines.reader.connect() as connection:
        tables = sorted(set(inspect(connection).get_table_names()) & set(Base.metadata.tables))
        return StoreStanding(
            url=format_url(engines.url),
            schema=version(connection),
            newest_schema=head(),
            rows={name: _count(connection, name) for name in tables},
            size=_size(connection, is_sqlite=engines.is_sqlite),
            oldest_answer=connection.scalar(select(func.min(TurnRow.asked_at))) if "turns" in tables else None,
        )


def _count(connection: Connection, table: str) -> int:
    return connection.scalar(select(func.count()).select_from(Base.metadata.tables[table])) or 0


def _size(connection: Connection, *, is_sqlite: bool) -> int:
    if is_sqlite:
        pages, size = (connection.scalar(text(f"PRAGMA {name}")) for name in ("page_count", "page_size"))
        return int(pages or 0) * int(size or 0)
    return int(connection.scalar(select(func.pg_database_size(func.current_database()))) or 0)
