"""The six categories of a student's question (LittleMu Table 1) and the two scores that follow from them."""

from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

Category = Literal["simple", "complex", "general_chat", "emotional_chat", "platform_faq", "other"]

CATEGORIES: tuple[Category, ...] = get_args(Category)
"""In the order of the model's outputs."""

CHAT: tuple[Category, ...] = ("general_chat", "emotional_chat")

_PUBLISHED_NAMES: dict[str, Category] = {
    "简单问题": "simple",
    "复杂问题": "complex",
    "其他闲聊": "general_chat",
    "情绪闲聊": "emotional_chat",
    "平台、课程问题": "platform_faq",
    "其他": "other",
}
"""The names in the public label file of the LittleMu paper."""

_CHAT_COLUMNS = [CATEGORIES.index(name) for name in CHAT]

Floats = NDArray[np.float64]


def category_of(name: str) -> Category | None:
    """The category a label file means by `name`: ours or the published Chinese one; None when unknown."""
    name = name.strip()
    return cast(Category, name) if name in CATEGORIES else _PUBLISHED_NAMES.get(name)


def chat_scores(probabilities: Floats) -> Floats:
    """h of LittleMu eq. 4 for each row, 0..1: the probability that a question is chit-chat of either kind."""
    scores: Floats = probabilities[:, _CHAT_COLUMNS].sum(axis=1)
    return scores
