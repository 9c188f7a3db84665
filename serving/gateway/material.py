"""The material as data, by REST: search, concepts, paths, lectures; how a question is taken, how an answer stands.

Nobody's language model is asked here.
"""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field, field_validator

from knowledge_graph.lake.source_kinds import Source
from serving.assistant.grounding.grading import GROUNDED_CUT, Record, grade_record
from serving.assistant.understanding.form import question_form
from serving.assistant.understanding.intent import classify_in_thread
from serving.assistant.understanding.understand import DEFAULT_ALPHA, Understanding, understand_scored
from serving.gateway.access import Asking, course_for, links_for
from serving.gateway.lookups import (
    ConceptReply,
    ConceptsReply,
    CoursesReply,
    FoundReply,
    LecturesReply,
    Lookups,
    PathReply,
    SearchKind,
    SourceReply,
)
from serving.gateway.service import Shared

router = APIRouter(tags=["material"])

LONGEST = 4000
MOST_KNOWLEDGE = 50
LONGEST_ANSWER = 8_000
LONGEST_KNOWLEDGE = 40_000
"""Characters of an answer to grade, and of all its knowledge together. A choice: the longest take a few seconds."""

_ONE_AT_A_TIME = asyncio.Lock()
"""Answers are composed by the same threads, and should not wait for more than one request of this kind."""

CourseName = Annotated[str | None, Query(max_length=200, description="Unset: the only course, else all.")]
ConceptName = Annotated[str, Query(min_length=1, max_length=200, description="By any of its names.")]


async def lookups(request: Request, service: Shared, caller: Asking) -> Lookups:
    return Lookups(service, caller, links_for(request, caller))


Looking = Annotated[Lookups, Depends(lookups)]


class SearchRequest(BaseModel):
    """Words to look for. `sources`: only these of the stored answers."""

    model_config = ConfigDict(extra="forbid")
    query: str = Field(min_length=1, max_length=LONGEST)
    course: str | None = Field(default=None, max_length=200)
    kind: SearchKind = Field(default="qa", description="Stored answers, or passages of lectures and documents.")
    sources: list[Source] | None = None
    k: int = Field(default=10, ge=1, le=100)


class PathRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    concept: str = Field(min_length=1, max_length=200, description="By any of its names.")
    known: list[Annotated[str, Field(max_length=200)]] = Field(default=[], max_length=100)
    course: str | None = Field(default=None, max_length=200, description="Whose lectures are preferred.")


class ClassifyRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    question: str = Field(max_length=LONGEST)
    previous: str = Field(default="", max_length=LONGEST, description="What the student said before.")
    course: str | None = Field(default=None, max_length=200)


class OptionReply(BaseModel):
    label: str
    text: str


class ClassifyReply(BaseModel):
    """How a question is taken. `h`: the score of chit-chat, 0 to 1; `refusal`: why it would be declined."""

    category: str
    h: float
    is_chat: bool
    form: str
    options: list[OptionReply]
    complexity: str | None
    refusal: str | None
    concepts: list[str]
    lang: str


class GradeRequest(BaseModel):
    """An answer, what was asked, and the texts that should support it."""

    model_config = ConfigDict(extra="forbid")
    question: str = Field(max_length=LONGEST)
    answer: str = Field(max_length=LONGEST_ANSWER)
    knowledge: list[str] = Field(
        min_length=1, max_length=MOST_KNOWLEDGE, description=f"At most {LONGEST_KNOWLEDGE:,} characters together."
    )

    @field_validator("knowledge")
    @classmethod
    def _can_be_read(cls, texts: list[str]) -> list[str]:
        if (found := sum(map(len, texts))) > LONGEST_KNOWLEDGE:
            raise ValueError(f"the texts have {found} characters together; at most {LONGEST_KNOWLEDGE} are read")
        return texts


class GradedReply(BaseModel):
    """A sentence of the answer: `answer[start:end]`. `evidence`: the number of the text that shares most with it."""

    start: int
    end: int
    text: str
    score: float
    supported: bool
    evidence: int | None
    missing: list[str] = Field(description="Its numbers, names and quotes that stand nowhere.")


class GradeReply(BaseModel):
    """`score`, 0 to 1, is how surely nobody would have to correct it; `grounded` from `cut` on."""

    score: float
    cut: float
    grounded: bool
    certain: bool
    sentences: list[GradedReply]


@router.post("/v1/search")
async def search_material(body: SearchRequest, look: Looking) -> FoundReply:
    """The stored answers, or the passages, whose words are nearest to the query, best first (BM25)."""
    return await look.search(body.query, course=body.course, kind=body.kind, sources=body.sources, k=body.k)


@router.post("/v1/path")
async def show_path(body: PathRequest, look: Looking) -> PathReply:
    """What to learn before a concept, in order, without what is known, and where it is taught."""
    return await look.path(body.concept, known=body.known, course=body.course)


@router.get("/v1/concept")
async def show_concept(name: ConceptName, look: Looking, course: CourseName = None) -> ConceptReply:
    """One concept by any of its names: definition, where it is taught, what is before, after and beside it."""
    return await look.concept(name, course=course)


@router.get("/v1/courses")
async def list_courses(look: Looking) -> CoursesReply:
    """The courses that the caller may ask."""
    return await look.courses()


@router.get("/v1/courses/{course_id}/concepts")
async def list_concepts(
    course_id: Annotated[str, Path(max_length=200)],
    look: Looking,
    begins: Annotated[str, Query(max_length=200, description="How their names begin.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> ConceptsReply:
    """A course's concepts by name."""
    return await look.concepts(course=course_id, begins=begins, limit=limit, offset=offset)


@router.get("/v1/courses/{course_id}/lectures")
async def list_lectures(course_id: Annotated[str, Path(max_length=200)], look: Looking) -> LecturesReply:
    """A course's lectures in teaching order."""
    return await look.lectures(course_id)


@router.get("/v1/source")
async def show_source(url: Annotated[str, Query(min_length=1, max_length=2000)], look: Looking) -> SourceReply:
    """What an address of a reference leads to, as text."""
    return await look.source(url)


@router.post("/v1/classify")
async def classify_question(body: ClassifyRequest, service: Shared, caller: Asking) -> ClassifyReply:
    """How a question is taken: category, form, options, complexity, concepts, and whether it would be declined."""
    knowledge = await service.knowledge()
    course_id = course_for(caller, body.course or None, knowledge.course_ids)
    graph, form = (
        knowledge.visible_to(caller.courses, course_id).graph,
        question_form(body.question, previous=body.previous),
    )
    scores, alpha, intent = None, DEFAULT_ALPHA, knowledge.intent
    if intent is not None:
        title = graph.course(course_id).title if course_id else ""
        scores = await classify_in_thread(intent, form.stem, previous=body.previous, course=title)
        alpha = intent.alpha_for(form.stem)
    found = understand_scored(
        body.question,
        form=form,
        scores=scores,
        graph=graph,
        alpha=alpha,
        previous=body.previous,
        course_id=course_id,
    )
    return _classify_reply(found)


def _classify_reply(found: Understanding) -> ClassifyReply:
    return ClassifyReply(
        category=found.category,
        h=round(found.h, 6),
        is_chat=found.is_chat,
        form=found.form,
        options=[OptionReply(**one._asdict()) for one in found.options],
        complexity=found.kind,
        refusal=found.refusal,
        concepts=[one.name for one in found.concepts],
        lang=found.lang,
    )


@router.post("/v1/grade")
async def grade_answer(body: GradeRequest, caller: Asking) -> GradeReply:
    """How well the knowledge supports an answer, sentence by sentence."""
    record = Record("1", body.question, tuple(body.knowledge), body.answer)
    async with _ONE_AT_A_TIME:
        found = await asyncio.to_thread(grade_record, record)
    return GradeReply(
        score=round(found.score, 6),
        cut=GROUNDED_CUT,
        grounded=found.grounded,
        certain=found.certain,
        sentences=[
            GradedReply(
                start=one.start,
                end=one.end,
                text=one.text,
                score=round(one.score, 6),
                supported=one.is_supported,
                evidence=None if one.evidence_id is None else int(one.evidence_id),
                missing=[fact.text for fact in one.missing],
            )
            for one in found.sentences
        ],
    )
