"""`find_alteration`: is a sentence one of the evidence, word for word but for a denial, an opposite or a number.

Attribution looks words up where their neighbourhood is most alike, and a word that is said elsewhere too is excused. A
near copy needs no such search: laid beside the sentence that it copies, it differs in a few places, and there alone a
denial more or less, the other end of an axis or another number says something else.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

from knowledge_graph.text.sentences import has_cjk, lower_text
from serving.assistant.grounding.complexities import growths
from serving.assistant.grounding.directions import directions
from serving.assistant.grounding.numbers import numbers
from serving.assistant.grounding.statements import DENIAL

COPIED = 0.75
"""Share of a sentence's words that stand in the other in the same order, from which it is a copy. A choice."""

LEAST_COPIED, MOST_CHANGED = 4, 4
"""Words that must be copied, and that one change may take; of Chinese characters twice as many. A choice."""

CONTEXT = 2
"""Words on either side that are read with a change: "no longer" is one word of two. Of characters as many."""

LONGEST_COPY = 160
"""Words of a sentence that are aligned: the rest is not. A choice."""

_TOKEN = re.compile(
    r"can(?=not\b)|(?<=can)not\b|[^\W_\u3400-\u9fff]+?(?=n['’]t\b)|n['’]t\b"
    r"|[^\W_\u3400-\u9fff]+(?:['’][a-z]+)?|[\u3400-\u9fff]"
)
_SAME = {"n't": "not", "n’t": "not", "ca": "can", "wo": "will", "sha": "shall"}
"""Parts of short forms: "isn't" is "is not"."""
_TURNED_BY_PREFIX = re.compile(r"^(?:un|non|in|im|ir|dis)-?(?=[a-z]{4})")

AlteredBy = Literal["direction", "denial", "number"]


@dataclass(frozen=True)
class Alteration:
    """Where a near copy says something else: `said` in place of what stands in sentence `number` of the evidence."""

    reason: AlteredBy
    said: str
    number: int


@dataclass(frozen=True)
class CopiedText:
    """A text in lower case with its words, or Chinese characters, and where each stands."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    @lru_cache(1 << 12)
    def of(cls, text: str) -> "CopiedText":
        plain = lower_text(text)
        found = list(_TOKEN.finditer(plain))[:LONGEST_COPY]
        words = tuple(_SAME.get(one.group(), one.group()) for one in found)
        return cls(plain, words, tuple(one.start() for one in found), tuple(one.end() for one in found))

    def stretch(self, first: int, end: int) -> str:
        """The text from one word up to another, with `CONTEXT` words on either side."""
        first, end = max(0, first - CONTEXT), min(len(self.words), end + CONTEXT)
        return self.text[self.starts[first] : self.ends[end - 1]] if first < end else ""


def find_alteration(sentence: str, evidence: Sequence[str]) -> Alteration | None:
    """The first change that says something else, in the sentence of `evidence` that is copied most; `None` for a
    sentence that copies none, or copies another as much without such a change."""
    said = CopiedText.of(sentence)
    scale = 2 if has_cjk(sentence) else 1
    if len(said.words) < LEAST_COPIED * scale:
        return None
    own = Counter(said.words)
    best, found = 0, None
    for number, text in enumerate(evidence):
        known = CopiedText.of(text)
        if (own & Counter(known.words)).total() < max(best, COPIED * len(said.words)):
            continue
        blocks = SequenceMatcher(None, said.words, known.words, autojunk=False).get_opcodes()
        copied = sum(end - first for kind, first, end, _, _ in blocks if kind == "equal")
        if copied < max(best, LEAST_COPIED * scale, COPIED * len(said.words)):
            continue
        changed = next(_changes(said, known, blocks, MOST_CHANGED * scale), None)
        if copied > best or changed is None:
            found = None if changed is None else Alteration(changed[0], changed[1], number)
        best = max(best, copied)
    return found


def _changes(
    said: CopiedText, known: CopiedText, blocks: Sequence[tuple[str, int, int, int, int]], longest: int
) -> Iterator[tuple[AlteredBy, str]]:
    """What each change between two texts turns round; one that only adds or leaves out at an end turns nothing."""
    all_said, all_known = _count_numbers(said.text), _count_numbers(known.text)
    is_recounted = bool(all_said - all_known) and bool(all_known - all_said)  # a stretch may cut a number in two
    for at, (kind, first, end, known_first, known_end) in enumerate(blocks):
        is_at_end = at in (0, len(blocks) - 1)
        if kind == "equal" or (is_at_end and kind != "replace") or max(end - first, known_end - known_first) > longest:
            continue
        here, there = said.stretch(first, end), known.stretch(known_first, known_end)
        is_prefixed = _is_prefixed(said.words[first:end], known.words[known_first:known_end])
        if reason := _alteration(here, there, is_prefixed=is_prefixed, is_recounted=is_recounted):
            yield reason, " ".join(said.words[first:end]) or here


def _alteration(here: str, there: str, *, is_prefixed: bool, is_recounted: bool) -> AlteredBy | None:
    """What turns one stretch against the other; "not sorted" for "unsorted" turns nothing."""
    axes = {one.axis: one.end_of for one in directions(here)}
    others = {one.axis: one.end_of for one in directions(there)}
    is_opposite = is_prefixed or any(others.get(axis, end) != end for axis, end in axes.items())
    is_denied = len(DENIAL.findall(here)) % 2 != len(DENIAL.findall(there)) % 2
    if is_opposite != is_denied:
        return "direction" if is_opposite else "denial"
    return "number" if is_recounted and _count_numbers(here) != _count_numbers(there) else None


def _count_numbers(text: str) -> Counter[str]:
    found = Counter(f"{one.value.normalize():f} {one.unit}" for one in numbers(text))
    return found + Counter(one.key for one in growths(text))


def _is_prefixed(here: Sequence[str], there: Sequence[str]) -> bool:
    """Whether a word lost or got a prefix that denies it: "balanced" in place of "unbalanced"."""
    mine, theirs = (Counter(here) - Counter(there)), (Counter(there) - Counter(here))
    return any(
        _TURNED_BY_PREFIX.match(word) and _TURNED_BY_PREFIX.sub("", word) in other
        for one, other in ((mine, theirs), (theirs, mine))
        for word in one
    )
