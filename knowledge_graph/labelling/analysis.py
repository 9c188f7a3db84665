"""What people read about labelling functions: coverage, overlap, conflict, and the accuracy the model learnt.

The words are those of Snorkel (Ratner et al. 2017, section 2); the table goes to asset metadata and to MLflow.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.labelling.functions import VoteMatrix


@dataclass(frozen=True)
class FunctionReport:
    """One function over all items. All but `name`, `reason` and the counts lie between 0 and 1."""

    name: str
    reason: str
    yes: int
    no: int
    coverage: float
    """Share of the items it votes on."""
    overlap: float
    """Share of the items it votes on together with another function."""
    conflict: float
    """Share of the items where another function votes against it."""
    accuracy: float | None
    """Expected share of its votes that are right, as the label model sees it; `None` when it never votes."""


def analyse(matrix: VoteMatrix, probabilities: NDArray[np.float64]) -> tuple[FunctionReport, ...]:
    """A report on each function, in their order; `probabilities` are P(yes) of the items, by the label model."""
    votes = matrix.votes
    voted = votes != 0
    others_yes = (votes == 1).sum(axis=1, keepdims=True) - (votes == 1)
    others_no = (votes == -1).sum(axis=1, keepdims=True) - (votes == -1)
    overlap = voted & (others_yes + others_no > 0)
    conflict = ((votes == 1) & (others_no > 0)) | ((votes == -1) & (others_yes > 0))
    right = (votes == 1).T @ probabilities + (votes == -1).T @ (1 - probabilities)
    items = max(1, len(votes))
    return tuple(
        FunctionReport(
            name,
            matrix.reasons[at],
            yes=int((votes[:, at] == 1).sum()),
            no=int((votes[:, at] == -1).sum()),
            coverage=float(voted[:, at].sum() / items),
            overlap=float(overlap[:, at].sum() / items),
            conflict=float(conflict[:, at].sum() / items),
            accuracy=float(right[at] / voted[:, at].sum()) if voted[:, at].any() else None,
        )
        for at, name in enumerate(matrix.names)
    )


def as_markdown(reports: Sequence[FunctionReport]) -> str:
    """The reports as a table for people."""
    lines = [
        "| function | reason | yes | no | coverage | overlap | conflict | accuracy |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {one.name} | {one.reason} | {one.yes} | {one.no} | {one.coverage:.3f} | {one.overlap:.3f} | "
        f"{one.conflict:.3f} | {'–' if one.accuracy is None else f'{one.accuracy:.3f}'} |"
        for one in reports
    ]
    return "\n".join(lines)
