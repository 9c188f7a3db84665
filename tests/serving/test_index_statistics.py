"""The two corrections that give an updated index the scores of a rebuilt one: ballast and the boost per term."""

from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from serving.index.analysis import Analysed, analyse
from serving.index.confidence import idf
from serving.index.schema import TEXT_FIELDS, TextField
from serving.index.statistics import (
    FILLER,
    Ballast,
    Statistics,
    Totals,
    ballast_for,
    frequencies,
    read_statistics,
    write_statistics,
)


def totals(documents: int, words: int, pairs: int) -> Totals:
    return Totals(documents, {"words": words, "pairs": pairs})


@st.composite
def updates(draw: st.DrawFn, least: int, most: int) -> tuple[Totals, Totals]:
    """Totals of entries of usual lengths, and of at most a twentieth as many removed ones."""
    count = draw(st.integers(least, most))
    words, pairs = draw(st.integers(10 * count, 300 * count)), draw(st.integers(3 * count, 150 * count))
    gone = draw(st.integers(0, count // 20))
    gone_words, gone_pairs = draw(st.integers(0, 600 * gone)), draw(st.integers(0, 300 * gone))
    return totals(count, words, pairs), totals(gone, gone_words, gone_pairs)


def average_error(entries: Totals, removed: Totals, ballast: Ballast, name: TextField) -> float:
    """How far, relatively, the average length that Tantivy sees is from that of the entries."""
    tokens = entries.tokens[name] + removed.tokens[name] + ballast.tokens[name]
    documents = entries.documents + removed.documents + ballast.documents
    return abs(tokens / documents * entries.documents / entries.tokens[name] - 1)


@given(updates(100_000, 10_000_000))
def test_ballast_keeps_the_average_length_of_a_hundred_thousand_entries_to_a_millionth(
    update: tuple[Totals, Totals],
) -> None:
    entries, removed = update
    ballast = ballast_for(entries, removed)
    for name in TEXT_FIELDS:
        assert average_error(entries, removed, ballast, name) < 1e-6


@given(updates(20_000, 100_000))
def test_ballast_keeps_the_average_length_of_the_smallest_index_that_is_updated(
    update: tuple[Totals, Totals],
) -> None:
    entries, removed = update
    ballast = ballast_for(entries, removed)
    for name in TEXT_FIELDS:
        assert average_error(entries, removed, ballast, name) < 5e-6


counts = st.integers(0, 10_000)


@given(counts, counts, counts, st.integers(0, 100), counts, counts)
@example(0, 0, 0, 5, 100, 50)
@example(1, 0, 0, 1, 0, 0)
def test_ballast_is_never_negative_and_never_off_by_more_than_the_rounding_of_a_token(
    count: int, words: int, pairs: int, gone: int, gone_words: int, gone_pairs: int
) -> None:
    entries, removed = totals(count, words, pairs), totals(gone, gone_words, gone_pairs)
    ballast = ballast_for(entries, removed)
    assert ballast.documents >= 0
    assert all(tokens >= 0 for tokens in ballast.tokens.values())
    for name in TEXT_FIELDS:
        if count and entries.tokens[name]:
            documents = count + gone + ballast.documents
            exact = entries.tokens[name] / count * documents
            tokens = entries.tokens[name] + removed.tokens[name] + ballast.tokens[name]
            assert abs(tokens - exact) <= 0.5 + 1e-6 * exact


def test_nothing_is_added_to_an_index_of_nothing() -> None:
    assert ballast_for(Totals(), totals(3, 30, 20)) == Ballast(0, {"words": 0, "pairs": 0})


@given(st.integers(1, 10**6), st.integers(0, 10**5), st.integers(0, 10**5), st.data())
def test_the_correction_turns_the_idf_that_tantivy_counts_into_that_of_the_entries(
    count: int, gone: int, ballast: int, data: st.DataObject
) -> None:
    assume(gone or ballast)
    holding = data.draw(st.integers(0, count))
    gone_holding = data.draw(st.integers(0, gone))
    removed: dict[TextField, dict[str, int]] = {"words": {"term": gone_holding}, "pairs": {}}
    statistics = Statistics(totals(count, 0, 0), ballast, removed, gone)
    counted = holding + gone_holding
    boost = statistics.correction("words", "term", counted)
    assert statistics.frequency("words", "term", counted) == holding
    assert boost > 0
    assert boost * idf(count + gone + ballast, counted) == pytest.approx(idf(count, holding))


def test_a_full_index_needs_no_correction() -> None:
    statistics = Statistics(totals(10, 100, 50))
    assert statistics.is_exact
    assert statistics.correction("words", "term", 3) == 1.0


def test_frequencies_count_texts_not_occurrences() -> None:
    found = frequencies([Analysed(["a", "a", "b"], ["x"]), Analysed(["a"], ["x", "x"])])
    assert found == {"words": {"a": 2, "b": 1}, "pairs": {"x": 2}}
    assert frequencies([]) == {"words": {}, "pairs": {}}


@given(st.lists(st.integers(0, 10**9), min_size=6, max_size=6))
def test_totals_add_and_subtract_field_by_field(numbers: list[int]) -> None:
    one, other = totals(*numbers[:3]), totals(*numbers[3:])
    assert (one + other) - other == one


def test_no_text_is_analysed_into_the_filler_of_ballast() -> None:
    assert FILLER not in analyse(f"a {FILLER} b {FILLER}c 数{FILLER}据").words


def test_statistics_come_back_from_a_folder_as_they_were(tmp_path: Path) -> None:
    removed: dict[TextField, dict[str, int]] = {"words": {"栈": 2, 'quo"te': 1}, "pairs": {"3f": 1}}
    stored = {"qa": Statistics(totals(9, 80, 70), 3, removed, 2), "passage": Statistics(Totals())}
    write_statistics(tmp_path, stored)  # type: ignore[arg-type]
    assert read_statistics(tmp_path) == stored
