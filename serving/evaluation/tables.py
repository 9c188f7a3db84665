"""A table of figures, as the papers print them: what is ours beside what was published.

A cell is text, a `MeasuredNumber` that some run measured, or a `Published` figure of a paper. Every number has a name,
under which MLflow keeps it; so a page that shows the table can be traced to the run that made it. Rendering is pure.
"""

import html
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from models.statistics.intervals import Interval

Style = Literal["decimal", "percent", "count"]


@dataclass(frozen=True)
class MeasuredNumber:
    """What was measured, `None` where there was nothing to measure, with its 95% interval where it has one.

    `metric` names it in MLflow and is unique in its table: lower case, digits, `_`, `.` and `/`. `percent` shows a
    share 0..1 as "84.0%". `mark` is a word after the figure, such as "unreliable".
    """

    metric: str
    value: float | None
    low: float | None = None
    high: float | None = None
    style: Style = "decimal"
    digits: int = 2
    mark: str = ""

    @classmethod
    def of(cls, metric: str, found: Interval, *, style: Style = "percent", digits: int = 1) -> "MeasuredNumber":
        """A figure with its interval."""
        return cls(metric, found.value, found.low, found.high, style, digits)

    def text(self) -> str:
        """As a reader sees it: "84.0% (79.1 to 88.0)"; a dash where there is nothing."""
        if self.value is None or math.isnan(self.value):
            return "–"
        shown = _plain(self.value, self)
        shown += "%" if self.style == "percent" else ""
        if self.low is not None and self.high is not None:
            shown += f" ({_plain(self.low, self)} to {_plain(self.high, self)})"
        return f"{shown} {self.mark}".rstrip()


@dataclass(frozen=True)
class Published:
    """A figure that a paper printed; nothing here computes it."""

    text: str


Cell = str | MeasuredNumber | Published


@dataclass(frozen=True)
class NumberedNote:
    """A note with numbers in it: `text` has `{name}` where `numbers[name]` stands."""

    text: str
    numbers: Mapping[str, MeasuredNumber] = field(default_factory=dict)

    def format_text(self) -> str:
        return self.text.format_map({name: number.text() for name, number in self.numbers.items()})


@dataclass(frozen=True)
class Table:
    """One table. `name` names its files and its run; `source` is what it is after: "LittleMu, Table 3".

    Raises `ValueError` for a row of another length than the columns, and for a metric that is there twice.
    """

    name: str
    title: str
    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[NumberedNote, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.name}: a row has {len(row)} cells for {len(self.columns)} columns: {row[:1]}")
        names = [number.metric for number in self.numbers()]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{self.name}: two numbers are called {', '.join(twice)}")

    def numbers(self) -> Iterator[MeasuredNumber]:
        """Every measured number, of the rows and of the notes."""
        yield from (cell for row in self.rows for cell in row if isinstance(cell, MeasuredNumber))
        yield from (number for note in self.notes for number in note.numbers.values())

    def metrics(self) -> dict[str, float]:
        """What MLflow keeps: each number that there is, its interval as `<metric>.low` and `<metric>.high`."""
        found: dict[str, float] = {}
        for number in self.numbers():
            parts = {"": number.value, ".low": number.low, ".high": number.high}
            known = {end: value for end, value in parts.items() if value is not None and math.isfinite(value)}
            found |= {f"{number.metric}{end}": value for end, value in known.items()}
        return found


def markdown(table: Table) -> str:
    """The table with its notes, without a heading. Published figures are in italics."""
    lines = ["| " + " | ".join(map(_escape, table.columns)) + " |"]
    lines.append("|" + "|".join("---" if place == 0 else "--:" for place in range(len(table.columns))) + "|")
    lines += ["| " + " | ".join(_as_markdown(cell) for cell in row) + " |" for row in table.rows]
    notes = [f"\n{note.format_text()}" for note in table.notes]
    return "\n".join([*lines, *notes]) + "\n"


def page(table: Table, *more: Table) -> str:
    """The same as a page of its own: one HTML file that loads nothing, light and dark as its reader's machine is.

    Tables after the first follow below it, each under its title.
    """
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(table.title)}</title>\n'
        f"<style>{_STYLE}</style>\n<h1>{html.escape(table.title)}</h1>\n{_section(table)}"
        f"{''.join(f'<h2>{html.escape(one.title)}</h2>{chr(10)}{_section(one)}' for one in more)}</html>\n"
    )


def _section(table: Table) -> str:
    head = "".join(f"<th scope=col>{html.escape(column)}</th>" for column in table.columns)
    body = "".join("<tr>" + "".join(map(_as_html, row)) + "</tr>\n" for row in table.rows)
    notes = "".join(f"<p>{html.escape(note.format_text())}</p>\n" for note in table.notes)
    return (
        f"<p>{html.escape(table.source)}</p>\n"
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n{notes}"
    )


def to_json(table: Table) -> dict[str, Any]:
    """As JSON keeps it; `from_json` reads it back."""
    rows = [[_cell_to_json(cell) for cell in row] for row in table.rows]
    notes = [{"text": note.text, "numbers": {k: asdict(v) for k, v in note.numbers.items()}} for note in table.notes]
    named = {"name": table.name, "title": table.title, "source": table.source}
    return {**named, "columns": list(table.columns), "rows": rows, "notes": notes}


def from_json(fields: Mapping[str, Any]) -> Table:
    """A table that `to_json` wrote. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    rows = tuple(tuple(_cell_from_json(cell) for cell in row) for row in fields["rows"])
    notes = tuple(
        NumberedNote(note["text"], {name: MeasuredNumber(**number) for name, number in note["numbers"].items()})
        for note in fields["notes"]
    )
    return Table(fields["name"], fields["title"], fields["source"], tuple(fields["columns"]), rows, notes)


def metric_name(text: str) -> str:
    """A name as part of a metric's: `LittleMu (10B)` is `littlemu_10b`, and `C++` is `cu2bu2b`, or it would be `C`."""
    latin = "".join(char if re.match(r"[a-z0-9 _.,:/()-]", char) else f"u{ord(char):x}" for char in text.casefold())
    return re.sub(r"[^a-z0-9]+", "_", latin).strip("_") or "unnamed"


_LONG = 24
"""Characters from which on a text is set as one, over several lines. A choice."""

_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,'Noto Sans CJK SC',sans-serif;margin:2rem auto;"
    "max-width:72rem;padding:0 1rem}table{border-collapse:collapse;display:block;overflow-x:auto}"
    "th,td{padding:.3rem .7rem;border-bottom:1px solid #8884;text-align:right;white-space:nowrap}"
    "th:first-child,td:first-child{text-align:left;white-space:normal}.published{font-style:italic;opacity:.8}"
    "td{vertical-align:top}td:first-child{max-width:26rem;overflow-wrap:anywhere}"
    "td.text{text-align:left;white-space:pre-line;min-width:16rem;max-width:26rem;overflow-wrap:anywhere}"
)


def _plain(value: float, number: MeasuredNumber) -> str:
    if number.style == "count":
        return f"{value:,.0f}"
    return f"{value * 100 if number.style == 'percent' else value:,.{number.digits}f}"


def _as_markdown(cell: Cell) -> str:
    if isinstance(cell, MeasuredNumber):
        return _escape(cell.text())
    return f"*{_escape(cell.text)}*" if isinstance(cell, Published) else _escape(cell)


def _as_html(cell: Cell) -> str:
    text = html.escape(cell if isinstance(cell, str) else cell.text if isinstance(cell, Published) else cell.text())
    if isinstance(cell, Published):
        return f"<td class=published>{text}</td>"
    return f"<td class=text>{text}</td>" if len(text) > _LONG and isinstance(cell, str) else f"<td>{text}</td>"


def _escape(text: str) -> str:
    """Text inside a cell: a bar or a line break would end it."""
    return " ".join(text.splitlines()).replace("\\", "\\\\").replace("|", "\\|")


def _cell_to_json(cell: Cell) -> Any:
    if isinstance(cell, MeasuredNumber):
        return {"number": asdict(cell)}
    return {"published": cell.text} if isinstance(cell, Published) else cell


def _cell_from_json(cell: Any) -> Cell:
    if isinstance(cell, str):
        return cell
    return MeasuredNumber(**cell["number"]) if "number" in cell else Published(cell["published"])
