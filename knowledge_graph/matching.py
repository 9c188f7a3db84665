"""Finding known terms in a text: one pass with an Aho-Corasick automaton, longest term first.

Belongs here: what counts as a mention of a term (case, hyphens, plurals, word boundaries). Which terms exist is the
caller's business.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import ahocorasick

from knowledge_graph.text import has_cjk, normal_form, plural

_FOLDED = str.maketrans({mark: " " for mark in "-‑‒–—_/\t\n\r"} | {"’": "'"})
_SMALL_WORDS = frozenset(
    "a an and are as at be but by can did do for go had has he her him his how i if in is it its may me my no not of "
    "off on or our out own per she so than that the then they this to too up us was we what when who why will with "
    "you".split()
)
_ZH_BEFORE = frozenset("的是和与及或用在有把被对从到个棵种张条叫做为讲说让给将比跟向以")
_ZH_AFTER = frozenset("的是和与及或里中上下来有在吗呢都也就可能会为做用由叫不了把被时指又")
"""Function characters beside which a one-character noun stands alone."""
_PLURAL_END = re.compile(r"e?s(?![a-z0-9])")


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
        owners: dict[str, dict[str, bool]] = {}
        for key, name in terms:
            exact = name.isupper() and name.lower() in _SMALL_WORDS
            for form in _forms(name):
                owners.setdefault(form, {})[key] = exact
        self._automaton = ahocorasick.Automaton()
        for form, keys in owners.items():
            self._automaton.add_word(form, (len(form), tuple(keys), all(keys.values())))
        if owners:
            self._automaton.make_automaton()
        self._empty = not owners

    def find(self, text: str) -> list[Match]:
        """Mentions from left to right without overlap; of two that overlap the longer one stays, then the first."""
        if self._empty or not text:
            return []
        folded = _fold(text)
        found = sorted(self._matches(text, folded), key=lambda match: (match.start - match.end, match.start))
        taken = bytearray(len(text))
        kept = []
        for match in found:
            if not taken[match.start] and not taken[match.end - 1]:
                taken[match.start : match.end] = b"\1" * (match.end - match.start)
                kept.append(match)
        return sorted(kept, key=lambda match: match.start)

    def _matches(self, text: str, folded: str) -> Iterator[Match]:
        for last, (length, keys, exact) in self._automaton.iter(folded):
            start, end = last - length + 1, last + 1
            if _latin(folded[start]) and start > 0 and _latin(folded[start - 1]):
                continue
            if _latin(folded[last]) and end < len(folded) and _latin(folded[end]):
                more = _PLURAL_END.match(folded, end)
                if not more or length < 3:
                    continue
                end = more.end()
            if length == 1 and not _one_character_word(folded, start):
                continue
            if exact and not text[start:end].isupper():
                continue
            yield Match(keys, start, end)


def _one_character_word(text: str, at: int) -> bool:
    """Whether a Chinese character stands as a word of its own: 图 in 什么是图 and 图的遍历, not in 图书馆."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return (not has_cjk(before) or before in _ZH_BEFORE) and (not has_cjk(after) or after in _ZH_AFTER)


def _forms(name: str) -> set[str]:
    """The spellings under which a name is looked up; regular plurals in -s and -es are tolerated by `find` itself."""
    spelled = " ".join(_fold(name).split())
    if not spelled or has_cjk(spelled):
        return {spelled} - {""}
    single = normal_form(name, "en")
    *before, last = single.split(" ")
    return {spelled, single, " ".join([*before, plural(last)])} - {""}


def _fold(text: str) -> str:
    """Lower case with hyphens as spaces, character for character, so that offsets stay those of the text."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_FOLDED)


def _latin(char: str) -> bool:
    return char.isalnum() and not "\u2e80" <= char <= "\uffef"
