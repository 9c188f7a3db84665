"""`/v1/courses/{course_id}/assessments`: a course's graded work and its rules, for its staff; they hold its items."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from knowledge_graph.lake.records import Allowed
from serving.assistant.graded_work.assessments import RuleState
from serving.gateway.access import Ta, course_for
from serving.gateway.errors import RESPONSES
from serving.gateway.service import Shared

router = APIRouter(tags=["review"], responses=RESPONSES)


class AssessmentReply(BaseModel):
    """An assignment, quiz or exam, and what students get of it meanwhile."""

    model_config = ConfigDict(from_attributes=True)
    name: str
    allows: Allowed = Field(description="What a student gets who asks for an item while the rule is in force.")
    opens: str | None = Field(description="From when the rule holds, in UTC; null: without a beginning.")
    closes: str | None = Field(description="Until when it holds, in UTC; null: without an end.")
    state: RuleState = Field(description="Whether the rule holds now.")
    items: list[str] = Field(description="The texts that are recognised. No student is shown them.")


class AssessmentsReply(BaseModel):
    """The graded work of a course in the order of its `course.yaml`, as it was built last."""

    course: str
    data: list[AssessmentReply]


@router.get("/v1/courses/{course_id}/assessments")
async def list_assessments(
    course_id: Annotated[str, Path(max_length=200)], caller: Ta, service: Shared
) -> AssessmentsReply:
    """A course's graded work: what it is called, when its rule holds, what is allowed meanwhile, and its items."""
    knowledge = await service.knowledge()
    course_for(caller, course_id, knowledge.course_ids)
    found = knowledge.graded_work.assessments_of(course_id)
    return AssessmentsReply(course=course_id, data=[AssessmentReply.model_validate(one) for one in found])
