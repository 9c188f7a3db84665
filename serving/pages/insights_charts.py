"""The charts of the insights page as options of ECharts, which draws them in the browser from NiceGUI's own files.

Pure. Colours are those of Okabe and Ito, which people with any kind of colour blindness tell apart; each area has a
pattern besides, and each chart its figures as a table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from models.statistics.intervals import Interval, wilson
from serving.desk.insights.counts import Cell

Options = dict[str, Any]

COLOURS: Mapping[str, str] = {
    "direct": "#0072B2",
    "teach": "#E69F00",
    "explain": "#56B4E9",
    "chat": "#999999",
    "clarify": "#F0E442",
    "refuse": "#CC79A7",
    "ask_ta": "#D55E00",
    "none": "#7A4B94",
}
"""Of each route, in the order they are stacked; the last, of what failed, is not of their palette."""

LIKED, RATED = "#0072B2", "#D55E00"

LONGEST_BY_DAY = 14
"""Days of a period that is shown day by day; longer ones are shown by weeks, whose intervals are narrower. A choice."""

_AXIS = {"axisLine": {"lineStyle": {"color": "#88888888"}}, "axisTick": {"show": False}}
_GRID = {"left": 8, "right": 12, "top": 56, "bottom": 8, "containLabel": True}
_ARIA = {"enabled": True, "decal": {"show": True}}


@dataclass(frozen=True)
class Series:
    """Numbers along the periods, `None` where there is nothing to say."""

    name: str
    intervals: tuple[Interval, ...]


def days_of(first: date, last: date) -> list[date]:
    """Every day, both ends included."""
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def periods_of(days: Sequence[date]) -> list[list[date]]:
    """The days one by one, or in weeks that end with the last day when there are many."""
    if len(days) <= LONGEST_BY_DAY:
        return [[day] for day in days]
    begins = len(days) % 7
    weeks = [list(days[start : start + 7]) for start in range(begins, len(days), 7)]
    return ([list(days[:begins])] if begins else []) + weeks


def routes_by_day(cells: Sequence[Cell], days: Sequence[date]) -> dict[str, list[int]]:
    """How many turns took each route on each of the days, by route; routes that none took are left out."""
    place = {day.isoformat(): number for number, day in enumerate(days)}
    found = {route: [0] * len(days) for route in COLOURS}
    for cell in cells:
        if cell.day in place:
            found[cell.route or "none"][place[cell.day]] += cell.n
    return {route: counts for route, counts in found.items() if any(counts)}


def shares(
    periods: Sequence[Sequence[date]], hits: Mapping[str, float], of: Mapping[str, float]
) -> tuple[Interval, ...]:
    """The share in each period with its 95% interval; `hits` and `of` are by day, as `YYYY-MM-DD`."""
    return tuple(
        wilson(
            sum(hits.get(day.isoformat(), 0) for day in period),
            sum(of.get(day.isoformat(), 0) for day in period),
        )
        for period in periods
    )


def draw_stacked(days: Sequence[date], counts: Mapping[str, Sequence[int]], names: Mapping[str, str]) -> Options:
    """Questions over time, one bar a day, stacked by route."""
    series = [
        {
            "name": names[route],
            "type": "bar",
            "stack": "all",
            "data": list(numbers),
            "itemStyle": {"color": COLOURS[route]},
            "barCategoryGap": "25%",
        }
        for route, numbers in counts.items()
    ]
    return {
        **_common(),
        "xAxis": {"type": "category", "data": [f"{day:%m-%d}" for day in days], **_AXIS},
        "yAxis": {"type": "value", "minInterval": 1, **_lines()},
        "series": series,
    }


def lines(
    labels: Sequence[str], series: Sequence[Series], colours: Sequence[str], marks: Sequence[tuple[str, str]] = ()
) -> Options:
    """Shares over time with a band for the interval; `marks` are labels at which something was released."""
    drawn: list[Options] = []
    for one, colour in zip(series, colours, strict=True):
        drawn += _band(one, colour)
        drawn.append(
            {
                "name": one.name,
                "type": "line",
                "data": [_percent(each.value) for each in one.intervals],
                "connectNulls": True,
                "symbolSize": 7,
                "symbol": "circle" if colour == LIKED else "diamond",
                "itemStyle": {"color": colour},
                "lineStyle": {"color": colour, "width": 2},
            }
        )
    if marks and drawn:
        drawn[-1]["markLine"] = _mark_lines(marks)
    return {
        **_common(),
        "legend": {"top": 0, "left": 0, "data": [one.name for one in series]},
        "xAxis": {"type": "category", "data": list(labels), **_AXIS},
        "yAxis": {"type": "value", "min": 0, "max": 100, "axisLabel": {"formatter": "{value}%"}, **_lines()},
        "series": drawn,
    }


def _common() -> Options:
    return {
        "aria": _ARIA,
        "animation": False,
        "grid": _GRID,
        "legend": {"top": 0, "left": 0, "type": "scroll", "itemWidth": 16, "itemHeight": 10},
        "tooltip": {"trigger": "axis", "renderMode": "richText", "confine": True},
    }


def _lines() -> Options:
    return {"splitLine": {"lineStyle": {"color": "#88888833"}}}


def _band(one: Series, colour: str) -> list[Options]:
    """Two stacked lines that are not drawn, with the room between them filled."""
    low = [_percent(each.low) for each in one.intervals]
    width = [
        None if each.low is None or each.high is None else round(100 * (each.high - each.low), 1)
        for each in one.intervals
    ]
    common = {
        "type": "line",
        "stack": one.name,
        "symbol": "none",
        "lineStyle": {"opacity": 0},
        "silent": True,
        "connectNulls": True,
        "tooltip": {"show": False},
    }
    return [
        {**common, "data": low},
        {**common, "data": width, "areaStyle": {"color": colour, "opacity": 0.16, "decal": {"symbol": "none"}}},
    ]


def _mark_lines(marks: Sequence[tuple[str, str]]) -> Options:
    data = [{"xAxis": label, "label": {"formatter": told, "position": "insideEndTop"}} for label, told in marks]
    return {"symbol": "none", "lineStyle": {"type": "dashed", "color": "#888888"}, "data": data, "silent": True}


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
