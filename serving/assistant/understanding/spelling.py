"""Words that a student mistyped, put right by the course's own vocabulary. Pure.

Belongs here: the vocabulary, and which word is changed into which. A word that finds something as it stands is never
changed, nor an English one, nor one with a digit, nor Chinese. What was changed is said to the student by whoever
answers.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA
from spellchecker import SpellChecker

SHORTEST = 4
"""Letters of the shortest word that is changed: shorter ones are too near to each other. "teh" is a stop word's
typo."""
LONG = 7
"""Letters from which two mistakes are forgiven; below it one is."""

_WORD = re.compile(r"[A-Za-z][a-z']*[a-z]")


@dataclass(frozen=True)
class Vocabulary:
    """The words of a course, in lower case, with how often each is said; by first letter and length to be found
    fast."""

    counts: Mapping[str, int]
    _groups: Mapping[int, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, texts: Iterable[str], names: Iterable[str] = ()) -> "Vocabulary":
        """The words of some texts; those of names count as said often."""
        counts = Counter(_plain(word) for text in texts for word in _WORD.findall(text))
        for name in names:
            counts.update({_plain(word): _NAMED for word in _WORD.findall(name)})
        groups: dict[int, list[str]] = defaultdict(list)
        for word, count in counts.items():
            if count >= _LEAST:
                groups[len(word)].append(word)
        return cls(counts, {length: tuple(sorted(words)) for length, words in groups.items()})

    def nearest(self, word: str) -> str | None:
        """The word of the course that was meant: the fewest mistakes away, then the oftenest said; `None` without
        one."""
        most = 1 if len(word) < LONG else 2
        around = (self._groups.get(len(word) + step, ()) for step in range(-most, most + 1))
        listed = [each for group in around for each in group]
        found = process.extract(word, listed, scorer=OSA.distance, score_cutoff=most, limit=8)
        close = [
            (distance, -self.counts[each], each) for each, distance, _ in found if each[0] == word[0] or distance == 1
        ]
        return min(close)[2] if close else None


_NAMED, _LEAST = 5, 2
"""How often a word of a name counts as said, and how often a word must be said to be what others are changed into."""


@dataclass(frozen=True)
class SpellingCorrection:
    """The question with what was mistyped put right; `words` are the new words, in order."""

    text: str
    words: tuple[str, ...]


@cache
def _english() -> SpellChecker:
    return SpellChecker(language="en")


def is_english(word: str) -> bool:
    """Whether a word in lower case is an English one, of either spelling, and so right whether the course says it or
    not."""
    known = _english().word_frequency
    return word in known or any(british.sub(american, word) in known for british, american in _AMERICAN)


def is_rare(word: str) -> bool:
    """Whether a word in lower case is next to never written, so that it is a term: "nullity", and not "usefulness"."""
    known = _english().word_frequency
    return word not in known or known[word] <= RARE


RARE = 200
"""How often the word list's texts have a rare word: "skew" 309 times, "stability" 3,428, "nullity" 53. A choice."""

_AMERICAN = (
    (re.compile(r"(?<=\w{3})(i|y)s(?=e|es|ed|er|ers|ing|ation|ations$)"), r"\1z"),
    (re.compile(r"our(?=$|s$|ed$|ing$|al$|able$)"), "or"),
    (re.compile(r"ll(?=ed$|ing$|er$)"), "l"),
    (re.compile(r"tre(?=s?$)"), "ter"),
    (re.compile(r"ogue(?=s?$)"), "og"),
)
"""The word list spells as Americans do."""


def _plain(word: str) -> str:
    return word.lower().removesuffix("'s")


def correct(
    question: str, vocabulary: Vocabulary, *, knows: Callable[[str], bool] = lambda word: False
) -> SpellingCorrection | None:
    """The question put right; `None` when nothing is to be changed. What the index `knows` finds something as it is."""
    changed: list[str] = []

    def put_right(match: re.Match[str]) -> str:
        word = match.group()
        low = word.lower()
        if len(low) < SHORTEST or low in vocabulary.counts or is_english(low) or _stem(low) in vocabulary.counts:
            return word
        meant = vocabulary.nearest(low)
        if meant is None or (knows(low) and not meant.startswith(low)):  # a stem is known, and is no word
            return word
        changed.append(meant)
        return meant

    text = _WHOLE.sub(put_right, question)
    if len(changed) > MOST_CHANGED and is_foreign(question, vocabulary):
        return None
    return SpellingCorrection(text, tuple(changed)) if changed else None


MOST_CHANGED = 2
"""Words that are put right whatever they are; beyond it a message may be in another language. A choice."""


def is_foreign(question: str, vocabulary: Vocabulary) -> bool:
    """Whether a message of Latin letters is in no language known here: half of its words are neither English nor the
    course's."""
    words = [_plain(word) for word in re.findall(r"[^\W\d_']{2,}", question)]
    if len(words) < LEAST_FOREIGN or not all(word.isalpha() and ord(word[0]) < 0x250 for word in words):
        return False
    strange = sum(not (is_english(word) or word in vocabulary.counts) for word in words)
    return 2 * strange >= len(words)


LEAST_FOREIGN = 4
"""Words of the shortest message whose language can be told. A choice."""


_WHOLE = re.compile(r"(?<![\w/.@#'-])[A-Za-z][a-z']*[a-z](?![\w/@#'-]|\.\w)")


def _stem(word: str) -> str:
    """A word without the commonest endings: "recursions" is no mistake where "recursion" is known."""
    for ending in ("'s", "s", "es", "ed", "ing", "ly", "er"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST - 1:
            return word[: -len(ending)]
    return word
