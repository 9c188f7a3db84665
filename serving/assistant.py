"""`Assistant`: one question in, one cited answer out (DESIGN 5). Understands, plans, carries out, refers, records.

It never lets a failing model server fail the student: what the course material says is given instead, and said to be.
"""

import time
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import structlog

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.records import Lang
from serving.answering.phrases import phrases
from serving.index.search import SearchIndex
from serving.intent import Intent
from serving.llm import LanguageModel, LlmError, LlmUnavailable, LlmUseless
from serving.messages import Message
from serving.references import (
    BESIDE_STORED_CUT,
    SUPPORT_CUT,
    CitationFilter,
    Reference,
    choose_references,
    cited_evidence,
)
from serving.retrieval import Candidate, Retrieved, direct_answer, retrieve
from serving.routing import Plan, Route, choose_snippets, plan_chat, plan_choice, plan_direct, plan_refusal, plan_teach
from serving.settings import Settings
from serving.trace import CandidateTrace, Trace, append_trace, prompt_digest
from serving.understanding.focus import Focus, Position, Topic
from serving.understanding.follow_up_question import Resolved
from serving.understanding.follow_ups import focus_of, resolve
from serving.understanding.form import question_form
from serving.understanding.understand import Understanding, understand

log = structlog.get_logger(__name__)

LEAST_LETTERS = 15
"""A generated explanation with fewer letters is replaced by the material. A choice, not yet calibrated."""

ECHO_WORDS = 8
"""A run of so many words in common is no accident."""

NOTHING = Retrieved((), None, by_concepts=False)


@dataclass(frozen=True)
class Usage:
    """Tokens that the model read and wrote, as its server counts them; 0 when it was not asked."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Delta:
    """A part of an answer's text, in order."""

    text: str


@dataclass(frozen=True)
class Answer:
    """A whole answer. `notice` says in one sentence where it comes from; empty for small talk.

    `degraded` is true when the model should have written it and could not. `trace` is the record that was stored.
    """

    text: str
    route: Route
    lang: Lang
    references: tuple[Reference, ...]
    notice: str
    reasoning: str
    usage: Usage
    degraded: bool
    trace: Trace


@dataclass
class _Run:
    """One answer in the making."""

    question: str
    course_id: str | None
    history: Sequence[Message]
    position: Position | None
    resolved: Resolved
    choices: tuple[str, ...] = ()
    started: float = field(default_factory=time.perf_counter)
    timings: dict[str, float] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    error: str | None = None

    def mark(self, name: str) -> None:
        self.timings[name] = round((time.perf_counter() - self.started) * 1000, 2)

    def say(self, text: str) -> Delta:
        self.parts.append(text)
        return Delta(text)


class Assistant:
    """Answers over one graph and one index version. Cheap to make: a new build gets a new one."""

    def __init__(
        self,
        *,
        graph: ConceptGraph,
        index: SearchIndex,
        intent: Intent | None,
        llm: LanguageModel | None,
        settings: Settings,
    ) -> None:
        self._graph = graph
        self._index = index
        self._intent = intent
        self._llm = llm
        self._settings = settings
        self.beta = index.beta.value if settings.beta is None else settings.beta
        self._traces = settings.data_dir.traces

    def recording_to(self, traces: Path) -> "Assistant":
        """The same assistant with its traces in another file: for measurements and evaluations."""
        other = Assistant(
            graph=self._graph, index=self._index, intent=self._intent, llm=self._llm, settings=self._settings
        )
        other._traces = traces
        return other

    async def answer(
        self,
        question: str,
        *,
        course_id: str | None = None,
        history: Sequence[Message] = (),
        position: Position | None = None,
    ) -> Answer:
        """The whole answer. `course_id` must be a course of the graph, or `None` for all courses.

        `history` are the turns before, oldest first; `position` is where the student is in a video.
        """
        async for part in self.stream(question, course_id=course_id, history=history, position=position):
            if isinstance(part, Answer):
                return part
        raise AssertionError("stream() ends with an Answer")

    async def stream(
        self,
        question: str,
        *,
        course_id: str | None = None,
        history: Sequence[Message] = (),
        position: Position | None = None,
    ) -> AsyncIterator[Delta | Answer]:
        """The text as it comes, then the `Answer` whose text is all of it."""
        run = _Run(question, course_id, history, position, Resolved(question))
        asked = self._understand(run)
        run.mark("understood_ms")
        retrieved = self._look_up(asked, course_id)
        plan = self._plan(asked, retrieved, run)
        run.mark("planned_ms")
        if plan.messages:
            async for delta in self._generate(plan, asked.lang, run):
                yield delta
        else:
            yield run.say(plan.text)
        run.mark("written_ms")
        yield self._finish(plan, asked, retrieved, run)

    def _understand(self, run: _Run) -> Understanding:
        previous = next((turn.content for turn in reversed(run.history) if turn.role == "user"), "")
        form = question_form(run.question, previous=previous)
        if not form.options:
            self._resolve(run)
        return understand(
            run.resolved.question,
            graph=self._graph,
            intent=self._intent,
            form=None if run.resolved.is_changed else form,
            previous=previous,
            course_id=run.course_id,
            alpha=self._settings.alpha,
        )

    def _resolve(self, run: _Run) -> None:
        """What a follow-up leaves out is put in; of several things it could mean, each makes a question to choose."""
        focus = focus_of(run.history, graph=self._graph, position=run.position)
        run.resolved = resolve(run.question, focus=focus, graph=self._graph)
        run.choices = tuple(self._meaning(run.question, focus, each) for each in run.resolved.candidates)

    def _meaning(self, question: str, focus: Focus, concept_id: str) -> str:
        alone = replace(focus, topics=(Topic((concept_id,), "question"),))
        return resolve(question, focus=alone, graph=self._graph).question

    def _look_up(self, asked: Understanding, course_id: str | None) -> Retrieved:
        """What the index finds; nothing for small talk and declined questions, unless the FAQ answers them."""
        retrieved = self._retrieve(asked, course_id)
        may_be_answered = asked.refusal is None and not asked.is_chat
        return retrieved if may_be_answered or self._is_asked_often(retrieved) else NOTHING

    def _retrieve(self, asked: Understanding, course_id: str | None) -> Retrieved:
        return retrieve(
            asked.searched,
            self._index,
            course_id=course_id,
            domains=self._graph.course(course_id).domains if course_id else (),
            top_k=self._settings.top_k,
            search_weight=self._settings.search_weight,
        )

    def _is_asked_often(self, retrieved: Retrieved) -> bool:
        """Whether the FAQ answers it. Looking takes a millisecond, and what people wrote an answer to is no chat."""
        found = direct_answer(retrieved, self.beta)
        return found is not None and found.entry.source == "faq"

    def _plan(self, asked: Understanding, retrieved: Retrieved, run: _Run) -> Plan:
        title = self._graph.course(run.course_id).title if run.course_id else None
        languages = self._settings.languages
        if run.resolved.candidates and not asked.is_chat and not self._is_asked_often(retrieved):
            return plan_choice([self._graph.concept(key).name for key in run.resolved.candidates], asked.lang)
        if asked.refusal is not None and retrieved is NOTHING:
            return plan_refusal(asked.refusal, asked.lang)
        if asked.is_chat and retrieved is NOTHING:
            return plan_chat(asked, run.history, course_title=title, languages=languages)
        if found := direct_answer(retrieved, self.beta):
            return plan_direct(asked, found)
        limit = self._settings.max_snippets
        return plan_teach(
            asked,
            choose_snippets(asked.searched, retrieved, self._index, course_id=run.course_id, limit=limit),
            graph=self._graph,
            course_title=title,
            languages=languages,
            budget=self._settings.context_tokens,
        )

    async def _generate(self, plan: Plan, lang: Lang, run: _Run) -> AsyncIterator[Delta]:
        """The model's text with only true marks in it; when it fails, what is said instead."""
        marks = CitationFilter([one.number for one in plan.evidence if one.mark])
        try:
            async for text in self._written(plan, run):
                if shown := marks.feed(text):
                    yield run.say(shown)
            yield run.say(marks.flush() + plan.suffix)
        except LlmError as error:
            run.error = f"{type(error).__name__}: {error}"
            log.warning("model_failed", error=run.error, route=plan.route)
            yield run.say(_instead(plan, lang, error, begun=bool("".join(run.parts).strip())))

    async def _written(self, plan: Plan, run: _Run) -> AsyncIterator[str]:
        if self._llm is None:
            raise LlmUnavailable("No model server is configured. Set COTEACH_LLM_URL.")
        settings = self._settings
        run.model = await self._llm.model_name()
        some = False
        pieces = self._llm.stream(plan.messages, max_tokens=settings.max_tokens, temperature=settings.temperature)
        async for piece in pieces:
            if piece.prompt_tokens is not None:
                run.usage = Usage(piece.prompt_tokens, piece.completion_tokens or 0)
            text = piece.text if some else piece.text.lstrip()
            if text:
                if not some:
                    run.mark("first_token_ms")
                some = True
                yield text
        if not some:
            raise LlmUseless("The model wrote nothing.")
        said = "".join(run.parts)
        if plan.route == "teach" and _says_little(said):
            raise LlmUseless("The model wrote next to nothing.")
        if any(_repeats(said, example) for example in plan.examples):
            raise LlmUseless("The model repeated the example of its prompt.")

    def _finish(self, plan: Plan, asked: Understanding, retrieved: Retrieved, run: _Run) -> Answer:
        text = "".join(run.parts)
        references = self._refer(plan, asked, text, run) if plan.wants_references else ()
        run.mark("total_ms")
        trace = self._trace(plan, asked, retrieved, references, run)
        self._record(trace)
        degraded = run.error is not None
        notice = phrases(asked.lang).from_material.rstrip(":：") if degraded and plan.notice else plan.notice
        return Answer(text, plan.route, asked.lang, references, notice, plan.reasoning, run.usage, degraded, trace)

    def _record(self, trace: Trace) -> None:
        try:
            append_trace(self._traces, trace)
        except OSError as error:  # a full disk must not cost the student the answer
            log.error("trace_lost", error=str(error), trace_id=trace.trace_id)

    def _refer(self, plan: Plan, asked: Understanding, text: str, run: _Run) -> tuple[Reference, ...]:
        return choose_references(
            asked.question,
            text,
            cited=cited_evidence(text, plan.evidence) if plan.route == "teach" else (),
            used=plan.used,
            index=self._index,
            course_id=run.course_id,
            lang=asked.lang,
            cut=BESIDE_STORED_CUT if plan.route == "direct" else SUPPORT_CUT,
        )

    def _trace(
        self,
        plan: Plan,
        asked: Understanding,
        retrieved: Retrieved,
        references: Sequence[Reference],
        run: _Run,
    ) -> Trace:
        looked_at = {one.entry.entry_id: one for one in (*retrieved.ranked, retrieved.best) if one is not None}
        return Trace(
            trace_id=uuid.uuid4().hex,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            question=run.question,
            resolved=run.resolved.question,
            follow_up=run.resolved.reason,
            added=run.resolved.added,
            choices=run.choices,
            course_id=run.course_id,
            lang=asked.lang,
            route=plan.route,
            category=asked.category,
            kind=asked.kind,
            form=asked.form,
            refusal=asked.refusal if plan.route in ("clarify", "refuse") else None,
            h=asked.h,
            alpha=asked.alpha,
            beta=self.beta,
            concepts=tuple(concept.concept_id for concept in asked.concepts),
            by_concepts=retrieved.by_concepts,
            candidates=tuple(_candidate_trace(one) for one in looked_at.values()),
            evidence=tuple(one.evidence_id for one in plan.evidence),
            references=tuple(one.evidence_id for one in references),
            template=plan.template,
            prompt_sha256=prompt_digest(plan.messages),
            model=run.model,
            index_version=self._index.version,
            error=run.error,
            timings=run.timings,
        )


def _says_little(text: str) -> bool:
    """Whether an explanation is too short to be one: small models sometimes write only a mark like `[2]`."""
    return sum(character.isalpha() for character in text) < LEAST_LETTERS


def _repeats(text: str, example: str) -> bool:
    """Whether `ECHO_WORDS` words of the example stand in the text in a row."""
    words, said = example.split(), " ".join(text.split())
    runs = (" ".join(words[at : at + ECHO_WORDS]) for at in range(max(1, len(words) - ECHO_WORDS + 1)))
    return any(run in said for run in runs)


def _instead(plan: Plan, lang: Lang, error: LlmError, *, begun: bool) -> str:
    """What is said when the model failed: a note, and for questions the material with its marks."""
    said = phrases(lang)
    if isinstance(error, LlmUseless):
        before = "\n\n" if begun else ""
        return plan.text if plan.route == "chat" else f"{before}{said.of_no_use}\n\n{plan.text}"
    note = f"\n\n{said.cut_off}\n\n" if begun else ""
    return note + (plan.text if plan.route == "chat" else f"{said.server_down}\n\n{plan.text}")


def _candidate_trace(candidate: Candidate) -> CandidateTrace:
    return CandidateTrace(
        entry_id=candidate.entry.entry_id,
        source=candidate.entry.source,
        bm25=round(candidate.bm25, 6),
        factor=round(candidate.factor, 6),
        score=round(candidate.score, 6),
        match=round(candidate.match, 6),
    )
