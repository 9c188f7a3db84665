"""LittleMu's Table 3 with what its files give beside it: means, both intervals, and where they part from the paper.

Pure. How a mean and its intervals are found is in rating_estimates.py.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.statistics.intervals import Interval
from serving.evaluation.ratings.human_ratings import ASPECTS, RatedSystem
from serving.evaluation.ratings.published_ratings import PUBLISHED, PublishedSystem, in_published_order
from serving.evaluation.ratings.rating_estimates import Estimate, estimate
from serving.evaluation.ratings.reliability import SystemReliability
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table, metric_name

SOURCE = "LittleMu, Table 3"
_HALF_A_CENT = 0.005 + 1e-9
"""Two decimals were printed: a mean this near the printed one may be rounded to it."""

_WHY = {
    "same_file": "the second rater's file has the bytes of the first",
    "same_labels": "the second rater's labels are those of the first throughout",
    "single": "it was rated once",
}


@dataclass(frozen=True)
class SystemRow:
    """One system of the table: its row of the paper, or none, and what its files give, or nothing."""

    published: PublishedSystem | None
    system: RatedSystem | None
    estimates: tuple[Estimate, ...]
    reliability: SystemReliability | None
    slug: str
    """Its name in the names of metrics; no other row has the same."""

    @property
    def name(self) -> str:
        if self.published is not None:
            return self.published.name
        return self.system.name if self.system is not None else ""

    def is_equal(self, aspect: int, *, as_written: bool) -> bool:
        """Whether the mean, rounded to two decimals, is the published one."""
        if self.published is None or not self.estimates:
            return False
        one = self.estimates[aspect]
        found = (one.as_written if as_written else one.published_way).value
        return found is not None and abs(found - self.published.means[aspect]) <= _HALF_A_CENT


def rows_of(systems: Sequence[RatedSystem], reliabilities: Sequence[SystemReliability]) -> tuple[SystemRow, ...]:
    """The paper's systems in its order, then the others."""
    by_name = {one.system: one for one in reliabilities}
    rows: list[SystemRow] = []
    for published, system in in_published_order(systems):
        found = by_name.get(system.name) if system is not None else None
        copied = [flag.part for flag in found.flags] if found is not None else []
        estimates = [estimate(system, place, copied=copied) for place in range(len(ASPECTS))] if system else []
        name = metric_name(published.name if published is not None else system.name if system is not None else "")
        again = sum(row.slug.partition(".")[0] == name for row in rows)
        rows.append(SystemRow(published, system, tuple(estimates), found, f"{name}.{again + 1}" if again else name))
    return tuple(rows)


def rating_table(rows: Sequence[SystemRow], *, remarks: Sequence[NumberedNote] = ()) -> Table:
    """Three lines a system: the paper's, ours computed as the paper's, ours with the wider interval.

    A system of the paper is computed as its files stand, impossible ratings too, for that is what was printed; the
    wider interval, and systems that are not in the paper, count 0, 1 and 2 alone.
    """
    lines = [line for row in rows for line in _lines(row)]
    return Table(
        name="human_ratings",
        title="Human evaluation in six aspects, 0 to 2, higher is better",
        source=SOURCE,
        columns=("system", "figure", *ASPECTS, "ratings"),
        rows=tuple(lines),
        notes=(*_notes(rows), *remarks),
    )


def _lines(row: SystemRow) -> Iterator[tuple[Cell, ...]]:
    if row.published is not None:
        printed = zip(row.published.means, row.published.halves, strict=True)
        yield (row.name, "published", *(Published(f"{mean:.2f} ± {half:.2f}") for mean, half in printed), "")
    if row.system is None:
        return
    most = max(_as_published(row, place).n for place in range(len(ASPECTS)))
    yield (
        row.name,
        "from the files",
        *(_number(row, place, wide=False) for place in range(len(ASPECTS))),
        MeasuredNumber(f"{row.slug}/ratings", most, style="count"),
    )
    yield (row.name, "interval widened", *(_number(row, place, wide=True) for place in range(len(ASPECTS))), "")


def _number(row: SystemRow, place: int, *, wide: bool) -> MeasuredNumber:
    aspect = ASPECTS[place]
    found = row.estimates[place].widened if wide else _as_published(row, place)
    metric = f"{row.slug}/{aspect}{'.widened' if wide else ''}"
    return MeasuredNumber(metric, found.value, found.low, found.high, mark=_mark(row, place) if wide else "")


def _as_published(row: SystemRow, place: int) -> Interval:
    one = row.estimates[place]
    return one.published_way if row.published is None else one.as_written


def _mark(row: SystemRow, place: int) -> str:
    found = row.reliability
    if found is None or not found.has_two_raters:
        return "one rater"
    return "unreliable" if found.agreements[place].is_unreliable else ""


def _notes(rows: Sequence[SystemRow]) -> Iterator[NumberedNote]:
    known = [row for row in rows if row.published is not None and row.estimates]
    if not known:
        yield NumberedNote(
            "No ratings of these systems were given: set COTEACH_EVAL_RATINGS to a folder with a folder of CSV files "
            "for each system."
        )
        return
    yield _how_many_equal(known)
    for row in known:
        yield from _differing(row)
        yield from _with_impossible(row)
    yield NumberedNote(
        "“interval widened” counts the variance between conversations (the files name none: all rows of a course are "
        "one) and between the raters of a part; two raters give one degree of freedom for that, so it is a guess, and "
        "with one rater it is not there at all. “unreliable” and “one rater” are explained in the table of agreement."
    )


def _how_many_equal(rows: Sequence[SystemRow]) -> NumberedNote:
    cells = [(row, place) for row in rows for place in range(len(ASPECTS))]
    halves = [
        abs(_half(row.estimates[place]) - _row_in_paper(row).halves[place]) <= _HALF_A_CENT for row, place in cells
    ]
    numbers = {
        "equal": sum(row.is_equal(place, as_written=True) for row, place in cells),
        "possible": sum(row.is_equal(place, as_written=False) for row, place in cells),
        "halves": sum(halves),
        "cells": len(cells),
        "all": len(PUBLISHED) * len(ASPECTS),
    }
    return NumberedNote(
        "{equal} of {cells} cells are the published means, to two decimals, when every number in the files counts as "
        "it stands (“from the files”), {possible} when only 0, 1 and 2 count (“interval widened”). The paper's table "
        "has {all} cells. {halves} of the printed half intervals follow, over all labels of both raters.",
        {name: MeasuredNumber(f"cells/{name}", value, style="count") for name, value in numbers.items()},
    )


def _differing(row: SystemRow) -> Iterator[NumberedNote]:
    """The published means that the files do not give, and what in the files may be why."""
    places = [place for place in range(len(ASPECTS)) if not row.is_equal(place, as_written=True)]
    if not places:
        return
    numbers = {
        ASPECTS[place]: MeasuredNumber(f"{row.slug}/{ASPECTS[place]}.as_written", row.estimates[place].as_written.value)
        for place in places
    }
    shown = ", ".join(f"{ASPECTS[at]} {{{ASPECTS[at]}}} for {_row_in_paper(row).means[at]:.2f}" for at in places)
    told = f"{row.name} differs from the paper: {shown}."
    if row.reliability is None or not row.reliability.flags:
        yield NumberedNote(f"{told} The files show no reason.", numbers)
        return
    flags = row.reliability.flags
    why = "; ".join(f"of the part “{flag.part or 'all'}”, {_WHY[flag.kind]}" for flag in flags)
    implied = _means_of_copy(row, places)
    would = ", ".join(f"{ASPECTS[place]} {{implied_{ASPECTS[place]}}}" for place in implied)
    more = (
        f" A second file with these means would give the published ones (inferred, not known): {would}."
        if would
        else ""
    )
    numbers |= {
        f"implied_{ASPECTS[place]}": MeasuredNumber(f"{row.slug}/{ASPECTS[place]}.implied", value)
        for place, value in implied.items()
    }
    yield NumberedNote(f"{told} A likely reason: {why}.{more}", numbers)


def _means_of_copy(row: SystemRow, places: Sequence[int]) -> dict[int, float]:
    """What a copied second file would have to hold on average for the published means; none unless all are possible."""
    if row.system is None or row.reliability is None:
        return {}
    copied = {flag.part for flag in row.reliability.flags if flag.kind != "single"}
    seconds = [file for part, files in row.system.parts().items() if part in copied for file in files[1:]]
    implied = {}
    for place in places:
        given = [number for file in seconds for one in file.rows if (number := one.written[place]) is not None]
        if not given:
            return {}
        whole = row.estimates[place].as_written
        others = (whole.value or 0.0) * whole.n - math.fsum(given)
        implied[place] = (_row_in_paper(row).means[place] * whole.n - others) / len(given)
    return implied if all(0 <= value <= 2 for value in implied.values()) else {}


def _with_impossible(row: SystemRow) -> Iterator[NumberedNote]:
    """Published means that only follow when a rating that cannot be counts too."""
    for place, aspect in enumerate(ASPECTS):
        if row.is_equal(place, as_written=True) and not row.is_equal(place, as_written=False):
            one, name, printed = row.estimates[place], f"{row.slug}/{aspect}", _row_in_paper(row).means[place]
            yield NumberedNote(
                f"{row.name}, {aspect}: the published {printed:.2f} counts ratings outside 0, 1 "
                "and 2 ({impossible} in the files); with them the mean is {written}, without them {possible}.",
                {
                    "impossible": MeasuredNumber(f"{name}.impossible", one.impossible, style="count"),
                    "written": MeasuredNumber(f"{name}.as_written", one.as_written.value, digits=3),
                    "possible": MeasuredNumber(f"{name}.possible", one.published_way.value, digits=3),
                },
            )


def _half(one: Estimate) -> float:
    found = one.as_written
    return math.nan if found.high is None or found.value is None else found.high - found.value


def _row_in_paper(row: SystemRow) -> PublishedSystem:
    if row.published is None:
        raise ValueError(f"{row.name} is not in the paper.")
    return row.published
