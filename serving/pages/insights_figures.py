"""How figures are written on the insights page: shares, intervals, times, and a tile with one of them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from models.statistics.intervals import Interval
from serving.pages.parts import block, text

Json = Mapping[str, Any]


def show_tile(title: str, figure: str, more: str) -> None:
    with block("tile"):
        text(title, "small muted")
        text(figure, "figure")
        text(more, "small muted")


def period_label(period: Sequence[date]) -> str:
    return f"{period[0]:%m-%d}" if len(period) == 1 else f"{period[0]:%m-%d}–{period[-1]:%m-%d}"


def format_interval(one: Interval) -> tuple[str, str]:
    if one.value is None or one.low is None or one.high is None:
        return "–", "–"
    return share(one.value), f"{one.low:.0%}–{one.high:.0%}"


def percent(one: Json) -> str:
    return share(one["value"])


def share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def bounds(one: Json) -> dict[str, str]:
    return {"low": f"{one['low']:.0%}", "high": f"{one['high']:.0%}"}


def range_of(one: Json) -> str:
    return "–" if one["low"] is None else f"{one['low']:.2f}–{one['high']:.2f}"


def time_of(ms: float | None) -> str:
    """Short: `38 ms`, `5.2 s`."""
    if ms is None:
        return "–"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
