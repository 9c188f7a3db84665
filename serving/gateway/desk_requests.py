"""What the routes under `/review` take, and how it is read."""

import asyncio
from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field

from serving.desk.course_tables import CourseTables
from serving.desk.discovery.asked_questions import MOST_ASKED
from serving.desk.material_units import MaterialUnit, find_units
from serving.desk.text_validation import LONGEST_ANSWER, LONGEST_NOTE, LONGEST_QUESTION
from serving.gateway.access import course_for, no_such_course
from serving.gateway.service import Service
from serving.store.caller import Caller

MOST_RESTS = 20
"""Pieces of material that one answer may rest on. A choice."""

MOST_ALSO = 200
"""Questions in other words that one decision is for. A choice."""

Id = Annotated[str, Path(max_length=64)]
Limit = Annotated[int, Query(ge=1, le=200)]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]
Course = Annotated[str | None, Query(max_length=200, description="Unset: every course of the caller's.")]
Rests = Annotated[
    list[Annotated[str, Field(max_length=2000)]],
    Field(max_length=MOST_RESTS, description="Units that the answer rests on, by name, as suggestions have them."),
]
Also = Annotated[
    list[Annotated[str, Field(max_length=64)]],
    Field(max_length=MOST_ALSO, description="Open questions that ask the same in other words (`in_other_words`)."),
]
TraceIds = Annotated[
    list[Annotated[str, Field(max_length=64)]],
    Field(min_length=1, max_length=MOST_ASKED, description="Questions of one proposal, as it lists them."),
]


class Worded(BaseModel):
    """A question and its answer as the TA words them."""

    model_config = ConfigDict(extra="forbid")
    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    answer: str = Field(min_length=1, max_length=LONGEST_ANSWER)
    rests: Rests = []


class ApproveRequest(Worded):
    course_id: str | None = Field(default=None, max_length=200, description="Of a question asked of all courses.")
    also: Also = []
    note: str = Field(default="", max_length=LONGEST_NOTE, description="For other TAs.")


class EditRequest(Worded):
    version: int | None = Field(default=None, ge=1, description="The version that was edited.")
    note: str = Field(default="", max_length=LONGEST_NOTE, description="For other TAs.")


class PublishRequest(Worded):
    trace_ids: TraceIds
    answer_id: str | None = Field(default=None, max_length=64, description="The approved answer that is said anew.")
    note: str = Field(default="", max_length=LONGEST_NOTE, description="For other TAs.")


class DismissRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    trace_ids: TraceIds


class RejectRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    reply: str = Field(default="", max_length=LONGEST_NOTE, description="What the askers are told.")
    also: Also = []


class WithdrawRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    note: str = Field(default="", max_length=LONGEST_NOTE, description="Why, for other TAs.")


class FaqRequest(Worded):
    course_id: str = Field(min_length=1, max_length=200)
    origin_id: str = Field(min_length=1, max_length=2000, description="The entry, as its reference names it.")


def find_visible_courses(caller: Caller, named: str | None) -> frozenset[str] | None:
    """The courses whose desk is shown; `GatewayError` 404 for one that is not the caller's."""
    if named is None:
        return caller.courses
    if not caller.may_see(named):
        raise no_such_course(named)
    return frozenset([named])


async def find_visible_course(service: Service, caller: Caller, named: str | None) -> str | None:
    """A course that is there, and the caller's; `GatewayError` 404 for any other."""
    if named is None:
        return None
    knowledge = await service.knowledge()
    return course_for(caller, named, sorted(course.course_id for course in knowledge.courses))


async def units_for(service: Service, course_id: str | None, names: list[str]) -> list[MaterialUnit]:
    if course_id is None or not names:
        return []
    return await asyncio.to_thread(find_units, names, course_id, CourseTables(service.data_dir))
