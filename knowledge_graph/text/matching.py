"""Finding known terms in a text: every stretch between two word boundaries is looked up, the longest term stays.

Belongs here: what counts as a mention of a term (case, hyphens, plurals, word boundaries). Which terms exist is the
caller's business.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from knowledge_graph.text.sentences import has_cjk, lower_text, normal_form, plural, singular

_FOLDED = str.maketrans({mark: " " for mark in "-‑‒–—_/\t\n\r"} | {"’": "'"})
_SMALL_WORDS = frozenset(
    "a an and are as at be but by can did do for go had has he her him his how i if in is it its may me my no not of "
    "off on or our out own per she so than that the then they this to too up us was we what when who why will with "
    "you".split()
)
_ZH_BEFORE = frozenset("的是和与及或用在有把被对从到个棵种张条叫做为讲说让给将比跟向以")
_ZH_AFTER = frozenset("的是和与及或里中上下来有在吗呢都也就可能会为做用由叫不了把被时指又")
"""Function characters beside which a one-character noun stands alone."""
_TOKEN = re.compile(r"[^\W_\u2e80-\uffef]+|\S")
"""A word in an alphabet, or a sign that stands for itself, as Chinese characters do; terms begin and end with one."""
_SHORTEST_IN_PLURAL = 3
_SHORTEST_JOINED = 3
"""Letters of each of two words that are also written as one: "back propagation" and "backpropagation"."""


_singular = lru_cache(1 << 16)(singular)
_plural = lru_cache(1 << 16)(plural)


@dataclass(frozen=True, slots=True)
class Match:
    """A stretch `text[start:end]` that names the term `key`; when a name has several owners, all are in `keys`."""

    keys: tuple[str, ...]
    start: int
    end: int


class TermMatcher:
    """A dictionary of terms. Build once, then `find` in as many texts as needed; safe to share between threads."""

    def __init__(self, terms: Iterable[tuple[str, str]]) -> None:
        """`terms` are pairs of key and name; a key may have many names, and a name many keys."""
        self._owners: dict[str, str | tuple[str, ...]] = {}
        self._capitals: set[str] = set()
        for key, name in terms:
            capitals = name.isupper() and name.lower() in _SMALL_WORDS
            for form in _forms(name):
                if capitals and form not in self._owners:
                    self._capitals.add(form)
                elif not capitals and self._capitals:
                    self._capitals.discard(form)
                self._own(form, key)
        self._reach: dict[str, int] = {}
        for form in self._owners:
            first = _TOKEN.match(form)
            head = first.group() if first else form
            if len(form) > self._reach.get(head, 0):
                self._reach[head] = len(form)

    def owners(self, name: str) -> tuple[str, ...]:
        """The keys of the terms called `name` in any of its spellings, in the order in which they were given."""
        found: dict[str, None] = {}
        for form in _forms(name):
            if form not in self._capitals or name.isupper():
                found.update(dict.fromkeys(self._keys(form)))
        return tuple(found)

    def find(self, text: str) -> list[Match]:
        """Mentions from left to right without overlap; of two that overlap the longer one stays, then the first."""
        if not self._owners or not text:
            return []
        found = sorted(self._matches(text, _fold(text)), key=lambda match: (match.start - match.end, match.start))
        taken = bytearray(len(text))
        kept = []
        for match in found:
            if not taken[match.start] and not taken[match.end - 1]:
                taken[match.start : match.end] = b"\1" * (match.end - match.start)
                kept.append(match)
        return sorted(kept, key=lambda match: match.start)

    def _own(self, form: str, key: str) -> None:
        before = self._owners.setdefault(form, key)
        if isinstance(before, tuple):
            if key not in before:
                self._owners[form] = (*before, key)
        elif before != key:
            self._owners[form] = (before, key)

    def _keys(self, form: str) -> tuple[str, ...]:
        keys = self._owners.get(form, ())
        return (keys,) if isinstance(keys, str) else keys

    def _matches(self, text: str, folded: str) -> Iterator[Match]:
        tokens = [(found.start(), found.end(), found.group()) for found in _TOKEN.finditer(folded)]
        reach_of = self._reach.get
        starts = [
            (start, reach) for start, _, token in tokens if (reach := reach_of(token) or self._reach_of_many(token))
        ]
        if not starts:
            return
        ends = _ends(folded, tokens)
        stops = sorted(ends)
        for start, reach in starts:
            first = bisect_right(stops, start)
            for stop in stops[first : bisect_right(stops, start + reach, first)]:
                form = folded[start:stop]
                if form in self._owners and self._counts(form, text[start : ends[stop]], folded, start):
                    yield Match(self._keys(form), start, ends[stop])

    def _reach_of_many(self, token: str) -> int:
        """The same for the words of which `token` is a plural; 0 when no form begins so."""
        if token[-1] != "s":
            return 0
        return max(self._reach.get(token[:-1], 0), self._reach.get(token[:-2], 0))

    def _counts(self, form: str, surface: str, folded: str, start: int) -> bool:
        """Whether `surface`, a known form and perhaps a plural ending, is a mention where it stands."""
        if len(form) < _SHORTEST_IN_PLURAL and len(surface) > len(form):
            return False
        if len(form) == 1 and not _one_character_word(folded, start):
            return False
        return form not in self._capitals or surface.isupper()


def _ends(folded: str, tokens: Iterable[tuple[int, int, str]]) -> dict[int, int]:
    """Where a term may end -> where its mention does: at the end of a word, or before its plural ending -s or -es."""
    ends = {}
    for start, end, _ in tokens:
        ends[end] = end
        if folded[end - 1] == "s":
            for stop in (end - 1, end - 2) if folded[end - 2] == "e" else (end - 1,):
                if stop > start:
                    ends[stop] = end
    return ends


def _one_character_word(text: str, at: int) -> bool:
    """Whether a Chinese character stands as a word of its own: 图 in 什么是图 and 图的遍历, not in 图书馆."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return (not has_cjk(before) or before in _ZH_BEFORE) and (not has_cjk(after) or after in _ZH_AFTER)


def _forms(name: str) -> tuple[str, ...]:
    """The spellings under which a name is looked up; plurals in -s and -es of the last are tolerated by `find` itself.

    Two words are also looked up as one.
    """
    spelled = " ".join(_fold(name).split())
    if not spelled:
        return ()
    if has_cjk(spelled):
        return (spelled,)
    single = " ".join(map(_singular, spelled.split(" "))) if spelled.isascii() else normal_form(name, "en")
    before, space, last = single.rpartition(" ")
    forms = [spelled, single, f"{before}{space}{_plural(last)}"]
    if space and " " not in before and min(len(before), len(last)) >= _SHORTEST_JOINED:
        forms.append(before + last)
    return tuple(dict.fromkeys(forms))


def _fold(text: str) -> str:
    """Lower case with hyphens as spaces, character for character, so that offsets stay those of the text."""
    return lower_text(text).translate(_FOLDED)
