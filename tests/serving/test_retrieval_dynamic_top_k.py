"""Dynamic top-k: never over the budget, no better passage left out without a reason, no worse one in its place."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from serving.assistant.retrieval.dynamic_top_k import fill
from serving.assistant.retrieval.token_count import counter

LENGTHS = st.lists(st.integers(1, 50), max_size=20)


def filled(lengths: list[int], budget: int) -> list[int]:
    """Places that were taken."""
    chosen = fill(enumerate(lengths), budget, count=len, text=lambda one: "x" * one[1])
    return [place for place, _ in chosen]


@pytest.mark.parametrize(
    ("lengths", "budget", "expected"),
    [
        ([5, 5, 5], 10, [0, 1]),
        ([5, 6, 1], 10, [0]),  # the third would fit, but the second is better and does not
        ([50, 5, 5], 10, [1, 2]),  # the first is longer than the whole budget
        ([5, 50, 5], 10, [0, 2]),
        ([10], 10, [0]),
        ([11], 10, []),
        ([], 10, []),
        ([1], 0, []),
    ],
)
def test_the_best_are_taken_until_the_first_that_does_not_fit(
    lengths: list[int], budget: int, expected: list[int]
) -> None:
    assert filled(lengths, budget) == expected


@given(LENGTHS, st.integers(0, 100))
def test_it_is_never_over_the_budget(lengths: list[int], budget: int) -> None:
    assert sum(lengths[place] for place in filled(lengths, budget)) <= budget


@given(LENGTHS, st.integers(0, 100))
def test_whatever_is_left_out_was_too_long_or_stands_behind_one_that_did_not_fit(
    lengths: list[int], budget: int
) -> None:
    taken = filled(lengths, budget)
    fitting = [place for place, length in enumerate(lengths) if length <= budget]
    assert taken == fitting[: len(taken)]
    if len(taken) < len(fitting):
        assert sum(lengths[place] for place in fitting[: len(taken) + 1]) > budget


def test_what_stands_between_passages_is_counted() -> None:
    assert len(fill(["aaaa", "bbbb"], 10, count=len, text=str, between=1)) == 2
    assert len(fill(["aaaa", "bbbb"], 9, count=len, text=str, between=1)) == 1


def test_no_more_is_read_than_needed() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "four"

    assert len(fill(endless(), 9, count=len, text=str)) == 2


def test_tokens_are_counted_by_the_models_own_tokenizer(tmp_path: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel({"a": 0, "stack": 1, "[?]": 2}, unk_token="[?]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert counter(tmp_path)("a stack of hats") == 4


def test_without_a_tokenizer_tokens_are_estimated(tmp_path: Path) -> None:
    assert counter(tmp_path)("a stack of hats") == counter(None)("a stack of hats") == 15 // 3 + 1
