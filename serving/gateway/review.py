"""`/review/questions`: the TAs' queue and decisions on it. For TAs and up, in their courses."""

import asyncio
from collections.abc import Collection

from fastapi import APIRouter
from sqlalchemy.orm import Session

from serving.desk.answers import ReviewedWhole, read_reviewed_answer
from serving.desk.course_tables import CourseTables
from serving.desk.decisions import approve, reject
from serving.desk.queue import QueueItem, Reason, claim, counts, course_of, one_question, open_questions, release
from serving.desk.queue_groups import QueueGroup, count_groups, group_queue, of_reason, others_like
from serving.desk.suggestions import Given, read_given_answer, suggestions
from serving.gateway.access import Ta
from serving.gateway.desk_replies import (
    AnswerReply,
    QuestionWholeReply,
    QueueGroupReply,
    QueueItemReply,
    QueueReply,
    answer_reply,
    answer_whole,
    suggestion_replies,
    to_given_reply,
)
from serving.gateway.desk_requests import (
    ApproveRequest,
    Course,
    Id,
    Limit,
    Offset,
    RejectRequest,
    find_visible_course,
    find_visible_courses,
    units_for,
)
from serving.gateway.errors import RESPONSES
from serving.gateway.links import reference_path
from serving.gateway.refusals import refusals
from serving.gateway.service import Service, Shared
from serving.store.tables.review import ReviewedAnswer

MOST_READ = 2_000
"""Items of the queue that are listed, the first. A choice: more than anybody works through; the rest moves up."""

router = APIRouter(prefix="/review", tags=["review"], responses=RESPONSES)


@router.get("/questions")
async def list_queue(
    caller: Ta,
    service: Shared,
    course_id: Course = None,
    reason: Reason | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> QueueReply:
    """The queue, in the order in which it should be worked on; questions that ask the same in other words as one."""
    groups, counted = await open_groups(service, find_visible_courses(caller, course_id))
    found = of_reason(groups, reason)[offset : offset + limit]
    return QueueReply(data=[_group_reply(one) for one in found], counts=counted)


@router.get("/questions/{question_id}")
async def show_question(question_id: Id, caller: Ta, service: Shared) -> QuestionWholeReply:
    """A question with the answer that the student got, what changed, and what an answer could be made from."""

    def work(db: Session) -> tuple[QueueItem, Given | None, ReviewedWhole | None]:
        item = one_question(db, question_id, caller)
        returned = read_reviewed_answer(db, item.answer_id, caller) if item.answer_id is not None else None
        return item, read_given_answer(db, item.trace_id), returned

    with refusals():
        item, got, returned = await service.store.reading(work)
    knowledge = await service.knowledge()
    groups, _ = await open_groups(service, caller.courses if item.course_id is None else frozenset([item.course_id]))
    found = await asyncio.to_thread(
        suggestions,
        knowledge,
        item.course_id,
        item.question,
        tables=CourseTables(service.data_dir),
        overlay=service.overlay.current,
        address=reference_path,
    )
    return QuestionWholeReply(
        **QueueItemReply.model_validate(item).model_dump(),
        in_other_words=[QueueItemReply.model_validate(one) for one in others_like(groups, item.same_as)],
        given=to_given_reply(got),
        returned=None if returned is None else answer_whole(returned),
        suggestions=suggestion_replies(found),
    )


@router.post("/questions/{question_id}/claim")
async def claim_question(question_id: Id, caller: Ta, service: Shared) -> QueueItemReply:
    """Take a question to work on; for half an hour it is nobody else's."""
    with refusals():
        return QueueItemReply.model_validate(await service.store.writing(lambda db: claim(db, question_id, caller)))


@router.post("/questions/{question_id}/release")
async def release_question(question_id: Id, caller: Ta, service: Shared) -> QueueItemReply:
    """Give a question back."""
    with refusals():
        return QueueItemReply.model_validate(await service.store.writing(lambda db: release(db, question_id, caller)))


@router.post("/questions/{question_id}/approve")
async def approve_answer(question_id: Id, body: ApproveRequest, caller: Ta, service: Shared) -> AnswerReply:
    """Answer a question, for everybody who waits for it and everybody who asks it later."""
    named = await find_visible_course(service, caller, body.course_id)
    with refusals():
        asked_of = await service.store.reading(lambda db: course_of(db, question_id, caller))
        rests = await units_for(service, asked_of or named, body.rests)

        def work(db: Session) -> ReviewedAnswer:
            return approve(
                db,
                question_id,
                question=body.question,
                answer=body.answer,
                rests=rests,
                by=caller,
                course_id=named,
                also=body.also,
                note=body.note,
            )

        found = await service.store.writing(work)
    await service.overlay.refresh(service.store)
    return answer_reply(found)


@router.post("/questions/{question_id}/reject", status_code=204)
async def reject_question(question_id: Id, body: RejectRequest, caller: Ta, service: Shared) -> None:
    """Leave a question without an answer; an answer that came back is withdrawn."""
    with refusals():
        await service.store.writing(lambda db: reject(db, question_id, reply=body.reply, by=caller, also=body.also))
    await service.overlay.refresh(service.store)


async def open_groups(service: Service, courses: Collection[str] | None) -> tuple[list[QueueGroup], dict[Reason, int]]:
    """The queue of some courses, `None` for all, in groups, and how many groups are open for each reason. The console
    takes it too."""

    def work(db: Session) -> tuple[list[QueueItem], dict[Reason, int]]:
        return open_questions(db, courses=courses, limit=MOST_READ), counts(db, courses=courses)

    items, counted = await service.store.reading(work)
    groups = await asyncio.to_thread(group_queue, items, await service.queue_grouping())
    beyond = {reason: n - sum(item.reason == reason for item in items) for reason, n in counted.items()}
    return groups, {reason: n + beyond[reason] for reason, n in count_groups(groups).items()}


def _group_reply(group: QueueGroup) -> QueueGroupReply:
    return QueueGroupReply(
        **QueueItemReply.model_validate(group.item).model_dump(),
        in_other_words=[QueueItemReply.model_validate(one) for one in group.others],
        waiting_together=group.waiting,
    )
