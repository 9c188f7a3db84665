"""How text becomes index terms, the same for what is stored and what is asked.

English: lower-case, stemmed, stop words kept (BM25 weighs them down). Chinese: jieba's search words and character
bigrams. One text may hold both. Ranking is elsewhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple, TypeVar
from zlib import crc32

import tantivy

from knowledge_graph.text.segmenter import chinese_segmenter

ANALYSIS_VERSION = "3"
"""Part of every index version: raise it when the terms of any text change."""

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_RUN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:'[^\W\d_{_HAN}]+)?[+#]*")
_ASCII_RUN = re.compile(r"[a-z0-9]++(?:'[a-z]++)?+[+#]*+")  # what _RUN finds in lower-case ASCII, three times as fast
_HAN_RUN = re.compile(rf"[{_HAN}]")

# Words that say nothing of the subject. Question words that change the answer (how, why, when, where, who) are kept:
# "when is the exam" and "where is the exam" must not match each other.
_ENGLISH = (
    "a an and are as at be been being but by can could did do does for from had has have i if in into is it its me my "
    "of on or our please shall should so some such than that the their them then there these they this to us was we "
    "were what which will with would you your about tell explain give am any im lets let s t re ve d ll m"
)
_CHINESE = (
    "的 了 吗 呢 吧 啊 呀 是 在 有 和 与 及 或 我 你 您 他 她 它 我们 你们 他们 这 那 这个 那个 一个 一下 请 请问 什么 "
    "什么是 是什么 就是 会 能 可以 要 也 都 就 把 被 对 从 到 给 让 下 个 解释 介绍 告诉 么 问 想 知道"
)
_ENDINGS = ("s", "t", "re", "ve", "d", "ll", "m")
_CONTRACTED = (f"{word}'{ending}" for word in _ENGLISH.split() for ending in _ENDINGS)
_STOP = frozenset((*_ENGLISH.split(), *_CONTRACTED, *_CHINESE.split()))


def normalize_question(question: str) -> str:
    """The form under which a repeated question is known: case, blanks and the marks at its end do not count."""
    return " ".join(question.casefold().split()).rstrip("?？!！.。… ")


_REMEMBERED = 2048
"""Texts whose terms are kept: the same passages are weighed for question after question. About 20 MB at most."""


_REMEMBERED_WORDS = 1 << 17
"""Words whose stems are kept: more than the vocabulary of a million answers in use; 20 MB at most."""

T = TypeVar("T")


class Analysed(NamedTuple):
    """The index terms of a text, in order, repeats kept.

    `pairs` are neighbouring content terms, stop words stepped over: "check the context" has the pair check, context.
    Each stands for its bucket (the hashing trick, Weinberger et al. 2009): a million entries have 20 million pairs, and
    a dictionary of them takes longer to write than everything else. Chinese has none: its bigrams do that work.
    """

    words: list[str]
    pairs: list[str]


def analyse(text: str) -> Analysed:
    """Words and pairs of a text, for what is stored."""
    runs = _runs(text)
    if text.isascii():
        return Analysed(list(map(_STEMS.__getitem__, runs)), _pairs(runs))
    words, pairs = [], []
    for chinese, group in groupby(runs, key=_is_han):
        listed = list(group)
        if chinese:
            words += [term for run in listed for term in _han_terms(run)]
        else:
            words += map(_STEMS.__getitem__, listed)
            pairs += _pairs(listed)
    return Analysed(words, pairs)


_BUCKETS = [f"{number:x}" for number in range(1 << 16)]


def _pairs(runs: Iterable[str]) -> list[str]:
    content = [digest for digest in map(_DIGESTS.__getitem__, runs) if digest is not None]
    return [_BUCKETS[31 * before & 0xFFFF ^ after] for before, after in pairwise(content)]


def query_terms(text: str) -> Analysed:
    """What a text is searched by: its distinct content terms and pairs."""
    return Analysed(content_terms(text), list(dict.fromkeys(_pairs_in(text))))


def _pairs_in(text: str) -> Iterator[str]:
    """The pairs of `analyse`, without the words: nothing Chinese is segmented, which takes the most time."""
    runs = _runs(text)
    groups = [(False, runs)] if text.isascii() else groupby(runs, key=_is_han)
    for is_chinese, group in groups:
        if not is_chinese:
            yield from _pairs(group)


def terms(text: str) -> list[str]:
    """The index terms of a text, in order, repeats kept."""
    return list(_analyse_cached(text))


@lru_cache(maxsize=_REMEMBERED)
def _analyse_cached(text: str) -> tuple[str, ...]:
    return tuple(analyse(text).words)


def content_terms(text: str, *, strict: bool = False) -> list[str]:
    """The distinct terms that carry the subject, in order.

    Where there are nothing but stop words: all of them, or none when `strict`.
    """
    kept = _content_of(text)
    return list(kept) if kept or strict else list(dict.fromkeys(terms(text)))


@lru_cache(maxsize=_REMEMBERED)
def _content_of(text: str) -> tuple[str, ...]:
    if text.isascii():  # as below, three times as fast
        return tuple(dict.fromkeys(_STEMS[run] for run in _runs(text) if run not in _STOP))
    return tuple(dict.fromkeys(term for run in _runs(text) for term in _content(run)))


def content_words(text: str) -> list[str]:
    """The distinct words that carry the subject, in order, as they stand: English runs and whole Chinese words."""
    found: list[str] = []
    for run in _runs(text):
        words = chinese_segmenter().cut(run) if _is_han(run) else [run]
        found += [word for word in words if word not in _STOP]
    return list(dict.fromkeys(found))


def warm_up() -> None:
    """Load the Chinese dictionary now instead of at the first Chinese question."""
    chinese_segmenter()


def _runs(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_RUN.findall(text.lower())
    return _RUN.findall(unicodedata.normalize("NFKC", text).lower().replace("’", "'"))


def _is_han(run: str) -> bool:
    return not run.isascii() and bool(_HAN_RUN.match(run))


def _content(run: str) -> list[str]:
    if _is_han(run):
        pieces = "".join(" " if word in _STOP else word for word in chinese_segmenter().cut(run)).split()
        return [term for piece in pieces for term in _han_terms(piece)]
    return [] if run in _STOP else [_STEMS[run]]


def _han_terms(run: str) -> list[str]:
    words = list(chinese_segmenter().cut_for_search(run))
    known = set(words)
    bigrams = (run[place : place + 2] for place in range(len(run) - 1))
    return [*words, *(pair for pair in bigrams if pair not in known)]


def _stem(word: str) -> str:
    plain = word.removesuffix("'s").replace("'", "")
    stemmed = _stemmer().analyze(plain)
    return stemmed[0] if stemmed else plain


def _digest(word: str) -> int | None:
    """What pairs are made of, 16 bits; none for stop words, which they step over."""
    return None if word in _STOP else crc32(_STEMS[word].encode()) & 0xFFFF


class _Remembered(dict[str, T]):
    """What a function says of each word, emptied when it holds too many; three times as fast as `lru_cache`."""

    def __init__(self, function: Callable[[str], T]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> T:
        if len(self) >= _REMEMBERED_WORDS:
            self.clear()
        found = self[word] = self._function(word)
        return found


_STEMS = _Remembered(_stem)
_DIGESTS = _Remembered(_digest)


@cache
def _stemmer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return builder.filter(tantivy.Filter.stemmer("english")).build()
