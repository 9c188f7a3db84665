"""Labels where people gave none: what the labelling functions together think of a question, as a category.

Belongs here: the three label models, how their answers become one of the categories, and which are sure enough. The
functions are in `weak_functions.py`; which questions become examples is in `weak_examples.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.labelling.analysis import FunctionReport, analyse
from knowledge_graph.labelling.functions import VoteMatrix, apply
from knowledge_graph.labelling.model import LabelModel
from models.intent.labels.categories import CHAT, Category
from models.intent.labels.weak_functions import BELIEFS, FUNCTIONS, Asks, QuestionContext

PRIORS: dict[Asks, float] = {"chat": 0.175, "platform": 0.157, "complex": 0.122}
"""Shares in LittleMu's Table 1: of chit-chat of either kind among all, of platform FAQ among simple, complex and
platform FAQ, of complex among simple and complex."""

SURE = 0.7
"""A choice: below this probability a question gets no weak label."""

_STRENGTH = 500.0
"""Questions that a belief is worth: a choice. With 50 the models drift to what English functions share."""


@dataclass(frozen=True)
class WeakLabel:
    """A category with its probability, 0..1, as the label models see it."""

    category: Category
    probability: float


@dataclass(frozen=True)
class WeakLabeller:
    """Three fitted label models: is it chit-chat; if not, is it about the platform; if neither, is it complex."""

    models: Mapping[Asks, LabelModel]
    reports: Mapping[Asks, tuple[FunctionReport, ...]]
    """What each function did on the questions it was fitted to."""

    @classmethod
    def fit(cls, asked: Sequence[QuestionContext], *, known: Sequence[Category | None] = ()) -> "WeakLabeller":
        """Learn from `asked` how far each function can be trusted. Deterministic.

        `known` are the categories that people gave to the first of them, None where nobody did. They fix the answers
        to these questions while the others are learnt from.
        """
        models, reports = {}, {}
        for name, functions in FUNCTIONS.items():
            votes = apply(functions, asked)
            models[name] = _fit(name, votes, known)
            reports[name] = analyse(votes, models[name].probabilities(votes.votes))
        return cls(models, reports)

    def chat(self, asked: Sequence[QuestionContext]) -> NDArray[np.float64]:
        """P(chit-chat of either kind) of each question, 0..1; where no function votes, the prior's."""
        return self.models["chat"].probabilities(apply(FUNCTIONS["chat"], asked).votes)

    def label(self, asked: Sequence[QuestionContext]) -> tuple[WeakLabel | None, ...]:
        """The most probable category of each question; None below `SURE`, and where no function knows chit-chat.

        The way is chit-chat or not, platform or not, complex or not; chit-chat that tells a feeling is emotional.
        `other` is never given: no rule recognises it.
        """
        votes = {name: apply(functions, asked).votes for name, functions in FUNCTIONS.items()}
        yes = {name: self.models[name].probabilities(votes[name]) for name in votes}
        voted = np.count_nonzero(votes["chat"], axis=1) > 0
        return tuple(
            _label(one, {name: float(yes[name][row]) for name in yes}) if voted[row] else None
            for row, one in enumerate(asked)
        )


def _fit(name: Asks, votes: VoteMatrix, known: Sequence[Category | None]) -> LabelModel:
    return LabelModel.fit(
        votes.names,
        votes.votes,
        prior=PRIORS[name],
        beliefs={each: BELIEFS[each] for each in votes.names},
        strength=_STRENGTH,
        gold={row: answer for row, category in enumerate(known) if (answer := _answer(name, category)) is not None},
    )


def _answer(name: Asks, category: Category | None) -> bool | None:
    """What a known category says to one of the three questions; None when it does not arise."""
    if category is None:
        return None
    if name == "chat":
        return category in CHAT
    if name == "platform":
        return None if category in (*CHAT, "other") else category == "platform_faq"
    return category == "complex" if category in ("simple", "complex") else None


def _label(one: QuestionContext, yes: Mapping[Asks, float]) -> WeakLabel | None:
    chat, platform, reasoning = yes["chat"], yes["platform"], yes["complex"]
    taught = (1 - chat) * (1 - platform)
    chatting: Category = "emotional_chat" if "emotion" in one.says else "general_chat"
    found: dict[Category, float] = {
        chatting: chat,
        "platform_faq": (1 - chat) * platform,
        "complex": taught * reasoning,
        "simple": taught * (1 - reasoning),
    }
    best = max(found, key=lambda category: found[category])
    return WeakLabel(best, found[best]) if found[best] >= SURE else None
