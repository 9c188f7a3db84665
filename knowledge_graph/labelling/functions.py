"""Labelling functions and the votes they cast.

A labelling function looks at one item and says yes (1), no (-1) or nothing (0). It is small, has a name, and its
docstring's first line is the reason a person reads beside its figures.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

Vote = Literal[1, 0, -1]
YES, NO, ABSTAIN = 1, -1, 0


@dataclass(frozen=True)
class LabellingFunction(Generic[T]):
    """A named opinion with its reason."""

    name: str
    reason: str
    vote: Callable[[T], int]


@dataclass(frozen=True)
class VoteMatrix:
    """All votes: row = item, column = function, in the order of `names`. `reasons` belong to `names`."""

    names: tuple[str, ...]
    reasons: tuple[str, ...]
    votes: NDArray[np.int8]

    def cast(self, row: int) -> dict[str, int]:
        """The votes on one item by name, abstentions left out."""
        return {name: int(vote) for name, vote in zip(self.names, self.votes[row], strict=True) if vote}


def labelling_functions(*functions: Callable[[T], int]) -> tuple[LabellingFunction[T], ...]:
    """Plain functions as labelling functions: name and first docstring line are taken from each.

    Raises `ValueError` for one without a docstring, or a name that comes twice.
    """
    made = tuple(LabellingFunction(each.__name__, _reason(each), each) for each in functions)
    if len({each.name for each in made}) < len(made):
        raise ValueError(f"Labelling functions need names of their own; found {[each.name for each in made]}.")
    return made


def apply(functions: Sequence[LabellingFunction[T]], items: Iterable[T]) -> VoteMatrix:
    """Ask every function about every item."""
    rows = [[each.vote(item) for each in functions] for item in items]
    votes = np.array(rows, dtype=np.int8).reshape(len(rows), len(functions))
    return VoteMatrix(tuple(each.name for each in functions), tuple(each.reason for each in functions), votes)


def _reason(function: Callable[[T], int]) -> str:
    lines = (function.__doc__ or "").strip().splitlines()
    if not lines:
        raise ValueError(f"The labelling function {function.__name__} has no docstring, so nobody can read its reason.")
    return lines[0]
