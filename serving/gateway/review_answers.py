"""`/review/answers` and `/review/faq`: reviewed answers, corrections of the FAQ. For TAs and up, in their courses."""

import asyncio

from fastapi import APIRouter
from sqlalchemy.orm import Session

from serving.desk.answers import AnswerState, list_reviewed_answers, read_reviewed_answer
from serving.desk.course_tables import CourseTables
from serving.desk.decisions import edit, edit_faq, withdraw
from serving.desk.refusals import NotAtTheDesk
from serving.gateway.access import Ta
from serving.gateway.desk_replies import (
    AnswerReply,
    AnswersReply,
    AnswerWholeReply,
    answer_reply,
    answer_whole,
)
from serving.gateway.desk_requests import (
    Course,
    EditRequest,
    FaqRequest,
    Id,
    Limit,
    Offset,
    WithdrawRequest,
    find_visible_course,
    find_visible_courses,
    units_for,
)
from serving.gateway.errors import RESPONSES
from serving.gateway.refusals import refusals
from serving.gateway.service import Shared
from serving.store.tables.review import ReviewedAnswer

router = APIRouter(prefix="/review", tags=["review"], responses=RESPONSES)


@router.get("/answers")
async def list_answers(
    caller: Ta,
    service: Shared,
    course_id: Course = None,
    state: AnswerState | None = None,
    only_stale: bool = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> AnswersReply:
    """Reviewed answers, what was changed last first."""
    courses = find_visible_courses(caller, course_id)
    found = await service.store.reading(
        lambda db: list_reviewed_answers(
            db, courses=courses, limit=limit, offset=offset, state=state, only_stale=only_stale
        )
    )
    return AnswersReply(data=[answer_reply(one) for one in found])


@router.get("/answers/{answer_id}")
async def show_answer(answer_id: Id, caller: Ta, service: Shared) -> AnswerWholeReply:
    """A reviewed answer with what it rests on, what changed of that, and its history."""
    with refusals():
        return answer_whole(await service.store.reading(lambda db: read_reviewed_answer(db, answer_id, caller)))


@router.patch("/answers/{answer_id}")
async def edit_answer(answer_id: Id, body: EditRequest, caller: Ta, service: Shared) -> AnswerReply:
    """Change the words of an answer. Its sources are recorded anew, with their current text."""
    with refusals():
        whole = await service.store.reading(lambda db: read_reviewed_answer(db, answer_id, caller))
        rests = await units_for(service, whole.answer.course_id, body.rests)

        def work(db: Session) -> ReviewedAnswer:
            return edit(
                db,
                answer_id,
                question=body.question,
                answer=body.answer,
                rests=rests,
                by=caller,
                version=body.version,
                note=body.note,
            )

        found = await service.store.writing(work)
    await service.overlay.refresh(service.store)
    return answer_reply(found)


@router.post("/answers/{answer_id}/withdraw")
async def withdraw_answer(answer_id: Id, body: WithdrawRequest, caller: Ta, service: Shared) -> AnswerReply:
    """Serve an answer no more."""
    with refusals():
        found = await service.store.writing(lambda db: withdraw(db, answer_id, by=caller, note=body.note))
    await service.overlay.refresh(service.store)
    return answer_reply(found)


@router.post("/faq")
async def edit_faq_entry(body: FaqRequest, caller: Ta, service: Shared) -> AnswerReply:
    """Correct an entry of a course's FAQ: a reviewed answer takes its place."""
    course_id = await find_visible_course(service, caller, body.course_id) or body.course_id
    tables = CourseTables(service.data_dir)
    with refusals():
        entries = await asyncio.to_thread(tables.faq, course_id, [body.origin_id])
        if not entries:
            raise NotAtTheDesk(f"The FAQ of '{course_id}' has no entry '{body.origin_id[:200]}'.")
        before = f"{entries[0]['question']}\n\n{entries[0]['answer']}"
        rests = await units_for(service, course_id, body.rests)

        def work(db: Session) -> ReviewedAnswer:
            return edit_faq(
                db, course_id, body.origin_id, body.question, body.answer, caller, rests=rests, before=before
            )

        found = await service.store.writing(work)
    await service.overlay.refresh(service.store)
    return answer_reply(found)
