"""Dynamic top-k: the best passages until a token budget is full (Tulane 2.VI). The number k is not fixed.

The rule is the paper's, "start at the top of the matches list" and take more "until the maximum token limit is
reached": the first passage that does not fit ends the list, and no worse one is taken in its place. One exception: a
passage that is longer than the whole budget fits no list, so it is skipped instead of leaving all others out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Count = Callable[[str], int]
"""Tokens of a text, 0 or more, as the served model counts them."""

T = TypeVar("T")


def fill(
    ranked: Iterable[T], budget: int, *, count: Count, text: Callable[[T], str], between: int = 0
) -> tuple[T, ...]:
    """The best of `ranked` (best first) whose texts together have at most `budget` tokens.

    `between` tokens are added for each passage: marks, titles, blank lines. `ranked` is read no
    further than needed.
    """
    return tuple(_fitting(ranked, budget, lambda one: count(text(one)) + between))


def _fitting(ranked: Iterable[T], budget: int, cost: Callable[[T], int]) -> Iterator[T]:
    left = budget
    for one in ranked:
        needed = cost(one)
        if needed > budget:
            continue
        if needed > left:
            return
        left -= needed
        yield one
