"""What all tables of the store have in common: ids, times, names of constraints; and the facts of the store itself.

Every id that a client sees is 128 random bits. Times are UTC.
"""

import uuid
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, DateTime, MetaData, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, mapped_column

ID = String(32)
NAME = String(200)

NAMES_OF_CONSTRAINTS = {
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
    "ix": "ix_%(column_0_label)s",
}
"""The same in both databases, so that a later migration can name what it changes."""


def new_id() -> str:
    """128 bits that cannot be guessed, 32 hexadecimal digits."""
    return uuid.uuid4().hex


def now() -> datetime:
    return datetime.now(UTC)


class Utc(TypeDecorator[datetime]):
    """A time with its zone, also where the database keeps none."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Base(MappedAsDataclass, DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES_OF_CONSTRAINTS)
    type_annotation_map: ClassVar = {datetime: Utc, dict[str, Any]: JSON, list[Any]: JSON}


class Meta(Base, kw_only=True):
    """Facts of the store itself, such as the salt of its pseudonyms."""

    __tablename__ = "meta"
    name: Mapped[str] = mapped_column(NAME, primary_key=True)
    value: Mapped[str] = mapped_column(Text)
