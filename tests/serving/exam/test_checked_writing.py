"""What an admitted model writes is shown sentence by sentence, and nothing that a student saw is taken back."""

import asyncio
import threading
from collections.abc import Callable, Sequence
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
from serving.assistant.grounding import attribution
from serving.assistant.grounding.attribution import Sources
from serving.assistant.grounding.statements import StatementReader
from serving.assistant.turn import Delta
from serving.exam.admission import Admission
from serving.index.build import build_index
from serving.index.evidence import Evidence
from serving.index.search import SearchIndex
from serving.llm.client import LlmUnavailable
from serving.settings import Settings

QUESTION = "What is the difference between a stack and a queue?"
GOOD = rows.STACK
BAD = rows.STACK.replace("stack", "queue")


@pytest.fixture
def index(tmp_path: Path) -> SearchIndex:
    build_index(rows.tables(tmp_path), tmp_path / "index")
    return SearchIndex.open(tmp_path / "index")


Ask = Callable[..., tuple[list[str], Answer, ScriptedModel]]


@pytest.fixture
def ask(tmp_path: Path, graph: ConceptGraph, index: SearchIndex) -> Ask:
    def asked(
        writes: object, admission: Admission | None, question: str = QUESTION
    ) -> tuple[list[str], Answer, ScriptedModel]:
        model = ScriptedModel(writes if callable(writes) else lambda prompt: writes)  # type: ignore[arg-type, return-value]
        assistant = Assistant(
            graph=graph,
            index=index,
            intent=None,
            llm=model,
            settings=Settings(home=tmp_path, model_admission="exam"),
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


def test_courtesies_are_not_shown_before_something_is_said(ask: Ask) -> None:
    shown, _, _ = ask(f"Sure! {GOOD}", admitted("comparison"))
    assert "".join(shown).startswith(GOOD)


def test_what_is_said_twice_is_shown_once(ask: Ask) -> None:
    _, answer, _ = ask(f"{GOOD} {GOOD}", admitted("comparison"))
    assert answer.text.count(GOOD) == 1


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
