"""`Reflection`: one question taken through the states of `machine`, from the first plan to the last word.

What is shown is yielded as it comes; `outcome` is the plan that the answer finally rests on.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.phrases import Phrases, phrases
from serving.assistant.guardrails.filters import sanitize_question
from serving.assistant.plan import Plan
from serving.assistant.reflection.asking import questions_back, rewrite_question
from serving.assistant.reflection.machine import Caps, Event
from serving.assistant.reflection.prompts import MOST_CHOICES
from serving.assistant.reflection.verdicts import DraftVerdict
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.turn import Turn
from serving.assistant.understanding.understand import Understanding
from serving.index.evidence import Evidence
from serving.llm.language_model import LanguageModel, LlmError, LlmTimeout, LlmUseless

log = structlog.get_logger(__name__)

NEAR_ENOUGH = 0.4
"""A stored question is offered as what the student may have meant when it matches so well. A choice."""


@dataclass(frozen=True)
class Prepared:
    """A question understood, looked up and planned."""

    asked: Understanding
    retrieved: Retrieved
    plan: Plan

    @property
    def lookup_event(self) -> Event:
        """What the look-up came to, as the table names it."""
        if self.plan.is_graded:
            return "found"
        return "stored" if self.plan.route in ("direct", "teach") else "nothing"


class Looks(Protocol):
    """Who looks at drafts; `serving.assistant.reflection.graders.Graders` in service. A verdict always comes."""

    async def check_grounding(
        self, question: str, draft: str, evidence: Sequence[Evidence], lang: Lang
    ) -> DraftVerdict: ...
    async def answers(self, question: str, draft: str, lang: Lang) -> DraftVerdict: ...


class Reflection:
    """The loop over one turn. `prepare` plans another wording; `draft` writes a plan's text and checks its use."""

    def __init__(
        self,
        turn: Turn,
        *,
        llm: LanguageModel | None,
        graders: Looks,
        caps: Caps,
        seconds: float,
        budget: int,
        languages: Collection[str],
        prepare: Callable[[str], Awaitable[Prepared]],
        draft: Callable[[Plan], AsyncGenerator[str, None]],
    ) -> None:
        self._turn, self._llm, self._graders = turn, llm, graders
        self._caps, self._seconds, self._budget = caps, seconds, budget
        self._languages = languages
        self._prepare, self._write = prepare, draft
        self._draft = ""
        self._is_shown = False
        self._failure: LlmError | None = None

    async def run(self, first: Prepared) -> AsyncGenerator[str, None]:
        """The text of the answer in pieces. Ends, whatever the model does."""
        self.now, self.outcome = first, first.plan
        self._step(first.lookup_event)
        while (state := self._turn.walk.state) != "done":
            if state == "generate":
                self._draft = ""
                try:
                    async with aclosing(self._write(self.now.plan)) as texts:
                        while (text := await self._turn.in_time(anext(texts, None))) is not None:
                            self._draft += text
                            if self._turn.live:
                                self._is_shown = True
                                yield text
                except LlmError as error:
                    self._note_failure(error)
                else:
                    self._failure = None
                    self._step("written")
                continue
            event, said = await self._do(state)
            if said:
                self._is_shown = True
                yield said
            self._step(event)
        if self._has_passed:
            yield ("" if self._is_shown else self._draft) + self.outcome.suffix

    @property
    def _has_passed(self) -> bool:
        """Whether the answer is a draft that passed; else all was said on the way."""
        return self._turn.walk.path[-1:] == ("answers?: yes",)

    @property
    def _phrases(self) -> Phrases:
        return phrases(self.now.asked.lang)

    def _step(self, event: Event) -> None:
        walk = self._turn.walk
        too_late = self._is_shown or self._turn.seconds > self._seconds
        caps = Caps(walk.regenerations, walk.rewrites) if too_late else self._caps
        self._turn.walk = walk.after(event, caps)

    def _note_failure(self, error: LlmError) -> None:
        self._turn.error = f"{type(error).__name__}: {error}"
        log.warning("model_failed", error=self._turn.error, route=self.now.plan.route)
        self._failure = error
        self._step("failed")

    async def _do(self, state: str) -> tuple[Event, str]:
        """The event that a state comes to, and what is said in it."""
        if state == "grounded?":
            return await self._is_grounded(), ""
        if state == "answers?":
            return await self._does_answer(), ""
        if state == "rewrite":
            return await self._rewrite(), ""
        if state == "retrieve":
            return self._look_up_again()
        if state == "clarify":
            return await self._clarify()
        return self._material() if state == "material" else self._ask_ta()

    async def _is_grounded(self) -> Event:
        plan, asked = self.now.plan, self.now.asked
        return await self._judge(self._graders.check_grounding(asked.question, self._draft, plan.evidence, asked.lang))

    async def _does_answer(self) -> Event:
        asked = self.now.asked
        return await self._judge(self._graders.answers(asked.question, self._draft, asked.lang))

    async def _judge(self, look: Awaitable[DraftVerdict]) -> Event:
        """What a look comes to; a draft that nobody had the time to look at is kept."""
        try:
            verdict = await self._turn.in_time(look)
        except LlmTimeout as error:
            log.warning("draft_not_looked_at", reason=str(error))
            return "yes"
        self._turn.verdicts.append(verdict)
        return "yes" if verdict.passed else "no"

    async def _rewrite(self) -> Event:
        try:
            return await self._turn.in_time(self._reword())
        except LlmTimeout:
            return "unchanged"

    async def _reword(self) -> Event:
        asked = self.now.asked
        llm = await self._answering()
        found = await rewrite_question(llm, asked.question, asked.lang) if llm is not None else None
        if found is None or found in self._turn.rewordings:
            return "unchanged"
        self._next = await self._prepare(found)
        self._turn.rewordings.append(found)
        return "rewritten"

    async def _answering(self) -> LanguageModel | None:
        """The model, if it speaks the language and its server is there: none is started to ask in other words."""
        speaks = self.now.asked.lang in self._languages
        if self._llm is None or not speaks or self._failure is not None or not await self._llm.is_alive():
            return None
        return self._llm

    def _look_up_again(self) -> tuple[Event, str]:
        """A rewording counts when it found something; otherwise what the question itself found stays."""
        if self._next.lookup_event != "nothing":
            self.now, self.outcome = self._next, self._next.plan
        return self._next.lookup_event, self._next.plan.text if self._next.lookup_event == "stored" else ""

    async def _clarify(self) -> tuple[Event, str]:
        """Questions back; after a draft that is grounded, below it."""
        plan = self.now.plan
        questions = [shown for one in await self._questions_back() if (shown := sanitize_question(one))]
        if not questions:
            return "nothing", ""
        self._turn.choices = tuple(questions)
        listed = "\n".join(f"- {question}" for question in questions)
        lead, drafted = self._before(self._phrases.may_not_answer)
        if not drafted:
            self.outcome = replace(plan, route="clarify", notice="", messages=(), wants_references=False)
        return "questions", f"{lead}{self._phrases.did_you_mean}\n{listed}"

    async def _questions_back(self) -> tuple[str, ...]:
        """What the student may have meant: stored questions that are near, then the model's."""
        asked, plan = self.now.asked, self.now.plan
        near = [one for one in self.now.retrieved.ranked if one.entry.source == "faq" and one.match >= NEAR_ENOUGH]
        stored = [one.entry.title for one in near]
        try:
            return await self._turn.in_time(
                questions_back(
                    await self._answering(),
                    asked.question,
                    stored=stored,
                    evidence=plan.evidence,
                    lang=asked.lang,
                    budget=self._budget,
                )
            )
        except LlmTimeout:
            return tuple(stored[:MOST_CHOICES])

    def _material(self) -> tuple[Event, str]:
        """What the course material says, after a word on what became of the model's draft."""
        plan, said = self.now.plan, self._phrases
        if not plan.evidence:
            return "nothing", ""
        begun = bool(self._draft.strip()) and self._is_shown
        self.outcome = replace(plan, notice=said.from_material.rstrip(":："), is_material=True)
        if self._failure is None:
            note = said.not_supported if begun else said.draft_dropped
        elif isinstance(self._failure, LlmUseless):
            note = said.of_no_use
        else:
            note = f"{said.cut_off}\n\n{said.server_down}" if begun else said.server_down
        return "found", ("\n\n" if begun else "") + f"{note}\n\n{plan.text}"

    def _ask_ta(self) -> tuple[Event, str]:
        """A real TA is offered; below a grounded draft that may not answer, in a sentence."""
        lead, drafted = self._before(self._phrases.may_not_answer)
        if drafted:
            return "written", f"{lead}{self._phrases.pass_on}"
        self.outcome = Plan("ask_ta", self._phrases.unknown, "", wants_references=False)
        return "written", self._phrases.unknown

    def _before(self, note: str) -> tuple[str, bool]:
        """What stands before a question back: the draft, when there is one that is grounded, and a note."""
        drafted = bool(self._draft.strip())
        shown = "" if self._is_shown else self._draft
        return (f"{shown}{self.now.plan.suffix}\n\n{note} " if drafted else ""), drafted
