"""Use over time and votes by form, from rows in sight; releases as people write them."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from models.statistics.intervals import difference, lift, mean, wilson
from serving.evaluation.logs.releases import DatedRelease, ReleasesUnreadable, read_releases
from serving.evaluation.logs.use_over_time import use_by_period, use_picture, use_table
from serving.evaluation.logs.votes_by_form import Votes, votes_table
from serving.evaluation.tables import MeasuredNumber, markdown

JUNE, JULY, AUGUST = date(2022, 6, 1), date(2022, 7, 1), date(2022, 8, 1)
RELEASE = DatedRelease(JULY, "generation {1}")


def sessions(begins: date, *rounds: int, course: str = "trees", period: str = "month") -> dict[str, Any]:
    sums = {"sessions": len(rounds), "rounds": sum(rounds), "rounds_squared": sum(one * one for one in rounds)}
    return {"course_id": course, "period": period, "begins": begins, **sums}


def rated(begins: date, answers: int, satisfying: float, period: str = "month") -> dict[str, Any]:
    return {"period": period, "begins": begins, "answers": answers, "satisfying": satisfying}


SESSIONS = [
    sessions(JUNE, 1, 1, 2),
    sessions(JUNE, 4, course="graphs"),
    sessions(JULY, 3, 5),
    sessions(date(2022, 6, 27), 9, period="week"),
]
RATED = [rated(JUNE, 4, 2.5), rated(JULY, 2, 2)]


def thumbs(begins: date, form: str, has_options: bool | None, up: int, down: int) -> dict[str, Any]:
    return {"period": "week", "begins": begins, "form": form, "has_options": has_options, "up": up, "down": down}


def test_courses_are_added_up_and_other_periods_left_out() -> None:
    use = use_by_period(SESSIONS, RATED, "month")
    assert list(use) == [JUNE, JULY]
    assert use[JUNE].mean_rounds == pytest.approx(mean([1, 1, 2, 4]))
    assert use[JUNE].satisfaction == wilson(2.5, 4)


def test_a_period_with_one_session_has_a_mean_without_an_interval_and_one_without_none_has_nothing() -> None:
    use = use_by_period([sessions(JUNE, 3)], [rated(JULY, 1, 0)], "month")
    assert (use[JUNE].mean_rounds.value, use[JUNE].mean_rounds.low) == (3, None)
    assert (use[JUNE].satisfaction.value, use[JULY].mean_rounds.value) == (None, None)


def test_a_month_in_which_nobody_asked_has_a_row_and_its_release() -> None:
    use = use_by_period([sessions(JUNE, 3), sessions(date(2022, 9, 1), 2)], [], "month")
    table = use_table(use, [DatedRelease(AUGUST, "new")], period="month", simulated=False)
    assert [(row[0], row[5]) for row in table.rows[:4]] == [
        ("2022-06", ""),
        ("2022-07", ""),
        ("2022-08", "new"),
        ("2022-09", ""),
    ]
    assert use_picture(use, [], simulated=False).startswith(b"\x89PNG")


def test_a_release_is_marked_and_the_time_before_it_compared_with_the_time_after() -> None:
    table = use_table(use_by_period(SESSIONS, RATED, "month"), [RELEASE], period="month", simulated=False)
    assert [(row[0], row[5]) for row in table.rows] == [
        ("2022-06", ""),
        ("2022-07", "generation {1}"),
        ("before generation {1}", ""),
        ("from generation {1} on", ""),
    ]
    change = table.metrics()["change_0/satisfying"]
    assert change == pytest.approx(difference(wilson(2, 2), wilson(2.5, 4)).value)
    assert "from generation {1} on, against before generation {1}: 2.00" in markdown(table)


def test_a_period_with_the_release_inside_is_neither_before_nor_after() -> None:
    inside = DatedRelease(date(2022, 7, 4), "late")
    rows = [*SESSIONS, sessions(AUGUST, 6)]
    table = use_table(use_by_period(rows, [], "month"), [inside], period="month", simulated=False)
    counted = [row[1].value for row in table.rows[3:] if isinstance(row[1], MeasuredNumber)]
    assert counted == [4, 1]


def test_simulated_rows_are_marked_in_every_row_and_in_the_notes() -> None:
    table = use_table(use_by_period(SESSIONS, RATED, "month"), [RELEASE], period="month", simulated=True)
    assert all("(simulated)" in str(row[0]) for row in table.rows)
    assert table.notes[0].text.startswith("Simulated: no student was asked.")


def test_nothing_at_all_makes_an_empty_table_and_a_picture() -> None:
    table = use_table({}, [RELEASE], period="week", simulated=False)
    assert table.rows == ()
    assert "There was nothing to count" in markdown(table)
    assert use_picture({}, [RELEASE], simulated=False).startswith(b"\x89PNG")


def test_the_same_figures_are_the_same_picture() -> None:
    use = use_by_period(SESSIONS, RATED, "month")
    assert use_picture(use, [RELEASE], simulated=True) == use_picture(use, [RELEASE], simulated=True)
    assert use_picture(use, [RELEASE], simulated=True) != use_picture(use, [RELEASE], simulated=False)


def test_releases_are_read_in_order_of_time(tmp_path: Path) -> None:
    path = tmp_path / "releases.yaml"
    path.write_text("- {at: 2022-07-01, name: generation}\n- {at: 2020-05-01T08:00:00, name: first}\n")
    assert read_releases(path) == (DatedRelease(date(2020, 5, 1), "first"), DatedRelease(JULY, "generation"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("at: 2022-07-01", "expected a list of at and name; found dict"),
        ("- {at: 2022-07-01, name: a}\n- {at: July, name: b}", "entry 2: expected at .a day, 2022-07-01. and name"),
        ("- {at: 2022-07-01}", "entry 1"),
        ("- [", "expected YAML"),
        ("- {at: 2022-13-45, name: a}", "expected YAML with days"),
    ],
)
def test_releases_that_cannot_be_read_are_told_with_their_place(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "releases.yaml"
    path.write_text(text)
    with pytest.raises(ReleasesUnreadable, match=told):
        read_releases(path)
    with pytest.raises(ReleasesUnreadable, match="there is no such file"):
        read_releases(tmp_path / "other.yaml")
    with pytest.raises(ReleasesUnreadable, match="cannot be read"):
        read_releases(tmp_path)


WEEK_BEFORE, WEEK_OF, WEEK_AFTER = date(2022, 6, 20), date(2022, 6, 27), date(2022, 7, 4)
THUMBS = [
    thumbs(WEEK_BEFORE, "frq", None, 60, 40),
    thumbs(WEEK_BEFORE, "mcq", True, 38, 27),
    thumbs(WEEK_BEFORE, "mcq", False, 10, 25),
    thumbs(WEEK_OF, "frq", None, 1000, 0),
    thumbs(WEEK_AFTER, "frq", None, 66, 34),
]
REASONS = [{"thumb": 1, "reason": "thorough_explanation", "given": 117, "votes": 1174}]


def test_forms_are_compared_while_all_questions_were_answered() -> None:
    votes = Votes(THUMBS, REASONS, JULY)
    assert votes.of("mcq") == wilson(48, 100)
    assert votes.options_lift() == lift(wilson(38, 65), wilson(10, 35))
    assert votes.rise() == difference(wilson(66, 100), wilson(108, 200))


def test_a_reason_is_a_share_of_all_thumbs_of_its_kind() -> None:
    votes = Votes(THUMBS, REASONS, JULY)
    assert votes.reason(1, "thorough_explanation") == wilson(117, 1174)
    assert votes.reason(-1, "needs_more_explanation") == wilson(0, 126)


def test_without_a_day_of_release_all_weeks_count_and_no_rise_is_known() -> None:
    votes = Votes(THUMBS, REASONS)
    assert votes.of("frq") == wilson(1126, 1200)
    assert votes.rise().value is None


def test_a_store_without_thumbs_shows_dashes_beside_the_published_figures() -> None:
    shown = markdown(votes_table(Votes(THUMBS, REASONS, JULY), Votes([], [])))
    line = next(line for line in shown.splitlines() if line.startswith("| With options against without"))
    assert line.split("|")[2].strip() == "*90% higher*"
    assert line.split("|")[4].strip() == "–"
    assert "Our logs have no thumbs yet." in shown
