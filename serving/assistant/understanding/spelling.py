"""Words that a student mistyped, put right by the course's own vocabulary. Pure.

Belongs here: the vocabulary, and which word is changed into which. A word that finds something as it stands is never
changed, nor one with a digit; an English one only where the course spells it otherwise, or as several words.
Chinese is in `chinese_spelling.py`.
What was changed is said to the student by whoever answers, but for British and American spelling, words written as
several, and words that are none of the subject.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA
from spellchecker import SpellChecker

from serving.assistant.understanding.translation import is_of_course_life, is_term
from serving.index.analysis import content_terms

SHORTEST = 4
"""Letters of the shortest word that is changed: shorter ones are too near to each other. "teh" is a stop word's
typo."""
LONG = 7
"""Letters from which two mistakes are forgiven; below it one is."""

_WORD = re.compile(r"[A-Za-z][a-z']*[a-z]")
_COMPOUND = re.compile(r"(?<![\w-])(?:[A-Za-z]{1,3}-[A-Za-z]+|[A-Za-z]+-[A-Za-z]{1,3})(?![\w-])")
"""Names of which one part is no more than a few letters: "k-means", "tf-idf". Longer ones are found written either
way."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of a course, in lower case, with how often each is said; by first letter and length to be found
    fast."""

    counts: Mapping[str, int]
    compounds: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Names with a hyphen by how they are written without it: "kmeans" is "k-means"."""
    american: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Words by their American spelling, where the course spells them otherwise: "optimization" is "optimisation"."""
    _groups: Mapping[int, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, texts: Iterable[str], names: Iterable[str] = ()) -> "Vocabulary":
        """The words of some texts; those of names count as said often."""
        texts, names = tuple(texts), tuple(names)
        counts = Counter(_plain(word) for text in texts for word in _WORD.findall(text))
        hyphened = {name.lower() for text in (*texts, *names) for name in _COMPOUND.findall(text)}
        for name in names:
            counts.update({_plain(word): _NAMED for word in _WORD.findall(name)})
        groups: dict[int, list[str]] = defaultdict(list)
        for word, count in counts.items():
            if count >= _LEAST or (len(word) >= LONG and is_english(word)):
                groups[len(word)].append(word)
        compounds = {name.replace("-", ""): name for name in sorted(hyphened)}
        american = {one: word for word in counts if (one := _american(word)) != word}
        return cls(counts, compounds, american, {length: tuple(sorted(words)) for length, words in groups.items()})

    def find_spelling(self, word: str) -> str | None:
        """How the course spells a word that was typed in British or in American spelling; `None` for one that it never
        says."""
        american = _american(word)
        return american if american != word and american in self.counts else self.american.get(american)

    def nearest(self, word: str, *, but: str = "") -> str | None:
        """The word of the course that was meant: one with a hyphen that was left out, else the fewest mistakes away,
        then the oftenest said; `None` without one, and never the word `but`."""
        if word in self.compounds:
            return self.compounds[word]
        most = 1 if len(word) < LONG else 2
        around = (self._groups.get(len(word) + step, ()) for step in range(-most, most + 1))
        listed = [each for group in around for each in group if each != but]
        found = process.extract(word, listed, scorer=OSA.distance, score_cutoff=most, limit=8)
        close = [
            (distance, each[0] != word[0], -self.counts[each], each)
            for each, distance, _ in found
            if each[0] == word[0] or distance == 1
        ]
        return min(close)[-1] if close else None

    def complete(self, word: str) -> str | None:
        """The word of the course that one was cut short from, "misrep" from "misrepresentation", the oftenest said of
        its family; `None` for a short one, and where it begins no word, or words of several families."""
        if len(word) < LEAST_KEPT:
            return None
        longer = [one for one in self.counts if len(one) >= len(word) + CUT_OFF and one.startswith(word)]
        is_one_family = len({one[: len(word) + CUT_OFF] for one in longer}) == 1
        return max(longer, key=lambda one: (self.counts[one], -len(one))) if longer and is_one_family else None


CUT_OFF, LEAST_KEPT = 3, 5
"""Letters at least that a student leaves out of a long word, and that stay of it. Choices."""
_NAMED, _LEAST = 5, 2
"""How often a word of a name counts as said, and how often a word must be said to be what others are changed into,
unless it is a long English one: one that is said once may be a slip of the course's own."""


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
    if (
        word in known
        or word in _CUT_SHORT
        or any(british.sub(american, word) in known for british, american in _AMERICAN)
    ):
        return True
    prefixed = _PREFIXED.fullmatch(word)
    return prefixed is not None and prefixed[1] in known and known[prefixed[1]] > RARE


def is_rare(word: str) -> bool:
    """Whether a word in lower case is next to never written, so that it is a term: "nullity", and not "usefulness"."""
    known = _english().word_frequency
    forms = (word, word.removesuffix("s"))
    return word not in _EVERYDAY and all(one not in known or known[one] <= RARE for one in forms)


_EVERYDAY = frozenset({"afterward", "afterwards"})
"""Words that the list of words leaves out, and everybody uses."""


_CUT_SHORT = frozenset("incl excl approx resp misc asap prereq prereqs".split())
"""Words as students cut them short, which a list of words leaves out."""

RARE = 200
"""How often the word list's texts have a rare word: "skew" 309 times, "stability" 3,428, "nullity" 53. A choice."""

_PREFIXED = re.compile(r"(?:re|un)([a-z]{4,})")
"""Words that a list of words leaves out: "rewatch", "unscaled"."""

_SUFFIXED = re.compile(r"([a-z]{4,})(?<!y)(?:y|ful|ish)")
"""Words that it leaves out and that anybody forms: "lossy"."""

_AMERICAN = (
    (re.compile(r"(?<=\w{3})(i|y)s(?=e|es|ed|er|ers|ing|ation|ations$)"), r"\1z"),
    (re.compile(r"our(?=$|s$|ed$|ing$|al$|able$)"), "or"),
    (re.compile(r"ll(?=ed$|ing$|er$)"), "l"),
    (re.compile(r"tre(?=s?$)"), "ter"),
    (re.compile(r"ogue(?=s?$)"), "og"),
)
"""The word list spells as Americans do."""


def _american(word: str) -> str:
    """A word in American spelling: "optimisation" is "optimization"."""
    for british, american in _AMERICAN:
        word = british.sub(american, word)
    return word


def _plain(word: str) -> str:
    return word.lower().removesuffix("'s")


def correct(
    question: str,
    vocabulary: Vocabulary,
    *,
    knows: Callable[[str], bool] = lambda word: False,
    says: Callable[[str], bool] = lambda name: False,
) -> SpellingCorrection | None:
    """The question put right; `None` when nothing is to be changed. What the index `knows` finds something as it is.

    A word that the course never says is written as several where it `says` these, word for word: "honeypot"."""
    changed: list[str] = []

    def put_right(match: re.Match[str]) -> str:
        word, owner = _part_from_owner(match.group())
        return f"{put_word_right(word, match.end())}{owner}"

    def put_word_right(word: str, end: int) -> str:
        low = word.lower()
        is_said = low in vocabulary.counts or _stem(low) in vocabulary.counts
        if not is_said and (spelled := vocabulary.find_spelling(low) or _as_words(low, vocabulary, says)) is not None:
            return spelled
        if len(low) < SHORTEST or is_english(low) or is_term(low) or is_of_course_life(low):
            return word
        is_slip = is_said and _is_slip(low, vocabulary)
        if is_said and not is_slip:
            return word
        if _CODE_NUMBER.match(question, end):
            return word
        meant = vocabulary.nearest(low, but=low)
        if meant is None:
            whole = vocabulary.complete(low)
            changed.extend((whole,) if whole is not None else ())
            return whole or word
        is_other = (
            meant != vocabulary.compounds.get(low)
            and not meant.startswith(low)
            and _single_letters(meant) != _single_letters(low)
        )
        if is_other and not is_slip and knows(low):  # a stem is known, and is no word
            return word
        is_plain = not content_terms(meant, strict=True)  # "shoud": no word of the subject was taken for another
        changed.extend(() if is_plain or _is_formed_of(low, meant) else (meant,))
        return meant

    text = _WHOLE.sub(put_right, question)
    if len(changed) > MOST_CHANGED and is_foreign(question, vocabulary):
        return None
    return SpellingCorrection(text, tuple(changed)) if text != question else None


def _is_formed_of(word: str, meant: str) -> bool:
    """Whether a word is another one with an ending, and no mistake: nothing is said of looking it up by that."""
    formed = _SUFFIXED.fullmatch(word)
    return formed is not None and formed[1] == meant


def _part_from_owner(word: str) -> tuple[str, str]:
    """A word without the ending that says what is its own, and that: "dijkstra", "'s"."""
    found = _OWNS.search(word)
    return (word[: found.start()], found.group()) if found is not None else (word, "")


_OWNS = re.compile(r"(?<=\w{3})['’]s$", re.IGNORECASE)


def _as_words(word: str, vocabulary: Vocabulary, says: Callable[[str], bool]) -> str | None:
    """Words of the course, behind each other there, that a word is made of, the fewest; `None` where there are none."""
    parts = [[word]]
    for _ in range(1, MOST_PARTS if len(word) <= LONGEST_RUN else 1):
        parts = [
            [*before, last[:place], last[place:]]
            for *before, last in parts
            for place in range(SHORTEST_PART, len(last) - SHORTEST_PART + 1)
            if last[:place] in vocabulary.counts
        ]
        made = (" ".join(each) for each in parts if each[-1] in vocabulary.counts)
        if (found := next((one for one in made if says(one)), None)) is not None:
            return found
    return None


MOST_PARTS, LONGEST_RUN = 4, 40
"""Words that one may be made of, and letters of such a run. Choices."""

SHORTEST_PART = 3
"""Letters of each word that one is made of: "as is" is in too many."""

_CODE_NUMBER = re.compile(r"\s?\d{3}")
"""What makes the letters before it the code of a class: "biol 1010"."""

MOST_CHANGED = 2
"""Words that are put right whatever they are; beyond it a message may be in another language. A choice."""


def is_foreign(question: str, vocabulary: Vocabulary) -> bool:
    """Whether a message of Latin letters is in no language known here: half of its words are neither English nor the
    course's, and none is one that only English has. Names of tools are strange in every language."""
    question = _CONTRACTED.sub(" not", question)
    if _ASKS.match(question) or _ONLY_ENGLISH.search(question):
        return False
    words = [_plain(word) for word in re.findall(r"[^\W\d_']{2,}", question)]
    if len(words) < LEAST_FOREIGN or not all(word.isalpha() and ord(word[0]) < 0x250 for word in words):
        return False
    strange = sum(not (is_english(word) or word in vocabulary.counts) for word in words)
    return 2 * strange >= len(words)


_ONLY_ENGLISH = re.compile(
    r"\b(?:the|are|not|with|my|for|does|from|this|that|and|how|when|where|why|which|you|your|it"
    r"|differences?)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\W*(?:what(?:'?s| is| are| does)|how (?:do(?:es)?|to|is|are|can)|why (?:is|are|do(?:es)?)|where (?:is|are)"
    r"|explain|define|difference between)\b",
    re.IGNORECASE,
)
"""How only an English question begins, whatever it asks about: "what is tf-idf"."""

_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)

LEAST_FOREIGN = 4
"""Words of the shortest message whose language can be told. A choice."""


_WHOLE = re.compile(r"(?<![\w/.@#-])(?<!\w')[A-Za-z][a-z']*[a-z](?![\w/@#-]|'\w|\.\w)")


def _is_slip(word: str, vocabulary: Vocabulary) -> bool:
    """Whether the course itself mistyped a word: it says the same with another letter doubled far more often, or an
    English word that differs in one of many letters."""
    meant = vocabulary.nearest(word, but=word)
    if meant is None or vocabulary.counts[meant] < FAR_OFTENER * vocabulary.counts.get(word, 0):
        return False
    is_ended = word.startswith(meant) or meant.startswith(word)  # one of several, or whose it is
    is_near = not is_ended and len(word) > LONG and OSA.distance(meant, word) == 1 and is_english(meant)
    return is_near or _single_letters(meant) == _single_letters(word)


FAR_OFTENER = 4
"""How much oftener than a slip the right word is said. A choice."""


def _single_letters(word: str) -> str:
    """A word without its doubled letters: "overfiting" is "overfitting"."""
    return re.sub(r"(.)\1", r"\1", word)


def _stem(word: str) -> str:
    """A word without the commonest endings: "recursions" is no mistake where "recursion" is known."""
    for ending in ("'s", "s", "es", "ed", "ing", "ly", "er"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST - 1:
            return word[: -len(ending)]
    return word
