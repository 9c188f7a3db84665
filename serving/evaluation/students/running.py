"""Every student question of some courses, answered by the product and by the baseline, and marked."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.sources.folders import CourseFolder
from serving.assistant.assistant import Assistant
from serving.evaluation.students.answering import Baseline, answer_as_product
from serving.evaluation.students.marking import AnswerMark, GivenAnswer, mark
from serving.evaluation.students.questions import SPLITS, Split, StudentQuestion, read_student_questions


@dataclass(frozen=True)
class MarkedAnswer:
    """One question with the product's answer, and the marks of both."""

    question: StudentQuestion
    given: GivenAnswer
    product: AnswerMark
    baseline: AnswerMark


def question_files(courses: Sequence[CourseFolder]) -> dict[Path, Split]:
    """`gold/students.dev.jsonl` and `gold/students.unseen.jsonl` of the courses that have them."""
    named = ((course.path / "gold" / f"students.{split}.jsonl", split) for course in courses for split in SPLITS)
    return {path: split for path, split in named if path.is_file()}


def read_all(files: dict[Path, Split]) -> list[StudentQuestion]:
    """The questions of all files, in their order. Raises `QuestionsBroken` for a line that cannot be used."""
    return [question for path, split in files.items() for question in read_student_questions(path, split)]


async def answer_all(
    questions: Sequence[StudentQuestion], assistant: Assistant, baseline: Baseline
) -> AsyncIterator[MarkedAnswer]:
    """Each question as it is answered, in order."""
    for question in questions:
        given = await answer_as_product(assistant, question)
        yield MarkedAnswer(question, given, mark(question, given), mark(question, baseline.answer(question)))
