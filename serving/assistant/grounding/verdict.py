"""`GroundingVerdict`: what every grader says, with or without a language model. Never without a value."""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class GroundingVerdict:
    """`score` is 0 to 1 and finite; it passes from `cut` on. `certain` is false where a second opinion is worth asking.

    Raises ValueError for a score that is no number between 0 and 1.
    """

    score: float
    cut: float
    certain: bool

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:
            raise ValueError(f"A score lies between 0 and 1, this one is {self.score}.")

    @property
    def has_passed(self) -> bool:
        return self.score >= self.cut

    def settle(self, opinion: float | None) -> "GroundingVerdict":
        """This verdict with a language model's probability of "yes", when it was uncertain and there is one.

        The mean of the two: a choice, as neither has been shown to be the better judge in the uncertain middle. An
        opinion that is no probability is none.
        """
        if self.certain or opinion is None or not math.isfinite(opinion) or not 0 <= opinion <= 1:
            return self
        return replace(self, score=(self.score + opinion) / 2, certain=True)
