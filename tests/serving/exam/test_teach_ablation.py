"""What a part of the Chain of Teach is worth is measured on the same items, with it and without."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import course_rows as rows
import exam_rows
import pytest
import stand_in_models as stand_ins
from scripted_model import ScriptedModel

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.assistant import Assistant
from serving.assistant.generation.chain_of_teach import TeachPart
from serving.assistant.generation.phrases import phrases
from serving.exam.ablation import FIGURES, OF_A_KIND, TeachAblation, ablate, by_chain, figures_of, sample
from serving.exam.exam_files import Papers
from serving.exam.item import ExamItem
from serving.exam.items import exam_items
from serving.settings import Settings

PARTS: tuple[TeachPart, ...] = get_args(TeachPart)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return by_chain(Settings(home=tmp_path, model_admission="exam"))


@pytest.fixture
def items() -> list[ExamItem]:
    return [replace(item, course_id="ds") for item in exam_items(exam_rows.material())]


@pytest.fixture
def assistant(settings: Settings, graph: ConceptGraph) -> Assistant:
    index = rows.open_index(settings.home)
    return Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings)


def ablated(
    settings: Settings, assistant: Assistant, items: list[ExamItem], writes: Callable[[str], str]
) -> tuple[TeachAblation, ScriptedModel]:
    model = ScriptedModel(writes)
    papers = Papers(settings.home / "papers", "stand-in")
    return asyncio.run(ablate(model, assistant, items, papers, settings)), model


def _asked(assistant: Assistant, item: ExamItem, *without: TeachPart) -> str:
    plan = asyncio.run(
        assistant.plan_for_exam(
            item.question, item.evidence, course_id=item.course_id, history=item.history, without=without
        )
    )
    return "\n".join(message.content for message in plan.messages)


def _of(items: list[ExamItem], kind: str) -> ExamItem:
    return next(one for one in items if one.kind == kind and one.subjects and "queue" in one.subjects)


def test_without_decomposition_the_question_is_asked_by_chain_of_thought_over_the_same_notes(
    assistant: Assistant, items: list[ExamItem]
) -> None:
    item = _of(items, "comparison")
    whole, cut = _asked(assistant, item), _asked(assistant, item, "decomposition")
    assert "think step by step" in cut
    assert "think step by step" not in whole
    assert all(one.text in cut for one in item.evidence)


def test_without_concept_prompts_nothing_is_said_of_prerequisites(assistant: Assistant, items: list[ExamItem]) -> None:
    item = _of(items, "comparison")
    whole, cut = _asked(assistant, item), _asked(assistant, item, "demonstrations", "concept_prompts")
    told = phrases("en").prerequisites.partition("{")[0]
    assert told in whole.rpartition(item.question)[0]
    assert told not in cut


def test_without_demonstrations_no_answer_stands_before_the_question(
    assistant: Assistant, items: list[ExamItem]
) -> None:
    item = _of(items, "definition")
    plan = asyncio.run(
        assistant.plan_for_exam(item.question, item.evidence, course_id="ds", without=("demonstrations",))
    )
    assert [message.role for message in plan.messages] == ["system", "user"]


def test_without_history_a_follow_up_stands_alone(assistant: Assistant, items: list[ExamItem]) -> None:
    item = replace(
        next(one for one in items if one.kind == "follow_up"),
        question="What is it used for?",
        evidence=items[0].evidence,
    )
    assert _asked(assistant, item) != _asked(assistant, item, "history")


def test_every_part_is_compared_on_items_that_were_answered_in_every_row(
    settings: Settings, assistant: Assistant, items: list[ExamItem]
) -> None:
    found, _ = ablated(settings, assistant, items, stand_ins.faithful)
    assert [row.part for row in found.rows] == [None, *PARTS]
    assert found.asked == found.drawn == len(sample(items, settings)) > 20
    assert {row.answers for row in found.rows} == {found.asked}
    assert all(set(row.figures) == set(FIGURES) for row in found.rows)
    again, silent = ablated(settings, assistant, items, stand_ins.faithful)
    assert again == found
    assert silent.asked == []


def test_a_part_that_a_model_needs_is_worth_something_and_one_that_it_does_not_is_worth_nothing(
    settings: Settings, assistant: Assistant, items: list[ExamItem]
) -> None:
    def writes(prompt: str) -> str:
        return "It was invented in 1834 by Mr Smith." if "step by step" in prompt else stand_ins.faithful(prompt)

    rows_of = {row.part: row for row in ablated(settings, assistant, items, writes)[0].rows}
    worth = rows_of["decomposition"].differences["right_sentences"]
    assert worth.value is not None
    assert worth.low is not None
    assert worth.low > 0
    assert rows_of["demonstrations"].differences["right_sentences"].value == 0


def test_items_that_there_was_no_time_for_are_compared_in_no_row(
    settings: Settings, assistant: Assistant, items: list[ExamItem]
) -> None:
    hurried = settings.model_copy(update={"exam_seconds": 1e-6})
    found, _ = ablated(hurried, assistant, items, stand_ins.faithful)
    assert found.asked == 0
    assert found.rows[0].figures["right_answers"].value is None
    assert dict(figures_of(found)) == {"asked": 0.0}


def test_a_sample_is_the_beginning_of_the_exam_of_each_kind(settings: Settings, items: list[ExamItem]) -> None:
    chosen = sample(items, settings)
    assert {one.kind for one in chosen} == {one.kind for one in items}
    assert all(sum(one.kind == kind for one in chosen) <= OF_A_KIND for kind in {one.kind for one in chosen})
