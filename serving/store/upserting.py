"""Upserts: two concurrent requests never insert a row twice, in SQLite or in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from serving.store.tables.base import Base


def put(
    db: Session, table: type[Base], values: Mapping[str, Any], *, key: Sequence[str], keep: Collection[str]
) -> None:
    """Write one row, over the one with the same `key`, of which the columns in `keep` stay."""
    changed = {name: value for name, value in values.items() if name not in key and name not in keep}
    statement = (
        _insert(_dialect(db), table).values(**values).on_conflict_do_update(index_elements=list(key), set_=changed)
    )
    db.execute(statement)


def add_up(
    db: Session, table: type[Base], rows: Sequence[Mapping[str, Any]], *, key: Sequence[str], sums: Collection[str]
) -> None:
    """Write rows; where one with the same `key` is there, its `sums` grow by the new ones."""
    if rows:
        statement = _insert(_dialect(db), table.__table__)
        grown = {name: table.__table__.c[name] + statement.excluded[name] for name in sums}
        written = statement.on_conflict_do_update(index_elements=list(key), set_=grown)
        db.connection().execute(written, [dict(row) for row in rows])


def put_new(db: Session, table: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the rows whose key is not there yet; the others stay as they are."""
    if rows:
        db.connection().execute(_inserting_new(table, _dialect(db)), [dict(row) for row in rows])


def put_if_new(db: Session, table: type[Base], row: Mapping[str, Any]) -> bool:
    """Insert a row if its key is new; returns whether it was inserted. Of two concurrent calls one returns true."""
    keys = inspect(table).primary_key
    statement = _insert(_dialect(db), table).values(**row).on_conflict_do_nothing().returning(*keys)
    return db.execute(statement).first() is not None


@cache
def _inserting_new(table: type[Base], dialect: str) -> Any:
    return _insert(dialect, table.__table__).on_conflict_do_nothing()


def _dialect(db: Session) -> str:
    return db.get_bind().dialect.name


def _insert(dialect: str, table: Any) -> Any:
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)
