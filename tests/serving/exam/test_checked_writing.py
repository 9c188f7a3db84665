"""What an admitted model writes is shown sentence by sentence, and nothing that a student saw is taken back."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import course_rows as rows
import pytest
from admissions import admitted
from scripted_model import ScriptedModel

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.generation.phrases import phrases
from serving.assistant.grounding import attribution
from serving.assistant.grounding.attribution import Sources
from serving.assistant.grounding.statements import StatementReader
from serving.assistant.turn import Delta
from serving.exam.admission import Admission
from serving.index.evidence import Evidence
from serving.index.search import SearchIndex
from serving.llm.language_model import AS_SERVED, LlmUnavailable, Sampling, StreamChunk
from serving.llm.messages import Message
from serving.settings import Settings

LEEWAY_S = 5.0
"""For a busy machine."""
QUESTION = "What is the difference between a stack and a queue?"
GOOD = f"{rows.STACK} {rows.QUEUE}"
BAD = rows.STACK.replace("stack", "queue")


@pytest.fixture
def index(tmp_path: Path) -> SearchIndex:
    return rows.open_index(tmp_path)


Ask = Callable[..., tuple[list[str], Answer, ScriptedModel]]


@pytest.fixture
def ask(tmp_path: Path, graph: ConceptGraph, index: SearchIndex) -> Ask:
    def asked(
        writes: object, admission: Admission | None, question: str = QUESTION, *, deadline_s: float = 60.0
    ) -> tuple[list[str], Answer, ScriptedModel]:
        model = ScriptedModel(writes if callable(writes) else lambda prompt: writes)  # type: ignore[arg-type, return-value]
        if isinstance(writes, ScriptedModel):
            model = writes
        assistant = Assistant(
            graph=graph,
            index=index,
            intent=None,
            llm=model,
            settings=Settings(home=tmp_path, model_admission="exam", deadline_seconds=deadline_s),
            lectures=CourseLectureIndex(DataDir(tmp_path)),
            admission=lambda: admission,
        )
        return *asyncio.run(_streamed(assistant, question)), model

    return asked


async def _streamed(assistant: Assistant, question: str) -> tuple[list[str], Answer]:
    shown, answer = list[str](), None
    async for part in assistant.stream(question, course_id="ds"):
        if isinstance(part, Delta):
            shown.append(part.text)
        else:
            answer = part
    assert answer is not None
    return shown, answer


def test_an_unknown_model_is_not_asked(ask: Ask) -> None:
    _, answer, model = ask(GOOD, None)
    assert model.asked == []
    assert answer.kind == "comparison"


def test_a_model_that_is_admitted_for_another_kind_or_language_is_not_asked(ask: Ask) -> None:
    assert ask(GOOD, admitted("definition"))[2].asked == []
    assert ask(GOOD, admitted("comparison", lang="zh"))[2].asked == []


def test_an_admitted_model_writes_the_answer(ask: Ask) -> None:
    _, answer, model = ask(GOOD, admitted("comparison"))
    assert len(model.asked) == 1
    assert answer.text.startswith(GOOD)
    assert answer.kind == "comparison"


def test_a_sentence_of_the_wrong_subject_is_left_out_and_never_shown(ask: Ask) -> None:
    shown, answer, _ = ask(f"{GOOD} {BAD}", admitted("comparison"))
    assert BAD not in "".join(shown)
    assert answer.text.startswith(GOOD)


def test_where_nothing_may_stand_the_composed_answer_is_given(ask: Ask) -> None:
    composed = ask(GOOD, None)[1]
    shown, answer, _ = ask(f"{BAD} It was invented in 1834.", admitted("comparison"))
    assert answer.text == composed.text == "".join(shown)
    assert not answer.degraded


def test_a_server_that_is_gone_costs_no_answer(ask: Ask) -> None:
    composed = ask(GOOD, None)[1]
    _, answer, _ = ask(lambda prompt: LlmUnavailable("gone"), admitted("comparison"))
    assert answer.text == composed.text


class Slow(ScriptedModel):
    """Writes a beginning, and then nothing for ever."""

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]:
        yield StreamChunk(self.writes(messages[-1].content))  # type: ignore[arg-type]
        await asyncio.Event().wait()


@pytest.mark.parametrize("begins", ["A stack is", f"{BAD} A stack"])
def test_a_model_that_falls_silent_before_anything_stands_costs_no_more_than_the_deadline(
    ask: Ask, begins: str
) -> None:
    composed = ask(GOOD, None)[1]
    began = time.monotonic()
    shown, answer, _ = ask(Slow(lambda prompt: begins), admitted("comparison"), deadline_s=1.0)
    assert answer.text == composed.text == "".join(shown)
    assert time.monotonic() - began < 1.0 + LEEWAY_S


def test_what_stands_when_a_model_falls_silent_stays_and_is_said_to_be_cut_off(ask: Ask) -> None:
    shown, answer, _ = ask(Slow(lambda prompt: f"{GOOD} And then"), admitted("comparison"), deadline_s=1.0)
    assert answer.text.startswith(GOOD)
    assert "".join(shown).startswith(GOOD)
    assert phrases("en").cut_off in "".join(shown)


def test_courtesies_are_not_shown_before_something_is_said(ask: Ask) -> None:
    shown, _, _ = ask(f"Sure! {GOOD}", admitted("comparison"))
    assert "".join(shown).startswith(GOOD)


def test_what_is_said_twice_is_shown_once(ask: Ask) -> None:
    _, answer, _ = ask(f"{GOOD} {GOOD}", admitted("comparison"))
    assert answer.text.count(GOOD) == 1


@pytest.mark.parametrize("writes", [rows.STACK, f"{rows.STACK} {BAD}"])
def test_a_comparison_of_which_one_side_alone_may_stand_is_composed(ask: Ask, writes: str) -> None:
    composed = ask(GOOD, None)[1]
    shown, answer, _ = ask(writes, admitted("comparison"))
    assert answer.text == composed.text == "".join(shown)


def test_a_comparison_is_shown_from_where_both_sides_are_spoken_of(ask: Ask) -> None:
    shown, _, _ = ask(GOOD, admitted("comparison"))
    assert shown[0].startswith(GOOD)


def test_the_evidence_is_read_beside_the_model_before_a_sentence_is_waited_for(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers, read = list[str](), Sources.of

    def noted(evidence: Sequence[Evidence], reader: StatementReader) -> Sources:
        readers.append(threading.current_thread().name)
        return read(evidence, reader)

    monkeypatch.setattr(Sources, "of", noted)
    attribution._read.cache_clear()  # an answer of another test may rest on the same evidence
    _, answer, _ = ask(GOOD, admitted("comparison"))
    assert answer.text.startswith(GOOD)
    assert len(readers) == 1
    assert readers[0] != threading.main_thread().name


def test_a_setting_of_never_asks_no_model(ask: Ask) -> None:
    assert replace(admitted("comparison"), standings=()).admits("en", "comparison") is False
