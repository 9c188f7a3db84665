"""`/v1/experiments`: begun and stopped by admins, read by teachers. Over HTTP no variant may name another server."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from serving.feedback.experiments import LONGEST_NAME, MOST_VARIANTS, Variant
from serving.gateway.access import Admin, Teacher, no_such_course
from serving.gateway.errors import RESPONSES
from serving.gateway.refusals import refusals
from serving.gateway.service import Shared
from serving.store.audit import record
from serving.store.caller import Caller
from serving.store.experiments import (
    ExperimentUnknown,
    create_experiment,
    experiments,
    find_experiment,
    read_results,
    stop_experiment,
)
from serving.store.tables.experiment import Experiment

router = APIRouter(tags=["experiments"], responses=RESPONSES)

Name = Annotated[str, Path(max_length=200)]


class VariantBody(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=LONGEST_NAME)
    weight: float = Field(gt=0, le=1e6, description="Relative to the weights of the other variants.")
    settings: dict[str, Any] = Field(default={}, description="Settings that this variant answers with.")


class ExperimentRequest(BaseModel):
    model_config = ConfigDict(extra="ignore")
    name: str = Field(max_length=LONGEST_NAME)
    course_id: str | None = Field(default=None, max_length=200, description="Only questions of this course.")
    variants: list[VariantBody] = Field(max_length=MOST_VARIANTS, description="The first is compared with.")


class ExperimentReply(BaseModel):
    name: str
    course_id: str | None
    state: str
    variants: list[VariantBody]
    created_at: datetime
    stopped_at: datetime | None


class ExperimentResults(ExperimentReply):
    """`results.sample_ratio` is a p value; `results.warnings` are sentences."""

    results: dict[str, Any]


@router.post("/v1/experiments", status_code=201)
async def begin(body: ExperimentRequest, caller: Admin, service: Shared) -> ExperimentReply:
    """Begin an experiment. From the next second on students of its course get their variants."""
    if not caller.may_see(body.course_id):
        raise no_such_course(body.course_id or "")
    if body.course_id is not None and body.course_id not in (await service.knowledge()).course_ids:
        raise no_such_course(body.course_id)
    variants = [Variant(one.name, one.weight, one.settings) for one in body.variants]

    def start(db: Session) -> Experiment:
        made = create_experiment(db, body.name, variants, settings=service.settings, course_id=body.course_id)
        record(db, "experiment.create", body.name, by=f"key {caller.key_id}", course=body.course_id)
        return made

    with refusals():
        return _reply(await service.store.writing(start))


@router.get("/v1/experiments")
async def list_experiments(caller: Teacher, service: Shared) -> list[ExperimentReply]:
    """Those of the caller's courses, newest first."""
    rows = await service.store.reading(experiments)
    return [_reply(row) for row in rows if _may_see(caller, row)]


@router.get("/v1/experiments/{name}")
async def show_experiment(name: Name, caller: Teacher, service: Shared) -> ExperimentResults:
    """What an experiment showed so far, by variant."""
    with refusals():
        row = await service.store.reading(lambda db: find_experiment(db, name))
        if not _may_see(caller, row):
            raise ExperimentUnknown(name)
        results = await service.store.reading(lambda db: read_results(db, name))
    return ExperimentResults(**_reply(row).model_dump(), results=asdict(results))


@router.post("/v1/experiments/{name}/stop")
async def stop(name: Name, caller: Admin, service: Shared) -> ExperimentReply:
    """End an experiment for good."""

    def end(db: Session) -> Experiment:
        if not caller.may_see(find_experiment(db, name).course_id):
            raise ExperimentUnknown(name)
        record(db, "experiment.stop", name, by=f"key {caller.key_id}")
        return stop_experiment(db, name)

    with refusals():
        return _reply(await service.store.writing(end))


def _may_see(caller: Caller, row: Experiment) -> bool:
    return row.course_id is None or caller.may_see(row.course_id)


def _reply(row: Experiment) -> ExperimentReply:
    return ExperimentReply(
        name=row.name,
        course_id=row.course_id,
        state=row.state,
        variants=[VariantBody(**one) for one in row.variants],
        created_at=row.created_at,
        stopped_at=row.stopped_at,
    )
