"""`ComposedAnswers`: what the course material itself answers, which an admitted model may then rewrite."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from serving.assistant.checked_writing import plan_for_model
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.composer import Composer, ComposerInput
from serving.assistant.composing.course_kinds import kind_of
from serving.assistant.composing.follow_up_answers import is_told_alone, own_question
from serving.assistant.composing.joined_answers import join
from serving.assistant.composing.several import MOST, each_alone, questions_in
from serving.assistant.composing.stored import give_stored
from serving.assistant.composing.wording import wording
from serving.assistant.plan import Plan, plan_composed, plan_refusal
from serving.assistant.planner import Planner
from serving.assistant.reading import QuestionReader, aside
from serving.assistant.reflection.loop import Prepared
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved, Strategy
from serving.assistant.retrieval.reviewed import Reviewed
from serving.assistant.study_progress import NO_PROGRESS
from serving.assistant.turn import Turn
from serving.assistant.understanding.follow_up_context import own_part
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.question_kind import question_kind
from serving.assistant.understanding.spelling import SpellingCorrection
from serving.assistant.understanding.translation import names_in
from serving.assistant.understanding.understand import Understanding
from serving.assistant.understanding.wishes import wish_of
from serving.exam.admission import Admitting
from serving.index.search import SearchIndex
from serving.settings import Settings

NOTHING = Retrieved((), None, by_concepts=False)


class ComposedAnswers:
    """Answers over one graph and one index. `reviewed` gives the newest decisions of TAs, `admission` the result of the
    model's exam; both are asked for each question."""

    def __init__(
        self,
        graph: ConceptGraph,
        index: SearchIndex,
        settings: Settings,
        *,
        reader: QuestionReader,
        composer: Composer,
        planner: Planner,
        strategy: Strategy,
        reviewed: Callable[[], Reviewed],
        admission: Callable[[], Admitting | None],
    ) -> None:
        self._graph = graph
        self._index = index
        self._settings = settings
        self._reader = reader
        self._composer = composer
        self._planner = planner
        self._strategy = strategy
        self._reviewed = reviewed
        self._admission = admission

    async def prepare(self, asked: Understanding, turn: Turn, *, is_improved: bool = True) -> Prepared:
        """The answer of the material; several questions in one message are answered one by one.

        If `is_improved`, an admitted model may rewrite the answer to a single question.
        """
        if (settled := self._planner.plan_without_lookup(asked, turn)) is not None:
            return Prepared(asked, NOTHING, settled)
        if (stored := self._prepare_stored(asked, turn)) is not None:
            return stored
        text = asked.question
        if not asked.options and (plain := await aside(text, say_plainly, text)) != text:
            asked = await self._reader.understand(plain, turn)
        questions = (
            await aside(text, questions_in, asked.question, self._names_something) if not asked.options else (text,)
        )
        if len(questions) == 1:
            found, composed = await self._compose(asked, turn)
        else:
            with_codes = partial(self._composer.with_class_codes, course_id=turn.course_id)
            alone = each_alone(questions[:MOST], self._graph, with_codes, knows=self._composer.knows)
            each = [(one, await self._reader.understand(one, turn)) for one in alone]
            answers = [(one, *await self._compose(understood, turn)) for one, understood in each]
            found_for = [(one, each) for one, _, each in answers]
            joined = join(found_for, asked.lang, headings=questions[:MOST], left=questions[MOST:])
            found, composed = answers[0][1], joined
        if asked.refusal is not None and composed.coverage != "full" and composed.stored is None:
            return Prepared(asked, found, self._planner.fit_to_show(plan_refusal(asked.refusal, asked.lang), turn))
        turn.choices = turn.choices or composed.choices
        plan = self._as_shown(composed, found, asked, turn)
        if len(questions) > 1 or not is_improved or not self._speaks_with(turn.course_id, asked.lang):
            return Prepared(asked, found, plan)
        return self._improve(asked, found, plan, turn)

    def _names_something(self, text: str) -> bool:
        return bool(self._graph.mentions(text) or names_in(text))

    def _improve(self, asked: Understanding, found: Retrieved, composed: Plan, turn: Turn) -> Prepared:
        """The composed answer, with a plan for the model to rewrite it if it is admitted for this kind of question.

        What is kept of a student is told to no model.
        """
        admission = self._admission() if self._settings.model_admission == "exam" else None
        made = composed.composed
        if admission is None or made is None or not composed.is_composed_anew or turn.is_personal:
            return Prepared(asked, found, composed)
        if not admission.admits(asked.lang, made.kind, is_follow_up=turn.resolved.is_changed):
            return Prepared(asked, found, composed)
        written = plan_for_model(self._planner.plan_writing(asked, composed.evidence, turn), composed)
        return Prepared(asked, found, written or composed)

    def _speaks_with(self, course_id: str | None, lang: Lang) -> bool:
        """Whether the question is in the language of its course, so that the material can be rewritten in it."""
        return course_id is None or self._graph.course(course_id).lang == lang

    def _as_shown(self, composed: Composed, found: Retrieved, asked: Understanding, turn: Turn) -> Plan:
        """The plan of a composed answer; with a TA's note if it is a stored answer."""
        plan = self._planner.fit_to_show(plan_composed(composed, asked.lang), turn)
        if composed.stored is None:
            return plan
        entry = next((one.entry for one in found.ranked if one.entry.entry_id == composed.stored.evidence_id), None)
        note = self._reviewed().note(entry, asked.lang) if entry is not None else ""
        return replace(plan, notice=" ".join(part for part in (plan.notice, note) if part))

    def _prepare_stored(self, asked: Understanding, turn: Turn) -> Prepared | None:
        """The stored answer to exactly this question, without any other look-up; TA-approved answers come first.

        `None` if there is none, or if a TA has decided otherwise since the index was built.
        """
        if asked.options or turn.mode is not None:
            return None
        question, course_id, reviewed = turn.resolved.question, turn.course_id, self._reviewed()
        approved = reviewed.word_for_word(question, course_id)
        if approved is not None:
            stored: PairCandidate | None = PairCandidate(self._index.mark_platform(approved), 1.0, match=1.0)
        else:
            stored = self._composer.find_same_question(question, course_id)
        if stored is None:
            return None
        found = Retrieved((stored,), stored, by_concepts=False, strategy="word_for_word", queries=(asked.question,))
        if approved is None and reviewed.over(found, asked, course_id=course_id, index=self._index) is not found:
            return None
        found = self._without_hidden_explanations(found)
        kind, _ = kind_of(asked.question, names_concept=bool(asked.concepts))
        composed = give_stored(found.ranked[0].entry, kind=kind, spoken=asked.lang)
        return Prepared(asked, found, self._as_shown(composed, found, asked, turn))

    async def _compose(self, asked: Understanding, turn: Turn) -> tuple[Retrieved, Composed]:
        """The answer to one question; to a follow-up that is whole without what it leans on, the one to it alone where
        that tells more of it."""
        leans = bool(turn.resolved.context)
        leant = await self._look_up(asked, turn, leans=leans)
        own = own_question(asked.question) if leans else ""
        if not own:
            return leant
        alone = await self._look_up(await self._reader.understand(own, turn), turn, leans=False)
        return alone if is_told_alone(alone[1], leant[1], own) else leant

    async def _look_up(self, asked: Understanding, turn: Turn, *, leans: bool) -> tuple[Retrieved, Composed]:
        """Look one question up, after correcting its spelling, and compose an answer from what was found."""
        course_id = turn.course_id
        corrected = await aside(asked.question, self._composer.correct_spelling, asked, course_id)
        words = self._words_to_tell(corrected, asked, turn)
        if corrected is not None:
            asked = await self._reader.understand(corrected.text, turn)
        translated = await aside(asked.question, self._composer.in_course_language, asked, course_id)
        sought = asked if translated is None else await self._reader.understand(translated, turn)
        domains = self._graph.course(course_id).domains if course_id else ()
        found = await self._strategy.retrieve(sought.for_search, course_id=course_id, domains=domains, mode=turn.mode)
        turn.vector = found.vector
        found = self._reviewed().over(found, sought.for_search, course_id=course_id, index=self._index, mode=turn.mode)
        found = self._without_hidden_explanations(found)
        question = ComposerInput(
            asked=asked,
            sought=sought,
            retrieved=found,
            course_id=course_id,
            history=turn.history,
            position=turn.position,
            mode=turn.mode,
            wish=wish_of(turn.question) if turn.history else "",
            progress=await turn.progress() if question_kind(asked.question) == "before" else NO_PROGRESS,
            leans=leans,
        )
        composed = await asyncio.to_thread(_compose_by, self._composer, question)
        if not words or composed.kind == "small_talk":
            return found, composed
        said = wording(asked.lang)
        taken = said.taken_as.format(text=said.join(words))
        return found, replace(composed, note="\n\n".join(part for part in (taken, composed.note) if part))

    def _words_to_tell(self, corrected: SpellingCorrection | None, asked: Understanding, turn: Turn) -> tuple[str, ...]:
        """The corrected words that a student is told of: what a message leans on was told at the turn before."""
        if corrected is None or not turn.resolved.context:
            return corrected.words if corrected is not None else ()
        typed = replace(asked, question=own_part(asked.question))
        own = self._composer.correct_spelling(typed, turn.course_id)
        return tuple(word for word in corrected.words if own is not None and word in own.words)

    def _without_hidden_explanations(self, found: Retrieved) -> Retrieved:
        """What was found, without the explanations of stored answers if the setting turns them off."""
        return found if self._settings.explanations else found.without_explanations()


def _compose_by(composer: Composer, question: ComposerInput) -> Composed:
    """Compose, to be called in a thread. A future cannot carry `StopIteration` and its caller would wait forever, so it
    is raised as a `RuntimeError`."""
    try:
        return composer.compose(question)
    except StopIteration as error:
        raise RuntimeError("a composer found nothing where it expected something") from error
