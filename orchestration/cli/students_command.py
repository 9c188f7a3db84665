"""What `coteach evaluate students` does: answers student questions without a model, and marks the answers."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from knowledge_graph.sources.folders import find_courses
from orchestration.cli.evaluate_command import EvaluationStopped
from serving.evaluation.students.answering import Baseline
from serving.evaluation.students.questions import StudentQuestion
from serving.evaluation.students.running import MarkedAnswer, answer_all, question_files, read_all
from serving.evaluation.students.table import student_table
from serving.evaluation.tables import markdown
from serving.gateway.knowledge import Knowledge, load_knowledge
from serving.settings import Settings


@dataclass(frozen=True)
class Wanted:
    """Which questions are asked: those of one `split`, course or kind; all where it is `None`."""

    split: str | None = None
    course: str | None = None
    kind: str | None = None

    def takes(self, question: StudentQuestion) -> bool:
        asked = ((self.split, question.split), (self.course, question.course_id), (self.kind, question.kind))
        return all(wanted is None or wanted == found for wanted, found in asked)


def evaluate_students(console: Console, *, courses: Path, wanted: Wanted, out: Path | None, as_json: bool) -> int:
    """Answer, print the table, and write every answer with its marks to `out`; nothing of the unseen half is printed.

    Raises `EvaluationStopped` when no course of the home has such questions.
    """
    knowledge = load_knowledge(Settings(), None)
    known = set(knowledge.course_ids)
    read = read_all(question_files(find_courses(courses)))
    questions = [one for one in read if one.course_id in known and wanted.takes(one)]
    if not questions:
        raise EvaluationStopped(
            f"No student questions for the courses of this home. Expected gold/students.dev.jsonl or "
            f"gold/students.unseen.jsonl in a course folder of {courses}; found {len(read)} questions, none of them "
            f"asked for."
        )
    answered = asyncio.run(_answer(questions, knowledge, Console(stderr=True)))
    table = student_table(answered)
    if out is not None:
        lines = (json.dumps(_line(one), ensure_ascii=False) for one in answered)
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if as_json:
        console.print_json(json.dumps(table.metrics()))
    else:
        console.print(markdown(table), markup=False, highlight=False, soft_wrap=True)
    return 0


async def _answer(questions: list[StudentQuestion], knowledge: Knowledge, progress: Console) -> list[MarkedAnswer]:
    baseline = Baseline(knowledge.index, knowledge.dense)
    found = []
    bar = iter(track(range(len(questions)), "questions", console=progress, transient=True))
    async for one in answer_all(questions, knowledge.assistant, baseline):
        next(bar, None)
        found.append(one)
    return found


def _line(one: MarkedAnswer) -> dict[str, object]:
    question, mark = one.question, one.product
    return {
        "id": question.question_id,
        "course": question.course_id,
        "kind": question.kind,
        "split": question.split,
        "question": [*question.history, question.question],
        "answer": one.given.text,
        "references": [reference.label for reference in one.given.references],
        "right": mark.right,
        "cited": mark.cited,
        "right_at_once": mark.right_at_once,
        "misleading": mark.misleading,
        "sure": mark.is_sure,
        "missed": [question.must[number].pattern for number in mark.missed],
        "baseline": {"right": one.baseline.right, "cited": one.baseline.cited},
    }
