"""`Assistant`: one question in, one cited answer out (DESIGN 5). Understands, plans, carries out, refers, records.

It never lets a failing model server fail the student: what the course material says is given instead, and said to be.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

import structlog

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.records import Lang, Mode
from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.answer import Answer
from serving.answering.chat import ready_reply
from serving.answering.choosing import ChoiceText, answer_choice
from serving.answering.multiple_choice import ChoiceQuestion
from serving.answering.phrases import phrases
from serving.answering.teach import TokenCount, estimate_tokens
from serving.index.search import SearchIndex
from serving.intent import Intent
from serving.llm import LanguageModel, LlmError, LlmUnavailable, LlmUseless
from serving.messages import Message
from serving.planning import Planner, is_asked_often
from serving.recording import trace_of
from serving.references import OffList, ReferenceChooser, References, Response, cited_evidence
from serving.reflection.graders import Graders
from serving.reflection.loop import Prepared, Reflection
from serving.reflection.machine import Caps
from serving.retrieval.candidates import Retrieved, Strategy
from serving.retrieval.concept_aware import ConceptAware
from serving.retrieval.direct import direct_answer
from serving.routing import Plan
from serving.settings import Settings
from serving.trace import Trace, append_trace
from serving.tracing import TraceSink
from serving.turn import Delta, Turn, Usage
from serving.understanding.focus import Focus, Position, Topic
from serving.understanding.follow_up_question import Resolved
from serving.understanding.follow_ups import focus_of, resolve
from serving.understanding.form import question_form
from serving.understanding.understand import Understanding, understand
from serving.writing import require_use, write
from serving.written import filters_for, shown_choice

log = structlog.get_logger(__name__)

NOTHING = Retrieved((), None, by_concepts=False)


class Session(TypedDict, total=False):
    """What is known of the session when a question is asked.

    `history` are the turns before, oldest first; `position` is where the student is in a video; `mode` asks one
    catalogue expert alone.
    """

    history: Sequence[Message]
    position: Position | None
    mode: Mode | None


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
        strategy: Strategy | None = None,
        chooser: ReferenceChooser | None = None,
        embedder: Embedder | None = None,
        count: TokenCount = estimate_tokens,
        sink: TraceSink | None = None,
    ) -> None:
        """What is left out is done without: meaning without `embedder`, calibrated references without `chooser`."""
        self._graph = graph
        self._index = index
        self._intent = intent
        self._llm = llm
        self._settings = settings
        self._embedder = embedder
        self._sink = sink
        self._direct = ConceptAware(index, top_k=settings.top_k, search_weight=settings.search_weight)
        self._strategy: Strategy = strategy or self._direct
        self._chooser = chooser or ReferenceChooser(index, off_list=OffList(settings.no_references_for))
        self.beta = index.beta.value if settings.beta is None else settings.beta
        self._planner = Planner(graph, index, settings, beta=self.beta, count=count, chooser=self._chooser)
        self._traces = settings.data_dir.traces

    def recording_to(self, traces: Path) -> "Assistant":
        """The same assistant with its traces in another file: for measurements and evaluations."""
        other = copy(self)
        other._traces, other._sink = traces, None
        return other

    async def answer(
        self,
        question: str,
        *,
        course_id: str | None = None,
        **session: Unpack[Session],
    ) -> Answer:
        """The whole answer, looked at before it is given. `course_id` is a course of the graph, or `None` for all."""
        turn = self._turn(question, course_id, session, live=False)
        async for part in self._answered(turn):
            if isinstance(part, Answer):
                return part
        raise AssertionError("an answer ends with an Answer")

    async def stream(
        self,
        question: str,
        *,
        course_id: str | None = None,
        **session: Unpack[Session],
    ) -> AsyncGenerator[Delta | Answer, None]:
        """The text as it comes, then the `Answer` whose text is all of it.

        With the setting `stream` at `checked` text comes when it has been looked at, as in `answer`.
        """
        live = self._settings.stream == "live"
        turn = self._turn(question, course_id, session, live=live)
        async with aclosing(self._answered(turn)) as parts:
            async for part in parts:
                yield part

    def _turn(self, question: str, course_id: str | None, session: Session, *, live: bool) -> Turn:
        return Turn(
            question,
            course_id,
            session.get("history", ()),
            session.get("position"),
            live=live,
            deadline_s=self._settings.deadline_seconds,
            resolved=Resolved(question),
            mode=session.get("mode"),
        )

    async def _answered(self, turn: Turn) -> AsyncGenerator[Delta | Answer, None]:
        prepared = await self._prepare(turn)
        turn.mark("planned_ms")
        if prepared.plan.is_graded or prepared.plan.route == "ask_ta":
            reflection = self._reflection(turn, prepared.asked.lang)
            async with aclosing(reflection.run(prepared)) as texts:
                async for text in texts:
                    yield turn.say(text)
            prepared = replace(reflection.now, plan=reflection.outcome)
        elif prepared.plan.messages:
            async with aclosing(self._chat(prepared, turn)) as texts:
                async for text in texts:
                    yield turn.say(text)
        elif prepared.plan.choice is not None:
            async with aclosing(self._choose(prepared, prepared.plan.choice, turn)) as texts:
                async for text in texts:
                    yield turn.say(text)
            prepared = replace(prepared, plan=self._without_model(prepared, turn))
        else:
            yield turn.say(prepared.plan.text)
        turn.mark("written_ms")
        yield await self._finish(prepared, turn)

    def _reflection(self, turn: Turn, lang: Lang) -> Reflection:
        settings = self._settings
        graders = Graders(
            settings.graders,
            llm=self._llm,
            embedder=self._embedder,
            languages=settings.languages,
            budget=settings.context_tokens,
            weigh=self._index.idf,
        )

        async def prepare(question: str) -> Prepared:
            return await self._planned(self._understand(question, turn), turn)

        return Reflection(
            turn,
            llm=self._llm,
            graders=graders,
            caps=Caps(settings.regenerations, settings.rewrites),
            seconds=settings.reflect_seconds,
            budget=settings.context_tokens,
            languages=settings.languages,
            prepare=prepare,
            draft=lambda plan: self._draft(plan, turn, lang),
        )

    async def _prepare(self, turn: Turn) -> Prepared:
        """The question as it is meant, looked up and planned."""
        previous = _previous(turn)
        form = question_form(turn.question, previous=previous)
        if not form.options:
            self._resolve(turn)
        asked = understand(
            turn.resolved.question,
            graph=self._graph,
            intent=self._intent,
            form=None if turn.resolved.is_changed else form,
            previous=previous,
            course_id=turn.course_id,
            alpha=self._settings.alpha,
        )
        turn.mark("understood_ms")
        return await self._planned(asked, turn)

    def _understand(self, question: str, turn: Turn) -> Understanding:
        """The question in other words, understood as the one that was asked."""
        return understand(
            question,
            graph=self._graph,
            intent=self._intent,
            previous=_previous(turn),
            course_id=turn.course_id,
            alpha=self._settings.alpha,
        )

    async def _planned(self, asked: Understanding, turn: Turn) -> Prepared:
        retrieved = await self._look_up(asked, turn.course_id, turn.mode)
        return Prepared(asked, retrieved, self._planner.plan(asked, retrieved, turn))

    def _resolve(self, turn: Turn) -> None:
        """What a follow-up leaves out is put in; of several things it could mean, each makes a question to choose."""
        focus = focus_of(turn.history, graph=self._graph, position=turn.position)
        turn.resolved = resolve(turn.question, focus=focus, graph=self._graph)
        turn.choices = tuple(self._meaning(turn.question, focus, each) for each in turn.resolved.candidates)

    def _meaning(self, question: str, focus: Focus, concept_id: str) -> str:
        alone = replace(focus, topics=(Topic((concept_id,), "question"),))
        return resolve(question, focus=alone, graph=self._graph).question

    async def _look_up(self, asked: Understanding, course_id: str | None, mode: Mode | None) -> Retrieved:
        """What may answer: by words first, which takes a millisecond; by the strategy only when a model has to write.

        Small talk and declined questions find nothing but what the FAQ answers: what people wrote an answer to is no
        chat.
        """
        domains = self._graph.course(course_id).domains if course_id else ()
        decided = await self._direct.retrieve(asked.searched, course_id=course_id, domains=domains, mode=mode)
        if asked.refusal is not None or asked.is_chat:
            return decided if is_asked_often(decided, self.beta) else NOTHING
        if direct_answer(decided, self.beta) is not None or self._strategy is self._direct:
            return decided
        return await self._strategy.retrieve(asked.searched, course_id=course_id, domains=domains, mode=mode)

    async def _draft(self, plan: Plan, turn: Turn, lang: Lang) -> AsyncGenerator[str, None]:
        """A plan's text by the model, through all filters. Raises `LlmError`."""
        drafted = []
        async with aclosing(self._written(plan, turn, lang)) as texts:
            async for text in texts:
                drafted.append(text)
                yield text
        require_use("".join(drafted), plan.examples)

    def _written(self, plan: Plan, turn: Turn, lang: Lang) -> AsyncGenerator[str, None]:
        settings = self._settings
        return write(
            self._llm,
            plan.messages,
            turn=turn,
            through=filters_for(plan, turn.resolved.question, lang),
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
        )

    async def _chat(self, prepared: Prepared, turn: Turn) -> AsyncGenerator[str, None]:
        """Small talk by the model; when it fails, what is said instead."""
        plan, lang = prepared.plan, prepared.asked.lang
        said = phrases(lang)
        if plan.prefix:
            yield plan.prefix
        try:
            async with aclosing(self._written(plan, turn, lang)) as texts:
                while (text := await turn.in_time(anext(texts, None))) is not None:
                    yield text
            if plan.suffix:
                yield plan.suffix
        except LlmError as error:
            self._note(error, plan, turn)
            begun = bool(turn.said.removeprefix(plan.prefix).strip())
            if isinstance(error, LlmUseless):
                yield ("\n\n" if begun else "") + (plan.suffix.strip() or ready_reply(prepared.asked))
            else:
                yield (f"\n\n{said.cut_off}\n\n" if begun else "") + plan.text

    async def _choose(self, prepared: Prepared, choice: ChoiceQuestion, turn: Turn) -> AsyncGenerator[str, None]:
        """One option of a multiple-choice question by the model; when it cannot be asked, what the material says."""
        plan, lang = prepared.plan, prepared.asked.lang
        said = phrases(lang)
        try:
            if self._llm is None:
                raise LlmUnavailable("No model server is configured. Set COTEACH_LLM_URL.")
            turn.model = await self._llm.model_name()
            async with aclosing(answer_choice(self._llm, choice, temperature=self._settings.temperature)) as parts:
                while (part := await turn.in_time(anext(parts, None))) is not None:
                    if isinstance(part, ChoiceText):
                        turn.mark("first_token_ms")
                        yield shown_choice(part, plan, turn.resolved.question, lang)
                    else:
                        turn.error = part.error
                        turn.usage = turn.usage.plus(Usage(part.prompt_tokens, part.completion_tokens))
        except LlmError as error:
            self._note(error, plan, turn)
            note = said.of_no_use if isinstance(error, LlmUseless) else said.server_down
            yield ("\n\n" if turn.said else "") + (f"{note}\n\n{plan.text}" if plan.evidence else said.unknown)

    def _without_model(self, prepared: Prepared, turn: Turn) -> Plan:
        """The plan of a multiple-choice answer, or what became of it when the model failed before it chose."""
        plan, said = prepared.plan, phrases(prepared.asked.lang)
        if turn.error is None or "first_token_ms" in turn.timings:
            return plan
        if not plan.evidence:
            return Plan("ask_ta", said.unknown, "", wants_references=False)
        return replace(plan, notice=said.from_material.rstrip(":："), is_material=True)

    def _note(self, error: LlmError, plan: Plan, turn: Turn) -> None:
        turn.error = f"{type(error).__name__}: {error}"
        log.warning("model_failed", error=turn.error, route=plan.route)

    async def _finish(self, prepared: Prepared, turn: Turn) -> Answer:
        plan, asked = prepared.plan, prepared.asked
        found = await asyncio.to_thread(self._refer, plan, asked, turn) if plan.wants_references else References()
        references = found.chosen
        turn.mark("total_ms")
        trace = trace_of(prepared, references, turn, beta=self.beta, index_version=self._index.version)
        self._record(trace, turn.said)
        degraded = turn.error is not None or plan.is_material
        return Answer(
            text=turn.said,
            route=plan.route,
            lang=asked.lang,
            references=references,
            evidence=plan.evidence,
            choices=turn.choices,
            notice=" ".join(part for part in (plan.notice, found.reason) if part),
            reasoning=plan.reasoning,
            usage=turn.usage,
            degraded=degraded,
            trace=trace,
        )

    def _record(self, trace: Trace, text: str) -> None:
        try:
            append_trace(self._traces, trace)
        except OSError as error:  # a full disk must not cost the student the answer
            log.error("trace_lost", error=str(error), trace_id=trace.trace_id)
        if self._sink is not None:
            self._sink.put(trace, text)

    def _refer(self, plan: Plan, asked: Understanding, turn: Turn) -> References:
        """The references; by words alone where meaning fails or would take too long. They never cost an answer."""
        words = self._chooser.by_words()
        try:
            return self._referred(words if plan.route == "direct" else self._chooser, plan, asked, turn)
        except EmbeddingFailed as error:
            log.warning("referred_by_words_alone", reason=str(error))
            return self._referred(words, plan, asked, turn)

    def _referred(self, chooser: ReferenceChooser, plan: Plan, asked: Understanding, turn: Turn) -> References:
        return chooser.choose(
            Response(asked.question, turn.said),
            cited=cited_evidence(turn.said, plan.evidence) if plan.route in ("teach", "explain") else (),
            used=plan.used,
            course_id=turn.course_id,
            subject=self._graph.course(turn.course_id).subject if turn.course_id else None,
            lang=asked.lang,
        )


def _previous(turn: Turn) -> str:
    """What the student said before this."""
    return next((each.content for each in reversed(turn.history) if each.role == "user"), "")
