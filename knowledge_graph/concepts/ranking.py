"""How good a candidate is as a concept: one number from what counting, general language and titles say.

Belongs here: the features, one function each, and their weights. They are read by people, so each is a plain formula.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import wordfreq

from knowledge_graph.concepts.candidates import Candidate
from knowledge_graph.records import Lang

_RARE, _COMMON = 3.0, 6.0  # Zipf scale of wordfreq: "centroid" 2.9, "gradient" 3.5, "matrix" 4.1, "thing" 5.8
_UNSEEN = 4.0  # Zipf value taken for a word wordfreq does not list: a slip of the captioner, a name in code, or a find
_GENERIC_HEADS = frozenset(
    "algorithm approach example implementation method operation problem procedure process step system task technique "
    "算法 问题 方法 操作 过程 步骤 系统 运算".split()
)


@dataclass(frozen=True)
class Weights:
    """What each feature counts in the sum; the features lie between 0 and about 1."""

    cvalue: float = 1.5
    keyness: float = 0.9
    rarity: float = 0.6
    clumping: float = 0.5
    title: float = 0.7
    asked: float = 0.3
    multiword: float = 0.35
    defined: float = 0.35
    absorbed: float = -1.2
    generic_head: float = -0.4


@dataclass(frozen=True)
class CourseCounts:
    """What ranking must know of the course as a whole."""

    videos: int
    words: int
    word_counts: Mapping[str, int]
    """Occurrences of each word of a term, in normal form."""
    titles: Sequence[str]
    """Normal forms of the video titles, each with a space at both ends."""
    questions: Sequence[str] = ()
    """The same of what people ask: FAQ questions and recorded search queries."""


def c_value(candidate: Candidate) -> float:
    """C-value of Frantzi, Ananiadou and Mima (2000), eq. 1, with log2(1 + length) so that single words count too."""
    nested = candidate.nested_count / candidate.containers if candidate.containers else 0.0
    return math.log2(1 + len(candidate.words)) * (candidate.count - nested)


def absorbed(candidate: Candidate) -> float:
    """How far the term lives inside one longer term, 0..1: "descent" in "gradient descent" is near 1."""
    share = candidate.largest_container / candidate.count
    return _clip((share - 0.5) * 2)


def rarity(candidate: Candidate) -> float:
    """Rarity of the words in general language, 0 (as common as "thing") to 1 (Zipf 3 or less).

    Half the mean, half the rarest word: one rare word makes a term of "neural network".
    """
    values = [_clip((_COMMON - zipf(word, candidate.lang)) / (_COMMON - _RARE)) for word in candidate.words]
    return (sum(values) / len(values) + max(values)) / 2


def keyness(candidate: Candidate, course: CourseCounts) -> float:
    """Mean over the words of log10(frequency here / frequency in general language), 0 to 1 at a thousandfold."""
    values = []
    for word in candidate.words:
        here = math.log10(max(1, course.word_counts.get(word, candidate.count)) / max(1, course.words) * 1e9)
        values.append(_clip((here - zipf(word, candidate.lang)) / 3))
    return sum(values) / len(values)


def clumping(candidate: Candidate, course: CourseCounts) -> float:
    """Residual IDF of Church and Gale (1995) over videos, 0..1: terms clump where they are taught, fillers do not."""
    if course.videos < 2:
        return 0.0
    expected = 1 - math.exp(-candidate.count / course.videos)
    observed = len(candidate.videos) / course.videos
    return _clip(math.log2(expected / observed) / 2)


def generic_head(candidate: Candidate) -> float:
    """1 when the term only adds a word such as "algorithm" or "problem" to a shorter one, else 0."""
    return float(len(candidate.words) > 1 and candidate.words[-1] in _GENERIC_HEADS)


def multiword(candidate: Candidate) -> float:
    """1 for a term of several words; a Chinese one of four characters is a compound even where it was kept whole."""
    return float(len(candidate.words) > 1 or (candidate.lang == "zh" and len(candidate.normal) >= 4))


def in_title(candidate: Candidate, course: CourseCounts) -> float:
    """1 when a video title names the term, else 0."""
    term = candidate.normal if candidate.lang == "zh" else f" {candidate.normal} "
    return float(any(term in title for title in course.titles))


def asked(candidate: Candidate, course: CourseCounts) -> float:
    """1 when an FAQ entry or a recorded search asks about the term, else 0."""
    term = candidate.normal if candidate.lang == "zh" else f" {candidate.normal} "
    return float(any(term in question for question in course.questions))


def score(candidate: Candidate, course: CourseCounts, *, defined: float = 0.0, weights: Weights | None = None) -> float:
    """Weighted sum of the features; `defined` is 1 when the course defines the term. Not bounded: see `scaled`."""
    w = weights or Weights()
    strength = _clip(math.log10(1 + max(0.0, c_value(candidate))) / 3)
    return (
        w.cvalue * strength
        + w.keyness * keyness(candidate, course)
        + w.rarity * rarity(candidate)
        + w.clumping * clumping(candidate, course)
        + w.title * in_title(candidate, course)
        + w.asked * asked(candidate, course)
        + w.multiword * multiword(candidate)
        + w.defined * defined
        + w.absorbed * absorbed(candidate)
        + w.generic_head * generic_head(candidate)
    )


def scaled(raw: float) -> float:
    """A score as 0..1, rounded so that the last bits of floating point never reach a file."""
    return round(1 / (1 + math.exp(-2.5 * (raw - 1.6))), 6)


@cache
def zipf(word: str, lang: Lang) -> float:
    """Frequency of a word in general language on the Zipf scale: log10 of occurrences per 10^9 words."""
    frequency = _frequencies(lang).get(word, 0.0)
    return _UNSEEN if frequency <= 0 else math.log10(frequency * 1e9)


@cache
def _frequencies(lang: Lang) -> dict[str, float]:
    """wordfreq's own table: its `zipf_frequency` would load jieba with a cache file for Chinese."""
    table: dict[str, float] = wordfreq.get_frequency_dict(lang)
    return table


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))
