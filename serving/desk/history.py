"""The history of decisions: one row of `reviews` for each, kept for good."""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.desk.text_validation import LONGEST_ANSWER, clean
from serving.store.caller import Caller
from serving.store.tables.review import Review, ReviewedAnswer

Decision = Literal["approve", "edit", "reject", "withdraw", "return"]


def log(
    db: Session,
    decision: Decision,
    by: Caller | None,
    *,
    question_id: str | None = None,
    answer: ReviewedAnswer | None = None,
    before: str = "",
    after: str | None = None,
    note: str = "",
) -> None:
    told = format_answer(answer) if after is None and answer is not None else after or ""
    db.add(
        Review(
            question_id=question_id,
            answer_id=answer.answer_id if answer is not None else None,
            person_id=by.person_id if by is not None else None,
            decision=decision,
            before=before,
            after=told,
            note=clean(note, "note", most=LONGEST_ANSWER),
        )
    )


def format_answer(reviewed: ReviewedAnswer) -> str:
    """Question and answer as one text, as the history keeps them."""
    return f"{reviewed.question}\n\n{reviewed.answer}"


def history_of(db: Session, answer_id: str) -> Sequence[Review]:
    """Every decision on an answer, oldest first."""
    found = select(Review).where(Review.answer_id == answer_id)
    return db.scalars(found.order_by(Review.at, Review.review_id)).all()
