"""The table of student questions: right, right and cited, misleading, by kind, beside the plain baseline. Pure."""

from collections.abc import Iterable, Sequence

from models.statistics.intervals import difference, wilson
from serving.evaluation.students.marking import AT_ONCE, CHARACTERS_OF_A_WORD, AnswerMark
from serving.evaluation.students.running import MarkedAnswer
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

COLUMNS = (
    "questions",
    "n",
    "right",
    "right and cited",
    "right at once",
    "misleading",
    "given as sure",
    "baseline right",
    "baseline right and cited",
    "baseline right at once",
)
BOUND_CITED, BOUND_MISLEADING = 0.80, 0.05
"""What a release keeps on the questions that nobody looked at: at least so many right and cited, at most so many
misleading."""

_NOTES = (
    "Answers without a language model. *Right*: it says all that a right answer must and nothing that it must not, "
    "by the "
    "patterns beside each question; where the material does not answer, that it says so. *Right and cited*: and a "
    "reference "
    f"opens a place that supports it. *Right at once*: right within its first {AT_ONCE} words, of which one is "
    f"{CHARACTERS_OF_A_WORD} Chinese characters. "
    "*Misleading*: it says what it must not, or is given as sure and is not right. The "
    "baseline shows the three nearest passages and the nearest FAQ entry as they stand, and never declines.",
    "The product is ahead of the baseline by {ahead} (right and cited, all questions).",
)


def student_table(answered: Sequence[MarkedAnswer], name: str = "student_questions") -> Table:
    """Rows for the halves, then of the unseen half (of all, without one) for each kind, course and answerability."""
    unseen = [one for one in answered if one.question.split == "unseen"]
    shown = unseen or list(answered)
    rows = [_row("all", "all questions", answered)]
    for split in ("dev", "unseen"):
        rows += _rows(f"split.{split}", f"{split} half", (one for one in answered if one.question.split == split))
    for kind in sorted({one.question.kind for one in shown}):
        rows += _rows(f"kind.{kind}", kind.replace("_", " "), (one for one in shown if one.question.kind == kind))
    for course in sorted({one.question.course_id for one in shown}):
        rows += _rows(
            f"course.{course}", f"course {course}", (one for one in shown if one.question.course_id == course)
        )
    for answerable in (True, False):
        label = "answered by the material" if answerable else "not answered by the material"
        found = (one for one in shown if one.question.answerable is answerable)
        rows += _rows(f"answerable.{str(answerable).lower()}", label, found)
    product = wilson(sum(one.product.cited for one in answered), len(answered))
    baseline = wilson(sum(one.baseline.cited for one in answered), len(answered))
    ahead = MeasuredNumber.of("ahead", difference(product, baseline))
    return Table(
        name=name,
        title="Questions as students ask them",
        source="coteach",
        columns=COLUMNS,
        rows=tuple(rows),
        notes=(NumberedNote(_NOTES[0]), NumberedNote(_NOTES[1], {"ahead": ahead})),
    )


def student_marks(answered: Iterable[MarkedAnswer]) -> list[dict[str, object]]:
    """What a release is held to: a row of `STUDENT_MARKS` for each question."""
    return [
        {
            "question_id": one.question.question_id,
            "course_id": one.question.course_id,
            "split": one.question.split,
            "cited": one.product.cited,
            "misleading": one.product.misleading,
        }
        for one in answered
    ]


def _rows(key: str, label: str, found: Iterable[MarkedAnswer]) -> list[tuple[Cell, ...]]:
    listed = list(found)
    return [_row(key, label, listed)] if listed else []


def _row(key: str, label: str, answered: Sequence[MarkedAnswer]) -> tuple[Cell, ...]:
    n = len(answered)

    def share(name: str, marks: Sequence[AnswerMark], what: str) -> MeasuredNumber:
        return MeasuredNumber.of(f"{key}.{name}", wilson(sum(bool(getattr(one, what)) for one in marks), n))

    product, baseline = [one.product for one in answered], [one.baseline for one in answered]
    return (
        label,
        MeasuredNumber(f"{key}.n", float(n), style="count"),
        share("right", product, "right"),
        share("cited", product, "cited"),
        share("right_at_once", product, "right_at_once"),
        share("misleading", product, "misleading"),
        share("sure", product, "is_sure"),
        share("baseline.right", baseline, "right"),
        share("baseline.cited", baseline, "cited"),
        share("baseline.right_at_once", baseline, "right_at_once"),
    )
