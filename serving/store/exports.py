"""Rows for analysis, without names. Reading only.

What leaves the store: the question as it was asked, everything that was decided about it, thumbs, ratings and
variants. What does not: names of people, comments, answers, notes, what a page showed, ids of persons and sessions.
People and sessions are pseudonyms that hold within one `purpose`, so exports of one purpose can be joined and those of
two cannot. A question is the student's own words: whoever exports it answers for what is in it.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from serving.store.meta import pseudonym, salt
from serving.store.tables.conversation import Feedback, TurnRow
from serving.store.tables.experiment import Experiment, Exposure
from serving.store.tables.rating import Rating

Row = dict[str, Any]
Hide = Callable[[str], str]

BATCH = 1000
"""Rows at a time. A choice."""

_OF_A_TURN = (
    TurnRow.trace_id,
    TurnRow.position,
    TurnRow.asked_at,
    TurnRow.question,
    TurnRow.outcome,
    TurnRow.route,
    TurnRow.course_id,
    TurnRow.lang,
    TurnRow.category,
    TurnRow.form,
    TurnRow.source,
    TurnRow.confidence,
    TurnRow.degraded,
    TurnRow.strategy,
    TurnRow.template,
    TurnRow.model,
    TurnRow.index_version,
    TurnRow.total_ms,
    TurnRow.prompt_tokens,
    TurnRow.completion_tokens,
    TurnRow.experiment,
    TurnRow.variant,
)


def turns(db: Session, *, purpose: str, since: datetime | None = None, batch: int = BATCH) -> Iterator[list[Row]]:
    """Questions, oldest first, with `person` and `session` as pseudonyms; `since` in UTC, `None` for all."""
    hidden = {"person": TurnRow.person_id, "session": TurnRow.session_id}
    return _rows(db, _OF_A_TURN, hidden, TurnRow.asked_at, (TurnRow.trace_id,), purpose, since, batch)


def feedback(db: Session, *, purpose: str, since: datetime | None = None, batch: int = BATCH) -> Iterator[list[Row]]:
    """Thumbs with their reason codes, by the time of their last change."""
    shown = (Feedback.trace_id, Feedback.thumb, Feedback.reasons, Feedback.created_at, Feedback.updated_at)
    hidden = {"person": Feedback.person_id}
    return _rows(db, shown, hidden, Feedback.updated_at, (Feedback.trace_id,), purpose, since, batch)


def ratings(db: Session, *, purpose: str, since: datetime | None = None, batch: int = BATCH) -> Iterator[list[Row]]:
    """What experts gave; `rater` is a pseudonym."""
    shown = (Rating.trace_id, Rating.form, Rating.item, Rating.value, Rating.batch_id, Rating.at)
    return _rows(db, shown, {"rater": Rating.person_id}, Rating.at, (Rating.rating_id,), purpose, since, batch)


def exposures(db: Session, *, purpose: str, since: datetime | None = None, batch: int = BATCH) -> Iterator[list[Row]]:
    """Who met which variant first, and when; `experiment` is its name."""
    shown = (Experiment.name.label("experiment"), Exposure.variant, Exposure.at)
    hidden = {"person": Exposure.person_id}
    by = (Exposure.experiment_id, Exposure.person_id)
    joined = partial(Select.join, target=Experiment, onclause=Experiment.experiment_id == Exposure.experiment_id)
    return _rows(db, shown, hidden, Exposure.at, by, purpose, since, batch, joined=joined)


def _rows(
    db: Session,
    shown: Sequence[Any],
    hidden: dict[str, InstrumentedAttribute[str]],
    at: InstrumentedAttribute[datetime],
    ties: Sequence[InstrumentedAttribute[str]],
    purpose: str,
    since: datetime | None,
    batch: int,
    *,
    joined: Callable[[Any], Any] = lambda found: found,
) -> Iterator[list[Row]]:
    hide = partial(pseudonym, salt(db), purpose)
    found = joined(select(*(column.label(name) for name, column in hidden.items()), *shown))
    if since is not None:
        found = found.where(at >= since)
    found = found.order_by(at, *ties).execution_options(yield_per=batch)
    for part in db.execute(found).mappings().partitions(batch):
        yield [{name: hide(value) if name in hidden else value for name, value in row.items()} for row in part]
