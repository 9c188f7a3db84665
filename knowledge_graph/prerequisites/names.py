"""What two names say about each other before anything is read: "tree" and "binary tree".

Belongs here: comparing the names of concepts. Where the concepts are mentioned is in `mentions.py`.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Lang

Signs = NDArray[np.int8]

_COMMON_HEAD = 3  # names that end alike: "algorithm", "problem" and "function" then say little of their own
_ZH_WORD = 2  # characters of the usual Chinese word: 算法, 问题, 函数
_ENDINGS = ("ization", "isation", "ation", "ition", "ings", "ing", "ions", "ion", "ers", "er", "ed", "es", "s", "e")
_LEAST_STEM = 3
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")


@dataclass(frozen=True)
class ConceptName:
    """A concept's normal form with what is compared: `stems` of its words, `kernel` without a head many names share."""

    normal: str
    lang: Lang
    stems: frozenset[str]
    kernel: frozenset[str]


def names_of(concepts: Sequence[tuple[str, Lang]]) -> list[ConceptName]:
    """Names to compare with each other, from normal forms and languages."""
    heads = Counter(head for normal, lang in concepts if (head := _split(normal, lang)[1]))
    return [_name(normal, lang, heads) for normal, lang in concepts]


def find_containment(names: Sequence[ConceptName]) -> Signs:
    """Entry (i, j) is 1 when name j adds words to name i, -1 when i adds words to j, else 0."""
    return _antisymmetric(names, is_part)


def kernels_contained(names: Sequence[ConceptName]) -> Signs:
    """Entry (i, j) is 1 when what is particular in name i comes back in name j and not the other way round."""
    return _antisymmetric(names, lambda a, b: a.normal != b.normal and a.kernel <= b.stems)


def share_a_word(names: Sequence[ConceptName]) -> NDArray[np.bool_]:
    """Entry (i, j): whether the two names have a word in common, in any inflection."""
    vocabulary = {stem: at for at, stem in enumerate(sorted({stem for name in names for stem in name.stems}))}
    has = np.zeros((len(names), len(vocabulary)), dtype=np.float32)
    for row, name in enumerate(names):
        has[row, [vocabulary[stem] for stem in name.stems]] = 1
    shared: NDArray[np.bool_] = has @ has.T > 0
    return shared


def is_part(shorter: ConceptName, longer: ConceptName) -> bool:
    """Whether one name adds words to the other: "binary tree" to "tree", "left leaning red black tree" to "black tree".

    The added words may stand inside when the head is the same: "binary search tree" contains "binary tree".
    """
    if longer.normal == shorter.normal:
        return False
    if longer.lang == "zh":
        return shorter.normal in longer.normal
    if f" {shorter.normal} " in f" {longer.normal} ":
        return True
    words, parts = longer.normal.split(" "), shorter.normal.split(" ")
    return words[-1] == parts[-1] and set(parts) < set(words)


def stem(word: str) -> str:
    """An English word without its ending, so that "sorting" meets "sort" and "selection" meets "select"."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            short = word[: -len(ending)]
            return short[:-1] if len(short) > _LEAST_STEM and short[-1] == short[-2] else short
    return word


def _name(normal: str, lang: Lang, heads: Counter[str]) -> ConceptName:
    before, head = _split(normal, lang)
    stems = _parts(normal, lang)
    return ConceptName(normal, lang, stems, _parts(before, lang) if heads[head] >= _COMMON_HEAD else stems)


def _split(normal: str, lang: Lang) -> tuple[str, str]:
    """What stands before the head noun, and the head's stem; "" for a name of one word."""
    if lang == "zh":
        return (normal[:-_ZH_WORD], normal[-_ZH_WORD:]) if len(normal) >= 2 * _ZH_WORD else (normal, "")
    before, _, head = normal.rpartition(" ")
    return (before, stem(head)) if before else (normal, "")


def _parts(normal: str, lang: Lang) -> frozenset[str]:
    """Stems of the words; of Chinese, which writes no spaces, the pairs of neighbouring characters."""
    if lang == "en":
        return frozenset(stem(word) for word in normal.split(" "))
    pairs = {run[at : at + _ZH_WORD] for run in _CJK_RUN.findall(normal) for at in range(max(1, len(run) - 1))}
    return frozenset(pairs or {normal})


def _antisymmetric(names: Sequence[ConceptName], comes_first: Callable[[ConceptName, ConceptName], bool]) -> Signs:
    found = np.zeros((len(names), len(names)), dtype=np.int8)
    for row, a in enumerate(names):
        for column, b in enumerate(names):
            if row != column and comes_first(a, b):
                found[row, column] = 1
    signs: Signs = found - found.T
    return signs
