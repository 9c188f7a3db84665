"""How far students are: in quizzes, where they want to be remembered, and in lectures."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import NAME, Base, now


class Memory(Base, kw_only=True):
    """A person who wants to be remembered in quizzes. It is there: they said so."""

    __tablename__ = "memories"
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default_factory=now)


class QuizCard(Base, kw_only=True):
    """How one question of a quiz stands with one person: `card` is `fsrs.Card` as JSON."""

    __tablename__ = "quiz_cards"
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True)
    course_id: Mapped[str] = mapped_column(NAME, primary_key=True)
    item_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    card: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)
    due: Mapped[datetime]
    was_right: Mapped[bool] = mapped_column(default=False)
    reviews: Mapped[int] = mapped_column(default=0)


class LectureProgress(Base, kw_only=True):
    """Where a person is in a lecture, and the furthest they have been, in milliseconds, as a player told."""

    __tablename__ = "lecture_progress"
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True)
    course_id: Mapped[str] = mapped_column(NAME, primary_key=True)
    video_id: Mapped[str] = mapped_column(String(300), primary_key=True)
    at_ms: Mapped[int]
    furthest_ms: Mapped[int]
    seen_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)
