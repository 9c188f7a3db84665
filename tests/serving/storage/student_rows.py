"""A student, Ming, with a row in every table that can hold one, beside another student and a TA."""

from datetime import UTC, datetime, timedelta

from sqlalchemy.orm import Session

from serving.store.tables.budget import PersonSpending
from serving.store.tables.conversation import ChangedAnswer, ChatSession, Feedback, ReplyRow, RestsOn, TraceRow, TurnRow
from serving.store.tables.experiment import Experiment, Exposure
from serving.store.tables.identity import ApiKey, Login, Person
from serving.store.tables.notification import Notice, Subscription
from serving.store.tables.rating import Batch, BatchItem, Rating
from serving.store.tables.review import DismissedQuestion, Review, ReviewedAnswer, ReviewedSource, TaQuestion
from serving.store.tables.study import LectureProgress, Memory, QuizCard

LONG_AGO = datetime(2024, 2, 1, tzinfo=UTC)
LATELY = datetime(2026, 2, 1, tzinfo=UTC)

QUESTION = "Why does my quicksort never end?"
NOTE = "I tried it on the train"


def add_staff(db: Session) -> None:
    db.add(Person(person_id="ta", role="ta", name="Dr. Lin"))
    db.add(Experiment(experiment_id="trial", name="prompts", variants=[{"name": "b", "weight": 1, "settings": {}}]))
    db.add(Batch(batch_id="batch", name="week 1", form="aspects", created_by="ta"))
    db.add(
        ReviewedAnswer(
            answer_id="reviewed",
            course_id="ds",
            lang="en",
            question="When does quicksort not terminate?",
            answer="When a part is as long as the whole.",
            reviewer_id="ta",
            reviewer="Dr. Lin",
        )
    )
    db.flush()
    text = {"text": "the parts are shorter", "text_sha256": "0" * 64}
    db.add(ReviewedSource(answer_id="reviewed", unit="cues:v:0-1", kind="cues", course_id="ds", label="02", **text))


def add_student(db: Session, name: str, *, question: str = QUESTION, at: datetime = LATELY) -> None:
    """Rows whose ids begin with the student's name."""
    db.add(Person(person_id=f"{name}-person", key_id="service", alias=f"{name}-alias", created_at=at))
    db.flush()
    db.add(
        ApiKey(
            key_id=f"{name}-key", secret_sha256=f"{name}-digest", label="x", role="student", person_id=f"{name}-person"
        )
    )
    db.add(Login(token_sha256=f"{name}-cookie", person_id=f"{name}-person", expires_at=at + timedelta(days=1)))
    db.add(ChatSession(session_id=f"{name}-session", person_id=f"{name}-person", title=question, updated_at=at))
    db.add(PersonSpending(person_id=f"{name}-person", day=at.date(), course_id="ds", prompt_tokens=70, answers=1))
    db.add(Subscription(person_id=f"{name}-person", email=f"{name}@example.edu", events=["answered"]))
    db.add(Notice(notice_id=f"{name}-notice", person_id=f"{name}-person", kind="answered", channel="email"))
    db.add(Memory(person_id=f"{name}-person"))
    db.add(QuizCard(person_id=f"{name}-person", course_id="ds", item_id="item", due=at))
    db.add(LectureProgress(person_id=f"{name}-person", course_id="ds", video_id="v", at_ms=1, furthest_ms=2))
    db.add(Exposure(experiment_id="trial", person_id=f"{name}-person", variant="b", at=at))
    db.flush()
    for position in range(2):
        add_turn(db, name, position, question=question, at=at + timedelta(minutes=position))
    asked = {"question": question, "note": NOTE, "person_id": f"{name}-person", "created_at": at}
    db.add(TaQuestion(question_id=f"{name}-asked", reason="asked", trace_id=f"{name}-0", answer_id="reviewed", **asked))
    db.add(TaQuestion(question_id=f"{name}-plain", reason="asked", state="rejected", reply=f"No: {question}", **asked))
    db.add(TaQuestion(question_id=f"{name}-doubt", question=question, reason="low_confidence", trace_id=f"{name}-1"))
    by = {"person_id": "ta", "before": question}
    db.add(Review(question_id=f"{name}-asked", answer_id="reviewed", decision="approve", after="When a part is", **by))
    db.add(Review(question_id=f"{name}-plain", decision="reject", after=f"No: {question}", **by))


def add_turn(db: Session, name: str, position: int, *, question: str, at: datetime) -> None:
    trace_id = f"{name}-{position}"
    db.add(
        TurnRow(
            trace_id=trace_id,
            session_id=f"{name}-session",
            person_id=f"{name}-person",
            position=position,
            asked_at=at,
            question=question,
            answer=f"You asked: {question}",
            outcome="answered",
            route="teach",
            course_id="ds",
            shown={"reasoning": question},
        )
    )
    db.flush()
    db.add(ChangedAnswer(trace_id=trace_id, sources_sha256="0" * 64, index_version="v1"))
    db.add(TraceRow(trace_id=trace_id, record={"trace_id": trace_id, "resolved": question}))
    db.add(ReplyRow(trace_id=trace_id, record={"request": {"instructions": question}}))
    db.add(RestsOn(trace_id=trace_id, entry_id="cue-1", source="concept", text_sha256="0" * 64))
    reasons = {"reasons": ["wrong"], "comment": f"No! {question}"}
    db.add(Feedback(trace_id=trace_id, person_id=f"{name}-person", thumb=-1, **reasons, updated_at=at))
    db.add(Rating(trace_id=trace_id, person_id="ta", form="satisfaction", value="1", at=at))
    db.add(BatchItem(batch_id="batch", trace_id=trace_id, assigned_to="ta", position=position))
    db.add(DismissedQuestion(trace_id=trace_id, person_id="ta"))
