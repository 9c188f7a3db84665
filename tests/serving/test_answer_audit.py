"""Whether an audit sees what it is there for: marks of nothing, quotes of nobody, verdicts that are none."""

import asyncio
from dataclasses import replace
from math import nan
from pathlib import Path

import pytest
from stand_in import stand_in

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.trace import VerdictTrace
from serving.evaluation.answer_audit import audit
from serving.evaluation.course_questions import course_questions
from serving.index.search import SearchIndex
from serving.llm.client import OpenAiModel
from serving.settings import Settings

GROUNDED = ("A stack is a list where the last element added ", "is the first removed [1], ", "a queue the first [2].")


@pytest.fixture(scope="module")
def answer(graph: ConceptGraph, index: SearchIndex, tmp_path_factory: pytest.TempPathFactory) -> Answer:
    """An answer as the assistant gives it, with a citation."""
    return asyncio.run(_answer(graph, index, tmp_path_factory.mktemp("home")))


async def _answer(graph: ConceptGraph, index: SearchIndex, home: Path) -> Answer:
    async with stand_in(words=GROUNDED) as server:
        model = OpenAiModel(server.url)
        settings = Settings(home=home, graders=("none",), model_admission="always")
        assistant = Assistant(graph=graph, index=index, intent=None, llm=model, settings=settings)
        found = await assistant.answer("What is the difference between a stack and a queue?", course_id="ds")
        await model.aclose()
    return found


def test_an_answer_of_the_assistant_keeps_its_promises(answer: Answer) -> None:
    found = audit(answer)
    assert found.holds
    assert (found.cited, found.verdicts) == (2, 2)


def test_a_mark_of_nothing_is_seen(answer: Answer) -> None:
    assert audit(replace(answer, text=answer.text + " See [9].")).unresolved == (9,)


def test_a_mark_without_a_reference_to_open_is_seen(answer: Answer) -> None:
    assert audit(replace(answer, references=())).unresolved == (1, 2)


def test_a_quote_of_nobody_is_seen(answer: Answer) -> None:
    assert audit(replace(answer, text="They say “a stack is a kind of tree”.")).invented == (
        "a stack is a kind of tree",
    )


def test_a_verdict_that_is_no_number_is_seen(answer: Answer) -> None:
    broken = replace(answer.trace, verdicts=(VerdictTrace("grounded", True, nan, "material"),))
    assert audit(replace(answer, trace=broken)).no_verdicts == ("grounded by material: nan",)


def test_questions_for_an_audit_are_many_different_and_the_same_for_a_seed(graph: ConceptGraph) -> None:
    concepts = [graph.concept(key) for name in graph.names() if (key := graph.find(name))]
    asked = course_questions(concepts, lang="en", count=20, seed=1)
    assert asked == course_questions(concepts, lang="en", count=20, seed=1)
    assert len({one.question for one in asked}) == len(asked) > 5
    assert asked != course_questions(concepts, lang="en", count=20, seed=2)
    assert asked == course_questions([*concepts, *concepts], lang="en", count=20, seed=1)
