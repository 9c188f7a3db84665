"""`/review/batches` and `/review/ratings`: experts rate answers on a form, in batches that are assigned to raters and
closed."""

from dataclasses import asdict
from datetime import UTC, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from sqlalchemy.orm import Session

from serving.desk.insights.ratings import aspects, measure_satisfaction, relevance
from serving.feedback.rating_forms import FORMS, FormName
from serving.gateway.access import Ta, Teacher, no_such_course
from serving.gateway.errors import RESPONSES, GatewayError
from serving.gateway.rating_schemas import BatchReply, BatchRequest, DailyRequest, HandOver, NextReply, RatingRequest
from serving.gateway.refusals import refusals
from serving.gateway.service import Service, Shared
from serving.store import batches
from serving.store.batch_sampling import Draw
from serving.store.caller import Caller
from serving.store.daily_sample import daily_batch
from serving.store.ratings import AnswerToRate, answer_to_rate, rate, ratings_of_batch
from serving.store.tables.base import now
from serving.store.tables.rating import Batch

router = APIRouter(tags=["ratings"], responses=RESPONSES)

BatchId = Annotated[str, Path(max_length=64)]


@router.get("/review/forms")
async def show_forms(caller: Ta) -> list[dict[str, Any]]:
    """The rating forms, with their texts in both languages."""
    return [asdict(form) for form in FORMS.values()]


@router.get("/review/raters")
async def show_raters(caller: Ta, service: Shared) -> list[dict[str, Any]]:
    """People who may be asked to rate: those who can see one of the caller's courses."""
    people = await service.store.reading(lambda db: batches.raters(db, caller.courses))
    return [{"person_id": one.person_id, "name": one.name, "role": one.role} for one in people]


@router.post("/review/batches", status_code=201)
async def draw_batch(body: BatchRequest, caller: Teacher, service: Shared) -> BatchReply:
    """Draw answers at random, reproducibly by `seed`, and assign each to `each` raters in turn."""
    draw = Draw(
        answers=body.answers,
        seed=body.seed,
        courses=await _courses(service, caller, body.course_id, body.subject),
        routes=tuple(body.routes),
        since=body.since,
        until=body.until,
        with_references=True if body.form == "relevance" else body.with_references,
        per_course=body.per_course,
        apart_from=body.apart_from,
    )
    raters = body.raters or [caller.person_id]

    def make(db: Session) -> BatchReply:
        if draw.apart_from is not None:
            batches.batch_for(db, caller, draw.apart_from)
        made = batches.make_batch(
            db, name=body.name, form=body.form, draw=draw, raters=raters, each=body.each, by=caller
        )
        return _reply(db, made)

    with refusals():
        return await service.store.writing(make)


@router.post("/review/batches/daily")
async def draw_daily(body: DailyRequest, caller: Ta, service: Shared) -> BatchReply:
    """The day's sample of a course for the form `satisfaction`: drawn on the first request, the same for everybody."""
    if not caller.may_see(body.course_id):
        raise no_such_course(body.course_id)
    day = body.day or now().astimezone(UTC).date() - timedelta(days=1)

    def make(db: Session) -> BatchReply | None:
        made = daily_batch(db, body.course_id, day)
        return None if made is None else _reply(db, made)

    with refusals():
        reply = await service.store.writing(make)
    if reply is None:
        raise GatewayError(f"Nothing was answered in '{body.course_id}' on {day}.", status=404)
    return reply


@router.get("/review/batches")
async def list_batches(
    caller: Ta, service: Shared, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> list[BatchReply]:
    """The newest batches that the caller may see."""
    return await service.store.reading(lambda db: [_reply(db, one) for one in batches.batches_for(db, caller)[:limit]])


@router.get("/review/batches/{batch_id}")
async def show_batch(batch_id: BatchId, caller: Ta, service: Shared) -> BatchReply:
    with refusals():
        return await service.store.reading(lambda db: _reply(db, batches.batch_for(db, caller, batch_id)))


@router.get("/review/batches/{batch_id}/results")
async def show_results(batch_id: BatchId, caller: Ta, service: Shared) -> dict[str, Any]:
    """The results of a batch so far, with 95% intervals."""
    with refusals():
        return await service.store.reading(lambda db: _results(db, batches.batch_for(db, caller, batch_id)))


@router.get("/review/batches/{batch_id}/next")
async def show_next(batch_id: BatchId, caller: Ta, service: Shared) -> NextReply:
    """The caller's next answer to rate. An answer that is assigned to nobody is assigned to the caller when it is
    shown."""

    def take(db: Session) -> tuple[str, AnswerToRate | None]:
        batch = batches.batch_for(db, caller, batch_id)
        item = batches.next_item(db, caller, batch_id)
        form: FormName = batch.form  # type: ignore[assignment]
        return form, None if item is None else answer_to_rate(db, caller, item.trace_id, form)

    with refusals():
        form, answer = await service.store.writing(take)
    return NextReply(form=form, answer=None if answer is None else asdict(answer))


@router.post("/review/batches/{batch_id}/hand-over")
async def hand_over(batch_id: BatchId, body: HandOver, caller: Ta, service: Shared) -> dict[str, int]:
    """Hand over what a rater has not rated yet to another rater: your own answers, or anybody's in a batch that you
    manage."""

    def move(db: Session) -> int:
        batch = batches.batch_for(db, caller, batch_id)
        if body.giver != caller.person_id:
            _require_manager(caller, batch)
        return batches.hand_over(db, batch_id, giver=body.giver, taker=body.taker)

    with refusals():
        return {"moved": await service.store.writing(move)}


@router.post("/review/batches/{batch_id}/finish")
async def finish(batch_id: BatchId, caller: Ta, service: Shared) -> BatchReply:
    """Close a batch: answers not rated yet are removed from it."""

    def end(db: Session) -> BatchReply:
        batch = batches.batch_for(db, caller, batch_id)
        _require_manager(caller, batch)
        batches.finish_batch(db, batch_id)
        return _reply(db, batch)

    with refusals():
        return await service.store.writing(end)


@router.post("/review/ratings")
async def give_rating(body: RatingRequest, caller: Ta, service: Shared) -> dict[str, bool]:
    """Store the caller's ratings of one answer, in place of earlier ones."""
    values = {item: str(value) for item, value in body.values.items()}
    with refusals():
        await service.store.writing(
            lambda db: rate(db, caller, body.trace_id, body.form, values, batch_id=body.batch_id)
        )
    return {"rated": True}


def _require_manager(caller: Caller, batch: Batch) -> None:
    if not batches.may_manage(caller, batch):
        raise GatewayError("Only the person who made this batch, or a teacher of its course, may do that.", status=403)


def _reply(db: Session, batch: Batch) -> BatchReply:
    raters = batches.progress(db, batch.batch_id)
    return BatchReply(
        batch_id=batch.batch_id,
        name=batch.name,
        form=batch.form,
        course_id=batch.course_id,
        seed=batch.seed,
        drawn_from=batch.drawn_from,
        created_at=batch.created_at,
        done=sum(one.done for one in raters),
        total=sum(one.total for one in raters),
        raters=[asdict(one) for one in raters],
    )


def _results(db: Session, batch: Batch) -> dict[str, Any]:
    rows = ratings_of_batch(db, batch.batch_id)
    if batch.form == "aspects":
        return {"form": batch.form, "aspects": [asdict(one) for one in aspects(rows)]}
    if batch.form == "relevance":
        return {"form": batch.form, "relevance": asdict(relevance(row.value for row in rows))}
    return {"form": batch.form, "satisfaction": asdict(measure_satisfaction(rows))}


async def _courses(
    service: Service, caller: Caller, course_id: str | None, subject: str | None
) -> tuple[str, ...] | None:
    """The courses to draw from: the one named, those of the subject, or else all that are open to the caller."""
    if course_id is not None:
        if not caller.may_see(course_id):
            raise no_such_course(course_id)
        return (course_id,)
    if subject is None:
        return None if caller.courses is None else tuple(sorted(caller.courses))
    knowledge = await service.knowledge()
    found = [one.course_id for one in knowledge.courses if one.subject == subject and caller.may_see(one.course_id)]
    if not found:
        raise GatewayError(f"No course open to you has the subject '{subject[:60]}'.", param="subject")
    return tuple(sorted(found))
