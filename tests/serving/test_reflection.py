"""What becomes of drafts: shown, written again, asked in other words, given up; with a scripted model and graders."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from scripted_model import ScriptedModel

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.phrases import ENGLISH
from serving.assistant.plan import Plan
from serving.assistant.reflection.asking import rewrite_question
from serving.assistant.reflection.loop import Prepared, Reflection
from serving.assistant.reflection.machine import Caps
from serving.assistant.reflection.verdicts import DraftVerdict
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.turn import Turn
from serving.assistant.understanding.follow_up_question import Resolved
from serving.assistant.understanding.understand import Understanding
from serving.index.evidence import Evidence
from serving.index.schema import Entry
from serving.llm.language_model import LlmUnavailable, LlmUseless
from serving.llm.messages import Message

QUESTION = "Why do late days run out?"
FACT = Evidence(1, "a", "faq", "ds", "Late days", "You have four late days in the whole term.")
TAUGHT = Plan("teach", "[1] Late days: four.", "By a model.", messages=(Message("user", "x"),), evidence=(FACT,))
NONE = Plan("ask_ta", ENGLISH.unknown, "", wants_references=False)
STORED = Plan("direct", "Four.", "From the FAQ.", evidence=(FACT,))


@dataclass
class Says:
    """Graders that say what the test wrote: one letter a look, g and a for passed, G and A for not."""

    script: str
    seen: list[str] = field(default_factory=list)

    async def check_grounding(
        self, question: str, draft: str, evidence: Sequence[Evidence], lang: Lang
    ) -> DraftVerdict:
        return self._next("grounded", draft)

    async def answers(self, question: str, draft: str, lang: Lang) -> DraftVerdict:
        return self._next("answers", draft)

    def _next(self, looked: Any, draft: str) -> DraftVerdict:
        self.seen.append(draft)
        letter, self.script = self.script[0], self.script[1:]
        assert letter.lower() == looked[0], f"The loop asked for {looked}, the test expected {letter}."
        return DraftVerdict(looked, letter.islower(), 0.5, "script")


@dataclass
class Desk:
    """One reflection, its turn and what was shown of it."""

    drafts: Sequence[str | Exception]
    verdicts: str
    live: bool = False
    plans: dict[str, Plan] = field(default_factory=dict)
    first: Plan = TAUGHT
    says: str = "What are late days for?"
    ranked: tuple[PairCandidate, ...] = ()
    caps: Caps = field(default_factory=Caps)
    seconds: float = 60.0

    def run(self) -> str:
        self.turn = Turn(QUESTION, "ds", (), None, self.live, 60.0, Resolved(QUESTION))
        self.model = ScriptedModel(lambda _: self.says)
        self.graders = Says(self.verdicts)
        self.reflection = Reflection(
            self.turn,
            llm=self.model,
            graders=self.graders,
            caps=self.caps,
            seconds=self.seconds,
            budget=500,
            languages=("en",),
            prepare=self._prepare,
            draft=self._write,
        )
        return asyncio.run(self._all())

    async def _all(self) -> str:
        self.left = list(self.drafts)
        shown = [text async for text in self.reflection.run(self._prepared(QUESTION, self.first))]
        assert self.graders.script == ""
        return "".join(shown)

    async def _prepare(self, question: str) -> Prepared:
        return self._prepared(question, self.plans.get(question, TAUGHT))

    def _prepared(self, question: str, plan: Plan) -> Prepared:
        asked = Understanding(question, "en", 0.0, 0.5, "complex_question", "reason", ())
        return Prepared(asked, Retrieved(self.ranked, None, by_concepts=False), plan)

    async def _write(self, plan: Plan) -> AsyncGenerator[str, None]:
        for piece in str(self.left[0]).split(" ", 1) if not isinstance(self.left[0], Exception) else ():
            yield piece
        if isinstance(draft := self.left.pop(0), Exception):
            raise draft

    @property
    def asked_model(self) -> int:
        return len(self.model.asked)


def test_a_draft_that_passes_is_the_answer_and_nothing_else_is_said() -> None:
    desk = Desk(["They are four."], "ga")
    assert desk.run() == "Theyare four."
    assert desk.turn.walk.path == ("retrieve: found", "generate: written", "grounded?: yes", "answers?: yes")
    assert desk.reflection.outcome is TAUGHT
    assert desk.asked_model == 0


def test_a_draft_that_is_not_grounded_is_written_again_and_never_shown() -> None:
    desk = Desk(["Wrong thing.", "Right thing."], "Gga")
    assert desk.run() == "Rightthing."


def test_after_two_more_tries_the_material_speaks_and_says_why() -> None:
    desk = Desk(["a 1", "b 2", "c 3"], "GGG")
    assert desk.run() == f"{ENGLISH.draft_dropped}\n\n{TAUGHT.text}"
    assert desk.reflection.outcome.is_material


def test_a_draft_that_was_shown_is_not_written_again_but_followed_by_the_material() -> None:
    desk = Desk(["Wrong thing."], "G", live=True)
    assert desk.run() == f"Wrongthing.\n\n{ENGLISH.not_supported}\n\n{TAUGHT.text}"


def test_a_draft_that_does_not_answer_makes_the_question_be_asked_in_other_words() -> None:
    desk = Desk(["Off topic.", "On topic."], "gAga", says="1. Why do late days end?")
    assert desk.run() == "Ontopic."
    assert desk.turn.rewordings == ["Why do late days end?"]


def test_a_stored_answer_to_the_other_words_is_given_as_it_is() -> None:
    wording = "How many late days are there?"
    desk = Desk(["Off topic."], "gA", says=wording, plans={wording: STORED})
    assert desk.run() == "Four."
    assert desk.reflection.outcome is STORED


def test_other_words_that_lose_the_subject_are_not_searched() -> None:
    desk = Desk(["Some draft."], "gA", says="What is the weather like in the mountains?")
    text = desk.run()
    assert desk.turn.rewordings == []
    assert text == f"Somedraft.\n\n{ENGLISH.may_not_answer} {ENGLISH.pass_on}"


def test_what_is_stored_nearby_is_offered_below_a_draft_that_may_not_answer() -> None:
    entry = Entry("q", "qa", "faq", "ds", "en", "How many late days do I have?", "Four.")
    desk = Desk(["Some draft."], "gA", caps=Caps(0, 0), ranked=(PairCandidate(entry, 1.0, 0.6),), says="no questions")
    lead = f"Somedraft.\n\n{ENGLISH.may_not_answer} {ENGLISH.did_you_mean}"
    assert desk.run() == f"{lead}\n- How many late days do I have?"
    assert desk.turn.choices == ("How many late days do I have?",)
    assert desk.reflection.outcome.route == "teach"


def test_questions_back_by_the_model_must_be_about_what_was_found() -> None:
    says = "1. How many late days are there in the term?\n2. Who is the president?\n3. Tell me more."
    desk = Desk(["Some draft."], "gA", caps=Caps(0, 0), says=says)
    desk.run()
    assert desk.turn.choices == ("How many late days are there in the term?",)


def test_where_nothing_is_found_and_no_words_help_a_real_ta_is_offered() -> None:
    desk = Desk([], "", first=NONE, says="Nothing of use")
    assert desk.run() == ENGLISH.unknown
    assert desk.reflection.outcome.route == "ask_ta"


def test_where_nothing_is_found_near_questions_are_offered_instead() -> None:
    entry = Entry("q", "qa", "faq", "ds", "en", "How many late days do I have?", "Four.")
    desk = Desk([], "", first=NONE, caps=Caps(0, 0), ranked=(PairCandidate(entry, 1.0, 0.6),))
    assert desk.run() == f"{ENGLISH.did_you_mean}\n- How many late days do I have?"
    assert desk.reflection.outcome.route == "clarify"


@pytest.mark.parametrize(
    ("error", "note"), [(LlmUnavailable("gone"), ENGLISH.server_down), (LlmUseless("empty"), ENGLISH.of_no_use)]
)
def test_a_model_that_fails_leaves_the_material(error: Exception, note: str) -> None:
    desk = Desk([error], "")
    assert desk.run() == f"{note}\n\n{TAUGHT.text}"
    assert desk.turn.error == f"{type(error).__name__}: {error}"


def test_no_new_attempt_begins_after_the_time_for_it() -> None:
    desk = Desk(["Wrong thing."], "G", seconds=0.0)
    assert desk.run() == f"{ENGLISH.draft_dropped}\n\n{TAUGHT.text}"


def test_what_stands_after_an_answer_comes_last() -> None:
    plan = Plan("teach", "m", "n", messages=TAUGHT.messages, evidence=(FACT,), suffix="\n\nFirst watch 00:10.")
    assert Desk(["All is well."], "ga", first=plan).run() == "Allis well.\n\nFirst watch 00:10."
    assert Desk(["All is well."], "ga", first=plan, live=True).run() == "Allis well.\n\nFirst watch 00:10."


def test_a_rewording_keeps_every_one_of_several_questions() -> None:
    asked = "What is a stack? How do I delete from a heap?"

    def worded(*lines: str) -> str | None:
        return asyncio.run(rewrite_question(ScriptedModel(lambda _: "\n".join(lines)), asked, "en"))

    one = "How is an element deleted from a heap?"
    assert worded(one) == f"What is a stack? {one}"
    assert worded("1. What does stack mean?", f"2. {one}") == f"What does stack mean? {one}"
    assert worded("Something about cooking?") is None
