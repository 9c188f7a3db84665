"""Which system is served, by rule, of those that were compared on the same questions: the simplest that is not shown to
be worse than the best.

The rule was written before the figures were known. Nothing is trained or read here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.question_text import question_key
from models.intent.release.promotion import Contest, compare, macro_f1_interval
from models.statistics.metrics import IntentMetrics, measure
from models.statistics.paired import LEVEL, Difference, holm


@dataclass(frozen=True)
class SystemStanding:
    """One system among the others."""

    system: str
    metrics: IntentMetrics
    """At the alpha .5, for every system alike."""
    macro_f1: Difference
    """With its interval."""
    behind: Contest | None
    """The best system against this one; None for the best itself."""
    p: float
    """That the best is no better, in macro-F1 or chit-chat AUC: twice the smaller p, by Holm over all systems."""
    ahead: Contest | None = None
    """This system against the baseline; None for the baseline itself, and without one."""

    @property
    def is_worse(self) -> bool:
        """Beyond chance."""
        return self.p <= LEVEL


@dataclass(frozen=True)
class SystemChoice:
    """The systems in their order, simplest first, with the best and the one to serve."""

    standings: tuple[SystemStanding, ...]
    best: str
    """Of those that can be served; of all where none can."""
    chosen: str | None
    """None where none of them can be served."""


def choose(
    examples: Sequence[IntentExample],
    answers: Mapping[str, Floats],
    *,
    servable: Sequence[str] | None = None,
    baseline: str | None = None,
) -> SystemChoice:
    """Compare systems by what each said of questions that it had not learnt; `answers` are simplest first.

    Served is the first of `servable` (all, if not given) that is not shown to be worse than the best of these. Sessions
    are drawn whole. `baseline` names a system that each is laid beside, too.
    """
    labels = [one.category for one in examples]
    groups = groups_of(examples)
    able = [name for name in answers if servable is None or name in servable]
    measured = {name: measure(labels, one, alpha=0.5) for name, one in answers.items()}
    best = max(able or answers, key=lambda name: measured[name].macro_f1)
    contests = {
        name: compare(labels, answers[best], answers[name], name=name, groups=groups)
        for name in answers
        if name != best
    }
    ahead = {
        name: compare(labels, answers[name], answers[baseline], name=baseline, groups=groups)
        for name in answers
        if baseline in answers and baseline is not None and name != baseline
    }
    ps = dict(zip(contests, holm([_p(one) for one in contests.values()]), strict=True))
    standings = tuple(
        SystemStanding(
            name,
            measured[name],
            macro_f1_interval(labels, one, groups=groups),
            contests.get(name),
            ps.get(name, 1.0),
            ahead.get(name),
        )
        for name, one in answers.items()
    )
    chosen = next((one.system for one in standings if one.system in able and not one.is_worse), None)
    return SystemChoice(standings, best, chosen)


def groups_of(examples: Sequence[IntentExample]) -> NDArray[np.int64]:
    """The number of each question's session, of a question without one that of its text, from 0 up."""
    names = [f"s {one.session_id}" if one.session_id else f"t {question_key(one.question)}" for one in examples]
    known = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([known[name] for name in names], dtype=np.int64)


def _p(contest: Contest) -> float:
    smaller = contest.macro_f1.p_better
    if contest.chat_auc is not None:
        smaller = min(smaller, contest.chat_auc.p_better)
    return min(1.0, 2 * smaller)
