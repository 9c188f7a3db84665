"""What the model server was used for, day by day, and how much of it a course may have."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import ID, NAME, Base, now


class Spending(Base, kw_only=True):
    """Tokens of the model server that were spent on one day (UTC) on questions of one course with one key; an empty
    `course_id` is all courses at once, an empty `key_id` no key. Nobody's: it stays when a student goes."""

    __tablename__ = "spending"
    day: Mapped[date] = mapped_column(primary_key=True)
    course_id: Mapped[str] = mapped_column(NAME, primary_key=True, default="")
    key_id: Mapped[str] = mapped_column(ID, primary_key=True, default="")
    prompt_tokens: Mapped[int] = mapped_column(default=0)
    completion_tokens: Mapped[int] = mapped_column(default=0)
    answers: Mapped[int] = mapped_column(default=0)
    """Questions for which the model server was asked."""
    questions: Mapped[int] = mapped_column(default=0, server_default="0")
    """All questions, whoever answered them."""


class PersonSpending(Base, kw_only=True):
    """The same of one person; kept for `serving.store.spending.PERSON_DAYS`."""

    __tablename__ = "person_spending"
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True, index=True)
    course_id: Mapped[str] = mapped_column(NAME, primary_key=True, default="")
    prompt_tokens: Mapped[int] = mapped_column(default=0)
    completion_tokens: Mapped[int] = mapped_column(default=0)
    answers: Mapped[int] = mapped_column(default=0)
    questions: Mapped[int] = mapped_column(default=0, server_default="0")


class CourseControl(Base, kw_only=True):
    """How a course is answered now: `switch` is `on`, `model_off` (from the material alone) or `assistant_off`.

    Who said so and why is in the record of acts, as all that was said before.
    """

    __tablename__ = "course_controls"
    course_id: Mapped[str] = mapped_column(NAME, primary_key=True)
    switch: Mapped[str] = mapped_column(String(16), default="on")
    message: Mapped[str] = mapped_column(Text, default="")
    """What students read while the assistant is off."""
    why: Mapped[str] = mapped_column(Text, default="")
    tokens_per_day: Mapped[int | None] = mapped_column(default=None)
    """Tokens that may be spent on the course on one day (UTC); `None`: what the settings say."""
    questions_per_day: Mapped[int | None] = mapped_column(default=None)
    """Questions that may be asked of it on one day; `None`: what the settings say."""
    by: Mapped[str] = mapped_column(NAME)
    at: Mapped[datetime] = mapped_column(default_factory=now)
