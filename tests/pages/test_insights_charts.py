"""The charts of the insights page as data."""

from datetime import UTC, date, datetime

from serving.desk.insights.counts import Cell
from serving.pages.insights_charts import days_of, draw_stacked, periods_of, routes_by_day, shares

FIRST = date(2026, 3, 1)


def cell(day: str, route: str | None, n: int) -> Cell:
    return Cell(day, "answered", route, False, None, None, n, datetime(2026, 3, 1, tzinfo=UTC))


def test_a_long_period_is_shown_in_weeks_that_end_today() -> None:
    days = days_of(FIRST, date(2026, 3, 30))
    assert [len(period) for period in periods_of(days)] == [2, 7, 7, 7, 7]
    assert periods_of(days)[-1][-1] == date(2026, 3, 30)


def test_a_short_period_is_shown_by_days() -> None:
    assert periods_of(days_of(FIRST, date(2026, 3, 2))) == [[FIRST], [date(2026, 3, 2)]]


def test_turns_are_counted_by_day_and_route_with_nothing_for_empty_days() -> None:
    cells = [cell("2026-03-01", "teach", 2), cell("2026-03-03", "teach", 1), cell("2026-03-03", None, 4)]
    found = routes_by_day(cells, days_of(FIRST, date(2026, 3, 3)))
    assert found == {"teach": [2, 0, 1], "none": [0, 0, 4]}


def test_a_share_of_nothing_has_no_value() -> None:
    known, unknown = shares([[FIRST], [date(2026, 3, 2)]], {"2026-03-01": 3}, {"2026-03-01": 4})
    assert (known.value, unknown.value) == (0.75, None)


def test_every_bar_has_its_name_and_a_pattern_beside_its_colour() -> None:
    options = draw_stacked([FIRST], {"teach": [2]}, {"teach": "taught"})
    assert options["series"][0]["name"] == "taught"
    assert options["aria"]["decal"]["show"] is True
