"""Who answers students: a new model against the one in use and the linear baseline, on the same held-out questions.

Paired tests and the decision that follows from them. Nothing is read, trained or written here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.intent.labels.categories import CATEGORIES, CHAT, Category, Floats, chat_scores
from models.intent.release.test_sets import FrozenTestSet
from models.intent.release.tries import Try
from models.statistics.metrics import category_numbers
from models.statistics.paired import (
    LEVEL,
    SEED,
    Difference,
    Swaps,
    Weights,
    difference,
    mcnemar,
    p_of_swaps,
    resamples,
    swaps,
)

LEAST = 30
"""Questions below which nobody wins. A choice: a bootstrap of a handful repeats the same few questions."""

FIRST = Try(1, LEVEL)
"""A contest from which nothing follows, as that with the linear baseline."""

Verdict = Literal["first", "better", "kept", "same"]


@dataclass(frozen=True)
class Contest:
    """The challenger against one opponent on the same questions."""

    opponent: str
    questions: int
    left_out: int | None
    """Held-out questions that the opponent was trained on or chosen by: they would flatter it. None: not known."""
    only_challenger_right: int
    only_opponent_right: int
    mcnemar_p: float
    """Exact and two-sided, on whether the category was right."""
    macro_f1: Difference
    chat_auc: Difference | None
    """None when the questions hold no chit-chat, or nothing else."""
    level: float = LEVEL
    """At which it may win: less than `LEVEL` where other models were tried on the same questions (tries.py)."""
    number: int = 1
    """The number of this try on these questions."""

    @property
    def worse_in(self) -> tuple[str, ...]:
        """Figures in which the challenger is worse beyond chance."""
        loses = self.only_challenger_right < self.only_opponent_right and self.mcnemar_p <= LEVEL
        loses_auc = self.chat_auc is not None and self.chat_auc.p_worse <= LEVEL
        return tuple(name for name, lost in (("accuracy", loses), ("chat AUC", loses_auc)) if lost)

    @property
    def won(self) -> bool:
        """Better in macro-F1 beyond chance, and not worse beyond chance in accuracy or chat AUC.

        One figure decides, so that three chances of a lucky win are not taken; in it the rare categories count alike.
        """
        return self.questions >= LEAST and self.macro_f1.p_better <= self.level and not self.worse_in


@dataclass(frozen=True)
class PromotionDecision:
    """Whether a new version is put in use, and why."""

    version: str
    champion: str | None
    """The version in use when this was decided."""
    verdict: Verdict
    linear: Contest
    against_champion: Contest | None
    reason: str
    test_set: FrozenTestSet | None = None
    """The version of the questions that the contests were on; None in records of before there were versions."""

    @property
    def promote(self) -> bool:
        """Put in use."""
        return self.verdict in ("first", "better")

    @property
    def is_earned(self) -> bool:
        """Better than the linear baseline and than the champion, if there is another one."""
        against = self.against_champion
        compared = self.verdict in ("first", "same") if against is None else against.won
        return self.linear.won and compared


def compare(
    labels: Sequence[Category],
    challenger: Floats,
    opponent: Floats,
    *,
    name: str,
    left_out: int | None = 0,
    seed: int = SEED,
    at: Try = FIRST,
    groups: NDArray[np.int64] | None = None,
) -> Contest:
    """Two models' probabilities on the same questions (rows in the order of `labels`).

    `at` is the number of this try on these questions, and the level at which it may win. The tests are
    `models.statistics.paired`'s; with the number of each question's group in `groups` they draw whole groups, from 0
    up: questions of one session are not independent. Raises `ValueError` without questions.
    """
    if not labels:
        raise ValueError(f"Comparing with {name} needs held-out questions that it has not seen; found none.")
    truth = category_numbers(labels)
    right, other = challenger.argmax(axis=1) == truth, opponent.argmax(axis=1) == truth
    gained, lost = int((right & ~other).sum()), int((other & ~right).sum())
    drawn, exchanged = _drawn(len(labels), groups, seed)
    chat = np.array([label in CHAT for label in labels])
    areas = None
    if 0 < chat.sum() < len(chat):
        areas = difference(_areas(chat, chat_scores(challenger), drawn) - _areas(chat, chat_scores(opponent), drawn))
    return Contest(
        opponent=name,
        questions=len(labels),
        left_out=left_out,
        only_challenger_right=gained,
        only_opponent_right=lost,
        mcnemar_p=mcnemar(gained, lost),
        macro_f1=_macro_f1(truth, challenger, opponent, drawn, exchanged),
        chat_auc=areas,
        level=at.level,
        number=at.number,
    )


def decide(
    version: str,
    champion: str | None,
    *,
    beats_majority: bool,
    linear: Contest,
    against_champion: Contest | None,
    champion_works: bool = True,
) -> PromotionDecision:
    """Put `version` in use or not.

    A champion is replaced only by what is better than it and than the linear baseline. Where there is none, or it
    cannot be opened, what beats the majority is put in use: a gateway without any model is worse. A champion that works
    and could not be compared (`against_champion` is None: it has seen every held-out question) stays.
    """
    verdict, reason = _verdict(
        version, champion if champion_works else None, beats_majority, linear=linear, against=against_champion
    )
    return PromotionDecision(version, champion, verdict, linear, against_champion, reason)


def _verdict(
    version: str, champion: str | None, beats_majority: bool, *, linear: Contest, against: Contest | None
) -> tuple[Verdict, str]:
    if version == champion:
        return "same", "It is the model in use, trained again to the same weights."
    stays = "nothing is put in use" if champion is None else f"{champion} stays in use"
    if not beats_majority:
        return "kept", f"It is no better than naming the most frequent category: {stays}."
    if champion is None:
        return (
            "first",
            "Put in use, as there was no model that works, and a gateway without any is worse; "
            f"{describe_contest(linear)}.",
        )
    if against is None:
        return "kept", f"{champion} has seen every held-out question and cannot be compared: it stays in use."
    contests = f"{describe_contest(against)}; {describe_contest(linear)}."
    if against.won and linear.won:
        return "better", f"Put in use: {contests}"
    return "kept", f"{champion} stays in use: {contests}"


def describe_contest(contest: Contest) -> str:
    """A contest in one line."""
    found = contest.macro_f1
    outcome = "better than" if contest.won else "not shown to be better than"
    worse = f", worse in {' and '.join(contest.worse_in)}" if contest.worse_in else ""
    few = f", fewer than {LEAST}" if contest.questions < LEAST else ""
    seen = {0: "", None: "; what it was trained on is not known"}.get(
        contest.left_out, f"; {contest.left_out} left out that it was trained on"
    )
    tried = f"; try {contest.number} on these questions, at level {contest.level:.4f}" if contest.level < LEVEL else ""
    return (
        f"{outcome} {contest.opponent} (macro-F1 {found.value:+.3f}, p {found.p_better:.3f}; {contest.questions} "
        f"questions{few}, right alone {contest.only_challenger_right} to {contest.only_opponent_right}, McNemar p "
        f"{contest.mcnemar_p:.3f}{worse}{seen}{tried})"
    )


def macro_f1_interval(
    labels: Sequence[Category], probabilities: Floats, *, groups: NDArray[np.int64] | None = None, seed: int = SEED
) -> Difference:
    """A model's macro-F1 with its 95 % interval, by the same draws as its contests. The p-values say nothing."""
    drawn, _ = _drawn(len(labels), groups, seed)
    return difference(_macro_f1s(category_numbers(labels), probabilities, drawn))


def _drawn(questions: int, groups: NDArray[np.int64] | None, seed: int) -> tuple[Weights, Swaps]:
    """How often each resample drew a question, and which questions each draw exchanges."""
    if groups is None:
        return resamples(questions, seed), swaps(questions, seed)
    number = int(groups.max()) + 1
    return resamples(number, seed)[:, groups], swaps(number, seed)[:, groups]


def _macro_f1(
    truth: NDArray[np.int64], challenger: Floats, opponent: Floats, drawn: Weights, exchanged: Swaps
) -> Difference:
    """The difference in macro-F1, with the larger p of two tests: a bootstrap over questions, and exchanged answers."""
    found = difference(_macro_f1s(truth, challenger, drawn) - _macro_f1s(truth, opponent, drawn))
    by_exchange = p_of_swaps(_compute_swapped_f1s(truth, challenger, opponent, exchanged.astype(np.float64)))
    return replace(found, p_better=max(found.p_better, by_exchange))


def _compute_swapped_f1s(truth: NDArray[np.int64], challenger: Floats, opponent: Floats, exchanged: Floats) -> Floats:
    """The difference in macro-F1 for every exchange of answers, over the categories in the labels."""
    labelled = truth[:, None] == np.arange(len(CATEGORIES))
    ours, theirs = (one.argmax(axis=1)[:, None] == np.arange(len(CATEGORIES)) for one in (challenger, opponent))
    support = labelled.sum(axis=0)

    def f1s(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Floats:
        counts = [first.astype(np.float64), (first & labelled).astype(np.float64)]
        changes = [second.astype(np.float64) - counts[0], (second & labelled) - counts[1]]
        named, both = (count.sum(axis=0) + exchanged @ change for count, change in zip(counts, changes, strict=True))
        found: Floats = (2 * both / np.maximum(1, support + named)).mean(axis=1, where=support > 0)
        return found

    return f1s(ours, theirs) - f1s(theirs, ours)


def _macro_f1s(truth: NDArray[np.int64], probabilities: Floats, weights: Weights) -> Floats:
    """Macro-F1 of every resample, over the categories in its labels, as `models.statistics.metrics.measure` has it."""
    categories = np.arange(len(CATEGORIES))
    labelled = truth[:, None] == categories
    predicted = probabilities.argmax(axis=1)[:, None] == categories
    drawn = weights.astype(np.float64)  # numpy multiplies floats, not integers, by BLAS
    support, both = drawn @ labelled.astype(np.float64), drawn @ (labelled & predicted).astype(np.float64)
    f1 = 2 * both / np.maximum(1, support + drawn @ predicted.astype(np.float64))
    means: Floats = f1.sum(axis=1, where=support > 0) / (support > 0).sum(axis=1)
    return means


def _areas(chat: NDArray[np.bool_], h: Floats, weights: Weights) -> Floats:
    """Area under the ROC curve of every resample: the share of pairs of chat and other that h orders rightly."""
    ahead = h[chat][:, None] - h[~chat][None, :]
    ordered = (ahead > 0) + 0.5 * (ahead == 0)
    ours, others = weights[:, chat], weights[:, ~chat]
    pairs = ours.sum(axis=1) * others.sum(axis=1)
    areas: Floats = ((ours @ ordered) * others).sum(axis=1) / np.where(pairs > 0, pairs, np.nan)
    return areas
