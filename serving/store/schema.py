"""The version of a database's schema: the current one, the newest, and the migration between them.

The steps are alembic's, in `serving/store/migrations/versions`. They run in one transaction behind a lock, so two
processes that open a store at once do not collide, and a step that fails leaves the database as it was.
"""

import io
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select

from serving.store.database_errors import StoreForeign, format_url
from serving.store.engines import Engines
from serving.store.tables.base import Base

MIGRATIONS = Path(__file__).parent / "migrations"

LOCK = 0x636F7465616368
"""Number of PostgreSQL's advisory lock around migrations: "coteach" in ASCII, so that no other program takes it."""


@cache
def head() -> str:
    """The newest version this program knows; read once, as each migration has to be loaded for it."""
    newest = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    assert newest is not None, f"{MIGRATIONS} holds no migration"
    return newest


def version(connection: Connection) -> str | None:
    """The version a database has; `None` when it has none of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def bring_to_head(engines: Engines) -> str | None:
    """Make or upgrade the tables. The version before; raises `StoreForeign` when the database is not for this program.

    One that is up to date is only read.
    """
    with engines.reader.connect() as connection:
        found = version(connection)
    if found == head():
        return found
    with engines.writer.connect() as connection, connection.begin():
        if not engines.is_sqlite:
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
        found = version(connection)
        _require_ours(connection, found, format_url(engines.url))
        if found != head():
            command.upgrade(_config(connection), "head")
    return found


@cache
def revisions() -> frozenset[str]:
    """Every schema that this coteach knows."""
    return frozenset(script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions())


def _require_ours(connection: Connection, found: str | None, where: str) -> None:
    if found is not None and found not in revisions():
        raise StoreForeign(
            f"The store {where} has schema {found}; this coteach knows schemas up to {head()}. It was made by a newer "
            "coteach: upgrade this one. Or it belongs to another program: change COTEACH_STORE_URL."
        )
    taken = sorted(set(inspect(connection).get_table_names()) & set(Base.metadata.tables))
    if found is None and taken:
        raise StoreForeign(
            f"The database {where} holds tables called {', '.join(taken[:3])}, but no schema version: coteach did not "
            "make them. Name an empty database in COTEACH_STORE_URL, or move this one away."
        )


def _config(connection: Connection) -> Config:
    config = Config(stdout=io.StringIO(), attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
