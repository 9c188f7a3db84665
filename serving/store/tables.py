"""The schema of the store. Rows only; what may be done with them is in the modules named after them.

Every id that a client sees is 128 random bits. Times are UTC. Names of people are kept for those who answer in public
(TAs and teachers) and for nobody else; a student is a random id.
"""

import uuid
from datetime import UTC, date, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, DateTime, ForeignKey, Index, MetaData, String, Text, TypeDecorator, UniqueConstraint
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


class Person(Base, kw_only=True):
    """Somebody who asks or answers. `alias` is the keyed digest of a service's own id of a student behind one key.

    `name` is shown to students as the author of answers; `None` for students and those without a key.
    """

    __tablename__ = "people"
    __table_args__ = (UniqueConstraint("key_id", "alias"),)
    person_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    role: Mapped[str] = mapped_column(String(16), default="student")
    key_id: Mapped[str | None] = mapped_column(ID, default=None)
    alias: Mapped[str | None] = mapped_column(String(64), default=None)
    name: Mapped[str | None] = mapped_column(NAME, default=None)
    is_by_session: Mapped[bool] = mapped_column(default=False)
    """A person without key or login: whoever holds an id of one of their sessions, which cannot be guessed."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)


class ApiKey(Base, kw_only=True):
    """A stored key: the SHA-256 of its secret, not the secret. `courses` limits what it may ask; `None`: all."""

    __tablename__ = "api_keys"
    key_id: Mapped[str] = mapped_column(ID, primary_key=True)
    secret_sha256: Mapped[str] = mapped_column(String(64), repr=False)
    label: Mapped[str] = mapped_column(NAME)
    role: Mapped[str] = mapped_column(String(16))
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), index=True)
    courses: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    scopes: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    """What it may be used for (`serving.store.caller.Scope`); `None`: everything its role may."""
    requests_per_minute: Mapped[int | None] = mapped_column(default=None)
    tokens_per_day: Mapped[int | None] = mapped_column(default=None)
    """Tokens of the model server that may be spent with it on one day (UTC); `None`: what the settings say."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    expires_at: Mapped[datetime | None] = mapped_column(default=None)
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    last_used_at: Mapped[datetime | None] = mapped_column(default=None)
    """Within a minute."""
    old_secret_sha256: Mapped[str | None] = mapped_column(String(64), default=None, repr=False)
    """The secret before the last rotation, which opens until `old_secret_until`."""
    old_secret_until: Mapped[datetime | None] = mapped_column(default=None)


class AuditRow(Base, kw_only=True):
    """An administrative act: who did what to what. It is never changed, and holds no secret and nobody's words."""

    __tablename__ = "audit"
    act_id: Mapped[str] = mapped_column(ID, primary_key=True, default_factory=new_id)
    at: Mapped[datetime] = mapped_column(default_factory=now, index=True)
    by: Mapped[str] = mapped_column(NAME)
    """A login of the machine, or the id of a key."""
    act: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(NAME)
    details: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)


class Login(Base, kw_only=True):
    """A browser that showed a key, asks without one, or was sent by an LMS. Kept by the SHA-256 of its cookie."""

    __tablename__ = "logins"
    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True, repr=False)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), index=True)
    key_id: Mapped[str | None] = mapped_column(ID, default=None)
    role: Mapped[str | None] = mapped_column(String(16), default=None)
    """The role an LMS grants to a launch in this one course; `None` for a login, which has the role of its key."""
    course_id: Mapped[str | None] = mapped_column(NAME, default=None)
    """For a launch: the one course that it opens."""
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    expires_at: Mapped[datetime] = mapped_column(index=True)


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
    """How an answer of `/v1/responses` was given (`serving.gateway.response_schemas.kept_of`), so that it can be read
    again; what it said is in its turn."""

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


class Subscription(Base, kw_only=True):
    """What a person wants to be told of, by mail, by the webhook, or both. Nothing is mailed before `confirmed_at`."""

    __tablename__ = "subscriptions"
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True)
    email: Mapped[str] = mapped_column(String(254), default="")
    events: Mapped[list[Any]] = mapped_column(default_factory=list)
    """`answered`, `corrected`, `digest`."""
    by_webhook: Mapped[bool] = mapped_column(default=False)
    lang: Mapped[str] = mapped_column(String(8), default="en")
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    """Nothing decided before this is sent."""
    confirmed_at: Mapped[datetime | None] = mapped_column(default=None)


class Notice(Base, kw_only=True):
    """Something to be told to one person in one way, once: its id is the digest of what, whom and how.

    `state`: `pending`, `sending`, `sent`, `failed`, or `unknown` where it cannot be known whether it arrived, so that
    it is not sent twice.
    """

    __tablename__ = "notices"
    __table_args__ = (Index("notices_due", "state", "next_at"),)
    notice_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.person_id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    channel: Mapped[str] = mapped_column(String(16))
    payload: Mapped[dict[str, Any]] = mapped_column(default_factory=dict)
    state: Mapped[str] = mapped_column(String(16), default="pending")
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime] = mapped_column(default_factory=now)
    error: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(default_factory=now, index=True)
    sent_at: Mapped[datetime | None] = mapped_column(default=None)


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


class LtiPlatform(Base, kw_only=True):
    """An LMS that may launch this gateway by LTI 1.3, and what it may open.

    Its people are those of the key `key_id`, whose secret nobody has: revoking it ends their logins. `courses` are the
    courses it may open, `None`: all; `highest_role` the most that its word can make of somebody.
    """

    __tablename__ = "lti_platforms"
    __table_args__ = (UniqueConstraint("issuer", "client_id"),)
    platform_id: Mapped[str] = mapped_column(ID, primary_key=True)
    name: Mapped[str] = mapped_column(NAME)
    issuer: Mapped[str] = mapped_column(String(500))
    client_id: Mapped[str] = mapped_column(String(255))
    auth_url: Mapped[str] = mapped_column(Text)
    token_url: Mapped[str | None] = mapped_column(Text, default=None)
    jwks_url: Mapped[str] = mapped_column(Text)
    origins: Mapped[list[Any]]
    """Whose pages may show ours in a frame."""
    courses: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    highest_role: Mapped[str] = mapped_column(String(16), default="teacher")
    teachers_choose: Mapped[bool] = mapped_column(default=True)
    """Whether a teacher of an LMS course that is not connected may choose which course it is."""
    key_id: Mapped[str] = mapped_column(ID)
    created_at: Mapped[datetime] = mapped_column(default_factory=now)


class LtiDeployment(Base, kw_only=True):
    """A place where a platform has this tool installed, by the platform's own id."""

    __tablename__ = "lti_deployments"
    platform_id: Mapped[str] = mapped_column(
        ForeignKey("lti_platforms.platform_id", ondelete="CASCADE"), primary_key=True
    )
    deployment_id: Mapped[str] = mapped_column(String(255), primary_key=True)


class LtiContext(Base, kw_only=True):
    """A course of an LMS (a context) and the course that it is here. `by` connected them: an admin or a teacher."""

    __tablename__ = "lti_contexts"
    platform_id: Mapped[str] = mapped_column(
        ForeignKey("lti_platforms.platform_id", ondelete="CASCADE"), primary_key=True
    )
    deployment_id: Mapped[str] = mapped_column(String(255), primary_key=True)
    context_id: Mapped[str] = mapped_column(String(255), primary_key=True)
    course_id: Mapped[str] = mapped_column(NAME, index=True)
    by: Mapped[str] = mapped_column(NAME)
    at: Mapped[datetime] = mapped_column(default_factory=now)


class LtiInvitation(Base, kw_only=True):
    """A link by which one platform registers itself, once; kept by the SHA-256 of its token. The rest is what the
    platform will be allowed."""

    __tablename__ = "lti_invitations"
    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True, repr=False)
    name: Mapped[str] = mapped_column(NAME)
    issuer: Mapped[str | None] = mapped_column(String(500), default=None)
    origins: Mapped[list[Any]] = mapped_column(default_factory=list)
    courses: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    highest_role: Mapped[str] = mapped_column(String(16), default="teacher")
    teachers_choose: Mapped[bool] = mapped_column(default=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None] = mapped_column(default=None)


class LtiNonce(Base, kw_only=True):
    """A nonce that came back in a launch, until its state is too old to be shown again. It is there: it is spent."""

    __tablename__ = "lti_nonces"
    nonce_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class LtiKey(Base, kw_only=True):
    """A key with which this tool signs what it sends to platforms, encrypted with the secret of the home."""

    __tablename__ = "lti_keys"
    kid: Mapped[str] = mapped_column(ID, primary_key=True)
    private_pem: Mapped[str] = mapped_column(Text, repr=False)
    public_jwk: Mapped[dict[str, Any]]
    signs_from: Mapped[datetime]
    """Published at once, used from then on, so that platforms that remember our keys have learnt it."""
    published_until: Mapped[datetime | None] = mapped_column(default=None)
