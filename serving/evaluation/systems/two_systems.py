"""Two systems on the same questions: measures with paired tests, cost, and the questions on which they differ most.

Pure. A system here is any file of answers that `coteach report` wrote: of two systems of a home, or of one system in
two homes, which are two settings, models or releases.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from serving.evaluation.release.paired_comparison import PairedMeasure, compare
from serving.evaluation.systems.answered_systems import AnsweredSystem
from serving.evaluation.systems.citations import ANSWERING
from serving.evaluation.systems.system_answers import SystemAnswer
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Style, Table

NAME = "comparison"

_LONGEST = 600
"""Characters of an answer that an example shows. A choice."""

Pair = tuple[SystemAnswer, SystemAnswer]


@dataclass(frozen=True)
class _Measure:
    """`value` is `None` for an answer that it cannot be taken of: the question is then left out of it."""

    title: str
    value: Callable[[SystemAnswer], float | None]
    style: Style = "decimal"
    digits: int = 3


def _if_gold(value: Callable[[SystemAnswer], float]) -> Callable[[SystemAnswer], float | None]:
    return lambda row: None if row.recall5 is None else value(row)


_MEASURES: Mapping[str, _Measure] = {
    "hit_at_1": _Measure("Hit@1", _if_gold(lambda row: float(row.hit_rank == 1)), "percent", 1),
    "recall_at_5": _Measure("Recall@5", lambda row: row.recall5),
    "mrr": _Measure("MRR", _if_gold(lambda row: 1 / row.hit_rank if row.hit_rank else 0.0)),
    "rouge_l": _Measure("ROUGE-L of the answer", lambda row: row.rougel),
    "answered": _Measure("Answered", lambda row: float(row.route in ANSWERING), "percent", 1),
    "milliseconds": _Measure("Milliseconds", lambda row: row.total_ms, digits=1),
}
"""What is compared, and what it costs. The tests of all of them are corrected together."""


@dataclass(frozen=True)
class TwoSystems:
    """`examples` are the questions whose answers differ most by ROUGE-L, those that gained first."""

    first: str
    second: str
    questions: int
    left_out: int
    """Questions that only one of them was asked."""
    comparisons: tuple[PairedMeasure, ...]
    examples: tuple[Pair, ...]
    asked: tuple[Mapping[str, str], ...]
    """The questions that both were asked: id, set and text."""


def compare_systems(first: AnsweredSystem, second: AnsweredSystem, *, names: tuple[str, str], shown: int) -> TwoSystems:
    """Compare on the questions that both were asked; differences are second less first.

    Raises `ValueError` when there is none.
    """
    others = {(row.set, row.question_id): row for row in second.rows}
    pairs = [(row, others[key]) for row in first.rows if (key := (row.set, row.question_id)) in others]
    if not pairs:
        raise ValueError(f"{names[0]} and {names[1]} were asked no question in common.")
    before: dict[str, list[float]] = {}
    after: dict[str, list[float]] = {}
    for name, measure in _MEASURES.items():
        values = [(measure.value(one), measure.value(other)) for one, other in pairs]
        both = [(one, other) for one, other in values if one is not None and other is not None]
        if both:
            before[name], after[name] = ([pair[side] for pair in both] for side in (0, 1))
    total = len(first.rows) + len(second.rows)
    return TwoSystems(
        *names,
        questions=len(pairs),
        left_out=total - 2 * len(pairs),
        comparisons=compare(before, after, floors={}),
        examples=_most_different(pairs, shown),
        asked=tuple({"id": one.question_id, "set": one.set, "question": one.question} for one, _ in pairs),
    )


def comparison_tables(found: TwoSystems) -> tuple[Table, Table]:
    """The measures, and the examples."""
    rows = tuple(_row(one) for one in found.comparisons)
    measures = Table(
        name=NAME,
        title=f"{found.first} and {found.second}",
        source="The same questions, asked of both",
        columns=(
            "Measure",
            "Questions",
            found.first,
            found.second,
            "Difference",
            "First alone",
            "Second alone",
            "p",
            "Verdict",
        ),
        rows=rows,
        notes=(
            NumberedNote(
                "{questions} questions were asked of both, {left_out} of only one of them.",
                {
                    "questions": MeasuredNumber("questions", found.questions, style="count"),
                    "left_out": MeasuredNumber("left_out", found.left_out, style="count"),
                },
            ),
            NumberedNote(
                "Differences are second less first, with the 95% interval of a paired bootstrap. p: McNemar's exact "
                "test where a question is right or wrong, else a permutation test; by Holm over the rows. Alone: right "
                "where the other is not. "
                "Milliseconds are the cost of an answer, on the machine and under the load that it was asked on."
            ),
        ),
    )
    columns = ("Question", found.first, found.second, "ROUGE-L, first", "ROUGE-L, second")
    differing = tuple(
        (one.question, _cut(one.answer), _cut(other.answer), f"{one.rougel or 0:.3f}", f"{other.rougel or 0:.3f}")
        for one, other in found.examples
    )
    return measures, Table("examples", "Where they differ most", "By ROUGE-L of the answer", columns, differing)


def _row(one: PairedMeasure) -> tuple[Cell, ...]:
    measure, apart = _MEASURES[one.measure], one.difference

    def number(name: str, value: float, low: float | None = None, high: float | None = None) -> MeasuredNumber:
        return MeasuredNumber(f"{one.measure}/{name}", value, low, high, measure.style, measure.digits)

    return (
        measure.title,
        MeasuredNumber(f"{one.measure}/questions", one.questions, style="count"),
        number("first", one.before),
        number("second", one.after),
        number("difference", apart.value, apart.low, apart.high),
        *(
            "–" if count is None else MeasuredNumber(f"{one.measure}/{name}", count, style="count")
            for name, count in (("only_first", one.only_before), ("only_second", one.only_after))
        ),
        MeasuredNumber(f"{one.measure}/p", one.p_holm, digits=4),
        _verdict(one),
    )


_WORDS = {"milliseconds": {"worse": "faster", "better": "slower"}, "answered": {"worse": "fewer", "better": "more"}}
"""Words for measures of which more is not better."""


def _verdict(one: PairedMeasure) -> str:
    return _WORDS.get(one.measure, {}).get(one.verdict, one.verdict)


def _cut(answer: str) -> str:
    return answer if len(answer) <= _LONGEST else f"{answer[:_LONGEST]} …"


def _most_different(pairs: Sequence[Pair], shown: int) -> tuple[Pair, ...]:
    def gain(pair: Pair) -> float:
        return (pair[1].rougel or 0.0) - (pair[0].rougel or 0.0)

    differing = sorted((pair for pair in pairs if gain(pair)), key=lambda pair: (-abs(gain(pair)), pair[0].question_id))
    return tuple(sorted(differing[:shown], key=lambda pair: -gain(pair)))
