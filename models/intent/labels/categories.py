"""The six categories of a student's question (LittleMu Table 1) and the two scores that follow from them."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Category = Literal["simple", "complex", "general_chat", "emotional_chat", "platform_faq", "other"]

CATEGORIES: tuple[Category, ...] = get_args(Category)
"""In the order of the model's outputs."""

CHAT: tuple[Category, ...] = ("general_chat", "emotional_chat")

PUBLISHED_NAMES: dict[Category, str] = {
    "simple": "简单问题",
    "complex": "复杂问题",
    "general_chat": "其他闲聊",
    "emotional_chat": "情绪闲聊",
    "platform_faq": "平台、课程问题",
    "other": "其他",
}
"""The names in the public label file of the LittleMu paper."""

_OTHER_NAMES: dict[Category, tuple[str, ...]] = {
    "simple": ("simple question", "简单"),
    "complex": ("complex question", "复杂"),
    "general_chat": ("general chit-chat", "一般闲聊", "普通闲聊"),
    "emotional_chat": ("emotional chit-chat", "情感闲聊"),
    "platform_faq": ("platform question", "课程、平台问题", "平台问题", "课程问题"),
    "other": ("others", "其它"),
}
"""Under which people know them, too."""


def _fold(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


_BY_NAME: dict[str, Category] = {
    _fold(name): category
    for category in CATEGORIES
    for name in (category, PUBLISHED_NAMES[category], *_OTHER_NAMES[category])
}

_CHAT_COLUMNS = [CATEGORIES.index(name) for name in CHAT]

Floats = NDArray[np.float64]


def category_of(name: str) -> Category | None:
    """The category a label file means by `name`: ours, the published Chinese one or a usual one; None when unknown.

    Case, blanks and punctuation do not matter: "General Chat" is general_chat, 平台/课程问题 is 平台、课程问题.
    """
    return _BY_NAME.get(_fold(name))


def chat_scores(probabilities: Floats) -> Floats:
    """h of LittleMu eq. 4 for each row, 0..1: the probability that a question is chit-chat of either kind."""
    scores: Floats = probabilities[:, _CHAT_COLUMNS].sum(axis=1)
    return scores
