"""What experts rate: answers drawn in batches, value by value."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import ID, NAME, Base, new_id, now


class Rating(Base, kw_only=True):
    """One value of one expert on one form: `aspects` (0, 1, 2), `relevance` (seven ways) or `satisfaction` (0, 1).

    `item` is the aspect's name, or the number of the reference; empty for `satisfaction`.
    """

    __tablename__ = "ratings"
    __table_args__ = (UniqueConstraint("trace_id", "person_id", "form", "item"),)
    rating_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    trace_id: Mapped[str] = mapped_column(ForeignKey("turns.trace_id", ondelete="CASCADE"), index=True)
    person_id: Mapped[str] = mapped_column(ID)
    form: Mapped[str] = mapped_column(String(16))
    item: Mapped[str] = mapped_column(String(64), default="")
    value: Mapped[str] = mapped_column(String(32))
    batch_id: Mapped[str | None] = mapped_column(
        ForeignKey("batches.batch_id", ondelete="SET NULL"), default=None, index=True
    )
    at: Mapped[datetime] = mapped_column(default_factory=now)


class Batch(Base, kw_only=True):
    """Answers drawn for experts to rate on one form. `seed` and `drawn_from` say how."""

    __tablename__ = "batches"
    batch_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    name: Mapped[str] = mapped_column(NAME)
    form: Mapped[str] = mapped_column(String(16))
    course_id: Mapped[str | None] = mapped_column(NAME, default=None)
    seed: Mapped[int] = mapped_column(default=0)
    drawn_from: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)
    created_by: Mapped[str | None] = mapped_column(ID, default=None)
    created_at: Mapped[datetime] = mapped_column(default_factory=now)


class BatchItem(Base, kw_only=True):
    """One answer of a batch for one rater."""

    __tablename__ = "batch_items"
    batch_id: Mapped[str] = mapped_column(ForeignKey("batches.batch_id", ondelete="CASCADE"), primary_key=True)
    trace_id: Mapped[str] = mapped_column(
        ForeignKey("turns.trace_id", ondelete="CASCADE"), primary_key=True, index=True
    )
    assigned_to: Mapped[str] = mapped_column(ID, primary_key=True)
    position: Mapped[int]
    finished_at: Mapped[datetime | None] = mapped_column(default=None)
