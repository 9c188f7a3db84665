"""The Chain of Teach as data: what a language model is given for a question, part by part, and the whole prompt.

For TAs and above, with the scope `desk`: prompts hold a course's policy and the demonstrations, which no student sees.
No model is asked here. A question that is yet to be asked is planned; of an answer that was given the prompt is made
again, and the digest in its trace says whether it is the one that was sent.
"""

from collections.abc import Sequence
from typing import Literal, cast

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Mode
from serving.assistant.generation.chain_of_teach import Chain, Teaching, estimate_tokens
from serving.assistant.plan import Plan, Route
from serving.assistant.references import Reference
from serving.assistant.trace import prompt_digest
from serving.gateway.access import Ta, course_for, links_for
from serving.gateway.chat_schemas import LONGEST_QUESTION
from serving.gateway.errors import RESPONSES
from serving.gateway.links import Links
from serving.gateway.service import Service, Shared
from serving.gateway.traces import TraceId, readable_answer
from serving.index.evidence import Evidence
from serving.llm.messages import Message, Role
from serving.store.caller import Caller
from serving.store.tables.conversation import ChatSession, TraceRow, TurnRow
from serving.store.turns import REMEMBERED_TURNS, history_of

router = APIRouter(tags=["teaching"], responses=RESPONSES)

Withheld = Literal["graded_work", "stored", "settled", "no_material", "language"]


class SaidBefore(BaseModel):
    """A message of the conversation before the question."""

    model_config = ConfigDict(extra="forbid")
    role: Literal["user", "assistant"]
    content: str = Field(max_length=2 * LONGEST_QUESTION)


class TeachRequest(BaseModel):
    """A question that nobody is asked."""

    model_config = ConfigDict(extra="forbid")
    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    course: str | None = Field(default=None, max_length=200, description="Unset: the only course, else all.")
    history: list[SaidBefore] = Field(default=[], max_length=2 * REMEMBERED_TURNS, description="Oldest first.")
    mode: Mode | None = Field(default=None, description="One expert of a catalogue alone.")


class KnownConcept(BaseModel):
    concept_id: str
    name: str
    definition: str | None


class TaughtConcept(KnownConcept):
    """A concept of the question, with what must be known before it."""

    domains: list[str]
    prerequisites: list[KnownConcept]


class TeachingStep(BaseModel):
    """A line of the reasoning r of Algorithm 1, and the concept it speaks of."""

    kind: Literal["definition", "domains", "prerequisites", "prerequisite"]
    concept_id: str
    text: str


class TeachingNote(BaseModel):
    """A piece of material that the model is shown; those with a number up to 3 can be cited."""

    number: int
    id: str
    source: str
    course: str | None
    title: str
    text: str
    url: str | None = Field(description="Where it opens.")


class TeachingExample(BaseModel):
    """A demonstration: a question that was taught well."""

    question: str
    reasoning: str
    answer: str


class PromptMessage(BaseModel):
    role: Role
    content: str


class PromptSent(BaseModel):
    """The answer that the prompt was made again for."""

    trace_id: str
    model: str | None = Field(description="Who wrote it; null where it was put together from the material.")
    prompt_sha256: str | None
    is_same_prompt: bool = Field(
        description="The prompt below is the one that was sent. False where none was, or where material, settings or "
        "admission have changed since."
    )


class TeachingReply(BaseModel):
    """What a language model is given for a question. What an application wishes of tone and length is no part of it."""

    question: str = Field(description="As it is understood in its conversation.")
    course: str | None
    lang: str
    route: Route = Field(description="How it would be answered now.")
    asks_model: bool = Field(description="A model is asked this now: one is admitted for it.")
    withheld: Withheld | None = Field(
        description="Why no model is ever asked: the rule of graded work, a stored answer, a question that is no "
        "question, silent material, a language that no model here speaks."
    )
    template: str | None
    policy: str | None = Field(description="The version of the course's policy in the prompt.")
    index_version: str
    concepts: list[TaughtConcept]
    steps: list[TeachingStep]
    notes: list[TeachingNote]
    demonstrations: list[TeachingExample]
    messages: list[PromptMessage] = Field(description="The prompt as it is sent.")
    tokens: int = Field(description="An upper estimate of the prompt's tokens.")
    prompt_sha256: str | None
    given: PromptSent | None = Field(description="Null for a question that was not asked.")


@router.post("/v1/teach")
async def plan_teaching(body: TeachRequest, request: Request, service: Shared, caller: Ta) -> TeachingReply:
    """What a model would be given for a question; nothing is asked and nothing stored."""
    said = [Message(one.role, one.content) for one in body.history]
    named = course_for(caller, body.course or None, (await service.knowledge()).course_ids)
    return await _taught(service, caller, links_for(request, caller), body.question, named, said, body.mode)


@router.get("/v1/traces/{trace_id}/teaching")
async def show_teaching(trace_id: TraceId, request: Request, service: Shared, caller: Ta) -> TeachingReply:
    """What the model was given for an answer of one's course, made again, and whether it is the same."""

    def read_asked(db: Session) -> tuple[TurnRow, TraceRow | None, tuple[Message, ...], Mode | None]:
        turn, trace, _ = readable_answer(db, caller, trace_id)
        session = db.get(ChatSession, turn.session_id)
        before = history_of(db, turn.session_id, until=turn.position - 1)
        return turn, trace, before, cast(Mode | None, session and session.mode)

    turn, trace, before, mode = await service.store.reading(read_asked)
    links = links_for(request, caller)
    reply = await _taught(service, caller, links, turn.question, turn.course_id, before, mode)
    sent = turn.prompt_sha256
    model = None if trace is None else trace.record.get("model")
    is_same = sent is not None and sent == reply.prompt_sha256
    given = PromptSent(trace_id=trace_id, model=model, prompt_sha256=sent, is_same_prompt=is_same)
    return reply.model_copy(update={"given": given})


async def _taught(
    service: Service,
    caller: Caller,
    links: Links,
    question: str,
    course_id: str | None,
    history: Sequence[Message],
    mode: Mode | None,
) -> TeachingReply:
    knowledge = await service.knowledge()
    assistant = knowledge.assistant_with({}, caller.courses)
    prepared, plan = await assistant.plan_teaching(question, course_id=course_id, history=history, mode=mode)
    asks_model = bool(prepared.plan.messages) or prepared.plan.choice is not None
    taught = plan.teaching
    return TeachingReply(
        question=prepared.asked.question,
        course=course_id,
        lang=prepared.asked.lang,
        route=prepared.plan.route,
        asks_model=asks_model,
        withheld=None if asks_model or plan.messages else _withheld(prepared.plan),
        template=plan.template,
        policy=plan.policy,
        index_version=knowledge.index.version,
        concepts=[] if taught is None else [_concept(one) for one in taught.chains],
        steps=[] if taught is None else [TeachingStep(**vars(one)) for one in taught.steps],
        notes=[] if taught is None else [_note(one, links) for one in taught.evidence],
        demonstrations=[] if taught is None else _examples(taught),
        messages=[PromptMessage(role=one.role, content=one.content) for one in plan.messages],
        tokens=sum(estimate_tokens(one.content) for one in plan.messages),
        prompt_sha256=prompt_digest(plan.messages),
        given=None,
    )


def _withheld(plan: Plan) -> Withheld:
    if plan.rule is not None:
        return "graded_work"
    if plan.route == "direct":
        return "stored"
    if plan.is_composed_anew:
        return "language"
    return "no_material" if plan.composed is not None or plan.route == "ask_ta" else "settled"


def _concept(chain: Chain) -> TaughtConcept:
    return TaughtConcept(
        **_known(chain.concept).model_dump(),
        domains=list(chain.concept.domains),
        prerequisites=[_known(one) for one in chain.prerequisites],
    )


def _known(concept: GraphConcept) -> KnownConcept:
    return KnownConcept(concept_id=concept.concept_id, name=concept.name, definition=concept.definition)


def _examples(taught: Teaching) -> list[TeachingExample]:
    return [
        TeachingExample(question=one.question, reasoning=one.reasoning, answer=one.answer)
        for one in taught.demonstrations
    ]


def _note(one: Evidence, links: Links) -> TeachingNote:
    where = Reference(0, "", "", one.source, one.course_id, one.evidence_id, one.locator, one.origin_id)
    return TeachingNote(
        number=one.number,
        id=one.evidence_id,
        source=one.source,
        course=one.course_id,
        title=one.title,
        text=one.text,
        url=links.url(where),
    )
