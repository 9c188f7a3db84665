"""One exam from beginning to end: which model it is, whether its result is known, and who puts the questions."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.plan import Plan
from serving.exam.admission import Admission
from serving.exam.exam_files import Papers, exam_key, read_items
from serving.exam.examiner import Board, Examiner, ExamProgress
from serving.exam.item import ExamItem
from serving.exam.judge import ExamJudge
from serving.exam.marks import covers, honest, resists
from serving.llm.language_model import LanguageModel
from serving.llm.model_client import ServedModel, open_judge, open_model
from serving.llm.per_language import settings_per_language
from serving.settings import Settings


class ModelNotServed(CoteachError):
    """There is no model server whose model could be examined."""


@dataclass(frozen=True)
class Sitting:
    """The exam of one model as things are: `key` changes with the model, the prompts and the courses."""

    papers: Papers
    key: str
    settings: Settings

    @property
    def known(self) -> Admission | None:
        """The result, if the exam was held already."""
        return self.papers.admission(self.key)

    async def hold(
        self, llm: LanguageModel, assistant: Assistant, *, told: Callable[[ExamProgress], None] = lambda progress: None
    ) -> Admission:
        """Ask what was not asked before, and publish the result. Raises `LlmError`."""
        judge = open_judge(self.settings)
        examiner = Examiner(
            llm,
            board_of(assistant),
            self.papers,
            self.settings,
            budget_s=self.settings.exam_seconds,
            told=told,
            judge=None if judge is None else ExamJudge(judge),
        )
        try:
            return await examiner.examine(self.papers.keep_unseen(read_items(self.settings.data_dir)), self.key)
        finally:
            if judge is not None:
                await judge.aclose()


async def sitting(llm: LanguageModel, settings: Settings) -> Sitting:
    """The exam of the model that is served now. Raises `LlmError` when its server does not say which it is."""
    name = await (llm.source() if isinstance(llm, ServedModel) else llm.model_name())
    papers = Papers.of(settings.data_dir, name, llm.url if isinstance(llm, ServedModel) else "")
    return Sitting(papers, exam_key(papers, settings, settings.data_dir), settings)


async def hold_exam(data_dir: DataDir, *, told: Callable[[str], None]) -> tuple[Admission, Path]:
    """The exam of the configured model over a home, and the file with its result; what is known is not asked again.

    Raises `ModelNotServed` without a model server, `LlmError` when it cannot be asked.
    """
    from serving.gateway.knowledge import load_knowledge  # noqa: PLC0415  the gateway imports this module

    settings = settings_per_language(Settings(home=data_dir.root)).others
    if (llm := open_model(settings)) is None:
        raise ModelNotServed("No model server to examine. Set COTEACH_LLM_URL, or run `coteach model examine`.")
    try:
        held = await sitting(llm, settings)
        assistant = (await asyncio.to_thread(load_knowledge, settings, llm)).assistant
        found = held.known or await held.hold(
            llm, assistant, told=lambda now: told(f"{now.asked} of at most {now.drawn} items, {now.seconds:.0f} s")
        )
        return found, held.papers.result(held.key)
    finally:
        await llm.aclose()


def board_of(assistant: Assistant) -> Board:
    """What an examiner needs, from an assistant that answers without a model."""

    async def plan(item: ExamItem) -> Plan:
        return await assistant.plan_for_exam(
            item.question, item.evidence, course_id=item.course_id, history=item.history
        )

    async def is_composed_right(item: ExamItem) -> bool:
        answer = await assistant.answer_composed(item.question, course_id=item.course_id, history=item.history)
        return is_composed_answer_right(answer, item)

    return Board(plan, is_composed_right, assistant.names_of)


def is_composed_answer_right(answer: Answer, item: ExamItem) -> bool:
    """Whether the answer without a model says what it must and nothing that it must not; one that is none is right
    where the material has no answer."""
    if not item.is_answerable:
        return (
            answer.coverage == "none"
            or answer.route in ("ask_ta", "refuse", "clarify")
            or honest(answer.text, item).passed
        )
    return covers(answer.text, item).passed and resists(answer.text, item).passed
