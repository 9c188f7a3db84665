"""A question that was asked before gets the same answer at once, for as long as what it rests on stands."""

import asyncio
import random
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from stand_in import stand_in

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.answer import Answer
from serving.assistant.answer_cache import AnswerCache
from serving.assistant.assistant import Assistant
from serving.assistant.guardrails.ending import Options
from serving.assistant.retrieval.reviewed import NothingReviewed
from serving.assistant.understanding.focus import Position
from serving.desk.approved_answers import Approved, ApprovedWording, Decisions
from serving.desk.overlay import Overlay
from serving.index.analysis import content_terms
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.llm.client import OpenAiModel
from serving.llm.messages import Message
from serving.settings import Settings

STACK = "What is a stack?"
DEADLINE = "When is the deadline of homework 3?"


class Circumstances:
    """What an answer rests on beside the index, to be changed between two questions."""

    def __init__(self) -> None:
        self.day, self.reviewed = date(2026, 11, 2), NothingReviewed()


@pytest.fixture
def circumstances() -> Circumstances:
    return Circumstances()


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("COTEACH_HOME", raising=False)
    return Settings(model_admission="exam")


@pytest.fixture
def assistant(graph: ConceptGraph, index: SearchIndex, settings: Settings, circumstances: Circumstances) -> Assistant:
    return made(graph, index, settings, circumstances)


def made(graph: ConceptGraph, index: SearchIndex, settings: Settings, now: Circumstances, **more: Any) -> Assistant:
    return Assistant(
        graph=graph,
        index=index,
        intent=None,
        llm=None,
        settings=settings,
        today=lambda: now.day,
        reviewed=lambda: now.reviewed,
        **more,
    )


def ask(assistant: Assistant, question: str, course_id: str | None = "ds", **session: Any) -> Answer:
    return asyncio.run(assistant.answer(question, course_id=course_id, **session))


def first_of(answer: Answer) -> str | None:
    return answer.trace.given_before


@pytest.mark.parametrize("again", ["what is  a stack", "WHAT IS A STACK??", STACK])
def test_the_same_question_gets_the_same_answer_with_a_trace_of_its_own(assistant: Assistant, again: str) -> None:
    first, second = ask(assistant, STACK), ask(assistant, again)
    assert (second.text, second.references, second.kind) == (first.text, first.references, first.kind)
    assert first_of(first) is None
    assert first_of(second) == first.trace.trace_id != second.trace.trace_id
    assert second.trace.question == again
    assert second.trace.at >= first.trace.at
    third = ask(assistant, STACK)
    assert first_of(third) == first.trace.trace_id


def test_a_streamed_answer_is_given_again_whole(assistant: Assistant) -> None:
    first = ask(assistant, STACK)

    async def parts() -> list[Any]:
        return [part async for part in assistant.stream(STACK, course_id="ds")]

    *deltas, last = asyncio.run(parts())
    assert "".join(part.text for part in deltas) == last.text == first.text
    assert first_of(last) == first.trace.trace_id


def test_another_course_place_expert_or_question_is_another_answer(assistant: Assistant) -> None:
    ask(assistant, STACK)
    at = Position("ds", "02 stacks", 192_000)
    assert first_of(ask(assistant, STACK, position=at)) is None
    assert first_of(ask(assistant, STACK, position=at)) is not None
    assert first_of(ask(assistant, STACK, course_id=None)) is None
    assert first_of(ask(assistant, STACK, mode="class")) is None
    assert first_of(ask(assistant, "What is a queue?")) is None


def test_what_goes_on_from_a_conversation_or_asks_for_a_length_is_answered_anew(assistant: Assistant) -> None:
    ask(assistant, STACK)
    said = [Message("user", "What is a queue?"), Message("assistant", "A list.")]
    assert first_of(ask(assistant, STACK, history=said)) is None
    assert first_of(ask(assistant, STACK, options=Options(max_tokens=5))) is None
    assert first_of(ask(assistant, STACK, options=Options(instructions="Answer in one sentence."))) is None
    assert first_of(ask(assistant, STACK)) is not None


def test_a_decision_of_a_ta_and_the_next_day_end_an_answer(assistant: Assistant, circumstances: Circumstances) -> None:
    ask(assistant, STACK)
    circumstances.reviewed = NothingReviewed()
    assert first_of(ask(assistant, STACK)) is None
    circumstances.day = date(2026, 11, 3)
    assert first_of(ask(assistant, STACK)) is None
    assert first_of(ask(assistant, STACK)) is not None


def test_assistants_that_share_a_cache_know_nothing_of_each_others_answers(
    graph: ConceptGraph, index: SearchIndex, settings: Settings, circumstances: Circumstances
) -> None:
    shared = AnswerCache(10)
    one, other = (made(graph, index, settings, circumstances, cache=shared) for _ in range(2))
    ask(one, STACK)
    assert first_of(ask(other, STACK)) is None
    assert len(shared) == 2


def test_the_answer_that_nobody_asked_for_the_longest_goes_first(
    graph: ConceptGraph, index: SearchIndex, settings: Settings, circumstances: Circumstances
) -> None:
    few = AnswerCache(2)
    assistant = made(graph, index, settings, circumstances, cache=few)
    for question in (STACK, DEADLINE, STACK, "What is a queue?"):
        ask(assistant, question)
    assert len(few) == 2
    assert first_of(ask(assistant, STACK)) is not None
    assert first_of(ask(assistant, DEADLINE)) is None


def test_none_is_kept_where_none_should_be(
    graph: ConceptGraph, index: SearchIndex, settings: Settings, circumstances: Circumstances
) -> None:
    assistant = made(graph, index, settings.model_copy(update={"kept_answers": 0}), circumstances)
    ask(assistant, STACK)
    assert first_of(ask(assistant, STACK)) is None


def test_what_an_unexamined_model_wrote_is_written_anew_and_what_is_stored_is_kept(
    graph: ConceptGraph, index: SearchIndex, settings: Settings
) -> None:
    changed = settings.model_copy(update={"model_admission": "always"})

    async def twice(question: str) -> list[Answer]:
        async with stand_in("answers") as server:
            llm = OpenAiModel(server.url)
            assistant = Assistant(graph=graph, index=index, intent=None, llm=llm, settings=changed)
            answers = [await assistant.answer(question, course_id="ds") for _ in range(2)]
            await llm.aclose()
            return answers

    written = asyncio.run(twice("What is the difference between a stack and a queue?"))
    assert [first_of(one) for one in written] == [None, None]
    assert all(one.trace.model for one in written)
    stored = asyncio.run(twice(DEADLINE))
    assert first_of(stored[1]) == stored[0].trace.trace_id


class EditedCourse:
    """A course that somebody keeps editing: its FAQ and passages, the decisions of TAs, and the day."""

    def __init__(self, graph: ConceptGraph, settings: Settings, folder: Path, chance: random.Random) -> None:
        self._graph, self._settings, self._folder, self._chance = graph, settings, folder, chance
        self._qa, self._passages = [dict(row) for row in rows.QA], [dict(row) for row in rows.PASSAGES]
        self._overlay, self._day, self._version = Overlay(), date(2026, 11, 2), 0
        self._cache = AnswerCache(100)
        self._index = self._build()
        self.cached = self._assistant(self._cache)

    def edit(self) -> None:
        """One edit, drawn by chance."""
        self._version += 1
        if (kind := self._chance.choice(["answer", "answer", "passage", "decision", "decision", "day"])) == "day":
            self._day += timedelta(days=1)
        elif kind == "decision":
            entry = replace(
                rows.entry(rows.QA[3]), text=f"Decided, {self._version}.", origin_id="ta-1", entry_id="ta-1"
            )
            wording = ApprovedWording(entry.title, tuple(content_terms(entry.title)))
            withdrawn = frozenset({("ds", self._chance.choice(["faq#1", "faq#2", "faq#3"]))})
            approved = {"1": Approved(entry, (wording,))} if self._chance.random() < 0.5 else {}
            self._overlay = Overlay.of(Decisions(approved, withdrawn=withdrawn))
        else:
            row, column = (self._chance.choice(self._qa), "answer") if kind == "answer" else (self._passages[0], "text")
            row[column] = f"A stack is edition {self._version} of a list with one end."
            row["content_hash"] = f"edit {self._version}"
            self._index = self._build()
            self.cached = self._assistant(self._cache)  # as a new build is taken up

    def fresh(self) -> Assistant:
        """Who answers over the same state and remembers nothing."""
        return self._assistant(AnswerCache(0))

    def _build(self) -> SearchIndex:
        build_index(rows.tables(self._folder, self._qa, self._passages), self._folder / "index")
        return SearchIndex.open(self._folder / "index")

    def _assistant(self, cache: AnswerCache) -> Assistant:
        return Assistant(
            graph=self._graph,
            index=self._index,
            intent=None,
            llm=None,
            settings=self._settings,
            today=lambda: self._day,
            reviewed=lambda: self._overlay,
            cache=cache,
        )


def test_no_answer_is_stale_after_any_of_200_edits(graph: ConceptGraph, settings: Settings, tmp_path: Path) -> None:
    chance = random.Random(7)
    course = EditedCourse(graph, settings, tmp_path, chance)
    questions = [
        STACK,
        DEADLINE,
        "Where do I hand in homework?",
        "Explain how one pushes a plate.",
        "How is the final grade made up?",
    ]
    for _ in range(200):
        course.edit()
        for question in chance.sample(questions, k=2):
            kept, new = ask(course.cached, question), ask(course.fresh(), question)
            assert (kept.text, kept.references, kept.notice) == (new.text, new.references, new.notice)
        assert first_of(ask(course.cached, question)) is not None
