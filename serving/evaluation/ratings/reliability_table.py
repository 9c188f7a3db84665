"""How far the raters of Table 3 agree, as a table: what to think of its columns before comparing systems by them."""

from collections.abc import Iterator, Sequence

from serving.evaluation.ratings.human_ratings import ASPECTS
from serving.evaluation.ratings.rating_table import SystemRow
from serving.evaluation.ratings.reliability import LEAST_KAPPA, Flag, RaterAgreement, SystemReliability
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

_FLAGS = {
    "same_file": "{} is a copy of {}, byte for byte",
    "same_labels": "every label of {} is that of {}",
    "single": "{} has no second rater",
}


def reliability_table(rows: Sequence[SystemRow]) -> Table:
    """Two lines a system: quadratic kappa and ordinal alpha by aspect, over answers with two independent ratings."""
    rated = [(row, row.reliability) for row in rows if row.reliability is not None]
    return Table(
        name="rater_reliability",
        title="Agreement of the raters behind the human evaluation",
        source="LittleMu, Table 3, whose paper reports none",
        columns=("system", "measure", *ASPECTS, "answers rated twice", "second ratings"),
        rows=tuple(line for row, found in rated for line in _lines(row, found)),
        notes=tuple(_notes(rated)),
    )


def _lines(row: SystemRow, found: SystemReliability) -> Iterator[tuple[Cell, ...]]:
    answers = MeasuredNumber(f"{row.slug}/answers_rated_twice", found.answers, style="count")
    flagged = "; ".join(f"{flag.part or 'all'}: {_short(flag)}" for flag in found.flags) or "independent"
    kappas = (_kappa(row, one, has_two=found.has_two_raters) for one in found.agreements)
    yield (row.name, "kappa", *kappas, answers, flagged)
    if found.has_two_raters:
        yield (row.name, "alpha", *(_alpha(row, one) for one in found.agreements), "", "")


def _kappa(row: SystemRow, one: RaterAgreement, *, has_two: bool) -> Cell:
    if one.kappa.value is None:
        return "undefined: all the same" if has_two and one.kappa.n else "one rater"
    mark = "unreliable" if one.is_unreliable else ""
    return MeasuredNumber(f"{row.slug}/{one.aspect}.kappa", one.kappa.value, one.kappa.low, one.kappa.high, mark=mark)


def _alpha(row: SystemRow, one: RaterAgreement) -> MeasuredNumber:
    return MeasuredNumber(f"{row.slug}/{one.aspect}.alpha", one.alpha.value, one.alpha.low, one.alpha.high)


def _short(flag: Flag) -> str:
    return {"same_file": "copied file", "same_labels": "copied labels", "single": "single rating"}[flag.kind]


def _notes(rated: Sequence[tuple[SystemRow, SystemReliability]]) -> Iterator[NumberedNote]:
    if not rated:
        yield NumberedNote("No ratings were given, so there is no agreement to measure.")
        return
    yield NumberedNote(
        "Kappa is Cohen's with quadratic weights, alpha Krippendorff's for ordered values; intervals leave out one "
        f"conversation after the other. A column of a system is called unreliable below a kappa of {LEAST_KAPPA:.1f}: "
        "a choice, after Landis and Koch (1977), for whom that is fair at best. Copied and single ratings are left "
        "out: they agree with themselves."
    )
    yield from (_flag_note(row, flag) for row, found in rated for flag in found.flags)
    yield from _columns(rated)


def _flag_note(row: SystemRow, flag: Flag) -> NumberedNote:
    first, *others = flag.files
    told = f"{row.name}: {_FLAGS[flag.kind].format(*([', '.join(others), first] if others else [first]))}"
    text = told.replace("{", "{{").replace("}", "}}")
    counted = MeasuredNumber(f"{row.slug}/{flag.part or 'all'}.{flag.kind}", flag.answers, style="count")
    return NumberedNote(f"{text} ({{answers}} answers).", {"answers": counted})


def _columns(rated: Sequence[tuple[SystemRow, SystemReliability]]) -> Iterator[NumberedNote]:
    """Aspects that are unreliable for at least half of the systems that were rated twice."""
    twice = [found for _, found in rated if found.has_two_raters]
    for place, aspect in enumerate(ASPECTS):
        unreliable = sum(found.agreements[place].is_unreliable for found in twice)
        if twice and 2 * unreliable >= len(twice):
            yield NumberedNote(
                f"The column {aspect} is unreliable: for {{unreliable}} of {{twice}} systems rated twice. It should "
                "not drive a decision.",
                {
                    "unreliable": MeasuredNumber(f"{aspect}/unreliable_systems", unreliable, style="count"),
                    "twice": MeasuredNumber(f"{aspect}/systems_rated_twice", len(twice), style="count"),
                },
            )
