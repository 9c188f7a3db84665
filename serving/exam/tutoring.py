"""`teach_tutor`: from a built home to a fine-tuned model that may sit its exam. Reads and writes at the edge; what is
learnt is `tutor_lessons`', how is `models.tutor`'s."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import read_rows
from models.progress import OnProgress
from models.tutor.lessons import TutorLesson
from serving.assistant.assistant import Assistant
from serving.assistant.plan import Plan
from serving.exam.exam_files import read_items
from serving.exam.item import ExamItem
from serving.exam.tutor_lessons import ApprovedPair, LessonBoard, lessons_of_items, lessons_of_pairs
from serving.settings import Settings

if TYPE_CHECKING:
    from models.tracking.runs import TrackedModel
    from models.tutor.fine_tuning import TutorReport, TutorSettings

_APPROVED = ("faq", "ta")
"""Sources of stored pairs whose answers people stand behind."""

LEAST_LESSONS = 20
"""Fewer teach nothing. A choice."""


class TooFewLessons(CoteachError):
    """The home's courses give too little to learn from."""


@dataclass(frozen=True)
class TaughtTutor:
    """What came of it: the folder that a server is started with, the training, and its run in MLflow."""

    folder: Path
    report: "TutorReport"
    run: "TrackedModel"


def teach_tutor(
    data_dir: DataDir,
    *,
    base: str,
    settings: "TutorSettings",
    told: Callable[[str], None],
    on_progress: OnProgress,
) -> TaughtTutor:
    """Fine-tune `base`, a folder or a hub's id, on the courses of a home, publish it and log it.

    It serves nobody: a server has to be started with its folder, and is examined like any other. Raises
    `TooFewLessons`.
    """
    from models.tracking.tutor import TutorRecord, log_tutor  # noqa: PLC0415  MLflow takes 4 s
    from models.tutor.fine_tuning import fine_tune, settings_as_params  # noqa: PLC0415  torch and peft take 10 s
    from serving.gateway.knowledge import load_knowledge  # noqa: PLC0415  the gateway imports this package

    own = Settings(home=data_dir.root)
    lessons = asyncio.run(lessons_of_home(load_knowledge(own, None).assistant, own))
    if len(lessons) < LEAST_LESSONS:
        raise TooFewLessons(
            f"The courses of {data_dir.root} give {len(lessons)} lessons; at least {LEAST_LESSONS} are needed. Add "
            "courses with definitions or a FAQ in a language of COTEACH_LANGUAGES."
        )
    told(f"{len(lessons)} lessons")
    with TemporaryDirectory() as scratch:
        adapters = Path(scratch)
        report = fine_tune(
            lessons, base=base, folder=data_dir.tutor, settings=settings, adapters=adapters, on_progress=on_progress
        )
        run = log_tutor(
            TutorRecord(
                version=report.version,
                base=Path(base).name,
                params=settings_as_params(settings),
                metrics=dict(tutor_figures(report)),
                curve=report.curve,
                lessons=[asdict(one) for one in lessons],
                adapters=adapters,
            ),
            data_dir=data_dir,
        )
    return TaughtTutor(data_dir.tutor / report.version, report, run)


def tutor_figures(report: "TutorReport") -> dict[str, float]:
    """The numbers of a training by name."""
    found: dict[str, float | None] = {
        "lessons": report.lessons,
        "held_out": report.held_out,
        "left_out": report.left_out,
        "steps": report.steps,
        "planned_steps": report.planned_steps,
        "held_out_loss_before": report.loss_before,
        "held_out_loss": report.loss_after,
        "trained_weights": report.trained_weights,
        "seconds": report.seconds,
    }
    return {name: float(value) for name, value in found.items() if value is not None}


async def lessons_of_home(assistant: Assistant, settings: Settings) -> list[TutorLesson]:
    """The lessons of every course in a language that the model speaks."""

    async def plan(item: ExamItem) -> Plan:
        return await assistant.plan_for_exam(
            item.question, item.evidence, course_id=item.course_id, history=item.history
        )

    board = LessonBoard(plan, assistant.names_of)
    items = [one for one in read_items(settings.data_dir) if one.lang in settings.languages]
    pairs = [one for one in _read_approved(settings.data_dir) if one.lang in settings.languages]
    found = [one async for one in lessons_of_items(items, board)]
    return found + [one async for one in lessons_of_pairs(pairs, board)]


def _read_approved(data_dir: DataDir) -> list[ApprovedPair]:
    return [
        ApprovedPair(
            str(row["origin_id"]),
            str(row["course_id"]),
            str(row["lang"]),
            str(row["source"]),
            str(row["question"]),
            str(row["answer"]),
        )
        for row in read_rows(data_dir.qa_pairs)
        if row["source"] in _APPROVED
    ]
