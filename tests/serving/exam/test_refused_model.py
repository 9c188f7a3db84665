"""Behind a model that its exam refused, every answer is the one that is given without a model, byte for byte."""

import asyncio
from collections.abc import Callable
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
from serving.exam.admission import Admission
from serving.llm.language_model import LanguageModel
from serving.llm.messages import Message
from serving.settings import Settings

REFUSED = replace(admitted("comparison"), standings=())

QUESTIONS = (
    "What is a stack?",
    "What is the difference between a stack and a queue?",
    "Why is a stack used?",
    "How fast is push?",
    "Is a stack a fair waiting line?",
    "When is the deadline of homework 3?",
    "Who invented the stack?",
    "What is the weather like?",
    "Which lecture explains queues?",
    "what should I know before stacks",
    "Explain stacks to me like I'm five.",
    "Summarise the lecture on stacks.",
    "Hello!",
    "Thank you so much!",
    "I feel bad, talk to me.",
    "Write my essay on sorting algorithms.",
    "Which removes the item added last? A) stack B) queue C) graph",
    "How do I reset my password?",
    "asdf qwer zxcv",
    "什么是栈？",
    "栈和队列有什么区别？",
)
"""One of each way in which a question is answered, those that a model may help with under other settings too."""

Asks = Callable[[LanguageModel | None, Admission | None], list[Answer]]


@pytest.fixture
def ask_all(tmp_path: Path, graph: ConceptGraph) -> Asks:
    index = rows.open_index(tmp_path)

    def asked(model: LanguageModel | None, admission: Admission | None) -> list[Answer]:
        assistant = Assistant(
            graph=graph,
            index=index,
            intent=None,
            llm=model,
            settings=Settings(home=tmp_path, model_admission="exam"),
            lectures=CourseLectureIndex(DataDir(tmp_path)),
            admission=lambda: admission,
        )
        return asyncio.run(_all(assistant))

    return asked


async def _all(assistant: Assistant) -> list[Answer]:
    """Each question alone, and once as a follow-up."""
    before = (Message("user", "What is a stack?"), Message("assistant", rows.STACK))
    answers = [await assistant.answer(question, course_id="ds") for question in QUESTIONS]
    return [*answers, await assistant.answer("And a queue?", course_id="ds", history=before)]


@pytest.mark.parametrize("admission", [None, REFUSED], ids=["not examined yet", "refused"])
def test_a_model_that_may_not_write_changes_no_byte_of_any_answer(ask_all: Asks, admission: Admission | None) -> None:
    model = ScriptedModel(lambda prompt: "Yes, of course. The answer is 2 days.")
    without, behind = ask_all(None, None), ask_all(model, admission)
    assert [one.text for one in behind] == [one.text for one in without]
    assert [(one.route, one.kind, one.coverage, one.degraded) for one in behind] == [
        (one.route, one.kind, one.coverage, one.degraded) for one in without
    ]
    assert [one.references for one in behind] == [one.references for one in without]
    assert model.asked == []


def test_the_same_questions_are_answered_by_a_model_that_may_write(ask_all: Asks) -> None:
    model = ScriptedModel(lambda prompt: rows.STACK)
    ask_all(model, admitted("definition", "comparison"))
    assert model.asked, "the test above would hold of any model that nobody asks"
