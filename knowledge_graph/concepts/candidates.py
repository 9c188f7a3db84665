"""Candidate terms of a course: which word sequences could name a concept, and how often each occurs.

Belongs here: the part-of-speech grammar of terms in both languages. How good a candidate is, is in `ranking.py`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from knowledge_graph.concepts.stopwords import NOISE_EN, NOISE_ZH, NOT_ALONE_EN, NOT_ALONE_ZH
from knowledge_graph.concepts.tagging import SEED, TaggedSentence
from knowledge_graph.records import Lang
from knowledge_graph.text import normal_form, singular

Kind = Literal["noun", "modifier", "link", "other"]
"""What a word can be in a term: its head, something before the head, a possessive between two nouns, or nothing."""

MAX_WORDS = 4
_LONGEST_WORD = 30  # characters; anything longer is noise of the captions
_MAX_RUN = 12  # words; a longer noun sequence is a list that was read out, not a term
_EN_WORD = re.compile(r"[A-W][0-9]|[A-Za-z]+(?:['’\-‑–][A-Za-z0-9]+)*[+#*]{0,2}|[0-9]+[-‑–]?[A-Za-z][A-Za-z\-‑–]*")
_ZH_WORD = re.compile(r"[\u3400-\u9fff]+|[A-Z][A-Z0-9+#*\-]*|[A-Z][a-z]{4,}")
_ZH_FUNCTION_END = "是会来去的了吗呢们就也都很"  # where jieba glued a function word to an unknown noun
_ZH_LENGTH = range(2, 11)  # characters of a Chinese term
_ZH_NOUNS = ("n", "vn", "l", "eng", "j", "an")
_ZH_NO_NOUNS = ("nr", "ng", "nrfg", "nt")
_ZH_MODIFIERS = ("v", "b", "a", "ad", "ug")
_ZH_PRONOUNS = "我你您他她它这那哪谁每某各"
_NOUN_SHARE, _GERUND_SHARE = 0.25, 0.08
"""Of a word's taggings in the course that say noun: below the first a "noun" is a slip of the tagger, from the second
on a gerund is read as a noun (in one course "overfitting" has 0.10, "clustering" 0.26, "using" 0.00)."""


@dataclass
class Candidate:
    """A term under its normal form, with what counting found."""

    lang: Lang
    normal: str
    words: tuple[str, ...]
    count: int = 0
    surfaces: Counter[str] = field(default_factory=Counter)
    videos: Counter[int] = field(default_factory=Counter)
    """Occurrences per `video_index`."""
    nested_count: int = 0
    """Occurrences inside longer candidates, summed over those candidates."""
    containers: int = 0
    """How many different longer candidates contain this one."""
    largest_container: int = 0
    """Occurrences of the most frequent of them."""

    @property
    def concept_id(self) -> str:
        return f"{self.lang}:{self.normal}"


def collect(tagged: Sequence[TaggedSentence], min_count: int) -> dict[str, Candidate]:
    """All candidates that occur at least `min_count` times, by concept id, with their nesting counted."""
    nominal = _nominal_share(tagged)
    found: dict[str, Candidate] = {}
    for item in tagged:
        kinds = _kinds(item, nominal)
        for start, stop in _terms(kinds, item):
            _count(found, item, start, stop)
    kept = {key: candidate for key, candidate in found.items() if candidate.count >= min_count}
    _count_nesting(kept)
    return kept


def _nominal_share(tagged: Iterable[TaggedSentence]) -> dict[str, float]:
    """For each English word, the share of its occurrences that the tagger took for a noun."""
    nouns: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for item in tagged:
        if item.sentence.lang == "en":
            for word, tag_ in zip(item.words, item.tags, strict=True):
                total[word.lower()] += 1
                nouns[word.lower()] += tag_.startswith("NN")
    return {word: nouns[word] / count for word, count in total.items()}


def _kinds(item: TaggedSentence, nominal: dict[str, float]) -> list[Kind]:
    if item.sentence.lang == "zh":
        return [_kind_zh(word, tag_) for word, tag_ in zip(item.words, item.tags, strict=True)]
    return [_kind_en(word, tag_, nominal) for word, tag_ in zip(item.words, item.tags, strict=True)]


def _kind_en(word: str, tag_: str, nominal: dict[str, float]) -> Kind:
    low = word.lower()
    if tag_ == "POS":
        return "link"
    if low in NOISE_EN or singular(low) in NOISE_EN or len(word) > _LONGEST_WORD or not _EN_WORD.fullmatch(word):
        return "other"
    if tag_.startswith("NN") or tag_ == "VBG":
        return "noun" if nominal[low] >= (_GERUND_SHARE if low.endswith("ing") else _NOUN_SHARE) else "other"
    if tag_ == "JJ" or (tag_ in {"VBN", "VBD"} and low.endswith("ed")):
        return "modifier" if len(word) > 1 else "other"
    return "other"


def _kind_zh(word: str, tag_: str) -> Kind:
    if tag_ == SEED:
        return "noun"
    if word in NOISE_ZH or word.lower() in NOISE_EN or not _ZH_WORD.fullmatch(word):
        return "other"
    if len(word) > 1 and word[-1] in _ZH_FUNCTION_END:
        return "noun" if tag_ == "n" and word.endswith("会") else "other"
    if tag_.startswith(_ZH_NOUNS) and not tag_.startswith(_ZH_NO_NOUNS):
        return "noun"
    if tag_.startswith(_ZH_MODIFIERS) and (len(word) > 1 or tag_ == "ug"):
        return "modifier"
    return "noun" if word in {"树", "表", "法", "机", "率", "器", "度", "化", "图", "堆", "栈"} else "other"


def _terms(kinds: Sequence[Kind], item: TaggedSentence) -> Iterator[tuple[int, int]]:
    """Word ranges of every term in every run of term words."""
    start = 0
    for stop in range(len(kinds) + 1):
        if stop == len(kinds) or kinds[stop] == "other":
            if start < stop <= start + _MAX_RUN:
                for first in range(start, stop):
                    for last in range(first + 1, min(stop, first + MAX_WORDS + 1) + 1):
                        if _is_term(kinds[first:last], item, first, last):
                            yield first, last
            start = stop + 1


def _is_term(kinds: Sequence[Kind], item: TaggedSentence, first: int, last: int) -> bool:
    if item.sentence.lang == "zh":
        seeded = len(kinds) == 1 and item.tags[first] == SEED
        return seeded or _is_term_zh(kinds, item.words[first:last])
    if kinds[-1] != "noun" or kinds[0] == "link" or len(kinds) - kinds.count("link") > MAX_WORDS:
        return False
    if len(kinds) == 1:
        return _stands_alone(item.words[first])
    if item.words[last - 1][-1].isdigit():
        return False
    return all(len(word) > 1 or kind == "link" for word, kind in zip(item.words[first:last], kinds, strict=True))


def _stands_alone(word: str) -> bool:
    low = word.lower()
    if word.isupper() and word.isalpha():
        return 2 <= len(word) <= 6
    return (
        len(word) >= 3
        and word.isascii()
        and low not in NOT_ALONE_EN
        and singular(low) not in NOT_ALONE_EN
        and not word[0].isdigit()
    )


def _is_term_zh(kinds: Sequence[Kind], words: Sequence[str]) -> bool:
    term = "".join(words)
    if term.isascii():
        return len(words) == 1 and kinds[0] == "noun" and _stands_alone(term) and not any(map(str.isdigit, term))
    if (
        term[0] in _ZH_PRONOUNS
        or any(word.isascii() for word in words[1:])
        or len(term) not in _ZH_LENGTH
        or "noun" not in kinds
        or "link" in kinds
    ):
        return False
    if len(words) == 1:
        return term not in NOT_ALONE_ZH
    return len(words) <= MAX_WORDS and words[0] not in {"法", "化", "率", "度", "器"}


def _count(found: dict[str, Candidate], item: TaggedSentence, first: int, last: int) -> None:
    sentence = item.sentence
    surface = sentence.text[item.starts[first] : item.starts[last - 1] + len(item.words[last - 1])]
    normal = normal_form(surface, sentence.lang)
    key = f"{sentence.lang}:{normal}"
    if key not in found:
        words = tuple(item.words[first:last]) if sentence.lang == "zh" else tuple(normal.split(" "))
        found[key] = Candidate(sentence.lang, normal, words)
    candidate = found[key]
    candidate.count += 1
    candidate.surfaces[surface] += 1
    candidate.videos[sentence.video_index] += 1


def _count_nesting(candidates: dict[str, Candidate]) -> None:
    """Fill `nested_count` and `containers` (T_a of the C-value paper) from the candidates that are kept."""
    inside: defaultdict[str, set[str]] = defaultdict(set)
    for key, longer in candidates.items():
        for size in range(1, len(longer.words)):
            for start in range(len(longer.words) - size + 1):
                part = longer.words[start : start + size]
                shorter = f"{longer.lang}:{('' if longer.lang == 'zh' else ' ').join(part)}".lower()
                if shorter in candidates:
                    inside[shorter].add(key)
    for shorter, containers in inside.items():
        candidates[shorter].containers = len(containers)
        counts = [candidates[key].count for key in containers]
        candidates[shorter].nested_count = sum(counts)
        candidates[shorter].largest_container = max(counts)
