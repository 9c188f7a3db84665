"""Reading what is evaluated on: `gold/` of every course folder, and a public file of answered questions.

One bad file leaves the others alone: it is left out and told as a problem, and so is a question that stands twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from knowledge_graph.lake.problems import CoteachError, Problem, display_path
from knowledge_graph.sources.folders import CourseFolder
from serving.assistant.retrieval.question_sets import FILE as QUESTIONS
from serving.assistant.retrieval.question_sets import read_question_set
from serving.evaluation.choice_questions import read_known_questions
from serving.evaluation.sets.evaluation_sets import (
    EvaluationChoice,
    EvaluationGroundedness,
    EvaluationQuestion,
    choices_of_course,
    groundedness_of_course,
    questions_of_course,
    questions_of_public_set,
)
from serving.evaluation.sets.groundedness_pairs import FILE as GROUNDEDNESS
from serving.evaluation.sets.groundedness_pairs import read_groundedness_pairs
from serving.evaluation.sets.labelled_data import read_answers

CHOICES = "gold/choices.jsonl"
"""Inside a course folder, in the form that `choice_questions` reads."""


@dataclass(frozen=True)
class Sets:
    """All that is evaluated on: courses by id, then the public set, each in the order of its file.

    `files` are those that were read, by the name they are told by.
    """

    questions: tuple[EvaluationQuestion, ...]
    choices: tuple[EvaluationChoice, ...]
    groundedness: tuple[EvaluationGroundedness, ...]
    files: dict[str, Path]
    problems: tuple[Problem, ...]


Entry = TypeVar("Entry")


def read_sets(courses: Sequence[CourseFolder], *, answers: Path | None) -> Sets:
    """The sets of all courses, and the public one where there is one. Never raises for a file."""
    reading = _Reading()
    questions: list[EvaluationQuestion] = []
    choices: list[EvaluationChoice] = []
    groundedness: list[EvaluationGroundedness] = []
    for course in courses:
        questions += reading.of_course(course, QUESTIONS, _questions)
        choices += reading.of_course(course, CHOICES, _choices)
        groundedness += reading.of_course(course, GROUNDEDNESS, _groundedness)
    if answers is not None:
        questions += reading.of_file(answers, answers.name, lambda: _public(answers))
    kept = reading.once(questions)
    return Sets(kept, tuple(choices), tuple(groundedness), reading.files, tuple(reading.problems))


class _Reading:
    """What was read so far, and what was wrong with it."""

    def __init__(self) -> None:
        self.files: dict[str, Path] = {}
        self.problems: list[Problem] = []

    def of_course(
        self, course: CourseFolder, file: str, read: Callable[[Path, str], Sequence[Entry]]
    ) -> Sequence[Entry]:
        path = course.path / file
        if not path.is_file():
            return ()
        return self.of_file(path, f"{course.course_id}/{file}", lambda: read(path, course.course_id))

    def of_file(self, path: Path, name: str, read: Callable[[], Sequence[Entry]]) -> Sequence[Entry]:
        try:
            found = read()
        except CoteachError as error:
            told = str(error).replace(str(path), display_path(path, path.parent))
            self.problems.append(Problem(name, None, told, "Mend it; the file was left out."))
            return ()
        self.files[name] = path
        return found

    def once(self, questions: Sequence[EvaluationQuestion]) -> tuple[EvaluationQuestion, ...]:
        """Each question once; the first of two counts."""
        kept: dict[str, EvaluationQuestion] = {}
        for one in questions:
            if kept.setdefault(one.question_id, one) is not one:
                told = f"{one.question[:80]!r} stands there twice; the first counts."
                self.problems.append(Problem(one.set, None, told, "Remove one of the two.", "warning"))
        return tuple(kept.values())


def _questions(path: Path, course_id: str) -> Sequence[EvaluationQuestion]:
    return questions_of_course(read_question_set(path, course_id=course_id), course_id=course_id)


def _choices(path: Path, course_id: str) -> Sequence[EvaluationChoice]:
    return choices_of_course(read_known_questions(path).questions, course_id=course_id)


def _groundedness(path: Path, course_id: str) -> Sequence[EvaluationGroundedness]:
    return groundedness_of_course(read_groundedness_pairs(path), course_id=course_id)


def _public(path: Path) -> Sequence[EvaluationQuestion]:
    return questions_of_public_set(read_answers(path).rows, name=path.stem)
