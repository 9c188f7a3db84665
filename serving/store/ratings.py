"""What experts say of answers on the forms of `serving.feedback.rating_forms`: what they are shown and what they
gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.feedback.rating_forms import MOST_REFERENCES, FormName, check_values, find_form, items_of
from serving.store.batches import BatchUnknown, batch_for, mark_rated
from serving.store.caller import Caller
from serving.store.tables.base import new_id, now
from serving.store.tables.conversation import TurnRow
from serving.store.tables.rating import Rating
from serving.store.turns import NotYours
from serving.store.upserting import put


@dataclass(frozen=True)
class Rated:
    """One value by one expert: a row of what the figures are made of."""

    trace_id: str
    person_id: str
    item: str
    value: str


@dataclass(frozen=True)
class AnswerToRate:
    """What an expert sees of an answer: nothing of who asked, nor of how it was made.

    `items` are what is to be rated, `mine` what the expert gave before, by item.
    """

    trace_id: str
    course_id: str | None
    question: str
    answer: str
    notice: str
    references: tuple[dict[str, Any], ...]
    items: tuple[str, ...]
    mine: dict[str, str]


def answer_to_rate(db: Session, caller: Caller, trace_id: str, form: FormName) -> AnswerToRate:
    """Raises `NotYours`. Who may see the answer is decided before."""
    turn = db.get(TurnRow, trace_id)
    if turn is None:
        raise NotYours("answer", trace_id)
    query = select(Rating.item, Rating.value).where(
        Rating.trace_id == trace_id, Rating.person_id == caller.person_id, Rating.form == form
    )
    references = tuple(turn.shown.get("references") or ())
    return AnswerToRate(
        trace_id=trace_id,
        course_id=turn.course_id,
        question=turn.question,
        answer=turn.answer,
        notice=str(turn.shown.get("notice") or ""),
        references=references[:MOST_REFERENCES],
        items=items_of(find_form(form), _numbers(references)),
        mine={item: value for item, value in db.execute(query)},
    )


def rate(
    db: Session,
    caller: Caller,
    trace_id: str,
    form_name: str,
    values: Mapping[str, str],
    *,
    batch_id: str | None = None,
) -> None:
    """Keep an expert's values for one answer, over those of the same expert; in a batch, that item is finished.

    Raises `RatingRefused` for a value the form has not, `BatchUnknown` for an answer that is not the caller's to rate
    in that batch, `NotYours` for one the caller may not see.
    """
    form = find_form(form_name)
    turn = db.get(TurnRow, trace_id)
    if turn is None or (batch_id is None and not caller.may_see(turn.course_id)):
        raise NotYours("answer", trace_id)
    items = items_of(form, _numbers(turn.shown.get("references") or ()))
    given = check_values(form, items, values)
    if batch_id is not None:
        batch = batch_for(db, caller, batch_id)
        if batch.form != form.name or not mark_rated(db, caller, batch_id, trace_id):
            raise BatchUnknown(batch_id)
    for item, value in given.items():
        row = {
            "rating_id": new_id(),
            "trace_id": trace_id,
            "person_id": caller.person_id,
            "form": form.name,
            "item": item,
            "value": value,
            "batch_id": batch_id,
            "at": now(),
        }
        put(db, Rating, row, key=("trace_id", "person_id", "form", "item"), keep=("rating_id",))


def ratings_of_batch(db: Session, batch_id: str) -> list[Rated]:
    """Every value given in a batch, in order of answer, expert and item."""
    query = select(Rating.trace_id, Rating.person_id, Rating.item, Rating.value).where(Rating.batch_id == batch_id)
    return [Rated(*row) for row in db.execute(query.order_by(Rating.trace_id, Rating.person_id, Rating.item))]


def _numbers(references: Sequence[Mapping[str, Any]]) -> list[int]:
    return [int(one["number"]) for one in references]
