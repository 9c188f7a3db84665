"""The table of experiments: what Course Hero's designs were given and what our analysis finds; then our own.

Our own come from the mart `experiment_buckets`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from models.statistics.intervals import lift
from serving.evaluation.logs.experiment_designs import Design, Effect
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table, metric_name
from serving.feedback.experiment_results import ExperimentOutcome, Sums, VariantRate, VariantResult, results_of
from serving.feedback.experiments import MISMATCH, Variant

Row = Mapping[str, Any]
Cells = tuple[Cell, ...]

LOST = 0.02
"""Share of a bucket that is taken out to show that the sample-ratio check sees it. A choice."""

_SHOWN = {"coverage": "coverage", "thumbs_up": "thumbs up"}


def experiments_table(
    designs: Sequence[tuple[Design, ExperimentOutcome, ExperimentOutcome]], own: Mapping[str, ExperimentOutcome]
) -> Table:
    """`designs` with what was found in their logs, and in the same logs with `LOST` of the last bucket gone."""
    rows = [row for design, found, broken in designs for row in _rows_of(design, found, broken)]
    rows += [row for place, (name, found) in enumerate(own.items()) for row in _own_rows(f"own_{place}", name, found)]
    return Table(
        name="answer_experiments",
        title="Experiments: what was put in and what the analysis finds",
        source="Course Hero, 2.2 and 2.4",
        columns=("Experiment", "Figure", "Course Hero", "Put in", "Found", "Difference"),
        rows=tuple(rows),
        notes=tuple(_notes(own)),
    )


def own_results(rows: Iterable[Row]) -> dict[str, ExperimentOutcome]:
    """The experiments of the mart by name. A bucket that nobody met has no rates."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["experiment"]].append(row)
    return {name: _results(groups[name]) for name in sorted(groups)}


def _results(rows: Sequence[Row]) -> ExperimentOutcome:
    ordered = sorted(rows, key=lambda row: (row["place"], row["variant"]))
    names = ("people", "x", "y", "xx", "xy", "yy")
    sums = {
        measure: {row["variant"]: Sums(*(row[name] for name in names)) for row in rows if row["measure"] == measure}
        for measure in ("coverage", "thumbs_up")
    }
    variants = [Variant(row["variant"], row["weight"], {}) for row in ordered if row["measure"] == "coverage"]
    exposed = {row["variant"]: row["exposed"] for row in rows}
    return results_of(variants, exposed, sums["coverage"], sums["thumbs_up"])


def _rows_of(design: Design, found: ExperimentOutcome, broken: ExperimentOutcome) -> list[Cells]:
    by_name = {one.name: one for one in found.variants}
    name = f"{design.name}, simulated"
    rows: list[Cells] = [
        (
            name,
            f"users of {one.name}",
            Published(f"{one.users // 1000}k"),
            f"{one.users:,}",
            MeasuredNumber(f"{design.slug}/{metric_name(one.name)}/users", by_name[one.name].people, style="count"),
            "",
        )
        for one in design.buckets
    ]
    rows += [_effect_row(design, effect, by_name) for effect in design.effects]
    p = f"{design.slug}/sample_ratio"
    lost = f"with {LOST:.0%} of {design.buckets[-1].name} lost"
    rows.append((name, "sample ratio, p", "–", "as it should be", MeasuredNumber(p, found.sample_ratio, digits=4), ""))
    rows.append((name, "sample ratio, p", "–", lost, MeasuredNumber(f"{p}_broken", broken.sample_ratio, digits=4), ""))
    return rows


def _effect_row(design: Design, effect: Effect, found: Mapping[str, VariantResult]) -> Cells:
    first, second = (_rate_of(found[name], effect.measure) for name in (effect.first, effect.second))
    metric = f"{design.slug}/{effect.measure}/{metric_name(effect.first)}_{metric_name(effect.second)}"
    apart = lift(first.rate, second.rate)
    off = None if apart.value is None else apart.value - design.lift(effect)
    return (
        f"{design.name}, simulated",
        f"{_SHOWN[effect.measure]}, {effect.first} against {effect.second}",
        Published(effect.published),
        f"{design.lift(effect):+.1%}",
        MeasuredNumber.of(metric, apart),
        MeasuredNumber(f"{metric}/off", off, style="percent", digits=1),
    )


def _own_rows(metric: str, name: str, found: ExperimentOutcome) -> list[Cells]:
    rows: list[Cells] = []
    for place, one in enumerate(found.variants):
        users = MeasuredNumber(f"{metric}/{place}/users", one.people, style="count")
        rows.append((name, f"users of {one.name}", "–", f"weight {one.weight:g}", users, ""))
        for measure, shown in _SHOWN.items():
            measured, key = _rate_of(one, measure), f"{metric}/{place}/{measure}"
            raised: Cell = MeasuredNumber.of(f"{key}/lift", measured.lift) if measured.lift is not None else ""
            rows.append(
                (name, f"{shown} of {one.name}, and lift", "–", "", MeasuredNumber.of(key, measured.rate), raised)
            )
    rows.append(
        (name, "sample ratio, p", "–", "", MeasuredNumber(f"{metric}/sample_ratio", found.sample_ratio, digits=4), "")
    )
    return rows


def _notes(own: Mapping[str, ExperimentOutcome]) -> list[NumberedNote]:
    notes = [
        NumberedNote(
            "The paper's experiments are simulated: as many users as it names, in buckets by our own hashing, with its "
            "effects put in. Levels, questions per person and how alike a person's answers are, are choices."
        ),
        NumberedNote(
            "Lifts are relative, with 95% intervals (Katz 1978) after the counts were divided by the design effect of "
            f"people (Rao and Scott 1992). A sample ratio with p below {MISMATCH} says that a bucket "
            "lost people; 0.0000 stands for less than 0.00005."
        ),
    ]
    told = [f"{name}: {warning}" for name, found in own.items() for warning in _warnings(found)]
    notes += [NumberedNote(one.replace("{", "{{").replace("}", "}}")) for one in told]
    return notes if own else [*notes, NumberedNote("Our store has no experiments yet.")]


def _warnings(found: ExperimentOutcome) -> list[str]:
    """Those without numbers that no run holds."""
    p = found.sample_ratio
    mismatch = ["a sample ratio mismatch. Do not use these results."] if p is not None and p < MISMATCH else []
    empty = [one.name for one in found.variants if not one.people]
    return mismatch + ([f"nobody has met {', '.join(empty)}."] if empty else [])


def _rate_of(one: VariantResult, measure: str) -> VariantRate:
    return one.coverage if measure == "coverage" else one.thumbs_up
