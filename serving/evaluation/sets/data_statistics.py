"""How much was labelled: LittleMu's Table 2 beside what its public files hold here. Pure.

The paper's two rows do not follow from its files, and the files do not say why; so both are shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.evaluation.ratings.human_ratings import RatedSystem
from serving.evaluation.sets.labelled_data import AnsweredQuestions
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table


@dataclass(frozen=True)
class ReferenceAnswers:
    """Questions with reference answers."""

    rows: int
    questions: int
    pairs: int
    simple: int
    complex: int

    @classmethod
    def of(cls, found: AnsweredQuestions) -> "ReferenceAnswers":
        """What a file of questions with answers holds."""
        kinds = [row.category for row in found.rows]
        return cls(
            rows=len(found.rows),
            questions=len({row.question for row in found.rows}),
            pairs=len({(row.question, row.answer) for row in found.rows}),
            simple=kinds.count("simple"),
            complex=kinds.count("complex"),
        )


def statistics_table(
    answered: ReferenceAnswers | None, systems: Sequence[RatedSystem], *, courses: Sequence[str] = ()
) -> Table:
    """Courses, participants and labels of both tasks; `None` and no systems where no files were given.

    `courses` are those that rated answers name, once each.
    """
    rows: list[tuple[Cell, ...]] = [
        ("Question answering", "published", Published("108"), Published("10"), Published("1,767")),
        ("General dialogue", "published", Published("20"), Published("20"), Published("124,512")),
    ]
    if answered is not None:
        rows.insert(
            1, ("Question answering", "in the file", "not named", "not named", _count("qa/rows", answered.rows))
        )
    if systems:
        files = [file for system in systems for file in system.files]
        labels = sum(number is not None for file in files for row in file.rows for number in row.written)
        cells = _count("dialogue/courses", len(courses)), "not named", _count("dialogue/labels", labels)
        rows.append(("General dialogue", "in the files", *cells))
    return Table(
        name="data_statistics",
        title="What was labelled for each task",
        source="LittleMu, Table 2",
        columns=("task", "figure", "courses", "participants", "labels"),
        rows=tuple(rows),
        notes=tuple(_notes(answered, systems)),
    )


def courses_of(systems: Sequence[RatedSystem]) -> tuple[str, ...]:
    """The courses that rated answers name, sorted."""
    named = {row.course for system in systems for file in system.files for row in file.rows}
    return tuple(sorted(named - {""}))


def _notes(answered: ReferenceAnswers | None, systems: Sequence[RatedSystem]) -> Iterator[NumberedNote]:
    if answered is None:
        yield NumberedNote("No file of questions with answers was given: set COTEACH_EVAL_ANSWERS.")
    else:
        yield NumberedNote(
            "The paper prints 1,767 labels and 108 courses, its public repository speaks of 139 courses; the file "
            "given here has {rows} answered rows: {simple} simple and {complex} complex, {questions} different "
            "questions and {pairs} different pairs of question and answer.",
            {
                "rows": _count("qa/answered", answered.rows),
                "simple": _count("qa/simple", answered.simple),
                "complex": _count("qa/complex", answered.complex),
                "questions": _count("qa/questions", answered.questions),
                "pairs": _count("qa/pairs", answered.pairs),
            },
        )
    if not systems:
        yield NumberedNote("No human ratings were given: set COTEACH_EVAL_RATINGS.")
        return
    files = [file for system in systems for file in system.files]
    yield NumberedNote(
        "A label is one number for one aspect of one answer. {systems} rated systems are in the files given here, with "
        "{ratings} rated rows; the paper's 124,512 labels cannot be recovered from the files.",
        {
            "systems": _count("dialogue/systems", len(systems)),
            "ratings": _count("dialogue/rows", sum(len(file.rows) for file in files)),
        },
    )


def _count(metric: str, value: int) -> MeasuredNumber:
    return MeasuredNumber(metric, value, style="count")
