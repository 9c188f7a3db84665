"""What the desk's routes send. Shapes alone; what they mean is `serving.desk`'s."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from knowledge_graph.lake.records import Locator
from serving.desk.answers import ReviewedWhole
from serving.desk.discovery.drafts import DraftKind
from serving.desk.discovery.proposals import Proposal
from serving.desk.material_units import MaterialUnit
from serving.desk.queue import Reason
from serving.desk.suggestions import Given, Suggestion
from serving.gateway.links import locator_fields
from serving.store.tables.review import ReviewedAnswer


class Reply(BaseModel):
    """Read from the record of the same fields."""

    model_config = ConfigDict(from_attributes=True)


class OwnQuestionReply(Reply):
    """A question of the caller's. `state`: `open`, `answered`, `rejected`, or `withdrawn` when the answer was taken
    back; `is_new` until it is looked at.
    """

    question_id: str
    course_id: str | None
    question: str
    note: str
    state: str
    asked_at: datetime
    trace_id: str | None
    answer: str | None
    reviewer: str | None = Field(description="Who stands behind the answer.")
    is_stale: bool = Field(description="What the answer rests on has changed since.")
    reply: str = Field(description="What was said instead of an answer.")
    closed_at: datetime | None
    is_new: bool
    session_id: str | None = Field(
        default=None,
        description="For somebody without a key: as `X-Coteach-Session` it shows whose question it is.",
    )


class OwnQuestionsReply(BaseModel):
    object: str = "list"
    data: list[OwnQuestionReply]
    unseen: int = Field(description="Questions decided and not looked at yet.")


class UnitReply(BaseModel):
    """A piece of material. `unit` names it, and is what `rests` takes."""

    unit: str
    kind: str
    label: str
    text: str
    locator: dict[str, Any]


class QueueItemReply(Reply):
    """A question in the queue, with everybody who waits for it."""

    question_id: str
    course_id: str | None
    lang: str
    question: str
    notes: list[str]
    reason: Reason
    waiting: int = Field(description="Students who asked it.")
    resting: int = Field(description="Answers given from the reviewed answer that came back.")
    asked_at: datetime
    trace_id: str | None
    answer_id: str | None
    claimed_name: str | None = Field(description="Who works on it.")
    claimed_at: datetime | None


class QueueGroupReply(QueueItemReply):
    """A question in the queue with those that ask the same in other words, found by their meaning."""

    in_other_words: list[QueueItemReply] = Field(description="`approve` and `reject` take their ids as `also`.")
    waiting_together: int = Field(description="Students who asked it in any of its wordings.")


class QueueReply(BaseModel):
    object: str = "list"
    data: list[QueueGroupReply]
    counts: dict[Reason, int] = Field(description="Open groups for each reason.")


class GivenReply(Reply):
    """The answer that the student got."""

    trace_id: str
    question: str
    answer: str
    route: str | None
    notice: str
    confidence: float | None
    outcome: str


class SuggestionReply(BaseModel):
    """Something to answer from: a reviewed answer, a stored pair or a passage."""

    kind: str
    entry_id: str
    source: str
    label: str
    title: str
    text: str
    match: float
    url: str | None
    reviewer: str | None
    units: list[UnitReply]


class PieceReply(BaseModel):
    """A stretch of two texts: `equal`, `insert`, `delete` or `replace`."""

    op: str
    old: str
    new: str


class AnswerSourceReply(BaseModel):
    """What an answer rests on. `changed_to` is its text now, null while unchanged; `difference` is word for word."""

    unit: str
    kind: str
    label: str
    text: str
    locator: dict[str, Any]
    changed_to: str | None
    difference: list[PieceReply]


class DecisionReply(BaseModel):
    """One decision; `by` is null for the machine."""

    decision: str
    by: str | None
    before: str
    after: str
    note: str
    at: datetime


class AnswerReply(Reply):
    """A reviewed answer."""

    answer_id: str
    course_id: str
    lang: str
    question: str
    answer: str
    reviewer: str
    replaces: str | None = Field(description="The FAQ entry whose place it takes.")
    state: str
    is_stale: bool
    version: int
    created_at: datetime
    updated_at: datetime


class AnswersReply(BaseModel):
    object: str = "list"
    data: list[AnswerReply]


class AnswerWholeReply(AnswerReply):
    """A reviewed answer with what it rests on and its history."""

    sources: list[AnswerSourceReply]
    history: list[DecisionReply]


class QuestionWholeReply(QueueItemReply):
    """A question with all that helps to answer it."""

    in_other_words: list[QueueItemReply] = Field(description="Open questions that ask the same, found by meaning.")
    given: GivenReply | None
    returned: AnswerWholeReply | None = Field(description="The reviewed answer that came back, with what changed.")
    suggestions: list[SuggestionReply]


class DraftReply(BaseModel):
    """An entry as it could be. `kind`: from an `approved` answer, from the `material`, or `none`: the TA writes it."""

    kind: DraftKind
    question: str = Field(description="No single student's wording; empty where there is no other.")
    answer: str
    rests: list[UnitReply]
    answer_id: str | None = Field(description="The approved answer whose words these are.")


class ProposalReply(Reply):
    """Questions that ask the same. What students wrote is for TAs alone."""

    question: str = Field(description="The most central wording, without names.")
    wordings: list[str]
    count: int = Field(description="How often it was asked.")
    people: int = Field(description="By how many.")
    last_week: int
    week_before: int
    trend: int = Field(description="How much more in the last week than in the one before.")
    coverage: float = Field(description="How near the FAQ is to answering it, 0 to 1.")
    gap: float = Field(description="How far the answers given fell short of being sure, 0 to 1.")
    concept_ids: list[str]
    trace_ids: list[str] = Field(description="The questions that wait; what publishing and dismissing take.")


class DraftedProposalReply(ProposalReply):
    draft: DraftReply


class ProposalsReply(BaseModel):
    object: str = "list"
    data: list[DraftedProposalReply]


def proposal_reply(found: Proposal) -> DraftedProposalReply:
    draft = DraftReply(**vars(found.draft) | {"rests": [unit_reply(unit) for unit in found.draft.rests]})
    return DraftedProposalReply(**ProposalReply.model_validate(found.group).model_dump(), draft=draft)


def unit_reply(unit: MaterialUnit) -> UnitReply:
    return UnitReply(
        unit=unit.unit,
        kind=unit.kind,
        label=unit.label,
        text=unit.text,
        locator=_without_none(locator_fields(unit.locator)),
    )


def suggestion_replies(found: Sequence[Suggestion]) -> list[SuggestionReply]:
    return [SuggestionReply(**(vars(one) | {"units": [unit_reply(unit) for unit in one.units]})) for one in found]


def to_given_reply(found: Given | None) -> GivenReply | None:
    return None if found is None else GivenReply.model_validate(found)


def answer_whole(found: ReviewedWhole) -> AnswerWholeReply:
    sources = [
        AnswerSourceReply(
            unit=source.row.unit,
            kind=source.row.kind,
            label=source.row.label,
            text=source.row.text,
            locator=_without_none(locator_fields(Locator(**source.row.locator))),
            changed_to=source.row.changed_to,
            difference=[PieceReply(**piece._asdict()) for piece in source.pieces],
        )
        for source in found.sources
    ]
    history = [
        DecisionReply(
            decision=each.row.decision,
            by=each.by,
            before=each.row.before,
            after=each.row.after,
            note=each.row.note,
            at=each.row.at,
        )
        for each in found.history
    ]
    return AnswerWholeReply(**answer_reply(found.answer).model_dump(), sources=sources, history=history)


def answer_reply(row: ReviewedAnswer) -> AnswerReply:
    return AnswerReply.model_validate(row)


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
