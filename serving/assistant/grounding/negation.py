"""Does a sentence deny what its evidence says, or the other way round. English and Chinese, by closed cues."""

import re
from functools import lru_cache

_ENGLISH = re.compile(
    r"\b(?:not(?! (?:only|just|limited to|restricted to)\b)|no(?! (?:matter|doubt|\d))|never|neither|nor|cannot"
    r"|without|none|unable|impossible)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"不(?![仅但只管论过断同少久妨料如得]|可或缺|等式|变)|没(?!收)|(?<![毫])无(?!论|穷|限|向|符号|监督|关)|并非|绝非|未(?!来|知|必)"
)


_EITHER = re.compile(r"([\u4e00-\u9fff]{1,2})[不没]\1")


REMEMBERED = 1 << 14
"""Sentences that were looked at last and are kept: a question's are weighed by several composers."""


@lru_cache(maxsize=REMEMBERED)
def count_negations(text: str) -> int:
    """How many negations a sentence holds; what asks whether something is so by saying both, 是不是, is none."""
    text = _EITHER.sub(" ", text)
    return len(_ENGLISH.findall(text)) + len(_CHINESE.findall(text))


def is_negated(text: str) -> bool:
    """Whether a sentence holds an odd number of negations: "not impossible" denies nothing."""
    return count_negations(text) % 2 == 1


def contradicts(sentence: str, evidence: str) -> bool:
    """Whether exactly one of two sentences about the same is negated. That they are about the same is the caller's."""
    return is_negated(sentence) != is_negated(evidence)
