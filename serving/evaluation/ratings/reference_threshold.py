"""Precision and recall of references as the threshold rises, and what is chosen of it (Course Hero 3.2, Figure 4).

The curve is the one that `reference_cut` stored, cross-validated by answer on the courses' labelled answers. Pure.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from serving.assistant.references.calibration import CutMeasures, Point, Scorer
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table

PUBLISHED_CUT = 0.65
PUBLISHED_PRECISION = 0.84
PUBLISHED_RECALL = 0.69


class CurveBroken(ValueError):
    """A curve on which accepting everything is not recall 1 at the base rate, or accepts more as the cut rises."""


def threshold_table(scorers: Sequence[Scorer]) -> Table:
    """For each measured scorer: all shown, the published threshold, the loosest cut with the published precision, and
    the cut in use. Raises `CurveBroken`.
    """
    measured = [(one, one.measured) for one in scorers if one.measured is not None]
    rows: list[tuple[Cell, ...]] = [
        ("published", "in use", Published("0.65"), Published("0.84"), Published("0.69"), ""),
        *(line for scorer, found in measured for line in _lines(scorer, found)),
    ]
    return Table(
        name="reference_threshold",
        title="Precision and recall of references over the threshold",
        source="Course Hero, Figure 4",
        columns=("scorer", "point", "threshold", "precision", "recall", "passages shown"),
        rows=tuple(rows),
        notes=tuple(_notes(measured)),
    )


def scorer_name(scorer: Scorer) -> str:
    """As people read it: "en, by words and meaning"."""
    return f"{scorer.lang}, by {'words' if scorer.embedder is None else 'words and meaning'}"


def point_at(curve: Sequence[Point], cut: float) -> Point:
    """What a threshold does: the point of the largest cut that is not above it. Raises `CurveBroken` without one."""
    below = [point for point in curve if point.cut <= cut + 1e-9]
    if not below:
        raise CurveBroken(f"The curve has no point at or below {cut}.")
    return max(below, key=lambda point: point.cut)


def loosest(curve: Sequence[Point], precision: float) -> Point | None:
    """The point with the most recall among those that reach a precision; `None` when none does."""
    reaching = [point for point in curve if point.accepted and point.precision >= precision]
    return max(reaching, key=lambda point: (point.recall, point.precision), default=None)


def check_curve(found: CutMeasures) -> None:
    """Raises `CurveBroken` unless threshold 0 shows every pair, with recall 1 and the base rate as its precision, and a
    higher threshold never shows more."""
    start = point_at(found.curve, 0.0)
    base = found.relevant / found.pairs
    if start.accepted != found.pairs or start.recall != 1 or abs(start.precision - base) > 1e-4:  # stored with 4 digits
        raise CurveBroken(
            f"At threshold 0 expected all {found.pairs} pairs, recall 1 and precision {base:.4f}; found "
            f"{start.accepted}, {start.recall} and {start.precision}."
        )
    curve = sorted(found.curve, key=lambda point: point.cut)
    if any(second.accepted > first.accepted for first, second in pairwise(curve)):
        raise CurveBroken("Expected that a higher threshold never shows more; found one that does.")


def _lines(scorer: Scorer, found: CutMeasures) -> Iterator[tuple[Cell, ...]]:
    check_curve(found)
    chosen = Point(scorer.cut, found.precision, found.recall, found.accepted)
    points = {
        "everything shown": point_at(found.curve, 0.0),
        "the published threshold": point_at(found.curve, PUBLISHED_CUT),
        "loosest at the published precision": loosest(found.curve, PUBLISHED_PRECISION),
        "in use": chosen,
    }
    slugs = ("all", "published_cut", "published_precision", "chosen")
    name = f"{scorer.lang}_{'words' if scorer.embedder is None else 'meaning'}"
    for slug, (label, point) in zip(slugs, points.items(), strict=True):
        if point is not None:
            metric = f"{name}/{slug}"
            yield (
                scorer_name(scorer),
                label,
                MeasuredNumber(f"{metric}.cut", point.cut),
                MeasuredNumber(f"{metric}.precision", point.precision),
                MeasuredNumber(f"{metric}.recall", point.recall),
                MeasuredNumber(f"{metric}.accepted", point.accepted, style="count"),
            )


def _join_names(names: Sequence[str]) -> str:
    return "; ".join(names) or "none"


def _notes(measured: Sequence[tuple[Scorer, CutMeasures]]) -> Iterator[NumberedNote]:
    if not measured:
        yield NumberedNote(
            "No scorer was calibrated in this home: label answers in gold/references.jsonl of a course and build again."
        )
        return
    yield NumberedNote(
        "The paper's threshold is a cosine of Sentence-BERT, ours the probability of a logistic model: 0.65 of one is "
        "not 0.65 of the other. At threshold 0 every labelled pair is shown, recall is 1 and precision the base rate."
    )
    reaching = [
        scorer_name(one)
        for one, found in measured
        if found.precision >= PUBLISHED_PRECISION and found.recall >= PUBLISHED_RECALL
    ]
    yield NumberedNote(
        f"The published precision and recall are both reached, at the threshold in use, by: {_join_names(reaching)}."
    )
    for scorer, found in measured:
        name = f"{scorer.lang}_{'words' if scorer.embedder is None else 'meaning'}"
        yield NumberedNote(
            f"{scorer_name(scorer)}: {{pairs}} labelled pairs of {{answers}} answers, {{relevant}} of them relevant; "
            "with the cut chosen without the answers it is judged on, precision is {precision} and recall {recall}.",
            {
                "pairs": MeasuredNumber(f"{name}/pairs", found.pairs, style="count"),
                "answers": MeasuredNumber(f"{name}/answers", found.answers, style="count"),
                "relevant": MeasuredNumber(f"{name}/relevant", found.relevant, style="count"),
                "precision": MeasuredNumber(f"{name}/nested.precision", found.nested_precision),
                "recall": MeasuredNumber(f"{name}/nested.recall", found.nested_recall),
            },
        )
