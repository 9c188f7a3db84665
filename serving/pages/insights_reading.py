"""What the insights page needs beside `insights_for`: turns by day and route, experiments, and putting a question in
the queue. No NiceGUI."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.desk.queue import put_in_queue
from serving.desk.refusals import NotAtTheDesk
from serving.feedback.experiment_results import ExperimentOutcome
from serving.store.answered_questions import ANSWERING
from serving.store.caller import Caller
from serving.store.experiments import experiments, read_results
from serving.store.tables.conversation import TurnRow
from serving.store.tables.experiment import Experiment
from serving.store.tables.review import TaQuestion

MOST_EXPERIMENTS = 10
"""The newest that are shown. A choice."""


@dataclass(frozen=True)
class ShownExperiment:
    experiment: Experiment
    results: ExperimentOutcome


def list_experiments(db: Session, caller: Caller) -> list[ShownExperiment]:
    """Those of the caller's courses, newest first; teachers and above see them."""
    if not caller.is_at_least("teacher"):
        return []
    mine = [one for one in experiments(db) if one.course_id is None or caller.may_see(one.course_id)]
    return [ShownExperiment(one, read_results(db, one.name)) for one in mine[:MOST_EXPERIMENTS]]


def queue_unanswered(
    db: Session, questions: Collection[str], caller: Caller, courses: Sequence[str] | None
) -> TaQuestion:
    """Put the newest turn that asked one of `questions`, and got no answer, before the TAs.

    Raises `NotAtTheDesk` when there is none in the caller's courses.
    """
    query = select(TurnRow).where(TurnRow.question.in_(questions)).order_by(TurnRow.asked_at.desc())
    if courses is not None:
        query = query.where(TurnRow.course_id.in_(courses))
    for turn in db.scalars(query):
        is_answered = turn.outcome == "answered" and turn.route in ANSWERING and not turn.degraded
        if caller.may_see(turn.course_id) and not is_answered:
            row = put_in_queue(db, turn, "no_answer", is_again=True)
            if row.state == "open":
                return row
    raise NotAtTheDesk("Nobody who asked this is left without an answer.")
