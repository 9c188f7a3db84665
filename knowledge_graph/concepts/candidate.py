"""`TermCandidate`: a term under its normal form, with what counting found.

Belongs here: the counts and how two spellings of one term are added up. How they are counted is in `counting.py`.
"""

from array import array
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Lang

_BITS = 12
"""Bits of the number that holds a word's place in its sentence; sentences have at most 600 characters."""
_MASK = (1 << _BITS) - 1


@dataclass
class TermCandidate:
    """A term under its normal form, with what counting found."""

    lang: Lang
    normal: str
    words: tuple[str, ...]
    count: int = 0
    surfaces: Counter[str] = field(default_factory=Counter)
    blocks: Counter[int] = field(default_factory=Counter)
    """Occurrences per block: a video, or a stretch of a document."""
    spots: "array[int]" = field(default_factory=lambda: array("Q"))
    """Each occurrence as `spot` packs it."""
    spoken: int = 0
    """Occurrences in lectures, not in documents."""
    alone: int = 0
    """Occurrences that are the whole noun phrase."""
    named: int = 0
    """Occurrences after wording such as "called" or "known as"."""
    subject: int = 0
    """Occurrences at the head of a sentence, before "is" or "are"."""
    proper: int = 0
    """Occurrences with every word tagged as a proper name."""
    first_tags: Counter[str] = field(default_factory=Counter)
    """Parts of speech of its first word."""
    cut_off: int = 0
    """Occurrences right after a single letter, a number or a hyphen: "n dimensional vector"."""
    counted: int = 0
    """Occurrences right after a number: "seven kilometres"."""
    joined: Counter[str] = field(default_factory=Counter)
    """Ids of terms that stand beside it in a list or after "and"."""
    nested_count: int = 0
    """Occurrences inside longer candidates, summed over those candidates."""
    containers: int = 0
    """How many different longer candidates contain this one."""
    largest_container: int = 0
    """Occurrences of the most frequent of them."""

    @property
    def concept_id(self) -> str:
        return f"{self.lang}:{self.normal}"

    @property
    def places(self) -> NDArray[np.int64]:
        """The sentence of each occurrence, as a place in the tagged course."""
        return np.array(self.spots, dtype=np.int64) >> (2 * _BITS)

    def add(self, other: "TermCandidate") -> None:
        """Count another spelling's occurrences too, all but its surfaces and its nesting."""
        self.count += other.count
        self.blocks.update(other.blocks)
        self.spots = array("Q", sorted({*self.spots, *other.spots}))
        self.spoken += other.spoken
        self.alone += other.alone
        self.named += other.named
        self.subject += other.subject
        self.proper += other.proper
        self.cut_off += other.cut_off
        self.counted += other.counted
        self.first_tags.update(other.first_tags)
        self.joined.update(other.joined)


def spot(at: int, first: int, stop: int) -> int:
    """An occurrence in one number: the sentence's place, the first word and the word after the last."""
    return at << (2 * _BITS) | first << _BITS | stop


def unpack_spots(spots: "array[int]") -> NDArray[np.int64]:
    """Rows of sentence, first word and word after the last."""
    numbers = np.array(spots, dtype=np.int64)
    return np.stack([numbers >> (2 * _BITS), numbers >> _BITS & _MASK, numbers & _MASK], axis=1)
