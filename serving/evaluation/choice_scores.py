"""How good the answers to multiple-choice questions are: figures from what came of each question. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import binomtest

from serving.evaluation.choice_answers import KnownAnswer


@dataclass(frozen=True)
class Share:
    """A share 0..1 of `of` questions, with its 95 % interval after Wilson (1927)."""

    value: float
    low: float
    high: float
    of: int


@dataclass(frozen=True)
class ChoiceScores:
    """Figures over one set of questions.

    `chance` is what guessing would reach: the mean of 1 / number of options. A question without an answer is wrong.
    """

    accuracy: Share
    chance: float
    names_an_option: Share
    explains_every_option: Share
    explained_by_model: Share
    subjects: dict[str, Share]
    """Accuracy by subject, by name."""


def score_choices(answers: Sequence[KnownAnswer]) -> ChoiceScores:
    """The figures. Raises `ValueError` when there is no answer to score."""
    if not answers:
        raise ValueError("No answers to score: every question was skipped.")
    subjects = sorted({one.subject for one in answers})
    return ChoiceScores(
        accuracy=_share([one.is_right for one in answers]),
        chance=sum(1 / one.options for one in answers) / len(answers),
        names_an_option=_share([one.names_an_option for one in answers]),
        explains_every_option=_share([one.explains_every_option for one in answers]),
        explained_by_model=_share([one.is_explained_by_model for one in answers]),
        subjects={subject: _share([one.is_right for one in answers if one.subject == subject]) for subject in subjects},
    )


def _share(held: Sequence[bool]) -> Share:
    interval = binomtest(sum(held), len(held)).proportion_ci(method="wilson")
    return Share(sum(held) / len(held), float(interval.low), float(interval.high), len(held))
