"""What is measured of a term: plain formulas over counts, general language and the words of the course.

Belongs here: one small function per measure, with its source. All measures of one term together are in `facts.py`;
what they say for or against it, in `functions.py`.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from knowledge_graph.concepts.candidate import TermCandidate
from knowledge_graph.concepts.candidates import WordUse
from knowledge_graph.concepts.course_words import Course
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.lean_wordfreq import wordfreq

_UNSEEN, _UNSEEN_AND_SAID, _SAID = 4.0, 1.0, 8
"""Zipf values of a word that wordfreq does not list: of a slip of the captioner or a name in code; and of one that an
English course says `_SAID` times, which is its own ("heapsort"). Chinese words are often unlisted."""
_SINGLE = 0.1
_FEWEST_SHAPES, _EVERYDAY = 4, 4.3
"""Terms and Zipf frequency from which on the looseness of an adjective says anything."""
_OPENS = 5
"""Terms that a verb begins for each one it ends: 排序 ends many (选择排序), 采用 none."""


@dataclass(frozen=True)
class TermShapes:
    """How many terms have each head, each first word and each last word."""

    heads: Mapping[tuple[Lang, str], int]
    first: Mapping[str, int]
    said_first: Mapping[str, int]
    """Occurrences of the terms counted in `first`."""
    last: Mapping[str, int]
    counts: Mapping[str, int]
    """Occurrences of each term by concept id."""

    @classmethod
    def of(cls, candidates: Sequence[TermCandidate]) -> "TermShapes":
        """Count them."""
        longer = [one for one in candidates if len(one.words) > 1]
        said: Counter[str] = Counter()
        for one in longer:
            said[one.words[0]] += one.count
        return cls(
            Counter(head(one) for one in candidates),
            Counter(one.words[0] for one in longer),
            said,
            Counter(one.words[-1] for one in candidates),
            {one.concept_id: one.count for one in candidates},
        )


def c_value(candidate: TermCandidate) -> float:
    """C-value of Frantzi, Ananiadou and Mima (2000), eq. 1, with 0.1 + log2(length) for its log2(length).

    The constant lets single words count (Barrón-Cedeño et al. 2009 take 1), as a tenth of what they would as part of
    a pair: a single word is common for many reasons.
    """
    nested = candidate.nested_count / candidate.containers if candidate.containers else 0.0
    return (_SINGLE + math.log2(length(candidate))) * (candidate.count - nested)


def length(candidate: TermCandidate) -> float:
    """Words of an English term; of a Chinese one half its characters, at least 1, so that 二叉树 has 1.5."""
    return float(len(candidate.words)) if candidate.lang == "en" else max(1.0, len(candidate.normal) / 2)


def absorption(candidate: TermCandidate) -> float:
    """How far the term lives inside one longer term, 0..1: "descent" in "gradient descent" is near 1."""
    return _clip((candidate.largest_container / candidate.count - 0.5) * 2)


def keyness(candidate: TermCandidate, course: Course) -> float:
    """Mean over the words of log10(frequency here / frequency in general language)."""
    lang = candidate.lang
    per = 1e9 / max(1, course.words)
    values = [
        math.log10(course.word_counts.get((lang, word), candidate.count) * per) - _rarity(word, candidate, course)
        for word in candidate.words
    ]
    return sum(values) / len(values)


def rarest(candidate: TermCandidate, course: Course) -> float:
    """Zipf frequency of its rarest word in general language; low, too, for a word that only this course says often."""
    return min(_rarity(word, candidate, course) for word in candidate.words)


def _rarity(word: str, candidate: TermCandidate, course: Course) -> float:
    lang = candidate.lang
    is_own = lang == "en" and word.isalpha() and word not in _frequencies(lang)
    return _UNSEEN_AND_SAID if is_own and course.word_counts.get((lang, word), 0) >= _SAID else zipf(word, lang)


def association(candidate: TermCandidate, course: Course) -> float:
    """Normalised pointwise mutual information (Bouma 2009) of the words, over n - 1 for n words; 1 for a single one."""
    if len(candidate.words) < 2:
        return 1.0
    total = max(2, course.words)
    expected = sum(
        math.log(course.word_counts.get((candidate.lang, word), candidate.count) / total) for word in candidate.words
    )
    together = math.log(min(candidate.count, total - 1) / total)
    return (together - expected) / (-together * (len(candidate.words) - 1))


def clumping(candidate: TermCandidate, blocks: int) -> float:
    """Residual IDF of Church and Gale (1995) over blocks, in bits: terms clump where they are taught."""
    if blocks < 2:
        return 0.0
    expected = 1 - math.exp(-candidate.count / blocks)
    return math.log2(expected * blocks / len(candidate.blocks))


def gradability(candidate: TermCandidate, use: WordUse) -> float:
    """Share of graded uses ("very large", "larger") of the adjective it begins with, 0 to 1; 0 for a single word."""
    if len(candidate.words) == 1:
        return 0.0
    adjective = any(tag.startswith("JJ") for tag in candidate.first_tags)
    return use.graded.get(candidate.words[0], 0.0) if adjective else 0.0


def looseness(candidate: TermCandidate, shapes: TermShapes) -> float:
    """Different terms that begin with its first word, an everyday adjective, per occurrence of one of them, 0 to 1."""
    if len(candidate.words) == 1:
        return 0.0
    first = candidate.words[0]
    adjective = any(tag.startswith("JJ") for tag in candidate.first_tags)
    if not adjective or shapes.first[first] < _FEWEST_SHAPES or zipf(first, candidate.lang) < _EVERYDAY:
        return 0.0
    return shapes.first[first] / shapes.said_first[first]


def verbal(candidate: TermCandidate, shapes: TermShapes) -> bool:
    """Whether its first word is a verb that opens terms and ends none."""
    first = candidate.words[0]
    verbs = sum(count for tag, count in candidate.first_tags.items() if tag in {"v", "VB", "VBP"})
    opens = shapes.last[first] * _OPENS < shapes.first[first]
    return len(candidate.words) > 1 and verbs * 2 > candidate.count and opens


def extends(candidate: TermCandidate, shapes: TermShapes) -> bool:
    """Whether it only adds a word to a term of several words that is said at least twice as often."""
    words = candidate.words[:-1]
    shorter = TermCandidate(candidate.lang, ("" if candidate.lang == "zh" else " ").join(words), words)
    return length(shorter) > 1 and shapes.counts.get(shorter.concept_id, 0) >= 2 * candidate.count


def head(candidate: TermCandidate) -> tuple[Lang, str]:
    """Language and last word; of a Chinese term that was kept whole the last character."""
    last = candidate.words[-1]
    return candidate.lang, last[-1] if candidate.lang == "zh" else last


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
