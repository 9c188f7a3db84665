"""`Assistant`: one question in, one cited answer out. It reads the question, plans, writes and adds references.

A failing model server never fails the student: the answer then comes from the course material, and says so.
"""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import date
from importlib import metadata
from typing import TypedDict, Unpack

import structlog

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang, Mode
from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.assistant.answer import Answer
from serving.assistant.answer_cache import AnswerBasis, AnswerCache, give_again, key_of, may_be_kept
from serving.assistant.checked_writing import CheckedWriting
from serving.assistant.composed_answers import NOTHING, ComposedAnswers
from serving.assistant.composing.composer import Composer
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.semester.offers import Catalogues
from serving.assistant.generation.chain_of_teach import TeachPart, TokenCount, estimate_tokens
from serving.assistant.generation.crisis import in_crisis
from serving.assistant.generation.phrases import phrases
from serving.assistant.generation.speaker import Speaker, without_model
from serving.assistant.graded_work.aids import Aids, find_aids
from serving.assistant.graded_work.hints import compose_ruled
from serving.assistant.graded_work.other_subject import subject_after
from serving.assistant.graded_work.pleading import pleads
from serving.assistant.graded_work.rules import NO_RULES, GradedWork
from serving.assistant.graded_work.sessions import Ruling
from serving.assistant.guardrails.ending import Ending, Options
from serving.assistant.plan import Plan, plan_ruled
from serving.assistant.planner import Planner, is_asked_often
from serving.assistant.reading import QuestionReader
from serving.assistant.recording import trace_of
from serving.assistant.references import OffList, ReferenceChooser, References, Response, find_cited_evidence
from serving.assistant.reflection.graders import Graders
from serving.assistant.reflection.loop import Prepared, Reflection
from serving.assistant.reflection.machine import Caps
from serving.assistant.retrieval.candidates import Retrieved, Strategy
from serving.assistant.retrieval.catalog_expert import CatalogExpert
from serving.assistant.retrieval.concept_aware import ConceptAware
from serving.assistant.retrieval.direct import direct_answer
from serving.assistant.retrieval.lookup import Dense
from serving.assistant.retrieval.reviewed import NOTHING_REVIEWED, Reviewed
from serving.assistant.study_progress import FindProgress, find_no_progress
from serving.assistant.turn import Delta, Turn
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.follow_up_question import Resolved
from serving.assistant.understanding.intent import Intent, WithoutContext
from serving.assistant.understanding.understand import Understanding
from serving.exam.admission import Admitting
from serving.index.evidence import Evidence
from serving.index.search import SearchIndex
from serving.llm.language_model import LanguageModel
from serving.llm.messages import Message
from serving.llm.per_language import PerLanguage
from serving.settings import Settings

log = structlog.get_logger(__name__)


class Session(TypedDict, total=False):
    """What is known of the session when a question is asked.

    `history` are the turns before, oldest first; `position` is where the student is in a video; `mode` asks one
    catalogue expert alone; `trace_id` names the answer, a fresh one when it is left out; `find_progress` reads what is
    kept of the student.
    """

    history: Sequence[Message]
    position: Position | None
    mode: Mode | None
    trace_id: str
    options: Options
    find_progress: FindProgress


class Assistant:
    """Answers over one graph and one index version. Cheap to make: a new build gets a new one."""

    def __init__(
        self,
        *,
        graph: ConceptGraph,
        index: SearchIndex,
        intent: Intent | None,
        llm: LanguageModel | None,
        own_models: Mapping[str, LanguageModel | None] | None = None,
        settings: Settings,
        strategy: Strategy | None = None,
        chooser: ReferenceChooser | None = None,
        embedder: Embedder | None = None,
        count: TokenCount = estimate_tokens,
        reviewed: Callable[[], Reviewed] = lambda: NOTHING_REVIEWED,
        dense: Dense | None = None,
        lectures: CourseLectureIndex | None = None,
        catalogues: Catalogues | None = None,
        today: Callable[[], date] = date.today,
        admission: Callable[[], Admitting | None] = lambda: None,
        graded_work: GradedWork = NO_RULES,
        cache: AnswerCache | None = None,
    ) -> None:
        """`llm` writes in every language that has no model of its own in `own_models`.

        What is left out is done without: meaning without `embedder`, calibrated references without `chooser`,
        lectures' own sentences without `lectures`, plans of a semester without `catalogues`, rules about graded work
        without `graded_work`. Answers are kept in `cache`, which others may share, or in one of its own.

        `reviewed` gives the newest decisions of TAs, `admission` what came of the models' exams, `today` the day; they
        are asked for each question.
        """
        self._admission = admission
        self._graded_work = graded_work
        self._graph = graph
        self._index = index
        self._settings = settings
        self._models = PerLanguage(llm, own_models or {})
        self._speaker = Speaker(self._models, settings)
        self._embedder = embedder
        self._reviewed = reviewed
        self._versions = _versions(intent, embedder)
        self._direct = ConceptAware(index, top_k=settings.top_k, search_weight=settings.search_weight)
        self._strategy: Strategy = strategy or self._direct
        lectures = lectures or CourseLectureIndex()
        off_list = OffList(settings.no_references_for)
        self._chooser = chooser or ReferenceChooser(index, off_list=off_list, names_of=lectures.names_of)
        self._count = count
        self.beta = index.beta.value if settings.beta is None else settings.beta
        self._today = today
        self._cache = AnswerCache(settings.kept_answers) if cache is None else cache
        self._identity = object()
        self._known_names: dict[str | None, frozenset[str]] = {}
        composer = Composer(graph, index, dense=dense, lectures=lectures, catalogues=catalogues, today=today)
        read_by = intent if intent is None or settings.intent_context else WithoutContext(intent)
        self._reader = QuestionReader(graph, composer, intent=read_by, alpha=settings.alpha)
        self._planner = Planner(
            graph,
            index,
            settings,
            beta=self.beta,
            count=count,
            chooser=self._chooser,
            hides=lambda entry: reviewed().hides(entry),
            dense=dense,
        )
        self._composed_answers = ComposedAnswers(
            graph,
            index,
            settings,
            reader=self._reader,
            composer=composer,
            planner=self._planner,
            strategy=self._strategy,
            reviewed=reviewed,
            admission=admission,
        )

    def warm_up(self) -> None:
        """Prepare what the strategy would prepare at its first question (Tulane 3.III)."""
        if isinstance(self._strategy, CatalogExpert):
            self._strategy.spaces.prepare(course.course_id for course in self._graph.courses)

    async def answer(
        self,
        question: str,
        *,
        course_id: str | None = None,
        **session: Unpack[Session],
    ) -> Answer:
        """The whole answer, checked before it is returned. `course_id` is a course of the graph, or `None` for all."""
        turn = self._turn(question, course_id, session, live=False)
        async for part in self._stream_answer(turn):
            if isinstance(part, Answer):
                return part
        raise AssertionError("an answer ends with an Answer")

    def stream(
        self,
        question: str,
        *,
        course_id: str | None = None,
        live: bool = True,
        **session: Unpack[Session],
    ) -> AsyncGenerator[Delta | Answer, None]:
        """The text in pieces, then the `Answer` that holds all of it.

        If not `live`, or with the setting `stream` at `checked`, a piece comes only after it was checked, as in
        `answer`.
        """
        live = live and self._settings.stream == "live"
        return self._stream_answer(self._turn(question, course_id, session, live=live))

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
            trace_id=session.get("trace_id") or uuid.uuid4().hex,
            options=session.get("options") or Options(),
            find_progress=session.get("find_progress") or find_no_progress,
        )

    async def _stream_answer(self, turn: Turn) -> AsyncGenerator[Delta | Answer, None]:
        turn.ruling = await self._ruling(turn)
        key = key_of(turn, asked_of=self._identity) if turn.ruling is None else None
        basis = AnswerBasis(self._reviewed(), self._admission(), self._today())
        if key is not None and (known := await self._cache.find_for(turn, key, basis)) is not None:
            yield turn.say(known.text)
            turn.mark("total_ms")
            yield give_again(known, turn)
            return
        ending = Ending(turn.options, self._count)
        prepared = await self._prepare(turn)
        turn.mark("planned_ms")
        written, outcome = self._text_of(prepared, turn)
        async with aclosing(written) as texts:
            async for text in texts:
                if shown := ending.feed(text, is_composed=_is_composed(turn)):
                    yield turn.say(shown)
        prepared = outcome()
        if shown := ending.flush(is_composed=_is_composed(turn)):
            yield turn.say(shown)
        is_replaced = turn.finish == "length" and (prepared.plan.is_material or not prepared.plan.messages)
        turn.finish = ending.reason or ("stop" if is_replaced else turn.finish)
        if turn.finish == "length" and not _is_composed(turn):
            yield turn.say(" …")
        turn.mark("written_ms")
        answer = await self._finish(prepared, turn)
        if key is not None and may_be_kept(answer, turn):
            self._cache.keep(key, basis, answer)
        yield answer

    def _text_of(self, prepared: Prepared, turn: Turn) -> tuple[AsyncGenerator[str, None], Callable[[], Prepared]]:
        """The text of a plan in pieces; and, once they have all come, what it finally rests on."""
        plan, lang = prepared.plan, prepared.asked.lang
        if plan.instead is not None:
            writing = CheckedWriting(prepared, turn, names=self.names_of(turn.course_id))
            draft = self._speaker.draft(plan, turn, lang)
            return writing.run(draft), lambda: replace(prepared, plan=writing.outcome)
        if plan.is_graded or (plan.route == "ask_ta" and plan.composed is None):
            reflection = self._reflection(turn, lang)
            return reflection.run(prepared), lambda: replace(reflection.now, plan=reflection.outcome)
        if plan.messages:
            return self._speaker.chat(prepared, turn), lambda: prepared
        if plan.choice is not None:
            chosen = self._speaker.choose(prepared, plan.choice, turn)
            return chosen, lambda: replace(prepared, plan=without_model(prepared, turn))
        return _in_one_piece(plan.text), lambda: prepared

    def _reflection(self, turn: Turn, lang: Lang) -> Reflection:
        settings = self._settings
        graders = Graders(
            settings.graders,
            llm=self._models.of(lang),
            embedder=self._embedder,
            languages=settings.languages,
            budget=settings.context_tokens,
            weigh=self._index.idf,
            named=lambda text: {one.surface for one in self._graph.mentions(text, lang)},
        )

        async def prepare(question: str) -> Prepared:
            return await self._make_plan(await self._reader.understand(question, turn), turn)

        return Reflection(
            turn,
            llm=self._models.of(lang),
            graders=graders,
            caps=Caps(settings.regenerations, settings.rewrites),
            seconds=settings.reflect_seconds,
            budget=settings.context_tokens,
            languages=settings.languages,
            prepare=prepare,
            draft=lambda plan: self._speaker.draft(plan, turn, lang),
        )

    async def _prepare(self, turn: Turn) -> Prepared:
        """The question read, looked up and planned; for an item of graded work, what its rule allows."""
        if turn.ruling is not None:
            return await self._apply_ruling(turn.ruling, turn)
        asked = await self._reader.read(turn)
        turn.mark("understood_ms")
        return await self._make_plan(asked, turn)

    async def _ruling(self, turn: Turn) -> Ruling | None:
        """The rule about graded work that applies to a question, whatever its route.

        If none applies, earlier turns under a rule are removed from the history, so that they are no context.
        """
        if not self._graded_work.holds_now or in_crisis(turn.question):
            return None
        instructions = turn.options.instructions
        judged = await asyncio.to_thread(
            self._graded_work.judge,
            turn.question,
            turn.history,
            subject_of=lambda text, item: subject_after(item, text, self._graph),
            instructions=instructions,
        )
        if judged.ruling is None:
            turn.history = judged.history
            if instructions and self._graded_work.ruling_over(instructions) is not None:
                turn.options = replace(turn.options, instructions="")
        return judged.ruling

    async def _apply_ruling(self, ruling: Ruling, turn: Turn) -> Prepared:
        """The reply a rule about graded work allows: where to read, a hint, or that the work is closed."""
        asked = await self._reader.understand(turn.question, turn)
        turn.mark("understood_ms")
        item = ruling.item
        aids = Aids()
        if item.allows != "closed":
            aids = await asyncio.to_thread(find_aids, item, self._graph, self._index, hides=self._reviewed().hides)
        card = self._graph.course(item.course_id)
        names, is_plea = self._chooser.names_of(item.course_id), pleads(turn.question)
        composed = compose_ruled(ruling, aids, card=card, lang=asked.lang, is_plea=is_plea, names=names)
        log.info(
            "answered_under_a_rule",
            course=item.course_id,
            assessment=item.assessment,
            allows=item.allows,
            turn=ruling.turn,
            by=ruling.by,
        )
        return Prepared(asked, NOTHING, self._planner.fit_to_show(plan_ruled(ruling, composed, asked.lang), turn))

    async def _make_plan(self, asked: Understanding, turn: Turn) -> Prepared:
        asked = asked if self._settings.refusals else replace(asked, refusal=None)
        if not self._model_writes:
            return await self._composed_answers.prepare(asked, turn)
        retrieved = self._filter_explanations(await self._look_up(asked, turn.course_id, turn.mode))
        turn.vector = retrieved.vector
        plan = self._planner.plan(asked, retrieved, turn)
        if plan.route == "direct" and retrieved.best is not None:
            note = self._reviewed().note(retrieved.best.entry, asked.lang)
            plan = replace(plan, notice=" ".join(part for part in (plan.notice, note) if part))
        return Prepared(asked, retrieved, plan)

    async def plan_teaching(
        self, question: str, *, course_id: str | None = None, **session: Unpack[Session]
    ) -> tuple[Prepared, Plan]:
        """How a question would be answered, and the plan a model would be given, admitted or not. No model is asked."""
        turn = self._turn(question, course_id, session, live=False)
        turn.ruling = await self._ruling(turn)
        prepared = await self._prepare(turn)
        plan = prepared.plan
        return prepared, self._planner.plan_writing(
            prepared.asked, plan.evidence, turn
        ) if plan.is_composed_anew else plan

    async def answer_composed(self, question: str, *, course_id: str | None, history: Sequence[Message] = ()) -> Answer:
        """The answer composed from the material, without a model even if one is admitted."""
        turn, asked = await self._understand_question(question, course_id, history)
        prepared = await self._composed_answers.prepare(asked, turn, is_improved=False)
        turn.say(prepared.plan.text)
        return await self._finish(prepared, turn)

    async def plan_for_exam(
        self,
        question: str,
        evidence: Sequence[Evidence],
        *,
        course_id: str | None,
        history: Sequence[Message] = (),
        without: Collection[TeachPart] = (),
    ) -> Plan:
        """The plan with which an admitted model is asked a question over `evidence`; an ablation leaves out the parts
        of the Chain of Teach in `without`."""
        turn, asked = await self._understand_question(question, course_id, () if "history" in without else history)
        return self._planner.plan_writing(asked, evidence, turn, without=without)

    async def _understand_question(
        self, question: str, course_id: str | None, history: Sequence[Message]
    ) -> tuple[Turn, Understanding]:
        turn = self._turn(question, course_id, {"history": history}, live=False)
        self._reader.resolve(turn)
        return turn, await self._reader.understand(turn.resolved.question, turn)

    def names_of(self, course_id: str | None) -> frozenset[str]:
        """The names of a course's concepts, those of all courses without one."""
        if course_id not in self._known_names:
            self._known_names[course_id] = frozenset(self._graph.names_of(course_id))
        return self._known_names[course_id]

    @property
    def _model_writes(self) -> bool:
        """Whether a model may write whatever comes, without an exam and without looks at its sentences."""
        return self._settings.model_admission == "always"

    async def _look_up(self, asked: Understanding, course_id: str | None, mode: Mode | None) -> Retrieved:
        """Candidate answers: by words first, which takes a millisecond; by the strategy only if a model must write.

        Small talk and declined questions find only FAQ entries: a question that people wrote an answer to is no chat.
        """
        domains = self._graph.course(course_id).domains if course_id else ()
        found = await self._direct.retrieve(asked.for_search, course_id=course_id, domains=domains, mode=mode)
        decided = self._reviewed().over(found, asked.for_search, course_id=course_id, index=self._index, mode=mode)
        if asked.refusal is not None or asked.is_chat:
            return decided if is_asked_often(decided, self.beta) else NOTHING
        if direct_answer(decided, self.beta) is not None or self._strategy is self._direct:
            return decided
        ranked = await self._strategy.retrieve(asked.for_search, course_id=course_id, domains=domains, mode=mode)
        return self._reviewed().over(ranked, asked.for_search, course_id=course_id, index=self._index, mode=mode)

    def _filter_explanations(self, found: Retrieved) -> Retrieved:
        return found if self._settings.explanations else found.without_explanations()

    async def _finish(self, prepared: Prepared, turn: Turn) -> Answer:
        plan, asked = prepared.plan, prepared.asked
        found = await self._references(plan, asked, turn)
        references = found.chosen
        turn.mark("total_ms")
        trace = trace_of(
            prepared,
            references,
            turn,
            beta=self.beta,
            index_version=self._index.version,
            versions=self._versions,
        )
        degraded = turn.error is not None or plan.is_material
        early = phrases(asked.lang).ends_early if turn.finish == "length" else ""
        composed = plan.composed if plan.instead is None else plan.instead.composed
        return Answer(
            text=turn.text_so_far,
            route=plan.route,
            lang=asked.lang,
            references=references,
            evidence=plan.evidence,
            choices=turn.choices,
            notice=" ".join(part for part in (plan.notice, found.reason, early) if part),
            reasoning=plan.reasoning,
            usage=turn.usage,
            degraded=degraded,
            trace=trace,
            kind=composed.kind if composed is not None else "",
            coverage=composed.coverage if composed is not None else None,
            finish=turn.finish,
            referred=found.evidence,
        )

    def _subject(self, turn: Turn) -> str | None:
        return self._graph.course(turn.course_id).subject if turn.course_id else None

    async def _references(self, plan: Plan, asked: Understanding, turn: Turn) -> References:
        """The references. Those of a stored answer are found by words in a millisecond, less than a thread costs."""
        if not plan.wants_references:
            return References()
        if plan.composed is not None:
            return self._chooser.cite(plan.evidence, lang=asked.lang)
        if plan.route == "direct":
            return self._refer(plan, asked, turn)
        return await asyncio.to_thread(self._refer, plan, asked, turn)

    def _refer(self, plan: Plan, asked: Understanding, turn: Turn) -> References:
        """The references by meaning and words, or by words alone if embedding fails; they never cost an answer."""
        words = self._chooser.by_words()
        try:
            return self._choose_references(words if plan.route == "direct" else self._chooser, plan, asked, turn)
        except EmbeddingFailed as error:
            log.warning("referred_by_words_alone", reason=str(error))
            return self._choose_references(words, plan, asked, turn)

    def _choose_references(self, chooser: ReferenceChooser, plan: Plan, asked: Understanding, turn: Turn) -> References:
        return chooser.choose(
            Response(asked.question, turn.text_so_far),
            cited=find_cited_evidence(turn.text_so_far, plan.evidence) if plan.route in ("teach", "explain") else (),
            used=plan.used,
            course_id=turn.course_id,
            subject=self._subject(turn),
            lang=asked.lang,
        )


async def _in_one_piece(text: str) -> AsyncGenerator[str, None]:
    yield text


def _is_composed(turn: Turn) -> bool:
    """Whether the current text is composed here, not by a model that would keep to a length."""
    return turn.model is None or turn.error is not None


def _versions(intent: Intent | None, embedder: Embedder | None) -> dict[str, str]:
    """The versions for an answer's trace: of the program and of the models other than the language model."""
    models = {"intent": intent and intent.version, "embedder": embedder and embedder.name}
    return {"coteach": metadata.version("coteach"), **{name: found for name, found in models.items() if found}}
