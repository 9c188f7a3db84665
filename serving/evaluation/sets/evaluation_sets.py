"""The sets that every system is evaluated on: questions, multiple-choice questions, and answers with their evidence.

Belongs here: the records of the three tables that the asset `evaluation_sets` writes, and how they are made of the
files of the courses and of public data. Pure but for the three readers of what was written.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from knowledge_graph.lake.records import Lang, from_row
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.text.sentences import language_of
from models.intent.labels.categories import Category
from serving.assistant.retrieval.question_sets import Kind, LabelledQuestion
from serving.evaluation.choice_questions import KnownQuestion
from serving.evaluation.sets.groundedness_pairs import GroundednessPair
from serving.evaluation.sets.labelled_data import AnsweredQuestion

Section = Literal["course", "public"]

SET_NAMES = ("questions", "choices", "groundedness")
"""As `DataDir.evaluation_set` calls them."""

ASKED: tuple[Category, ...] = ("simple", "complex")
"""Categories of public questions that are asked: LittleMu's Table 4 has no chit-chat and no platform questions."""


@dataclass(frozen=True)
class EvaluationQuestion:
    """One question with what answers it: `gold` ids, sorted, none in public sets, and `reference`, "" where there is
    none. `set` is the course or the name of the file; `course_id` is `None` for a question of no course."""

    set: str
    question_id: str
    course_id: str | None
    lang: Lang
    question: str
    kind: Kind
    gold: tuple[str, ...]
    reference: str
    section: Section


@dataclass(frozen=True)
class EvaluationOption:
    """One option of a multiple-choice question."""

    label: str
    text: str


@dataclass(frozen=True)
class EvaluationChoice:
    """A multiple-choice question; `answer` is the label of the right option, `explanation` why, "" where unknown."""

    question_id: str
    course_id: str
    lang: Lang
    stem: str
    options: tuple[EvaluationOption, ...]
    answer: str
    explanation: str
    subject: str


@dataclass(frozen=True)
class EvaluationGroundedness:
    """An answer beside its evidence, and whether people say that the evidence supports it."""

    id: str
    course_id: str
    lang: Lang
    question: str
    evidence: str
    answer: str
    grounded: bool


def questions_of_course(labelled: Sequence[LabelledQuestion], *, course_id: str) -> tuple[EvaluationQuestion, ...]:
    """The questions of a course's `gold/questions.jsonl`, in its order."""
    return tuple(
        EvaluationQuestion(
            set=course_id,
            question_id=one.question_id,
            course_id=one.course_id,
            lang=language_of(one.question),
            question=one.question,
            kind=one.kind,
            gold=tuple(sorted(one.gold)),
            reference=one.answer,
            section="course",
        )
        for one in labelled
    )


def questions_of_public_set(rows: Sequence[AnsweredQuestion], *, name: str) -> tuple[EvaluationQuestion, ...]:
    """Public questions with reference answers, in the order of their rows; only those of `ASKED` are asked."""
    return tuple(
        EvaluationQuestion(
            set=name,
            question_id=hashlib.sha256(f"{name}\n{one.row_id}\n{one.question}".encode()).hexdigest()[:16],
            course_id=None,
            lang=language_of(one.question),
            question=one.question,
            kind="complex" if one.category == "complex" else "simple",
            gold=(),
            reference=one.answer,
            section="public",
        )
        for one in rows
        if one.category in ASKED
    )


def choices_of_course(known: Sequence[KnownQuestion], *, course_id: str) -> tuple[EvaluationChoice, ...]:
    """The multiple-choice questions of a course, in the order of the file."""
    return tuple(
        EvaluationChoice(
            question_id=f"{course_id}/{one.question_id}",
            course_id=course_id,
            lang=one.lang,
            stem=one.stem,
            options=tuple(EvaluationOption(label, text) for label, text in one.options.items()),
            answer=one.answer,
            explanation=one.explanation,
            subject=one.subject,
        )
        for one in known
    )


def groundedness_of_course(pairs: Sequence[GroundednessPair], *, course_id: str) -> tuple[EvaluationGroundedness, ...]:
    """The answers of a course with their evidence, in the order of the file."""
    return tuple(
        EvaluationGroundedness(
            id=f"{course_id}/{one.pair_id}",
            course_id=course_id,
            lang=language_of(one.answer),
            question=one.question,
            evidence="\n\n".join(one.knowledge),
            answer=one.answer,
            grounded=one.grounded,
        )
        for one in pairs
    )


Entry = TypeVar("Entry", EvaluationQuestion, EvaluationChoice, EvaluationGroundedness)


def rows_of(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Entries as the rows of their table."""
    return (asdict(one) for one in entries)


def read_questions(path: Path) -> tuple[EvaluationQuestion, ...]:
    """The questions that the asset wrote to `DataDir.evaluation_set("questions")`."""
    return _read(path, lambda row: from_row(EvaluationQuestion, row))


def read_choices(path: Path) -> tuple[EvaluationChoice, ...]:
    """The multiple-choice questions of `DataDir.evaluation_set("choices")`."""
    return _read(path, lambda row: from_row(EvaluationChoice, row))


def read_groundedness(path: Path) -> tuple[EvaluationGroundedness, ...]:
    """The graded answers of `DataDir.evaluation_set("groundedness")`."""
    return _read(path, lambda row: from_row(EvaluationGroundedness, row))


def _read(path: Path, entry: Callable[[dict[str, Any]], Entry]) -> tuple[Entry, ...]:
    return tuple(entry(row) for row in read_rows(path))
