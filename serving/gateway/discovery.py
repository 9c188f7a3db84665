"""`/v1/faq/proposals`: what could become an entry of a course's FAQ, and decisions on it. For TAs, in their courses."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy.orm import Session

from serving.desk.course_tables import CourseTables
from serving.desk.discovery.proposals import MOST_PROPOSED, Proposal, propose
from serving.desk.discovery.publishing import course_of, dismiss, publish
from serving.gateway.access import Ta
from serving.gateway.desk_replies import AnswerReply, ProposalsReply, answer_reply, proposal_reply
from serving.gateway.desk_requests import DismissRequest, PublishRequest, find_visible_course, units_for
from serving.gateway.errors import RESPONSES
from serving.gateway.refusals import refusals
from serving.gateway.service import Service, Shared
from serving.store.tables.review import ReviewedAnswer

router = APIRouter(prefix="/v1/faq/proposals", tags=["review"], responses=RESPONSES)


@router.get("")
async def list_proposals(
    caller: Ta,
    service: Shared,
    course_id: Annotated[str, Query(min_length=1, max_length=200)],
    limit: Annotated[int, Query(ge=1, le=MOST_PROPOSED)] = 20,
) -> ProposalsReply:
    """What several students asked in a course and its FAQ does not answer, the most pressing first, with a draft."""
    named = await find_visible_course(service, caller, course_id) or course_id
    return ProposalsReply(data=[proposal_reply(one) for one in await proposals_for(service, named, limit=limit)])


@router.post("/publish")
async def publish_proposal(body: PublishRequest, caller: Ta, service: Shared) -> AnswerReply:
    """Publish a proposal as an entry, in the TA's words: all who asked get it, and all who ask from now on."""
    with refusals():
        course_id = await service.store.reading(lambda db: course_of(db, body.trace_ids, caller))
        rests = await units_for(service, course_id, body.rests)

        def work(db: Session) -> ReviewedAnswer:
            return publish(
                db,
                body.trace_ids,
                question=body.question,
                answer=body.answer,
                rests=rests,
                by=caller,
                answer_id=body.answer_id,
                note=body.note,
            )

        found = await service.store.writing(work)
    await service.overlay.refresh(service.store)
    return answer_reply(found)


@router.post("/dismiss", status_code=204)
async def dismiss_proposal(body: DismissRequest, caller: Ta, service: Shared) -> None:
    """Propose these questions no more, unless enough others ask the same."""
    with refusals():
        await service.store.writing(lambda db: dismiss(db, body.trace_ids, by=caller))


async def proposals_for(service: Service, course_id: str, *, limit: int = MOST_PROPOSED) -> list[Proposal]:
    """What the route replies; the console takes it too."""
    return await propose(
        service.store,
        await service.knowledge(),
        course_id,
        tables=CourseTables(service.data_dir),
        overlay=service.overlay.current,
        limit=limit,
    )
