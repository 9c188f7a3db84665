"""`Lookups`: the material as data, for one caller: what search finds, concepts, paths, lectures, sources.

REST routes (`material`) and the tools of MCP (`mcp_server`) give the same, under the same rules of who sees what.
"""

import asyncio
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import structlog
from pydantic import BaseModel, Field

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.name_search import NOT_NAMED, name_rank
from knowledge_graph.graph.records import GraphConcept, GraphEvidence, Step
from knowledge_graph.lake.records import Locator, Span
from knowledge_graph.lake.source_kinds import Source
from knowledge_graph.text.sentences import language_of
from serving.assistant.graded_work.aids import find_places
from serving.assistant.graded_work.hints import explain_closed, rule_sentence
from serving.assistant.graded_work.sessions import Ruling
from serving.assistant.graded_work.wording import RULE_WORDINGS
from serving.assistant.references import Reference
from serving.assistant.study_progress import StudyProgress
from serving.gateway.access import course_for
from serving.gateway.errors import GatewayError
from serving.gateway.knowledge import VisibleKnowledge
from serving.gateway.links import Links
from serving.gateway.service import Service
from serving.gateway.sources import lectures_of, open_address
from serving.gateway.study_progress import progress_of
from serving.index.analysis import normalize_question
from serving.index.engine import Hit
from serving.index.schema import Entry, Kind
from serving.store.caller import Caller

log = structlog.get_logger(__name__)

_SUGGESTED = 5


class Found(BaseModel):
    """Something that search found. A higher score is nearer; scores of two searches cannot be compared."""

    id: str
    kind: Kind
    source: str
    course: str | None
    title: str = Field(description="The question of a stored answer, the title of a passage.")
    text: str
    score: float
    url: str | None = Field(description="Where it opens.")


class FoundReply(BaseModel):
    """What search found. `rule`: under which rule of the course about graded work; then there are places alone."""

    data: list[Found]
    rule: str | None = None


class NamedConcept(BaseModel):
    concept_id: str
    name: str


class Place(BaseModel):
    """Where something is said: the words, and where they open."""

    course: str
    text: str
    url: str | None


class ConceptReply(BaseModel):
    """A concept, its definition, where it is taught, and what is around it; neighbours come most probable first."""

    concept_id: str
    name: str
    aliases: list[str]
    lang: str
    definition: str | None
    definition_url: str | None
    courses: list[str]
    domains: list[str]
    taught_at: list[Place]
    prerequisites: list[NamedConcept]
    dependants: list[NamedConcept]
    taught_with: list[NamedConcept]


class ConceptsReply(BaseModel):
    """Concepts by name. `total` counts them all."""

    total: int
    data: list[NamedConcept]


class PathStep(BaseModel):
    """A concept to learn on the way. `need`: how probable it is that the goal cannot do without, 0 to 1."""

    concept_id: str
    name: str
    definition: str | None
    need: float
    watch: Place | None
    is_watched: bool | None = Field(
        description="Whether one has been so far in the lecture; null where no player told that one was in it."
    )
    because: list[Place] = Field(description="What says that it comes before.")


class PathReply(BaseModel):
    """What to learn before a concept, in order, without the concept."""

    concept: NamedConcept
    steps: list[PathStep]
    known: list[NamedConcept] = Field(
        description="Left out, as quizzes remember that one knows them; only of who wants to be remembered."
    )


class CourseReply(BaseModel):
    course: str
    title: str
    lang: str
    subject: str | None
    model: str = Field(description="What to ask it by.")


class CoursesReply(BaseModel):
    data: list[CourseReply]


class LectureReply(BaseModel):
    video: str
    number: int = Field(description="Its place in teaching order, from 1.")
    title: str = Field(description="Told apart from others of the same title: `Overview (1/2)`, `Overview (week 2)`.")
    url: str | None


class LecturesReply(BaseModel):
    """A course's lectures in teaching order."""

    course: str
    data: list[LectureReply]


class SourceReply(BaseModel):
    """What a reference leads to, as text."""

    title: str
    text: str
    url: str


SearchKind = Literal["qa", "passage"]


@dataclass(frozen=True)
class Lookups:
    """All raise `GatewayError`: 404 for a course or concept that is not there or not the caller's, which look alike."""

    service: Service
    caller: Caller
    links: Links

    async def search(
        self, query: str, *, course: str | None, kind: SearchKind, sources: Sequence[Source] | None, k: int
    ) -> FoundReply:
        course_id, seen = await self._see(course)
        reviewed = self.service.overlay.current
        if (ruling := await self._ruling(query)) is not None:
            return await self._places_under(ruling, query, seen, k)

        def look() -> list[Found]:
            found = seen.index.search(query, kind=kind, course_id=course_id, sources=sources or None, k=k)
            shown = [one for one in sort_named_first(found, query) if not reviewed.hides(one.entry)]
            return [self._to_found(one.entry, one.score) for one in shown]

        return FoundReply(data=await asyncio.to_thread(look))

    async def concept(self, name: str, *, course: str | None) -> ConceptReply:
        course_id, seen = await self._see(course)
        graph = seen.graph
        await self._refuse_items(name)
        found = graph.concept(_concept_id(graph, name))
        near = graph.neighbours(found.concept_id)
        of_course = [one for one in found.evidence if course_id is None or one.course_id == course_id]
        return ConceptReply(
            concept_id=found.concept_id,
            name=found.name,
            aliases=list(found.aliases),
            lang=found.lang,
            definition=found.definition,
            definition_url=self._url(found.definition_course_id, found.definition_locator),
            courses=list(found.course_ids),
            domains=list(found.domains),
            taught_at=[self._place(one) for one in of_course or found.evidence],
            prerequisites=_names(near.prerequisites),
            dependants=_names(near.dependants),
            taught_with=_names(near.taught_with),
        )

    async def concepts(self, *, course: str, begins: str, limit: int, offset: int) -> ConceptsReply:
        """The concepts of a course whose name begins so, by name."""
        course_id, seen = await self._see(course)
        graph = seen.graph
        found = sorted(
            (one for one in graph.concepts_of(course_id) if one[1].casefold().startswith(begins.casefold())),
            key=lambda one: (one[1].casefold(), one[0]),
        )
        named = [NamedConcept(concept_id=key, name=name) for key, name in found[offset : offset + limit]]
        return ConceptsReply(total=len(found), data=named)

    async def path(self, name: str, *, known: Sequence[str], course: str | None) -> PathReply:
        course_id, seen = await self._see(course)
        graph = seen.graph
        await self._refuse_items(name)
        goal = graph.concept(_concept_id(graph, name))
        settled = [_concept_id(graph, each) for each in known]
        progress = await progress_of(self.service.store, self.caller, graph)
        whole = graph.study_path(goal.concept_id, settled, course_id=course_id)
        left_out = [one.concept for one in whole if one.concept.concept_id in progress.known]
        settled += [one.concept_id for one in left_out]
        steps = graph.study_path(goal.concept_id, settled, course_id=course_id)
        return PathReply(
            concept=NamedConcept(concept_id=goal.concept_id, name=goal.name),
            steps=[self._step(one, progress) for one in steps],
            known=_names(left_out),
        )

    async def courses(self) -> CoursesReply:
        cards = (await self.service.knowledge()).courses
        return CoursesReply(
            data=[
                CourseReply(
                    course=one.course_id,
                    title=one.title,
                    lang=one.lang,
                    subject=one.subject,
                    model=f"coteach:{one.course_id}",
                )
                for one in cards
                if self.caller.may_see(one.course_id)
            ]
        )

    async def lectures(self, course: str) -> LecturesReply:
        found = await lectures_of(self.service, self.caller, course)
        listed = [
            LectureReply(video=video, number=number, title=name, url=self._url(course, Locator(video_id=video)))
            for number, (video, name) in enumerate(found.items(), start=1)
        ]
        return LecturesReply(course=course, data=listed)

    async def source(self, url: str) -> SourceReply:
        """What stands at the address of a reference."""
        found = await open_address(self.service, self.caller, url)
        return SourceReply(title=found.title, text=found.text, url=url)

    async def _see(self, course: str | None) -> tuple[str | None, VisibleKnowledge]:
        """The course that is meant, and what the caller may know of it. One who names none is asked for one only where
        not all courses are theirs."""
        knowledge = await self.service.knowledge()
        course_id = course_for(self.caller, course or None, knowledge.course_ids)
        return course_id, knowledge.visible_to(self.caller.courses, course_id)

    async def _ruling(self, text: str) -> Ruling | None:
        """The rule about graded work that a text stands under, of any course that is the caller's."""
        rules = (await self.service.knowledge()).rules_for(self.caller.courses)
        if not rules.holds_now:
            return None
        ruling = await asyncio.to_thread(rules.ruling_over, text)
        if ruling is not None:
            item = ruling.item
            log.info("looked_up_under_a_rule", course=item.course_id, assessment=item.assessment, allows=item.allows)
        return ruling

    async def _refusal(self, ruling: Ruling, text: str) -> GatewayError:
        """That an item of graded work is not looked up, under which rule, and who can be asked."""
        lang, item = language_of(text), ruling.item
        card = (await self.service.knowledge()).graph.course(item.course_id)
        told = explain_closed(item, card, lang) if item.allows == "closed" else rule_sentence(item, lang)
        return GatewayError(told, status=403, code="graded_work")

    async def _refuse_items(self, name: str) -> None:
        """What is asked for by the name of a concept is none when it is the text of an item."""
        if (ruling := await self._ruling(name)) is not None:
            raise await self._refusal(ruling, name)

    async def _places_under(self, ruling: Ruling, query: str, seen: VisibleKnowledge, k: int) -> FoundReply:
        """Where to read about an item, without what stands there; an error of the caller where the work is closed."""
        item, hides = ruling.item, self.service.overlay.current.hides
        if item.allows == "closed":
            raise await self._refusal(ruling, query)
        places = await asyncio.to_thread(find_places, item, seen.graph, seen.index, hides=hides)
        said = RULE_WORDINGS[language_of(query)].searched.format(name=item.assessment)
        found = [
            Found(
                id=one.evidence_id,
                kind="passage",
                source=one.source,
                course=one.course_id,
                title=one.title,
                text="",
                score=0.0,
                url=self._url(one.course_id, one.locator),
            )
            for one in places[:k]
        ]
        return FoundReply(data=found, rule=said)

    def _to_found(self, entry: Entry, score: float) -> Found:
        where = Reference(0, "", "", entry.source, entry.course_id, entry.entry_id, entry.locator, entry.origin_id)
        return Found(
            id=entry.entry_id,
            kind=entry.kind,
            source=entry.source,
            course=entry.course_id,
            title=entry.title,
            text=entry.text,
            score=round(score, 4),
            url=self.links.url(where),
        )

    def _step(self, step: Step, progress: StudyProgress) -> PathStep:
        watch, is_watched = None, None
        if step.watch is not None and step.course_id is not None:
            watch = self._place(GraphEvidence(step.course_id, step.watch))
            is_watched = progress.has_been_at(step.course_id, step.watch.video_id, step.watch.start_ms)
        return PathStep(
            concept_id=step.concept.concept_id,
            name=step.concept.name,
            definition=step.concept.definition,
            need=round(step.need, 4),
            watch=watch,
            is_watched=is_watched,
            because=[self._place(one) for one in step.because.evidence],
        )

    def _place(self, evidence: GraphEvidence) -> Place:
        span = evidence.span
        return Place(course=evidence.course_id, text=span.text, url=self._url(evidence.course_id, _locator(span)))

    def _url(self, course_id: str | None, where: Locator | None) -> str | None:
        return self.links.url(Reference(0, "", "", "", course_id, "", where))


def sort_named_first(hits: Sequence[Hit], query: str) -> list[Hit]:
    """Hits in their order, what is called just as it is looked for first, then concepts by how near their name is:
    "stack" before "stack frame", that before "call stack" (`name_rank`)."""
    wanted = normalize_question(query)

    def nearness(hit: Hit) -> int:
        rank = name_rank(wanted, [normalize_question(hit.entry.title)])
        return rank if rank == 0 or hit.entry.source == "concept" else NOT_NAMED

    return sorted(hits, key=nearness)


def _locator(span: Span) -> Locator:
    return Locator(
        video_id=span.video_id, start_ms=span.start_ms, document=span.document, page=span.page, article=span.article
    )


def _names(concepts: Sequence[GraphConcept]) -> list[NamedConcept]:
    return [NamedConcept(concept_id=one.concept_id, name=one.name) for one in concepts]


def _concept_id(graph: ConceptGraph, name: str) -> str:
    """The id of the concept with this id or name; 404 that says what is called alike."""
    found = name if name in graph else graph.find(name)
    if found is not None:
        return found
    names = {each.lower(): each for each in graph.names()}
    near = [names[each] for each in difflib.get_close_matches(name[:60].lower(), names, n=_SUGGESTED)]
    meant = f" Did you mean {', '.join(repr(one) for one in near)}?" if near else ""
    message = f"No concept is called {name[:60]!r}.{meant}"
    raise GatewayError(message, status=404, code="concept_not_found", param="concept")
