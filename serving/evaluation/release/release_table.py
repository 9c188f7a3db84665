"""The table of a release candidate: its figures, those of the last release, and what the comparison says. Pure."""

from collections.abc import Iterator, Sequence

from serving.evaluation.release.paired_comparison import POWER, PairedMeasure, smallest_loss
from serving.evaluation.release.promises import ThresholdPromise
from serving.evaluation.release.release_gate import Judgement, ReleaseCandidate
from serving.evaluation.release.traffic_answers import MEASURES
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

_SOURCE = "The gate of this project: what answers students is released when it is no worse than what did"

_TOLD = {
    "hit_at_1": "Hit@1",
    "recall_at_3": "Recall@3",
    "mrr_at_10": "MRR@10",
    "rouge_l": "ROUGE-L of the answer",
    "written": "as written",
    "reshaped": "in the shape of traffic",
    "students": "students' questions",
    "right_and_cited": "Right and cited",
    "not_misleading": "Not misleading",
}
_BINARY = frozenset(MEASURES) - {"mrr_at_10"} | {"right_and_cited", "not_misleading"}


def release_table(candidate: ReleaseCandidate, judgement: Judgement, promises: Sequence[ThresholdPromise]) -> Table:
    """One row for each measure; the promises and the verdict of the gate below."""
    columns = (
        "Measure", "Questions", "Released", "Candidate", "Difference", "p", "Noise floor", "Smallest loss seen",
        "Verdict",
    )  # fmt: skip
    rows = tuple(_row(measure, value, candidate, judgement) for measure, value in candidate.figures.items())
    return Table(
        "release_candidate", "What would be released", _SOURCE, columns, rows, tuple(_notes(judgement, promises))
    )


def _row(measure: str, value: float, candidate: ReleaseCandidate, judgement: Judgement) -> tuple[Cell, ...]:
    values = candidate.measures[measure]
    found = next((one for one in judgement.comparisons if one.measure == measure), None)
    compared = (
        _comparison_row(found) if found else (len(values), "–", value, "–", "–", candidate.floors.get(measure, 0.0))
    )
    questions, released, now, apart, p, floor = compared
    return (
        _name(measure),
        MeasuredNumber(f"{measure}/questions", questions, style="count"),
        released,
        _figure(f"{measure}/candidate", now),
        apart,
        p,
        _figure(f"{measure}/floor", floor),
        _smallest(measure, questions, len(candidate.measures), floor),
        found.verdict if found else "not compared",
    )


def _comparison_row(found: PairedMeasure) -> tuple[int, Cell, float, Cell, Cell, float]:
    apart = found.difference
    return (
        found.questions,
        _figure(f"{found.measure}/released", found.before),
        found.after,
        _figure(f"{found.measure}/difference", apart.value, apart.low, apart.high),
        MeasuredNumber(f"{found.measure}/p", found.p_holm, digits=4),
        found.floor,
    )


def _smallest(measure: str, questions: int, measures: int, floor: float) -> Cell:
    if measure.rpartition("/")[2] not in _BINARY:
        return "–"
    return MeasuredNumber(
        f"{measure}/smallest_loss", smallest_loss(questions, measures, floor), style="percent", digits=1
    )


def _figure(metric: str, value: float, low: float | None = None, high: float | None = None) -> MeasuredNumber:
    """Shares as per cent, means of graded measures as they are."""
    is_share = metric.split("/")[1] in _BINARY
    return MeasuredNumber(metric, value, low, high, "percent" if is_share else "decimal", 1 if is_share else 3)


def _name(measure: str) -> str:
    asked, _, name = measure.rpartition("/")
    return f"{_TOLD.get(name, name)}, {_TOLD.get(asked, asked)}"


def _notes(judgement: Judgement, promises: Sequence[ThresholdPromise]) -> list[NumberedNote]:
    kept, none = (
        ", ".join(one.name for one in promises if one.state == state) or "none"
        for state in ("kept", "nothing promised")
    )
    return [
        NumberedNote(_outcome(judgement)),
        *_notes_on_missing(judgement),
        NumberedNote(f"Promises of thresholds that hold: {kept}; nothing is promised by: {none}."),
        NumberedNote(
            "Worse is what is beyond chance (p at most .05 after Holm's correction over all rows; McNemar's exact test "
            "for hit@1 and recall@3, a permutation test for the others) and beyond the noise floor: what equally good "
            "wordings of the same questions make of one system, or, for ROUGE, random halves of them. The smallest "
            f"loss is the share of questions that a change must spoil to be seen in {POWER * 100:.0f} of 100 cases, if "
            "nothing else got better. Every system that is compared answers without a model; what a model writes is "
            "no part of this gate. The samples' questions were written with the help of AI and are few."
        ),
    ]


def _notes_on_missing(judgement: Judgement) -> Iterator[NumberedNote]:
    for measure, number in judgement.left_out.items():
        counted = MeasuredNumber(f"{measure}/left_out", number, style="count")
        yield NumberedNote(
            f"{_name(measure)}: {{number}} questions were asked of one of the two only.", {"number": counted}
        )


def _outcome(judgement: Judgement) -> str:
    blocked = []
    if judgement.worse:
        named = "; ".join(map(_name, judgement.worse))
        blocked.append(f"worse than release {judgement.against} in: {named}")
    if judgement.lost:
        named = "; ".join(map(_name, judgement.lost))
        blocked.append(f"it was asked none of the questions of release {judgement.against} in: {named}")
    if judgement.broken:
        blocked.append("a promise does not hold: " + "; ".join(line.split(":")[0] for line in judgement.broken))
    if blocked:
        return f"Held back, {'. And '.join(blocked)}."
    if judgement.against is None:
        return "The first release: there is nothing to compare it with."
    return f"May be released: nowhere shown to be worse than release {judgement.against}."
