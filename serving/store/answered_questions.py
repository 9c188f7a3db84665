"""What counts as a question and as an answer, in SQL: the same for the gateway's alert and the pipeline's check.

Small talk, what was declined and what was asked back are no questions here: nothing is broken when a question is
declined. An answer given without the model that should have written it is not one in full: students get those while it
is down.
"""

from sqlalchemy import ColumnElement, and_, or_

from serving.store.tables.conversation import TurnRow

ANSWERING = ("direct", "teach", "explain")
"""Routes that answer."""

NO_QUESTION = ("chat", "refuse", "clarify")


def is_question() -> ColumnElement[bool]:
    return or_(TurnRow.route.is_(None), TurnRow.route.not_in(NO_QUESTION))


def is_answered_in_full() -> ColumnElement[bool]:
    return and_(TurnRow.outcome == "answered", TurnRow.route.in_(ANSWERING), TurnRow.degraded.is_(False))
