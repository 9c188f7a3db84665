"""Whether a text is an item of graded work: pasted, in other words, a part of it, or in the other language. Pure.

Two fingerprints are compared. By wording: the shares of terms, of neighbouring pairs of terms, and of given numbers
that text and item have in common; items are few, so the sets themselves are compared and nothing is hashed (MinHash
would estimate the same shares). By meaning: the cosine of sentence vectors. Long texts are compared piece by piece as
well, for an item may stand among other things. The thresholds were chosen on one half of
`benchmarks/labels/graded_items.yaml` and measured on the other by `benchmarks/graded_items.py`.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import GradedItem, Lang
from knowledge_graph.text.invisible import without_invisible
from knowledge_graph.text.sentences import language_of, split_sentences
from serving.index.analysis import content_terms, terms

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str], Lang], Vectors | None]
"""Unit vectors, one row a text, by the model for a language, maybe not their own; `None` where there is none."""

ACROSS: Lang = "zh"
"""The language whose model also places English texts: by it texts of both languages are compared."""

PASTED, FEWEST_PAIRS = 0.6, 4
"""Share of an item's pairs in a text from which it was pasted, and the fewest in common. Choices, as the next two."""
TAKEN, PART = 0.8, 0.35
"""Share of a text's pairs in an item from which it is a part of it, and how much of the item it must be at least: an
ordinary question may have a few words of a long item in their order."""

FEWEST_NUMBERS, SAME_NUMBERS = 4, 0.7
"""The fewest numbers that text and item have in common, and the share of either's that these are, from which the task
is the same in whatever words and language: an exercise is known by the figures that it gives. Choices."""

WEIGHT_OF_WORDS = 0.35
"""How much shared wording, 0..1, adds to the cosine, 0..1."""
ALIKE: dict[Lang, float] = {"en": 0.74, "zh": 0.66}
"""Cosine and weighted wording from which a text is an item in other words."""
ALIKE_ACROSS = 0.46
"""Cosine from which a text is an item put into the other language."""
WORK = 0.1
"""How much less is enough for a text that asks for work to be done, as items do and ordinary questions hardly ever. A
choice, as the thresholds."""
NEAR_BY = 0.15
"""How much less is enough in a session that is about the item already. A choice."""

MOST_PIECES = 120
"""Pieces of one text that are compared by wording: those of 4,000 characters. The first is all of it. A choice."""
MOST_EMBEDDED = 6
"""Pieces of one text that are compared by meaning too, those nearest to an item by wording: a piece takes 5 to 40 ms.
A choice."""
_UNKNOWN = 0.1
"""Promise of a piece in the other language: above pieces that have nothing in common with an item. A choice."""
LONGEST_EMBEDDED = 1_200
"""Characters of a piece that is compared by meaning beside others: the embedders read little more, and slowly."""
FEWEST_TERMS = 4
"""Terms of a sentence that is compared by itself; shorter ones say too little."""


@dataclass(frozen=True)
class Fingerprint:
    """A text as it is compared: its language, terms, pairs of neighbouring terms and numbers, each with how often it
    stood before; `vector` by the model of its language and `across` by the one of both, `None` where nothing embeds
    it; whether it asks for work to be done."""

    lang: Lang
    terms: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    numbers: frozenset[tuple[str, int]]
    vector: Vectors | None = None
    across: Vectors | None = None
    asks_for_work: bool = False


@dataclass(frozen=True)
class KnownItem:
    """An item with the fingerprint of its text."""

    item: GradedItem
    mark: Fingerprint


@dataclass(frozen=True)
class ItemMatch:
    """The item that a text is, by its `wording` or `meaning`, or is most like; `margin` is how far above the threshold
    it lies, negative when it is below."""

    known: KnownItem
    by: Literal["wording", "meaning"]
    margin: float

    @property
    def is_item(self) -> bool:
        return self.margin >= 0


def pieces_of(text: str) -> list[str]:
    """A text as it is seen, and of several sentences each that says something, with each pair of neighbours."""
    seen = " ".join(without_invisible(text).split())
    sentences = [
        one for one in split_sentences(seen, language_of(seen)) if len(content_terms(one, strict=True)) >= FEWEST_TERMS
    ]
    if len(sentences) < 2:
        return [seen, *(one for one in sentences if one != seen)]
    joined = [f"{one} {other}" for one, other in pairwise(sentences)]
    return list(dict.fromkeys([seen, *sentences, *joined]))[:MOST_PIECES]


def fingerprints(texts: Sequence[str], encode: Encode | None, *, is_across: bool = True) -> list[Fingerprint]:
    """The fingerprints of texts; by wording alone without `encode`, within their language alone without `is_across`."""
    texts = [without_invisible(text) for text in texts]
    langs = [language_of(text) for text in texts]
    across = _rows(texts, ACROSS, encode) if is_across else [None] * len(texts)
    vectors: list[Vectors | None] = list(across)
    for lang in sorted(set(langs)):
        if lang == ACROSS and is_across:
            continue
        places = [place for place, one in enumerate(langs) if one == lang]
        for place, row in zip(places, _rows([texts[one] for one in places], lang, encode), strict=True):
            vectors[place] = row
    return [
        _fingerprint(text, lang, vector, both)
        for text, lang, vector, both in zip(texts, langs, vectors, across, strict=True)
    ]


def marks_of(text: str, items: Sequence[KnownItem], encode: Encode | None) -> list[Fingerprint]:
    """The fingerprints of a text's pieces, to be compared with these items: by meaning the most promising ones."""
    pieces = pieces_of(text)
    marks = fingerprints(pieces, None)
    if encode is None or not items:
        return marks
    short = [place for place, piece in enumerate(pieces) if len(piece) <= LONGEST_EMBEDDED] or [0]
    chosen = sorted(short, key=lambda place: -_promise(marks[place], items))[:MOST_EMBEDDED]
    is_across = {known.mark.lang for known in items} != {marks[place].lang for place in chosen}
    embedded = fingerprints([pieces[place] for place in chosen], encode, is_across=is_across)
    for place, mark in zip(chosen, embedded, strict=True):
        marks[place] = mark
    return marks


def best_match(marks: Sequence[Fingerprint], items: Sequence[KnownItem]) -> ItemMatch | None:
    """The item that the pieces of a text are most surely; `None` where there are none to compare."""
    matches = [match(mark, known) for known in items for mark in marks]
    return max(matches, key=lambda one: one.margin, default=None)


def match(mark: Fingerprint, known: KnownItem) -> ItemMatch:
    """How surely a piece of text is an item."""
    other = known.mark
    if (share := max(measure_pasted_share(mark, other), measure_shared_numbers(mark, other))) > 0:
        return ItemMatch(known, "wording", share)
    less = WORK if mark.asks_for_work else 0.0
    if mark.lang != other.lang:
        return ItemMatch(known, "meaning", _cosine(mark.across, other.across) - (ALIKE_ACROSS - less))
    worded = measure_shared_terms(mark, other)
    if mark.vector is None or other.vector is None:
        return ItemMatch(known, "wording", worded - PASTED)
    alike = _cosine(mark.vector, other.vector) + WEIGHT_OF_WORDS * worded
    return ItemMatch(known, "meaning", alike - (ALIKE[mark.lang] - less))


def measure_shared_terms(mark: Fingerprint, other: Fingerprint) -> float:
    """Share of terms, 0..1, that the one with more of them has in common with the other: a word alone is no item."""
    return len(mark.terms & other.terms) / max(1, len(mark.terms), len(other.terms))


def measure_pasted_share(mark: Fingerprint, item: Fingerprint) -> float:
    """Share of an item's neighbouring terms that a text has, 0..1; 0 where it is too little to have been copied."""
    shared = len(mark.pairs & item.pairs)
    of_item, of_text = shared / max(1, len(item.pairs)), shared / max(1, len(mark.pairs))
    is_pasted = of_item >= PASTED or (of_item >= PART and of_text >= TAKEN)
    return of_item if shared >= FEWEST_PAIRS and is_pasted else 0.0


def measure_shared_numbers(mark: Fingerprint, item: Fingerprint) -> float:
    """Share of an item's numbers that a text gives, 0..1; 0 where these are few, or few of the text's."""
    shared = len(mark.numbers & item.numbers)
    share = shared / max(1, len(mark.numbers), len(item.numbers))
    return share if shared >= FEWEST_NUMBERS and share >= SAME_NUMBERS else 0.0


def _promise(mark: Fingerprint, items: Sequence[KnownItem]) -> float:
    """How near a piece may be to an item, by wording; of another language than every item nothing is known."""
    own = [measure_shared_terms(mark, known.mark) for known in items if known.mark.lang == mark.lang]
    return max(own, default=_UNKNOWN)


def _rows(texts: Sequence[str], lang: Lang, encode: Encode | None) -> list[Vectors | None]:
    found = encode(texts, lang) if encode is not None and texts else None
    return [None] * len(texts) if found is None else list(found)


def _cosine(one: Vectors | None, other: Vectors | None) -> float:
    return 0.0 if one is None or other is None else float(one @ other)


def _fingerprint(text: str, lang: Lang, vector: Vectors | None, across: Vectors | None) -> Fingerprint:
    pairs = frozenset(pairwise(terms(text)))
    words = frozenset(content_terms(text, strict=True))
    return Fingerprint(lang, words, pairs, _numbers(text), vector, across, _ASKS_FOR_WORK.search(text) is not None)


def _numbers(text: str) -> frozenset[tuple[str, int]]:
    seen = Counter[str]()
    found = []
    for number in _NUMBER.findall(text):
        found.append((number, seen[number]))
        seen[number] += 1
    return frozenset(found)


_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")

_ASKS_FOR_WORK = re.compile(
    r"\b(?:codes?|implement\w*|routines?|programs?|prov(?:e|es|ing)|proofs?|arguments?|argue\w*|derivations?|derive"
    r"|design|modify|adapt|change \w+ to|correctness|draw|trace|show (?:me|the|that|all|each)|write"
    r"|(?:complexity|running time|cost) (?:too|as well|please)|step by step)\b"
    r"|代码|证明|论证|设计|推导|实现|编写|写出|画出|给出|(?:举|用).{0,8}例子|修改|分析.{0,12}复杂度",
    re.IGNORECASE,
)
"""Wordings that ask for work: code, a proof, a design, a drawing, an analysis."""
