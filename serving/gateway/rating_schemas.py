"""Requests and replies of `/review/batches` and `/review/ratings`."""

from datetime import date, datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from serving.assistant.plan import Route
from serving.feedback.rating_forms import FormName
from serving.store.batches import MOST_ITEMS

PersonId = Annotated[str, StringConstraints(max_length=64)]
Short = Annotated[str, StringConstraints(max_length=64)]


class BatchRequest(BaseModel):
    """Which answers are drawn, and who rates them. Without `raters` the caller does."""

    model_config = ConfigDict(extra="ignore")
    name: str = Field(min_length=1, max_length=200)
    form: FormName
    answers: int = Field(ge=1, le=MOST_ITEMS)
    raters: list[PersonId] = Field(default=[], max_length=200)
    each: int = Field(default=1, ge=1, le=20, description="How many raters each answer gets.")
    seed: int = Field(default=0, ge=0, lt=2**31)
    course_id: str | None = Field(default=None, max_length=200)
    subject: str | None = Field(default=None, max_length=200, description="Only courses of this subject.")
    per_course: int | None = Field(
        default=None, ge=1, le=MOST_ITEMS, description="How many answers of each course; `answers` is the most of all."
    )
    apart_from: str | None = Field(
        default=None,
        max_length=64,
        description="A batch whose answers are not drawn again, so that both can be joined.",
    )
    routes: list[Literal[*get_args(Route)]] = []  # type: ignore[valid-type]
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    with_references: bool | None = Field(default=None, description="Only answers that have some, or none.")


class DailyRequest(BaseModel):
    model_config = ConfigDict(extra="ignore")
    course_id: str = Field(max_length=200)
    day: date | None = Field(default=None, description="A day that is over, UTC. Without: yesterday.")


class HandOver(BaseModel):
    model_config = ConfigDict(extra="ignore")
    giver: PersonId
    taker: PersonId


class RatingRequest(BaseModel):
    """All values of a form for one answer, by item: an aspect, the number of a reference, or empty."""

    model_config = ConfigDict(extra="ignore")
    trace_id: str = Field(max_length=64)
    form: str = Field(max_length=64)
    values: dict[Short, Short | int] = Field(max_length=20)
    batch_id: str | None = Field(default=None, max_length=64)


class BatchReply(BaseModel):
    batch_id: str
    name: str
    form: str
    course_id: str | None
    seed: int
    drawn_from: dict[str, Any]
    created_at: datetime
    done: int
    total: int
    raters: list[dict[str, Any]]


class NextReply(BaseModel):
    """`answer` is `null` when nothing is left for the caller."""

    answer: dict[str, Any] | None
    form: str
