"""What was asked and answered: sessions, turns, what led to an answer and what it rests on, what students say of it."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import ID, NAME, Base, new_id, now


class ChatSession(Base, kw_only=True):
    """A conversation of one person. `course_id` is the course it began in; `title` its first question."""

    __tablename__ = "sessions"
    session_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), index=True)
    course_id: Mapped[str | None] = mapped_column(NAME, default=None)
    mode: Mapped[str | None] = mapped_column(String(16), default=None)
    title: Mapped[str] = mapped_column(Text, default="")
    branched_from: Mapped[str | None] = mapped_column(ID, default=None)
    """The answer of another session of the same person that this one goes on from; it may be deleted since."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)


class TurnRow(Base, kw_only=True):
    """A question with its answer, also one that was stopped or failed. `trace_id` names both, in every table.

    `position` counts from 0 in its session; `thread_sha256` is the digest of all questions of the session up to this
    one, by which a client that keeps its own history is recognised; `shown` is what the page needs beside the text:
    notice, reasoning, references, choices, concepts.
    """

    __tablename__ = "turns"
    __table_args__ = (
        UniqueConstraint("session_id", "position"),
        Index("turns_by_thread", "person_id", "thread_sha256"),
        # Everything that insights count stands in it, so that the texts are not read: half the time over 300,000 turns.
        Index(
            "turns_counted",
            "asked_at",
            "course_id",
            "outcome",
            "route",
            "degraded",
            "model",
            "index_version",
            "total_ms",
            "session_id",
        ),
    )
    trace_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    session_id: Mapped[str] = mapped_column(ForeignKey("sessions.session_id", ondelete="CASCADE"))
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"))
    position: Mapped[int]
    asked_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)
    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str] = mapped_column(String(16))
    """`answered`, `stopped` by the student, or `failed`."""
    route: Mapped[str | None] = mapped_column(String(16), default=None)
    course_id: Mapped[str | None] = mapped_column(NAME, default=None, index=True)
    lang: Mapped[str | None] = mapped_column(String(8), default=None)
    category: Mapped[str | None] = mapped_column(String(32), default=None)
    form: Mapped[str | None] = mapped_column(String(8), default=None)
    source: Mapped[str | None] = mapped_column(String(16), default=None)
    """For a `direct` answer: the source it was given from."""
    confidence: Mapped[float | None] = mapped_column(default=None)
    """How sure the answer is, 0..1: the match of a direct one, the grade of a taught one; `None`: nothing looked."""
    degraded: Mapped[bool] = mapped_column(default=False)
    error: Mapped[str | None] = mapped_column(Text, default=None)
    strategy: Mapped[str | None] = mapped_column(String(32), default=None)
    template: Mapped[str | None] = mapped_column(NAME, default=None)
    prompt_sha256: Mapped[str | None] = mapped_column(String(64), default=None)
    model: Mapped[str | None] = mapped_column(NAME, default=None)
    index_version: Mapped[str | None] = mapped_column(NAME, default=None)
    total_ms: Mapped[float | None] = mapped_column(default=None)
    prompt_tokens: Mapped[int] = mapped_column(default=0)
    completion_tokens: Mapped[int] = mapped_column(default=0)
    experiment: Mapped[str | None] = mapped_column(NAME, default=None)
    variant: Mapped[str | None] = mapped_column(NAME, default=None)
    thread_sha256: Mapped[str | None] = mapped_column(String(64), default=None)
    shown: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)


class TraceRow(Base, kw_only=True):
    """Everything that led to one answer: `serving.assistant.trace.Trace` as JSON."""

    __tablename__ = "traces"
    trace_id: Mapped[str] = mapped_column(ForeignKey("turns.trace_id", ondelete="CASCADE"), primary_key=True)
    record: Mapped[dict[str, Any]]


class ReplyRow(Base, kw_only=True):
    """How an answer of `/v1/responses` was given (`serving.gateway.response_schemas.pack_reply`), so that it can be
    read again; what it said is in its turn."""

    __tablename__ = "replies"
    trace_id: Mapped[str] = mapped_column(ForeignKey("turns.trace_id", ondelete="CASCADE"), primary_key=True)
    record: Mapped[dict[str, Any]]


class RestsOn(Base, kw_only=True):
    """One piece of material that an answer was made from, as it was then: the way back from a source to its answers."""

    __tablename__ = "rests_on"
    __table_args__ = (
        Index("rests_on_video", "course_id", "video_id", "start_ms"),
        Index("rests_on_origin", "course_id", "origin_id"),
        Index("rests_on_document", "course_id", "document"),
    )
    trace_id: Mapped[str] = mapped_column(ForeignKey("turns.trace_id", ondelete="CASCADE"), primary_key=True)
    entry_id: Mapped[str] = mapped_column(NAME, primary_key=True)
    source: Mapped[str] = mapped_column(String(16))
    text_sha256: Mapped[str] = mapped_column(String(64))
    """Digest of the text as it was shown to the model or the student."""
    is_reference: Mapped[bool] = mapped_column(default=False)
    course_id: Mapped[str | None] = mapped_column(NAME, default=None)
    origin_id: Mapped[str | None] = mapped_column(Text, default=None)
    video_id: Mapped[str | None] = mapped_column(Text, default=None)
    start_ms: Mapped[int | None] = mapped_column(default=None)
    end_ms: Mapped[int | None] = mapped_column(default=None)
    document: Mapped[str | None] = mapped_column(Text, default=None)
    page: Mapped[int | None] = mapped_column(default=None)
    article: Mapped[str | None] = mapped_column(Text, default=None)
    url: Mapped[str | None] = mapped_column(Text, default=None)


class ChangedAnswer(Base, kw_only=True):
    """An answer of which a source says something else since. It goes when the source says the same again."""

    __tablename__ = "changed_answers"
    trace_id: Mapped[str] = mapped_column(ForeignKey("turns.trace_id", ondelete="CASCADE"), primary_key=True)
    sources_sha256: Mapped[str] = mapped_column(String(64))
    """Digest of what changed and what it says now, by which another change is another one."""
    index_version: Mapped[str] = mapped_column(NAME)
    """The version of the index in which it was found first."""
    by_desk: Mapped[bool] = mapped_column(default=False)
    """All that changed are answers of TAs: their corrections are told when they are made."""
    found_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)


class Feedback(Base, kw_only=True):
    """A student's thumb on an answer: 1 or -1, with reason codes. One per person and answer; it may be changed."""

    __tablename__ = "feedback"
    trace_id: Mapped[str] = mapped_column(ForeignKey("turns.trace_id", ondelete="CASCADE"), primary_key=True)
    person_id: Mapped[str] = mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True, index=True
    )
    thumb: Mapped[int]
    reasons: Mapped[list[Any]] = mapped_column(default_factory=list)
    comment: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)
