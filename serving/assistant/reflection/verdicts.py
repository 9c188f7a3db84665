"""`DraftVerdict`: what one look at a draft found."""

from dataclasses import dataclass
from typing import Literal

Looked = Literal["grounded", "answers"]


@dataclass(frozen=True)
class DraftVerdict:
    """`score`, 0..1, is how sure the grader is that the draft passes; `by` names the grader: `material` for those that
    compare texts, `llm` for the model, `material and llm` for the mean of both, `off` when nobody looked."""

    looked: Looked
    passed: bool
    score: float
    by: str
