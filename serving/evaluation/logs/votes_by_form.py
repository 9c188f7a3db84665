"""Thumbs up by the form of the question (Course Hero 2.3), and why thumbs were given (1): published, simulated, ours.

Made of the marts `thumbs_over_time` and `vote_reasons`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from models.statistics.intervals import Interval, difference, lift, wilson
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table

Row = Mapping[str, Any]

THOROUGH, MORE = "thorough_explanation", "needs_more_explanation"


@dataclass(frozen=True)
class Votes:
    """Rows of the two marts. `released` is the first day on which missing options were asked for, where it is known."""

    thumbs: Sequence[Row]
    reasons: Sequence[Row]
    released: date | None = None

    def answering(self) -> list[Row]:
        """Weeks in which questions without options were answered too: all of them where no day is known."""
        weeks = [row for row in self.thumbs if row["period"] == "week"]
        return [row for row in weeks if self.released is None or (self.released - row["begins"]).days >= 7]

    def asking_back(self) -> list[Row]:
        """Weeks from `released` on; none where it is not known."""
        weeks = [row for row in self.thumbs if row["period"] == "week"]
        return [row for row in weeks if self.released is not None and row["begins"] >= self.released]

    def of(self, form: str, *, has_options: bool | None = None) -> Interval:
        """Thumbs up of the thumbs on answers to questions of one form, while all were answered."""
        return _rate(
            row
            for row in self.answering()
            if row["form"] == form and (has_options is None or row["has_options"] is has_options)
        )

    def options_lift(self) -> Interval:
        return lift(self.of("mcq", has_options=True), self.of("mcq", has_options=False))

    def rise(self) -> Interval:
        """The share of thumbs up since missing options are asked for, less that before."""
        return difference(_rate(self.asking_back()), _rate(self.answering()))

    def reason(self, thumb: int, reason: str) -> Interval:
        """The share of all thumbs of one kind, 1 or -1, that came with a reason."""
        given = sum(row["given"] for row in self.reasons if row["thumb"] == thumb and row["reason"] == reason)
        kind = "up" if thumb > 0 else "down"
        return wilson(given, sum(row[kind] for row in self.thumbs if row["period"] == "week"))


@dataclass(frozen=True)
class _Figure:
    name: str
    metric: str
    published: str
    of: Callable[[Votes], Interval]


_FIGURES = (
    _Figure("Thumbs up, free response", "frq", "", lambda votes: votes.of("frq")),
    _Figure("Thumbs up, multiple choice", "mcq", "", lambda votes: votes.of("mcq")),
    _Figure("Multiple choice against free response", "mcq_lift", "21% lower", lambda v: lift(v.of("mcq"), v.of("frq"))),
    _Figure("Thumbs up, with options", "options", "", lambda votes: votes.of("mcq", has_options=True)),
    _Figure("Thumbs up, without options", "no_options", "", lambda votes: votes.of("mcq", has_options=False)),
    _Figure("With options against without", "options_lift", "90% higher", Votes.options_lift),
    _Figure("Thumbs up since missing options are asked for, less before", "rise", "5% higher, absolute", Votes.rise),
    _Figure("Thumbs up for a thorough explanation", "thorough", "20%", lambda votes: votes.reason(1, THOROUGH)),
    _Figure("Thumbs down that need more explanation", "more", "15%", lambda votes: votes.reason(-1, MORE)),
)


def votes_table(simulated: Votes, ours: Votes) -> Table:
    """Every figure of the paper, that of logs which were simulated to have it, and that of our store."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            Published(one.published) if one.published else "–",
            MeasuredNumber.of(f"simulated/{one.metric}", one.of(simulated)),
            MeasuredNumber.of(f"store/{one.metric}", one.of(ours)),
        )
        for one in _FIGURES
    ]
    return Table(
        name="votes_by_form",
        title="Thumbs up by form of question, and reasons",
        source="Course Hero, 1 and 2.3",
        columns=("Figure", "Course Hero", "Simulated logs", "Our logs"),
        rows=tuple(rows),
        notes=tuple(_notes(simulated, ours)),
    )


def _notes(simulated: Votes, ours: Votes) -> list[NumberedNote]:
    numbers = {"n": MeasuredNumber("simulated/votes", _count(simulated.thumbs), style="count")}
    notes = [
        NumberedNote(
            "Simulated logs were drawn to have the published effects, on levels that are choices: {n} thumbs that "
            "nobody gave. Their column shows that the marts find what was put in, and how wide the intervals are.",
            numbers,
        ),
        NumberedNote("Our gateway asks for missing options, so that its own logs have few answers without them."),
    ]
    if not ours.thumbs:
        notes.append(NumberedNote("Our logs have no thumbs yet."))
    return notes


def _rate(rows: Iterable[Row]) -> Interval:
    listed = list(rows)
    up, down = (sum(row[name] for row in listed) for name in ("up", "down"))
    return wilson(up, up + down)


def _count(rows: Iterable[Row]) -> int:
    return sum(row["up"] + row["down"] for row in rows if row["period"] == "week")
