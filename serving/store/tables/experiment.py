"""Comparisons of variants, and who met which."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import ID, NAME, Base, new_id, now


class Experiment(Base, kw_only=True):
    """A named comparison. `variants` is a list of {name, weight, settings}; `settings` holds fields of `Settings`."""

    __tablename__ = "experiments"
    experiment_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    name: Mapped[str] = mapped_column(NAME, unique=True)
    course_id: Mapped[str | None] = mapped_column(NAME, default=None)
    variants: Mapped[list[Any]] = mapped_column(default_factory=list)
    state: Mapped[str] = mapped_column(String(16), default="running")
    """`running` or `stopped`."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    stopped_at: Mapped[datetime | None] = mapped_column(default=None)


class Exposure(Base, kw_only=True):
    """The first time a person met a variant of an experiment."""

    __tablename__ = "exposures"
    experiment_id: Mapped[str] = mapped_column(
        ForeignKey("experiments.experiment_id", ondelete="CASCADE"), primary_key=True
    )
    person_id: Mapped[str] = mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True, index=True
    )
    variant: Mapped[str] = mapped_column(NAME)
    at: Mapped[datetime] = mapped_column(default_factory=now)
