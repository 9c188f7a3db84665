"""Use over time (LittleMu, Figure 3b): mean rounds of sessions and satisfaction by period, with releases marked.

Made of the marts `sessions_over_time` and `satisfaction_over_time`. The figure prints no numbers, so that none stand
beside ours.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from scipy.special import stdtrit

from models.statistics.intervals import Interval, difference, wilson
from serving.evaluation.figures import COLOURS, draw
from serving.evaluation.logs.log_design import LogDesign
from serving.evaluation.logs.releases import DatedRelease
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Period = Literal["week", "month"]
Row = Mapping[str, Any]

CAPTION = "Mean rounds of a session and share of rated answers that satisfy, by period, with 95% intervals."
SIMULATED = "Simulated: no student was asked. It shows that the chart finds what was put in."


@dataclass(frozen=True)
class PeriodUse:
    """Over sessions that began in a period (or in several): their rounds, and the rated answers of it."""

    sessions: int = 0
    rounds: int = 0
    squares: int = 0
    answers: int = 0
    satisfying: float = 0.0

    @property
    def mean_rounds(self) -> Interval:
        """By Student's t over sessions; nothing without one, no interval for one."""
        if not self.sessions:
            return Interval(None, None, None, 0)
        middle = self.rounds / self.sessions
        if self.sessions == 1:
            return Interval(middle, None, None, 1)
        spread = max(self.squares - self.sessions * middle**2, 0) / (self.sessions - 1)
        half = float(stdtrit(self.sessions - 1, 0.975)) * math.sqrt(spread / self.sessions)
        return Interval(middle, middle - half, middle + half, self.sessions)

    def __add__(self, other: "PeriodUse") -> "PeriodUse":
        return PeriodUse(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def satisfaction(self) -> Interval:
        return wilson(self.satisfying, self.answers)


def use_by_period(sessions: Iterable[Row], satisfaction: Iterable[Row], period: Period) -> dict[date, PeriodUse]:
    """All courses together, by the first day of each period, in order; a period in between that has nothing too."""
    found: dict[date, PeriodUse] = defaultdict(PeriodUse)
    for row in sessions:
        if row["period"] == period:
            found[row["begins"]] += PeriodUse(row["sessions"], row["rounds"], row["rounds_squared"])
    for row in satisfaction:
        if row["period"] == period:
            found[row["begins"]] += PeriodUse(answers=row["answers"], satisfying=row["satisfying"])
    return {begins: found[begins] for begins in _from_to(min(found), max(found), period)} if found else {}


def use_table(
    use: Mapping[date, PeriodUse], releases: Sequence[DatedRelease], *, period: Period, simulated: bool
) -> Table:
    """A row for each period, then one for the time before the first release, and one from each release on."""
    known = list(use.items())
    rows = [
        _row(_display(begins, period), f"{period}_{begins:%Y_%m_%d}", one, _releases_in(begins, period, releases))
        for begins, one in known
    ]
    spans = _spans(use, releases, period)
    rows += [_row(name, f"span_{place}", one, "") for place, (name, one) in enumerate(spans)]
    if simulated:
        rows = [(f"{row[0]} (simulated)", *row[1:]) for row in rows]
    return Table(
        name="use_over_time",
        title="Session rounds and satisfaction over time",
        source="LittleMu, Figure 3b",
        columns=(period.capitalize(), "Sessions", "Mean rounds", "Rated answers", "Satisfying", "Released"),
        rows=tuple(rows),
        notes=tuple(_notes(use, releases, spans, simulated=simulated)),
    )


def use_picture(use: Mapping[date, PeriodUse], releases: Sequence[DatedRelease], *, simulated: bool) -> bytes:
    """Two charts, one above the other, over the same time. PNG."""

    def paint(figure: "Figure") -> None:
        upper, lower = figure.subplots(2, 1, sharex=True)
        _line(upper, use, "mean_rounds", COLOURS[0], "mean rounds")
        _line(lower, use, "satisfaction", COLOURS[1], "satisfying")
        upper.set_ylim(bottom=0)
        lower.set_ylim(0, 1)
        for place, release in enumerate(releases if use else ()):
            for chart in (upper, lower):
                chart.axvline(_number(release.at), color=COLOURS[5], linestyle="--", linewidth=1)
            _mark(upper, release, 0.06 + 0.12 * (place % 3))
        if simulated:
            figure.suptitle("Simulated logs", color=COLOURS[3])
        if use:
            lower.xaxis_date()
        else:
            upper.set_title("Nothing to show yet")

    return draw(paint, height=4.8)


def _notes(
    use: Mapping[date, PeriodUse],
    releases: Sequence[DatedRelease],
    spans: Sequence[tuple[str, PeriodUse]],
    *,
    simulated: bool,
) -> list[NumberedNote]:
    notes = [NumberedNote(SIMULATED), NumberedNote(_put_in(LogDesign()))] if simulated else []
    notes.append(NumberedNote("The paper's figure shows both lines rising after July 2022; it prints no numbers."))
    if not use:
        notes.append(NumberedNote("There was nothing to count: no question was asked."))
    if not releases:
        notes.append(NumberedNote("No release is marked: COTEACH_EVAL_RELEASES names a YAML list of at and name."))
    notes += [_change(place, *pair) for place, pair in enumerate(pairwise(spans))]
    return notes


def _put_in(design: LogDesign) -> str:
    before, after = design.sessions
    return (
        f"Put in: {before.mean_rounds:.2f} rounds before {design.released} and {after.mean_rounds:.2f} from then on; "
        f"{design.satisfied[0]:.0%} and {design.satisfied[1]:.0%} of answers satisfying."
    )


def _change(place: int, before: tuple[str, PeriodUse], after: tuple[str, PeriodUse]) -> NumberedNote:
    rounds = _apart(after[1].mean_rounds, before[1].mean_rounds)
    satisfying = difference(after[1].satisfaction, before[1].satisfaction)
    names = f"{after[0]}, against {before[0]}".replace("{", "{{").replace("}", "}}")
    numbers = {
        "rounds": MeasuredNumber.of(f"change_{place}/mean_rounds", rounds, style="decimal", digits=2),
        "satisfying": MeasuredNumber.of(f"change_{place}/satisfying", satisfying),
    }
    return NumberedNote(
        f"{names}: {{rounds}} more rounds of a session, {{satisfying}} more of the answers satisfy.", numbers
    )


def _apart(first: Interval, second: Interval) -> Interval:
    """The difference of two independent means, from their intervals."""
    n = first.n + second.n
    if first.value is None or second.value is None:
        return Interval(None, None, None, n)
    apart = first.value - second.value
    if first.high is None or second.high is None:
        return Interval(apart, None, None, n)
    half = math.hypot(first.high - first.value, second.high - second.value)
    return Interval(apart, apart - half, apart + half, n)


def _row(name: str, metric: str, use: PeriodUse, released: str) -> tuple[Cell, ...]:
    return (
        name,
        MeasuredNumber(f"{metric}/sessions", use.sessions, style="count"),
        MeasuredNumber.of(f"{metric}/mean_rounds", use.mean_rounds, style="decimal", digits=2),
        MeasuredNumber(f"{metric}/rated", use.answers, style="count"),
        MeasuredNumber.of(f"{metric}/satisfying", use.satisfaction),
        released,
    )


def _spans(
    use: Mapping[date, PeriodUse], releases: Sequence[DatedRelease], period: Period
) -> list[tuple[str, PeriodUse]]:
    """The time before the first release, and from each to the next. A period with a release inside is in none."""
    if not releases or not use:
        return []
    ends = [*(one.at for one in releases), date.max]
    begins = [date.min, *(one.at for one in releases)]
    names = [f"before {releases[0].name}", *(f"from {one.name} on" for one in releases)]
    return [
        (name, sum((one for day, one in use.items() if first <= day and _next(day, period) <= last), PeriodUse()))
        for name, first, last in zip(names, begins, ends, strict=True)
    ]


def _releases_in(begins: date, period: Period, releases: Sequence[DatedRelease]) -> str:
    return ", ".join(one.name for one in releases if begins <= one.at < _next(begins, period))


def _next(begins: date, period: Period) -> date:
    if period == "week":
        return begins + timedelta(days=7)
    return (begins.replace(day=1) + timedelta(days=31)).replace(day=1)


def _from_to(first: date, last: date, period: Period) -> Iterator[date]:
    while first <= last:
        yield first
        first = _next(first, period)


def _display(begins: date, period: Period) -> str:
    return f"{begins:%Y-%m}" if period == "month" else begins.isoformat()


def _line(chart: "Axes", use: Mapping[date, PeriodUse], what: str, colour: str, label: str) -> None:
    found: list[tuple[date, Interval]] = [(day, getattr(one, what)) for day, one in use.items()]
    known = [(_number(day), one) for day, one in found if one.value is not None]
    middle = [one.value or 0.0 for _, one in known]
    chart.plot([at for at, _ in known], middle, color=colour, marker="o", markersize=4)
    low = [value if one.low is None else one.low for value, (_, one) in zip(middle, known, strict=True)]
    high = [value if one.high is None else one.high for value, (_, one) in zip(middle, known, strict=True)]
    chart.fill_between([at for at, _ in known], low, high, color=colour, alpha=0.2, linewidth=0)
    chart.set_ylabel(label)


def _number(day: date) -> float:
    """As matplotlib counts days."""
    return float((day - date(1970, 1, 1)).days)


def _mark(chart: "Axes", release: DatedRelease, height: float) -> None:
    chart.annotate(
        release.name,
        (_number(release.at), height),
        xycoords=("data", "axes fraction"),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=8,
    )
