"""`Planner`: decides how an understood question is answered from what was found. Asks no model."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.videos import split_suffix
from serving.assistant.generation.background import BackgroundPair, latest
from serving.assistant.generation.chain_of_teach import Teaching, TeachPart, TokenCount, teach
from serving.assistant.generation.chat import ready_reply
from serving.assistant.generation.crisis import in_crisis
from serving.assistant.generation.demonstrations import load_demonstrations, read_own
from serving.assistant.generation.multiple_choice import ChoiceQuestion
from serving.assistant.generation.policy import Policy, policy_of
from serving.assistant.generation.prompts import FRQ_ANSWER
from serving.assistant.generation.study_hint import StudyHint, study_hints
from serving.assistant.generation.tutoring import tutor_prompt
from serving.assistant.generation.xml_context import AnsweredExample, ContextPrompt, context_prompt
from serving.assistant.guardrails.filters import sanitize_plan_text
from serving.assistant.guardrails.markup import defang
from serving.assistant.plan import (
    Plan,
    choose_snippets,
    plan_chat,
    plan_choice,
    plan_direct,
    plan_multiple_choice,
    plan_refusal,
    plan_teach,
)
from serving.assistant.references import ReferenceChooser, plain
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.retrieval.catalog_expert import CATALOG_EXPERT
from serving.assistant.retrieval.direct import direct_answer
from serving.assistant.retrieval.few_shot import FewShot
from serving.assistant.retrieval.lookup import Dense, Lookup
from serving.assistant.turn import Turn
from serving.assistant.understanding.understand import Understanding
from serving.index.evidence import Evidence, to_entry
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.llm.messages import Message
from serving.settings import Settings

BACKGROUND = 12
"""Pairs looked at for small talk; as many as its prompt may hold."""

MOST_OPTIONS = 26
"""A question with more is no multiple choice that a letter answers."""


class Planner:
    """Plans answers over one graph and one index version.

    `count` counts the tokens of a text for the served model; `hides` tells entries that TAs withdrew or replaced;
    with `dense` the pairs that are shown as examples are chosen by meaning, too. Raises `DemonstrationsBroken` when
    the teachers' own cannot be used.
    """

    def __init__(
        self,
        graph: ConceptGraph,
        index: SearchIndex,
        settings: Settings,
        *,
        beta: float,
        count: TokenCount,
        chooser: ReferenceChooser,
        hides: Callable[[Entry], bool] = lambda entry: False,
        dense: Dense | None = None,
    ) -> None:
        self._chooser, self._hides = chooser, hides
        self._graph, self._index, self._settings = graph, index, settings
        self._few_shot = FewShot(Lookup(index, dense, search_weight=settings.search_weight))
        self._beta, self._count = beta, count
        own = read_own(settings.own_demonstrations) if settings.own_demonstrations is not None else ()
        self._demonstrations = (*own, *load_demonstrations())

    def plan(self, asked: Understanding, retrieved: Retrieved, turn: Turn) -> Plan:
        """What to do, with its own text made fit to be shown."""
        return self.fit_to_show(self._plan(asked, retrieved, turn), turn)

    def fit_to_show(self, found: Plan, turn: Turn) -> Plan:
        """A plan with its own text made fit to be shown, without marks where the subject takes no references.

        What is composed of the material keeps its marks in every subject: they name its sources, which nobody searched.
        """
        may_cite = found.composed is not None or self._chooser.allows(self._subject(turn))
        found = replace(found, may_cite=may_cite)
        return replace(
            found,
            text=sanitize_plan_text(found),
            suffix=defang(found.suffix, code=False),
            notice=plain(found.notice),
            reasoning=sanitize_plan_text(replace(found, text=found.reasoning)),
        )

    def plan_without_lookup(self, asked: Understanding, turn: Turn) -> Plan | None:
        """What needs nothing looked up: a way to people in a crisis, a choice of meanings; else `None`."""
        if in_crisis(asked.question):
            return Plan("chat", ready_reply(asked, contact=self._support(turn)), "", wants_references=False)
        if turn.resolved.candidates and not asked.is_chat:
            return plan_choice([self._graph.concept(key).name for key in turn.resolved.candidates], asked.lang)
        return None

    def _plan(self, asked: Understanding, retrieved: Retrieved, turn: Turn) -> Plan:
        """The first that fits: a way to people in a crisis, a choice of meanings, a refusal, small talk, the stored
        answer, one of several options, teaching.
        """
        if in_crisis(asked.question):
            return Plan("chat", ready_reply(asked, contact=self._support(turn)), "", wants_references=False)
        nothing = not retrieved.ranked and retrieved.best is None
        often = is_asked_often(retrieved, self._beta)
        if turn.resolved.candidates and not asked.is_chat and not often:
            return plan_choice([self._graph.concept(key).name for key in turn.resolved.candidates], asked.lang)
        if asked.refusal is not None and nothing:
            return plan_refusal(asked.refusal, asked.lang)
        if asked.is_chat and nothing:
            return self._chat(asked, turn)
        if found := direct_answer(retrieved, self._beta):
            return plan_direct(asked, found)
        teaching = self._teaching(asked, retrieved, turn)
        if 2 <= len(asked.options) <= MOST_OPTIONS:
            return self._multiple_choice(asked, teaching, turn)
        return self._teach(asked, teaching, turn)

    def _chat(self, asked: Understanding, turn: Turn) -> Plan:
        return plan_chat(
            asked,
            turn.history,
            course_title=self._title(turn),
            languages=self._settings.languages,
            background=self._background(asked, turn),
            budget=self._settings.context_tokens,
        )

    def _background(self, asked: Understanding, turn: Turn) -> list[BackgroundPair]:
        """What the course knows about what the dialogue speaks of."""
        dialogue = "\n".join([*(each.content for each in latest(turn.history)), asked.question])
        found = self._index.search(dialogue, course_id=turn.course_id, sources=["faq", "concept"], k=BACKGROUND)
        usable = (hit.entry for hit in found if hit.entry.lang == asked.lang and not self._hides(hit.entry))
        return [BackgroundPair(entry.title, entry.text) for entry in usable]

    def _teaching(self, asked: Understanding, retrieved: Retrieved, turn: Turn) -> Teaching:
        whole = retrieved.strategy == CATALOG_EXPERT
        return self._taught(asked, self._snippets(asked, retrieved, turn), turn, whole=whole)

    def _taught(
        self,
        asked: Understanding,
        snippets: Sequence[Entry],
        turn: Turn,
        *,
        whole: bool,
        without: Collection[TeachPart] = (),
    ) -> Teaching:
        return teach(
            asked,
            graph=self._graph,
            snippets=snippets,
            demonstrations=[one for one in self._demonstrations if one.course in (None, turn.course_id)],
            course_title=self._title(turn),
            budget=self._settings.context_tokens,
            count=self._count,
            examples=self._settings.demonstrations,
            policy=self._policy(turn),
            whole=whole,
            without=without,
        )

    def plan_writing(
        self, asked: Understanding, evidence: Sequence[Evidence], turn: Turn, *, without: Collection[TeachPart] = ()
    ) -> Plan:
        """The plan by which a model writes an answer over this evidence; without messages where it does not speak the
        language. The exam asks by it, and so does the answer that an admitted model writes; an ablation leaves out
        parts.
        """
        snippets = [to_entry(one, asked.lang) for one in evidence]
        taught = self._taught(asked, snippets, turn, whole=True, without=without)
        return self.fit_to_show(self._teach(asked, taught, turn), turn)

    def _snippets(self, asked: Understanding, retrieved: Retrieved, turn: Turn) -> list[Entry]:
        limit = None if retrieved.strategy == CATALOG_EXPERT else self._settings.max_snippets
        course_id, mode = turn.course_id, turn.mode
        return choose_snippets(asked.for_search, retrieved, self._index, course_id=course_id, mode=mode, limit=limit)

    def _teach(self, asked: Understanding, teaching: Teaching, turn: Turn) -> Plan:
        policy = self._policy(turn)
        return plan_teach(
            asked,
            teaching,
            hints=self._hints(asked, teaching, turn) if asked.kind is not None else (),
            languages=self._settings.languages,
            prompt=self._prompt(asked, teaching.evidence, turn),
            policy=policy.version if policy else None,
        )

    def _hints(self, asked: Understanding, teaching: Teaching, turn: Turn) -> tuple[StudyHint, ...]:
        return study_hints(
            asked,
            graph=self._graph,
            course_id=turn.course_id,
            history=turn.history,
            position=turn.position,
            videos=videos_in_order(self._graph.course(turn.course_id)) if turn.course_id else None,
            names=self._chooser.names_of(turn.course_id),
            evidence=teaching.evidence,
        )

    def _prompt(self, asked: Understanding, evidence: Sequence[Evidence], turn: Turn) -> ContextPrompt | None:
        """The prompt for this kind of question; `None` for the Chain of Teach."""
        chosen = self._settings.simple_prompt if asked.kind is None else self._settings.complex_prompt
        if chosen == "teach":
            return None
        return (self._context if chosen == "context" else self._tutor)(asked, evidence, turn)

    def _tutor(self, asked: Understanding, evidence: Sequence[Evidence], turn: Turn) -> ContextPrompt:
        """The academic tutor with its safeguards (Course Hero 2.1)."""
        policy = self._policy(turn)
        messages = tutor_prompt(
            asked.question,
            evidence=evidence,
            lang=asked.lang,
            budget=self._settings.context_tokens,
            policy=policy,
            course_title=self._title(turn),
            count=self._count,
        )
        citable = tuple(one.number for one in evidence if one.mark)
        return ContextPrompt(messages, tuple(evidence), citable, (), (), policy, template=FRQ_ANSWER.label)

    def _context(self, asked: Understanding, evidence: Sequence[Evidence], turn: Turn) -> ContextPrompt:
        """The structured prompt of a simple question, with those asked before it."""
        return context_prompt(
            asked.question,
            evidence=evidence,
            lang=asked.lang,
            budget=self._settings.context_tokens,
            previous=_earlier_questions(turn.history),
            examples=self._examples(asked, evidence, turn),
            policy=self._policy(turn),
            course_title=self._title(turn),
            count=self._count,
        )

    def _examples(self, asked: Understanding, evidence: Sequence[Evidence], turn: Turn) -> list[AnsweredExample]:
        """The stored pairs most like the question in words and meaning, as people answered them; none that is evidence
        already."""
        if not (count := self._settings.few_shot):
            return []
        shown = {name for one in evidence for name in (one.evidence_id, one.origin_id) if name is not None}
        found = self._few_shot.nearest(asked, turn.vector, course_id=turn.course_id, count=count, exclude=shown)
        return [AnsweredExample(one.title, one.text) for one in found if not self._hides(one)]

    def _multiple_choice(self, asked: Understanding, teaching: Teaching, turn: Turn) -> Plan:
        choice = ChoiceQuestion(asked.stem, asked.options, asked.lang, teaching.evidence, self._title(turn))
        return plan_multiple_choice(choice, teaching.material, languages=self._settings.languages)

    def _title(self, turn: Turn) -> str | None:
        return self._graph.course(turn.course_id).title if turn.course_id else None

    def _subject(self, turn: Turn) -> str | None:
        return self._graph.course(turn.course_id).subject if turn.course_id else None

    def _support(self, turn: Turn) -> str | None:
        return self._graph.course(turn.course_id).support if turn.course_id else None

    def _policy(self, turn: Turn) -> Policy | None:
        return policy_of(self._graph.course(turn.course_id)) if turn.course_id else None


def is_asked_often(retrieved: Retrieved, beta: float) -> bool:
    """Whether the FAQ answers it. What people wrote an answer to is no small talk."""
    found = direct_answer(retrieved, beta)
    return found is not None and found.entry.source == "faq"


def videos_in_order(card: CourseCard) -> dict[str, str]:
    """The ids of a course's videos as its card orders them, without titles; empty when it does not say."""
    return {split_suffix(name.removeprefix("subtitles/"))[0]: "" for name in card.video_order}


def _earlier_questions(history: Sequence[Message]) -> list[str]:
    """The student's questions before this one, oldest first."""
    return [turn.content for turn in latest(history) if turn.role == "user"]
