"""Tables of figures: what a reader sees, and that every number of theirs has a name of its own."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.statistics.intervals import Interval, wilson
from serving.evaluation.tables import (
    MeasuredNumber,
    NumberedNote,
    Published,
    Table,
    from_json,
    markdown,
    metric_name,
    page,
    to_json,
)

RATINGS = Table(
    name="ratings",
    title="Ratings",
    source="LittleMu, Table 3",
    columns=("System", "Coherence", "Published"),
    rows=(
        ("ours", MeasuredNumber("ours/coherence", 1.2345, 1.2, 1.27), Published("1.27")),
        ("a|b", MeasuredNumber("theirs/coherence", None), Published("0.98")),
    ),
    notes=(
        NumberedNote(
            "{share} of the ratings are copies.", {"share": MeasuredNumber("copies", 0.5, style="percent", digits=0)}
        ),
    ),
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (MeasuredNumber("n", 1.2345), "1.23"),
        (MeasuredNumber("n", None), "–"),
        (MeasuredNumber("n", math.nan), "–"),
        (MeasuredNumber("n", 312_000, style="count"), "312,000"),
        (MeasuredNumber("n", 0.703, style="percent", digits=1), "70.3%"),
        (MeasuredNumber("n", 0.5, 0.25, 0.75, style="percent", digits=0), "50% (25 to 75)"),
        (MeasuredNumber("n", 0.05, digits=2, mark="unreliable"), "0.05 unreliable"),
    ],
)
def test_a_number_is_shown_with_its_interval_and_its_mark(number: MeasuredNumber, text: str) -> None:
    assert number.text() == text


def test_an_interval_becomes_a_number() -> None:
    assert MeasuredNumber.of("rate", wilson(7, 10)).text() == "70.0% (39.7 to 89.2)"
    assert MeasuredNumber.of("rate", Interval(None, None, None, 0)).text() == "–"


@pytest.mark.parametrize(
    ("text", "name"),
    [("LittleMu (10B)", "littlemu_10b"), ("EVA2.0", "eva2_0"), ("C#", "cu23"), ("工", "u5de5"), ("-", "unnamed")],
)
def test_a_name_of_people_becomes_one_that_a_metric_may_have(text: str, name: str) -> None:
    assert metric_name(text) == name


def test_markdown_has_published_figures_in_italics_and_bars_escaped() -> None:
    assert markdown(RATINGS) == (
        "| System | Coherence | Published |\n|---|--:|--:|\n"
        "| ours | 1.23 (1.20 to 1.27) | *1.27* |\n| a\\|b | – | *0.98* |\n\n50% of the ratings are copies.\n"
    )


def test_every_number_that_there_is_becomes_a_metric() -> None:
    assert RATINGS.metrics() == {
        "ours/coherence": 1.2345,
        "ours/coherence.low": 1.2,
        "ours/coherence.high": 1.27,
        "copies": 0.5,
    }


def test_a_table_refuses_two_numbers_of_one_name_and_rows_of_another_length() -> None:
    with pytest.raises(ValueError, match="two numbers are called n"):
        Table("t", "T", "S", ("a", "b"), ((MeasuredNumber("n", 1.0), MeasuredNumber("n", 2.0)),))
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        Table("t", "T", "S", ("a", "b"), (("only",),))


def test_a_page_shows_what_people_wrote_as_text() -> None:
    table = Table("t", "<b>T</b>", "S", ("a",), (("<script>alert(1)</script>",),))
    assert "<script>" not in page(table)
    assert "&lt;script&gt;" in page(table)


CELLS = st.one_of(
    st.text(max_size=20),
    st.builds(Published, st.text(max_size=10)),
    st.builds(MeasuredNumber, st.uuids().map(str), st.none() | st.floats(-1e6, 1e6), digits=st.integers(0, 4)),
)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_a_table_comes_back_from_json_as_it_was(rows: list[tuple[str, str]]) -> None:
    table = Table("t", "T", "S", ("a", "b"), tuple(rows))
    assert from_json(json.loads(json.dumps(to_json(table)))) == table
    assert len(markdown(table).splitlines()) == 2 + len(rows)
