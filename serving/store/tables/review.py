"""What waits for TAs and teachers, and what they decided: questions, answers, corrections of the graph."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import ID, NAME, Base, new_id, now


class TaQuestion(Base, kw_only=True):
    """A place in the TAs' queue. `reason`: `asked`, `low_confidence`, `thumbs_down`, `no_answer`, `source_changed`.

    `state`: `open`, `answered`, `rejected` or `withdrawn`. `trace_id` is the answer it is about, `answer_id` the
    reviewed answer that came of it, or that came back because its sources changed.
    """

    __tablename__ = "ta_questions"
    __table_args__ = (
        Index("ta_questions_queue", "state", "course_id"),
        Index("ta_questions_alike", "same_as", "state"),
    )
    question_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    course_id: Mapped[str | None] = mapped_column(NAME, default=None)
    lang: Mapped[str] = mapped_column(String(8), default="en")
    question: Mapped[str] = mapped_column(Text)
    same_as: Mapped[str] = mapped_column(String(64), default="")
    """The digest of course and question by which those who ask the same wait together
    (`serving.desk.deduplication`)."""
    note: Mapped[str] = mapped_column(Text, default="")
    reason: Mapped[str] = mapped_column(String(24))
    state: Mapped[str] = mapped_column(String(16), default="open")
    person_id: Mapped[str | None] = mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE"), default=None, index=True
    )
    trace_id: Mapped[str | None] = mapped_column(
        ForeignKey("turns.trace_id", ondelete="CASCADE"), default=None, index=True
    )
    answer_id: Mapped[str | None] = mapped_column(
        ForeignKey("reviewed_answers.answer_id", ondelete="SET NULL"), default=None, index=True
    )
    claimed_by: Mapped[str | None] = mapped_column(ID, default=None)
    claimed_at: Mapped[datetime | None] = mapped_column(default=None)
    reply: Mapped[str] = mapped_column(Text, default="")
    """The reply to the asker when the question is rejected."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    closed_at: Mapped[datetime | None] = mapped_column(default=None)
    seen_at: Mapped[datetime | None] = mapped_column(default=None)
    """When the asker saw the answer."""


class ReviewedAnswer(Base, kw_only=True):
    """A question with the answer a TA stands behind. `replaces` is the `origin_id` of a FAQ entry that it corrects.

    `state`: `approved`, or `withdrawn`. `is_stale` says that a source it rests on has changed since it was approved.
    """

    __tablename__ = "reviewed_answers"
    __table_args__ = (Index("reviewed_answers_of_course", "course_id", "state"),)
    answer_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    course_id: Mapped[str] = mapped_column(NAME)
    lang: Mapped[str] = mapped_column(String(8))
    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    reviewer_id: Mapped[str] = mapped_column(ID)
    reviewer: Mapped[str] = mapped_column(NAME)
    """The name students see."""
    replaces: Mapped[str | None] = mapped_column(Text, default=None)
    state: Mapped[str] = mapped_column(String(16), default="approved")
    is_stale: Mapped[bool] = mapped_column(default=False)
    version: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)


class ReviewedSource(Base, kw_only=True):
    """A unit of material that a reviewed answer rests on, with its text when it was approved.

    `kind` is `cues` (a stretch of a video), `faq`, `document` or `catalog`; `unit` names it within its course so that
    it is found again after a rebuild (`serving.desk.material_units`); `changed_to` is its text now, `None` while
    unchanged.
    """

    __tablename__ = "reviewed_sources"
    answer_id: Mapped[str] = mapped_column(
        ForeignKey("reviewed_answers.answer_id", ondelete="CASCADE"), primary_key=True
    )
    unit: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    course_id: Mapped[str] = mapped_column(NAME)
    label: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    text_sha256: Mapped[str] = mapped_column(String(64))
    locator: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)
    changed_to: Mapped[str | None] = mapped_column(Text, default=None)


class Review(Base, kw_only=True):
    """A TA's decision, kept for good: `approve`, `edit`, `reject`, `withdraw`, or the machine's `return`."""

    __tablename__ = "reviews"
    review_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    question_id: Mapped[str | None] = mapped_column(ID, default=None, index=True)
    answer_id: Mapped[str | None] = mapped_column(ID, default=None, index=True)
    person_id: Mapped[str | None] = mapped_column(ID, default=None)
    """Who decided; `None` for the machine."""
    decision: Mapped[str] = mapped_column(String(16))
    before: Mapped[str] = mapped_column(Text, default="")
    after: Mapped[str] = mapped_column(Text, default="")
    note: Mapped[str] = mapped_column(Text, default="")
    at: Mapped[datetime] = mapped_column(default_factory=now)


class DismissedQuestion(Base, kw_only=True):
    """A question of which a TA said that it needs no entry in the FAQ. `person_id` is who said so."""

    __tablename__ = "dismissed_questions"
    trace_id: Mapped[str] = mapped_column(ForeignKey("turns.trace_id", ondelete="CASCADE"), primary_key=True)
    person_id: Mapped[str] = mapped_column(ID)
    at: Mapped[datetime] = mapped_column(default_factory=now)


class GraphEdit(Base, kw_only=True):
    """A teacher's correction of a course's graph, as `knowledge_graph.lake.records.Statement` has it."""

    __tablename__ = "graph_edits"
    edit_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    course_id: Mapped[str] = mapped_column(NAME, index=True)
    kind: Mapped[str] = mapped_column(String(20))
    subject: Mapped[str] = mapped_column(Text)
    object: Mapped[str | None] = mapped_column(Text, default=None)
    definition: Mapped[str | None] = mapped_column(Text, default=None)
    person_id: Mapped[str] = mapped_column(ID)
    by: Mapped[str] = mapped_column(NAME)
    at: Mapped[datetime] = mapped_column(default_factory=now)
    withdrawn_at: Mapped[datetime | None] = mapped_column(default=None)
