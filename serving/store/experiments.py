"""Experiments in the store: creating and stopping them, who met which variant, and sums of the outcomes."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.desk.insights.counts import SMALL_TALK
from serving.feedback.experiment_results import ExperimentOutcome, Sums, results_of
from serving.feedback.experiments import ExperimentRefused, Trial, Variant, check_name, check_variants
from serving.settings import Settings
from serving.store.answered_questions import ANSWERING
from serving.store.tables.base import now
from serving.store.tables.conversation import Feedback, TurnRow
from serving.store.tables.experiment import Experiment, Exposure
from serving.store.upserting import put_new


class ExperimentUnknown(CoteachError):
    """No experiment has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no experiment '{name[:80]}'. `coteach experiment list` names them.")


def create_experiment(
    db: Session,
    name: str,
    variants: Sequence[Variant],
    *,
    settings: Settings,
    course_id: str | None = None,
    by_hand: bool = False,
) -> Experiment:
    """Begin an experiment; what it compares cannot be changed afterwards.

    Raises `ExperimentRefused` when a variant cannot run over `settings`, the name was used before, or another
    experiment runs for the same students: nobody takes part in two.
    """
    check_name(name, "An experiment")
    checked = check_variants(variants, settings, by_hand=by_hand)
    if db.scalars(select(Experiment).where(Experiment.name == name)).first() is not None:
        raise ExperimentRefused(
            f"There was an experiment '{name}' before. Choose another name: answers are told by it."
        )
    for other in running(db):
        if other.course_id is None or course_id is None or other.course_id == course_id:
            where = other.course_id or "all courses"
            raise ExperimentRefused(f"The experiment '{other.name}' is running for {where}. Stop it first.")
    row = Experiment(name=name, course_id=course_id, variants=[asdict(one) for one in checked])
    db.add(row)
    db.flush()
    return row


def stop_experiment(db: Session, name: str) -> Experiment:
    """End an experiment for good; stopping it again changes nothing. Raises `ExperimentUnknown`."""
    row = find_experiment(db, name)
    if row.state == "running":
        row.state, row.stopped_at = "stopped", now()
        db.flush()
    return row


def find_experiment(db: Session, name: str) -> Experiment:
    """Raises `ExperimentUnknown`."""
    row = db.scalars(select(Experiment).where(Experiment.name == name)).one_or_none()
    if row is None:
        raise ExperimentUnknown(name)
    return row


def experiments(db: Session) -> list[Experiment]:
    """All of them, newest first."""
    return list(db.scalars(select(Experiment).order_by(Experiment.created_at.desc(), Experiment.name)))


def running(db: Session) -> list[Trial]:
    """Those that are running, oldest first."""
    query = select(Experiment).where(Experiment.state == "running")
    return [trial_of(row) for row in db.scalars(query.order_by(Experiment.created_at, Experiment.experiment_id))]


def trial_of(row: Experiment) -> Trial:
    return Trial(row.experiment_id, row.name, row.course_id, tuple(Variant(**one) for one in row.variants))


def expose(db: Session, turn: TurnRow) -> None:
    """Log that the asker of a turn met its variant, the first time. Called where the turn is stored."""
    if turn.experiment is None:
        return
    found = select(Experiment.experiment_id).where(Experiment.name == turn.experiment)
    experiment_id = db.scalars(found).one_or_none()
    if experiment_id is not None:
        row = {
            "experiment_id": experiment_id,
            "person_id": turn.person_id,
            "variant": turn.variant,
            "at": turn.asked_at,
        }
        put_new(db, Exposure, [row])


def read_results(db: Session, name: str) -> ExperimentOutcome:
    """What an experiment showed so far. Raises `ExperimentUnknown`."""
    row = find_experiment(db, name)
    exposed = (
        select(Exposure.variant, func.count())
        .where(Exposure.experiment_id == row.experiment_id)
        .group_by(Exposure.variant)
    )
    return results_of(
        trial_of(row).variants,
        {variant: n for variant, n in db.execute(exposed)},
        _sums(db, _questions(row.name)),
        _sums(db, _thumbs(row.name)),
    )


def _questions(name: str) -> Select[Any]:
    """By variant and person: questions, and how many were answered (Course Hero's coverage)."""
    is_question = or_(TurnRow.route.is_(None), TurnRow.route != SMALL_TALK)
    is_answered = and_(TurnRow.outcome == "answered", TurnRow.route.in_(ANSWERING))
    return _by_person(func.count(), _how_many(is_answered)).where(TurnRow.experiment == name, is_question)


def _thumbs(name: str) -> Select[Any]:
    """By variant and person: thumbs, and how many were up."""
    return (
        _by_person(func.count(), _how_many(Feedback.thumb > 0))
        .join(Feedback, Feedback.trace_id == TurnRow.trace_id)
        .where(TurnRow.experiment == name)
    )


def _by_person(x: ColumnElement[int], y: ColumnElement[int]) -> Select[Any]:
    columns = (TurnRow.variant, TurnRow.person_id)
    query: Any = select(TurnRow.variant.label("variant"), x.label("x"), y.label("y"))
    grouped: Select[Any] = query.select_from(TurnRow).group_by(*columns)
    return grouped


def _how_many(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _sums(db: Session, by_person: Select[Any]) -> dict[str, Sums]:
    each: Any = by_person.subquery().c
    x, y = each.x, each.y
    query: Any = select(
        each.variant,
        func.count(),
        func.sum(x),
        func.sum(y),
        func.sum(x * x),
        func.sum(x * y),
        func.sum(y * y),
    ).group_by(each.variant)
    found: Any = db.execute(query)
    return {variant: Sums(*map(int, sums)) for variant, *sums in found}
