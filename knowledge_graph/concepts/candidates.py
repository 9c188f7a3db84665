"""Which word sequences could name a concept: the part-of-speech grammar of terms in both languages.

Belongs here: what a word may be in a term and where a term may begin and end (Justeson and Katz 1995). Counting the
sequences is in `counting.py`; how good they are, in `features.py` and `functions.py`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.concepts.stopwords import NOISE_EN, NOISE_ZH
from knowledge_graph.concepts.tagging import SEED, TaggedSentence
from knowledge_graph.definitions.cleaning import NUMBERS
from knowledge_graph.text.sentences import has_cjk, singular

Kind = Literal["noun", "modifier", "link", "other"]
"""What a word can be in a term: its head, something before the head, a possessive between two nouns, or nothing."""
Range = tuple[int, int]
"""First word of a term and the word after its last."""

Fits = Callable[[Sequence[Kind], TaggedSentence, int, int], bool]
"""Whether the words from one place to another make a term."""

MAX_WORDS = 4
_LONGEST_WORD = 30  # characters; anything longer is noise of the captions
_MAX_RUN = 12  # words; a longer noun sequence is a list that was read out, not a term
_LETTERS = "bcdefghijklmnopqrstuvwxyz"
TITLES = frozenset("lord lady sir mr mrs ms dr professor justice judge king queen president".split())
"""What stands before a person's name and names nobody."""
_EN_WORD = re.compile(r"[A-W][0-9]|[A-Za-z]+(?:['’\-‑–][A-Za-z0-9]+)*[+#*]{0,2}|[0-9]{1,30}[-‑–]?[A-Za-z][A-Za-z\-‑–]*")
_NUMBER_PART = rf"{NUMBERS}|nought|first|second|third|(?:four|fif|six|seven|eigh|nin|ten|twelf|\w+teen)th|\w+tieth"
_NUMBER = re.compile(rf"(?!zero$)(?:{_NUMBER_PART})(?:-(?:{_NUMBER_PART}))*")
"""A number in words, as captions join them: nought, ninety-five, twenty-fifth."""
_ZH_WORD = re.compile(r"[\u3400-\u9fff]+|[A-Z][A-Z0-9+#*\-]*|[A-Z][a-z]{4,}")
_CJK = re.compile(r"[\u3400-\u9fff]")
_ZH_FUNCTION_END = "是会来去的了吗呢们就也都很"  # where jieba glued a function word to an unknown noun
_ZH_LENGTH = range(2, 11)  # characters of a Chinese term
_ZH_NOUNS = ("n", "vn", "l", "eng", "j", "an")
_ZH_NO_NOUNS = ("nr", "ng", "nrfg", "nt")
_ZH_MODIFIERS = ("v", "b", "a", "ad", "ug")
_ZH_LOCATIVES = "中里内外上下前后时间"
"""Characters that say where or when: 数组中 is "in the array"; words that really end so (空间) jieba keeps whole."""
DETERMINED_ZH = re.compile(
    r"(?:.*一[个下看起]|最后一|怎[么样]|什么|第[一二三四五六七八九十几]|[我你您他她它这那哪谁每某各该此另若]|本[课节章文题]|[一两几三][个种类棵张条组件项])"
)
"""Beginnings that point at one thing instead of naming a kind: 该算法, 一棵树."""
_ZH_SUFFIXES = frozenset("树表法机率器度化图堆栈品税额权")
"""Nouns of one character that end compounds; jieba tags them in many ways."""
_NOUN_SHARE, _GERUND_SHARE, _PARTICIPLE_SHARE = 0.25, 0.08, 0.3
"""Shares of a word's taggings in the course. Below the first, a "noun" is a slip of the tagger; from the second on, a
gerund is read as a noun (in one course "overfitting" has 0.10, "clustering" 0.26, "using" 0.00); from the third on, it
stands between a determiner or adjective and a noun so often that it is part of a name ("a spanning tree")."""
_BEFORE_PARTICIPLE = ("DT", "PRP$", "POS", "JJ", "CD")
_WATCHED = frozenset({"VBG", "JJ", "JJR", "JJS"})
_GRADES = frozenset("very more less so too quite pretty really extremely fairly how as is are was be 's 're".split())


@dataclass(frozen=True)
class WordUse:
    """How the course uses each English word: shares of its occurrences, 0 to 1, by lower-case word."""

    nominal: dict[str, float]
    """Tagged as a noun."""
    attributive: dict[str, float]
    """Share of each gerund's uses between a determiner or adjective and a noun."""
    graded: dict[str, float]
    """Share of each adjective's uses compared or after "very", "more", "is" and the like: such adjectives judge."""


def word_use(tagged: Iterable[TaggedSentence]) -> WordUse:
    """Count how the tagger reads each English word over the whole course."""
    tagged_as: Counter[tuple[str, str]] = Counter()
    named: Counter[str] = Counter()
    graded: Counter[str] = Counter()
    for item in tagged:
        if item.sentence.lang == "en":
            tagged_as.update(zip(item.words, item.tags, strict=True))
            for at, tag in enumerate(item.tags):
                if tag in _WATCHED:
                    _watch(item, at, named, graded)
    total, nouns, gerunds, adjectives = (
        _by_word(tagged_as, beginning) for beginning in (("",), ("NN",), ("VBG",), ("JJ",))
    )
    return WordUse(
        {word: nouns[word] / count for word, count in total.items()},
        {word: named[word] / count for word, count in gerunds.items()},
        {word: graded[word] / count for word, count in adjectives.items()},
    )


def _watch(item: TaggedSentence, at: int, named: Counter[str], graded: Counter[str]) -> None:
    """Note a gerund between article and noun, or an adjective that is graded."""
    word, tag = item.words[at].lower(), item.tags[at]
    if tag != "VBG":
        graded[word] += tag != "JJ" or (at > 0 and item.words[at - 1].lower() in _GRADES)
    elif 0 < at < len(item.tags) - 1 and item.tags[at + 1].startswith("NN"):
        named[word] += item.tags[at - 1].startswith(_BEFORE_PARTICIPLE)


def _by_word(tagged_as: Mapping[tuple[str, str], int], tags: tuple[str, ...]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (word, tag), count in tagged_as.items():
        if tag.startswith(tags):
            counts[word.lower()] += count
    return counts


class Grammar:
    """Finds the terms of tagged sentences of one course; what it decides about a word is remembered."""

    def __init__(self, use: WordUse) -> None:
        self._use = use
        self._kinds: dict[str, dict[tuple[str, str], Kind]] = {"en": {}, "zh": {}}

    def terms(self, item: TaggedSentence) -> Iterator[Range]:
        """Word ranges of every term in every run of term words, in order."""
        if item.sentence.lang == "zh" and not _is_prose(item.sentence.text):
            return
        known = self._kinds[item.sentence.lang]
        kinds = [
            known.get(pair) or self._kind(known, *pair, item.sentence.lang)
            for pair in zip(item.words, item.tags, strict=True)
        ]
        _pass_over_spoken_code(kinds, item)
        fits = _fits_zh if item.sentence.lang == "zh" else _fits_en
        start = 0
        for stop, kind in enumerate([*kinds, "other"]):
            if kind != "other":
                continue
            if start < stop <= start + _MAX_RUN:
                yield from _terms_of_run(kinds, item, start, stop, fits)
            start = stop + 1

    def _kind(self, known: dict[tuple[str, str], Kind], word: str, tag: str, lang: str) -> Kind:
        kind = _kind_zh(word, tag) if lang == "zh" else _kind_en(word, tag, self._use)
        return known.setdefault((word, tag), kind)


def _pass_over_spoken_code(kinds: list[Kind], item: TaggedSentence) -> None:
    """A "dot" behind a name or a letter is read out and no part of a term: "t dot test", but "the dot product"."""
    for at in (at for at, word in enumerate(item.words) if at and word.lower() == "dot"):
        before = item.words[at - 1]
        if kinds[at - 1] == "noun" or before.lower() == "dot" or (len(before) == 1 and before.lower() in _LETTERS):
            kinds[at] = "other"


def _terms_of_run(kinds: Sequence[Kind], item: TaggedSentence, start: int, stop: int, fits: Fits) -> Iterator[Range]:
    for first in range(start, stop):
        for last in range(first + 1, min(stop, first + MAX_WORDS + 1) + 1):
            if fits(kinds, item, first, last):
                yield first, last


def _kind_en(word: str, tag: str, use: WordUse) -> Kind:
    low = word.lower()
    if tag == "POS":
        return "link"
    if is_noise(low) or len(word) > _LONGEST_WORD or not _EN_WORD.fullmatch(word):
        return "other"
    if tag.startswith("NN") or tag == "VBG":
        if use.nominal[low] >= (_GERUND_SHARE if low.endswith("ing") else _NOUN_SHARE):
            return "noun"
        return "modifier" if use.attributive.get(low, 0.0) >= _PARTICIPLE_SHARE else "other"
    if tag.startswith("JJ") or (tag in {"VBN", "VBD"} and low.endswith("ed")):
        return "modifier" if len(word) > 1 else "other"
    return "other"


def is_noise(word: str) -> bool:
    """Whether an English word, in small letters, is of no term: a word of every lecture, or a number."""
    return word in NOISE_EN or singular(word) in NOISE_EN or _NUMBER.fullmatch(word) is not None


def _fits_en(kinds: Sequence[Kind], item: TaggedSentence, first: int, stop: int) -> bool:
    if kinds[stop - 1] != "noun" or kinds[first] == "link":
        return False
    if item.words[stop - 1].lower() in TITLES and item.words[stop - 1][0].isupper() and stop - first > 1:
        return False
    if stop - first == 1:
        return stands_alone(item.words[first])
    inside = kinds[first:stop]
    if len(inside) - inside.count("link") > MAX_WORDS or item.words[stop - 1][-1].isdigit():
        return False
    return all(len(word) > 1 or kind == "link" for word, kind in zip(item.words[first:stop], inside, strict=True))


def stands_alone(word: str) -> bool:
    """Whether an English word is long enough for a name of one word."""
    if word.isupper() and word.isalpha():
        return 2 <= len(word) <= 6
    return len(word) >= 3 and word.isascii() and not word[0].isdigit()


def _kind_zh(word: str, tag: str) -> Kind:
    if tag == SEED:
        return "noun"
    if word in NOISE_ZH or word.lower() in NOISE_EN or not _ZH_WORD.fullmatch(word):
        return "other"
    if len(word) > 1 and word[-1] in _ZH_FUNCTION_END:
        return "noun" if tag == "n" and word.endswith("会") else "other"
    if tag.startswith(_ZH_NOUNS) and not tag.startswith(_ZH_NO_NOUNS):
        return "noun"
    if tag.startswith(_ZH_MODIFIERS) and (len(word) > 1 or tag == "ug"):
        return "modifier"
    return "noun" if word in _ZH_SUFFIXES else "other"


def _is_prose(text: str) -> bool:
    """Whether a line of a Chinese text is language; program code and formulas have few Chinese characters."""
    return len(_CJK.findall(text)) * 4 > sum(map(str.isalnum, text))


def _fits_zh(kinds: Sequence[Kind], item: TaggedSentence, first: int, stop: int) -> bool:
    words = item.words[first:stop]
    if len(words) == 1 and item.tags[first] == SEED:
        return True
    term = "".join(words)
    if term.isascii():
        return len(words) == 1 and kinds[first] == "noun" and stands_alone(term) and not any(map(str.isdigit, term))
    if len(term) not in _ZH_LENGTH or len(words) > MAX_WORDS or DETERMINED_ZH.match(term):
        return False
    if words[-1] in _ZH_LOCATIVES:
        return False
    if any(word.isascii() for word in words[1:]) or not has_cjk(words[-1]):
        return False
    inside = kinds[first:stop]
    return "noun" in inside and "link" not in inside and words[0] not in {"法", "化", "率", "度", "器"}
