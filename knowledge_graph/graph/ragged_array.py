"""Lists of numbers of different lengths in two flat arrays: a million lists cost what their numbers cost.

Belongs here: the container alone. What the numbers are (edges, concepts, videos) is the caller's business.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class RaggedArray:
    """List `n` is `values[starts[n]:starts[n + 1]]`."""

    starts: Numbers
    values: Numbers

    @classmethod
    def group(cls, groups: Numbers, values: Numbers, size: int) -> "RaggedArray":
        """`size` lists: each value goes to the list of its group, in the order given."""
        order = np.argsort(groups, kind="stable")
        return cls(np.searchsorted(groups[order], np.arange(size + 1)), values[order])

    def __getitem__(self, number: int) -> Numbers:
        return self.values[self.starts[number] : self.starts[number + 1]]

    def lengths(self) -> Numbers:
        return np.diff(self.starts)

    def all_of(self, numbers: Numbers) -> Numbers:
        """The values of several lists, one list after the other."""
        begins, lengths = self.starts[numbers], self.starts[numbers + 1] - self.starts[numbers]
        total = int(lengths.sum())
        shifts = np.repeat(begins - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths) if total else begins[:0]
        return self.values[np.arange(total) + shifts]
