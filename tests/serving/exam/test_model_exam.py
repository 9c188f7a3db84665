"""A gateway examines an unknown model by itself, once, and forgets an admission that no longer holds."""

import asyncio
from dataclasses import asdict, replace
from pathlib import Path

import course_rows as rows
import exam_rows
import pytest
import stand_in_models as stand_ins
from scripted_model import ScriptedModel

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import EXAM_QUESTIONS
from knowledge_graph.lake.tables import write_table
from serving.assistant.assistant import Assistant
from serving.assistant.generation.prompts import TEMPLATES
from serving.exam import exam_files
from serving.exam.exam_files import newest
from serving.exam.items import exam_items
from serving.exam.sitting import sitting
from serving.gateway.model_exam import ModelExam
from serving.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with an exam of six concepts."""
    items = [replace(item, course_id="ds") for item in exam_items(exam_rows.material())]
    path = DataDir(tmp_path).table("exam_questions", "ds")
    write_table(path, [asdict(item) for item in items], EXAM_QUESTIONS)
    return Settings(home=tmp_path, model_admission="exam")


@pytest.fixture
def assistant(settings: Settings, graph: ConceptGraph) -> Assistant:
    index = rows.open_index(settings.home)
    return Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings)


async def _once(exam: ModelExam, assistant: Assistant) -> None:
    """Follow until the first look is over."""

    async def answering() -> Assistant:
        return assistant

    following = asyncio.create_task(exam.follow(answering))
    while exam.current is None and not following.done():
        await asyncio.sleep(0.01)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)


def test_an_unknown_model_is_examined_and_its_result_kept(
    settings: Settings, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.exam.tracking.log_exam", lambda found, data_dir: None)
    model = ScriptedModel(stand_ins.faithful)
    exam = ModelExam(settings, model)
    asyncio.run(_once(exam, assistant))
    assert exam.current is not None
    assert exam.current.asked == len(model.asked) > 20
    assert not exam.current.admits_any, "six concepts are too few for the bound"
    assert newest(settings.data_dir) == [exam.current]
    again = ModelExam(settings, model)
    asyncio.run(_once(again, assistant))
    assert again.current == exam.current
    assert len(model.asked) == exam.current.asked


@pytest.mark.parametrize("admission", ["always", "never"])
def test_nobody_is_examined_where_no_admission_is_asked_for(
    settings: Settings, assistant: Assistant, admission: str
) -> None:
    model = ScriptedModel(stand_ins.faithful)
    exam = ModelExam(settings.model_copy(update={"model_admission": admission}), model)
    asyncio.run(_once(exam, assistant))
    assert model.asked == []
    assert exam.current is None


class Renamed(ScriptedModel):
    async def model_name(self) -> str:
        return "another"


def test_an_admission_ends_when_the_model_that_is_served_becomes_another(
    settings: Settings, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.exam.tracking.log_exam", lambda found, data_dir: None)
    monkeypatch.setattr("serving.gateway.model_exam.LOOK_SECONDS", 0.01)
    model = Named(stand_ins.faithful)
    exam = ModelExam(settings, model)

    async def swapped() -> list[str]:
        async def answering() -> Assistant:
            return assistant

        following = asyncio.create_task(exam.follow(answering))
        seen: list[str] = []
        for name in ("first", "second"):
            model.name = name
            while exam.current is None or not exam.current.model.startswith(name):
                await asyncio.sleep(0.01)
            seen.append(exam.current.key)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        return seen

    first, second = asyncio.run(swapped())
    assert first != second


class Named(ScriptedModel):
    name = "first"

    async def model_name(self) -> str:
        return self.name


def test_another_model_prompt_setting_or_exam_is_another_key(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedModel(stand_ins.faithful)
    first = asyncio.run(sitting(model, settings)).key
    assert asyncio.run(sitting(model, settings)).key == first
    assert asyncio.run(sitting(model, settings.model_copy(update={"temperature": 0.9}))).key != first
    assert asyncio.run(sitting(Renamed(stand_ins.faithful), settings)).key != first
    monkeypatch.setattr(exam_files, "TEMPLATES", tuple(replace(one, text=f"{one.text} Please.") for one in TEMPLATES))
    assert asyncio.run(sitting(model, settings)).key != first
    monkeypatch.undo()
    assert asyncio.run(sitting(model, settings)).key == first
    items = exam_items(exam_rows.material())[:3]
    write_table(settings.data_dir.table("exam_questions", "ds"), [asdict(item) for item in items], EXAM_QUESTIONS)
    assert asyncio.run(sitting(model, settings)).key != first
