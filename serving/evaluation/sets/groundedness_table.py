"""The groundedness grader on answers that people marked: does it tell supported answers from others. Pure.

The grader reads texts alone here: no embedder, no model server. How it learnt is `benchmarks/fit_grader.py`'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge_graph.lake.records import LANGS, Lang
from knowledge_graph.lake.tables import digest
from models.statistics.bootstrap import area
from models.statistics.intervals import wilson
from serving.assistant.grounding.grading import GROUNDED_CUT, WEIGHTS, Record, grade_record
from serving.evaluation.sets.evaluation_sets import EvaluationGroundedness
from serving.evaluation.sets.groundedness_pairs import read_probes
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

NAME = "groundedness_grades"

_LANGUAGES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True)
class GradedAnswer:
    """An answer with what people say of it and what the grader does."""

    id: str
    lang: Lang
    is_supported: bool
    """By people."""
    score: float
    """By the grader, 0 to 1."""
    is_grounded: bool
    is_certain: bool
    """Whether no model would be asked for a second opinion."""
    is_probe: bool = False
    """Written by hand to be hard (`grounding_probes.tsv`), not an answer of a course."""

    @property
    def is_certainly_wrong(self) -> bool:
        return self.is_certain and self.is_grounded != self.is_supported


def grade_all(answers: Sequence[EvaluationGroundedness]) -> tuple[GradedAnswer, ...]:
    """Every answer graded, in order."""
    return tuple(_grade(one) for one in answers)


def grade_probes() -> tuple[GradedAnswer, ...]:
    """Every hand-written probe graded, in order."""
    answers = [
        EvaluationGroundedness(one.pair_id, "", lang, one.question, " ".join(one.knowledge), one.answer, one.grounded)
        for lang, one in read_probes()
    ]
    return tuple(replace(_grade(one), is_probe=True) for one in answers)


def grader_version() -> str:
    """The digest of what the grader learnt."""
    return digest(WEIGHTS)


def groundedness_table(answers: Sequence[GradedAnswer]) -> Table:
    """A row for all answers of courses and, where there are several, for each language, and one for the probes of each;
    no row where there are no answers."""
    probes, answers = [one for one in answers if one.is_probe], [one for one in answers if not one.is_probe]
    rows = [_row("all", "all", answers)] if answers else []
    if len(_by_language(answers)) > 1:
        rows += [_row(lang, _LANGUAGES[lang], some) for lang, some in _by_language(answers).items()]
    for lang, some in _by_language(probes).items():
        rows.append(_row(f"probes_{lang}", f"hand-written probes, {_LANGUAGES[lang]}", some))
    return Table(
        name=NAME,
        title="Groundedness: the grader beside people",
        source="coteach",
        columns=("Answers", "Marked", "Supported", "AUC", "Supported, kept", "Others, kept", "Certainly wrong"),
        rows=tuple(rows),
        notes=(
            NumberedNote(
                "Answers with their evidence from `gold/groundedness.jsonl` of the courses, marked by people; the "
                "grader learnt from none. Kept: graded as grounded, at the cut {cut}. AUC: how often a supported "
                "answer scores above another. Certainly wrong: graded otherwise than people say, and so sure that no "
                "model would be asked.",
                {"cut": MeasuredNumber("cut", GROUNDED_CUT)},
            ),
            NumberedNote(
                "Probes: a fact as it stands, and with another subject, another number or a denial, as many of each; "
                "the grader's rules were made with them in view."
            ),
        ),
    )


def _grade(one: EvaluationGroundedness) -> GradedAnswer:
    found = grade_record(Record(one.id, one.question, (one.evidence,), one.answer))
    return GradedAnswer(one.id, one.lang, one.grounded, found.score, found.grounded, found.certain)


def _by_language(answers: Sequence[GradedAnswer]) -> dict[Lang, list[GradedAnswer]]:
    found = {lang: [one for one in answers if one.lang == lang] for lang in LANGS}
    return {lang: some for lang, some in found.items() if some}


def _row(slug: str, name: str, answers: Sequence[GradedAnswer]) -> tuple[Cell, ...]:
    supported = [one for one in answers if one.is_supported]
    others = [one for one in answers if not one.is_supported]
    found = area([one.score for one in supported], [one.score for one in others])
    kept, kept_others = (wilson(sum(one.is_grounded for one in some), len(some)) for some in (supported, others))
    return (
        name,
        MeasuredNumber(f"{slug}/answers", len(answers), style="count"),
        MeasuredNumber(f"{slug}/supported", len(supported), style="count"),
        MeasuredNumber.of(f"{slug}/auc", found, style="decimal", digits=3),
        MeasuredNumber.of(f"{slug}/supported_kept", kept),
        MeasuredNumber.of(f"{slug}/others_kept", kept_others),
        MeasuredNumber(f"{slug}/certainly_wrong", sum(one.is_certainly_wrong for one in answers), style="count"),
    )
