"""LittleMu's Table 4 with our rows beside the printed ones: ROUGE F1 of answers, for simple, complex and all questions.

What counts as a token, `rouge` says.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from models.statistics.intervals import Interval
from serving.evaluation.figures import COLOURS
from serving.evaluation.systems.answered_systems import AnsweredSystem
from serving.evaluation.systems.system_answers import SystemAnswer
from serving.evaluation.systems.system_measures import MEASURES
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PUBLISHED: tuple[tuple[str, str, str, str], ...] = (
    ("CPM-2", "10.4", "0.4", "8.8"),
    ("GLM", "12.6", "1.5", "10.1"),
    ("GLM-130B", "19.8", "4.3", "14.5"),
    ("Xiao-Shih", "17.5", "7.4", "13.8"),
    ("DPR + MRC", "7.2", "1.8", "6.3"),
    ("BM25 + MRC", "2.5", "0.2", "1.5"),
    ("XiaoMu", "21.5", "11.1", "17.8"),
    ("LittleMu (10B)", "22.2", "11.2", "18.3"),
    ("LittleMu (130B)", "22.4", "11.3", "18.5"),
)
"""Table 4: R1, R2 and RL over 1,767 questions. The paper speaks of simple and complex ones and prints neither."""

PUBLISHED_QUESTIONS = "1,767"

_SCORES = ("rouge1", "rouge2", "rougel")
_KINDS = ("all", "simple", "complex")
_SECTIONS = {"course": "the courses'", "public": "the public set"}
_COLUMNS = ("system", "questions", "asked", *(f"{title}, {kind}" for kind in _KINDS for title in ("R1", "R2", "RL")))


def rouge_table(systems: Sequence[AnsweredSystem]) -> Table:
    """Table 4 with a row for each system and each section whose questions have reference answers."""
    groups = _groups(systems)
    rows = [_row_in_paper(*one) for one in PUBLISHED]
    rows += [_ours(one, section, answers) for one, section, answers in groups]
    return Table(
        name="littlemu_4",
        title="ROUGE of answers against reference answers",
        source="LittleMu, Table 4: ROUGE-1/2/L F1, times 100",
        columns=_COLUMNS,
        rows=tuple(rows),
        notes=_notes(groups),
    )


def paint_rouge(table: Table, figure: "Figure") -> None:
    """ROUGE-L over all questions, of each row: what was printed as a point, ours with its interval."""
    axes = figure.add_subplot()
    place = _COLUMNS.index("RL, all")
    for height, row in enumerate(reversed(table.rows)):
        cell = row[place]
        if isinstance(cell, Published):
            axes.plot(float(cell.text), height, "D", color=COLOURS[5])
        elif isinstance(cell, MeasuredNumber) and cell.value is not None:
            colour = COLOURS[list(_SECTIONS.values()).index(str(row[1]))]
            axes.hlines(height, cell.low or cell.value, cell.high or cell.value, color=colour)
            axes.plot(cell.value, height, "o", color=colour)
    labels = [str(row[0]) if isinstance(row[2], Published) else f"{row[0]}, {row[1]}" for row in reversed(table.rows)]
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel("ROUGE-L × 100; diamonds: published")
    axes.set_xlim(left=0)


def painter(table: Table) -> partial[None]:
    """For `drawing.draw`."""
    return partial(paint_rouge, table)


def _groups(systems: Sequence[AnsweredSystem]) -> list[tuple[AnsweredSystem, str, list[SystemAnswer]]]:
    found = [
        (one, section, [row for row in one.rows if row.section == section and row.rougel is not None])
        for section in _SECTIONS
        for one in systems
    ]
    return [group for group in found if group[2]]


def _row_in_paper(model: str, *scores: str) -> tuple[Cell, ...]:
    nothing = [""] * (len(_COLUMNS) - 3 - len(scores))
    return (model, "LittleMu's", Published(PUBLISHED_QUESTIONS), *(Published(score) for score in scores), *nothing)


def _ours(system: AnsweredSystem, section: str, answers: Sequence[SystemAnswer]) -> tuple[Cell, ...]:
    prefix = f"{system.slug}/{section}"
    count = MeasuredNumber(f"{prefix}/questions", len(answers), style="count")
    scores = [_score(prefix, kind, name, answers) for kind in _KINDS for name in _SCORES]
    return (system.label, _SECTIONS[section], count, *scores)


def _score(prefix: str, kind: str, name: str, answers: Sequence[SystemAnswer]) -> MeasuredNumber:
    found = MEASURES[name].of([one for one in answers if kind in ("all", one.kind)])
    return MeasuredNumber.of(f"{prefix}/{kind}/{name}", _hundredfold(found), style="decimal", digits=1)


def _hundredfold(found: Interval) -> Interval:
    value, low, high = (None if each is None else 100 * each for each in (found.value, found.low, found.high))
    return Interval(value, low, high, found.n)


def _notes(groups: Sequence[tuple[AnsweredSystem, str, list[SystemAnswer]]]) -> tuple[NumberedNote, ...]:
    notes = [
        NumberedNote(
            "In brackets the 95% interval by the bootstrap over questions. A Han character is one token, every other "
            "run of letters and digits one word, not stemmed; the paper does not say what its tokens are. The paper "
            "prints no figures for simple and complex questions."
        )
    ]
    if not groups:
        return (*notes, NumberedNote("Nothing of ours: no evaluated question that a system answered has a reference."))
    if not any(section == "public" for _, section, _ in groups):
        notes.append(
            NumberedNote(
                "The printed rows are of other questions than ours: of students of XuetangX, not of the courses of "
                "this home. With a CSV of such questions in COTEACH_EVAL_ANSWERS the systems without a model answer "
                "those."
            )
        )
    return (*notes, _apart(groups))


def _apart(groups: Sequence[tuple[AnsweredSystem, str, list[SystemAnswer]]]) -> NumberedNote:
    """What separates ours from theirs."""
    public = next((answers for _, section, answers in groups if section == "public"), None)
    text = (
        "What separates ours from the printed figures: LittleMu searches an encyclopaedia, the web and the FAQs of a "
        "platform of thousands of courses, and writes with a model of 10 or 130 billion parameters. Ours knows the "
        "courses of this home alone, and what writes, if anything does, is the model named in the row (by default of "
        "135 million parameters, in English, on a CPU). The references of the courses were written for this project by "
        "those who wrote the courses, which makes them easier to meet than those of strangers."
    )
    if public is None:
        return NumberedNote(text)
    routes = {"direct": "given", "ask_ta": "handed"}
    numbers = {
        name: MeasuredNumber(
            f"public/{route}", sum(one.route == route for one in public) / len(public), style="percent"
        )
        for route, name in routes.items()
    }
    return NumberedNote(
        text + " On the public set, whose questions are mostly of other subjects than these courses, the first system "
        "gave a stored answer to {given} and handed {handed} to a TA, whose words meet no reference.",
        numbers,
    )
