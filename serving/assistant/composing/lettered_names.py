"""Names that are a kind with a letter behind: vitamin E, vitamin B12, group A, 维生素E. Pure.

One letter is another thing. What passages tell of one is in `lettered_passages`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from re import Match, Pattern

from knowledge_graph.graph.records import Mention
from serving.assistant.composing.called_names import Span
from serving.assistant.composing.terms import OF_QUESTIONS_ZH, WORDS_OF_QUESTIONS
from serving.assistant.understanding.closed_words import CLOSED_EN
from serving.index.analysis import content_terms, terms

_LETTER = r"(?:[IVX]{2,4}|[A-Z]\d{0,2})(?![\w*+'’-])"
_NAMED = re.compile(
    r"(?<![\w-])(?:(?P<article>(?i:an?|the|this|that|each|any|every|our|your|my|two)) (?:\w+ )?)?"
    rf"(?P<kind>[A-Za-z]{{2,}})[ -](?P<letter>{_LETTER})"
)
_NAMED_ZH = re.compile(r"(?P<kind>[\u4e00-\u9fff]{2,4}) ?(?P<letter>[A-Z]\d{0,2})(?![A-Za-z\d*+-])")

Kinds = Mapping[str, frozenset[str]]
"""By a kind, in lower case, the letters of the things of it that a course names."""


def find_lettered_kinds(texts: Iterable[str]) -> Kinds:
    """What a course tells apart by letters. What mostly has an article is no such kind, as its letter stands for any
    one: the matrix A; nor is a word behind which few of its letters stand, that are variables of much else: times A."""
    letters, articles, behind = defaultdict[str, Counter[str]](Counter), Counter[str](), Counter[str]()
    for text in texts:
        for found in _NAMED.finditer(text):
            kind = found["kind"].lower()
            letters[kind][found["letter"]] += 1
            behind[found["letter"]] += 1
            articles[kind] += found["article"] is not None
        for found in _NAMED_ZH.finditer(text):
            behind[found["letter"]] += 1
            for size in range(2, len(found["kind"]) + 1):
                letters[found["kind"][-size:]][found["letter"]] += 1
    return {
        kind: frozenset(told)
        for kind, told in letters.items()
        if 2 * articles[kind] <= told.total() and content_terms(kind, strict=True)
        if 2 * told.total() > sum(behind[letter] for letter in told)
        if kind not in CLOSED_EN | WORDS_OF_QUESTIONS and not OF_QUESTIONS_ZH.search(kind)
    }


@dataclass(frozen=True)
class LetteredName:
    """A `kind` with its `letter`, and where a question has it."""

    kind: str
    letter: str
    label: str
    span: Span

    @cached_property
    def _any(self) -> Pattern[str]:
        """What finds one of its kind, in a text that speaks of that: by the whole name, or by the letter alone. An A
        alone is a name before a mark, an I never."""
        return re.compile(
            rf"(?<![A-Za-z-])(?i:{re.escape(self.kind)})s?[ -]?(?P<letter>{_LETTER})"
            rf"|(?<![\w*+'’-])(?![AI](?![.,:;IVX]|\d| (?:and|or)\b))(?P<alone>{_LETTER})(?! ?[=+*/^])",
            re.ASCII,
        )

    def _find_letters(self, text: str) -> list[str]:
        return [found["letter"] or found["alone"] for found in self._any.finditer(text)]

    def is_told_in(self, text: str) -> bool:
        """Whether a sentence names it, and not only in a list of its kind."""
        letters = self._find_letters(text)
        return self.letter in letters and len(letters) < LIST

    def is_opened_in(self, text: str) -> bool:
        """Whether a sentence begins to tell of it: it begins with the name and says what that is, or names it alone in
        few words."""
        begins = self._begins(text)
        is_short = self._find_letters(text) == [self.letter] and len(terms(text)) <= FEW_WORDS
        if is_short or begins is None or _SAYS.match(text, begins.end()) is None:
            return is_short
        return bool((begins["letter"] or begins["alone"]) == self.letter)

    def is_left_in(self, text: str) -> bool:
        """Whether a sentence begins with, or alone names in few words, another one of its kind."""
        begins, letters = self._begins(text), self._find_letters(text)
        is_short = len(letters) == 1 and len(terms(text)) <= FEW_WORDS
        named = [begins["letter"] or begins["alone"]] if begins is not None else letters if is_short else []
        return bool(named) and self.letter not in named

    def turns_in(self, text: str) -> bool:
        """Whether a sentence begins to tell of it, or of another one of its kind."""
        return self.is_opened_in(text) or self.is_left_in(text)

    def _begins(self, text: str) -> Match[str] | None:
        lead = _LEAD.match(text)
        return self._any.match(text, lead.end() if lead is not None else 0)


_LEAD = re.compile(
    r"(?:(?:so|and|now|then|next|but|well),? ){0,2}(?:what about |the )?|那么?|再看|然后是?|接下来是?", re.IGNORECASE
)
_SAYS = re.compile(
    r" ?[,.:;，。：]| (?:deficiency )?(?:is|are|was|were|isn['’]t|has|means?|comes?|does|gives?|stands)\b"
    r"|[是叫有能缺对会]"
)
"""What follows a name with which somebody begins to tell of it."""
FEW_WORDS, LIST = 4, 3
"""Words of a sentence that names a thing and says little else, "That's thiamine, B1", and names of a kind that are a
list of it. Choices."""


def _find_lettered_names(question: str, mentions: Sequence[Mention], kinds: Kinds) -> tuple[LetteredName, ...]:
    """The names of a question that are a kind with a letter, where the course tells several of that kind apart; as a
    student writes them, who may leave out capitals. What stands in a longer concept is none."""
    found = []
    for one in (*_ASKED.finditer(question), *_NAMED_ZH.finditer(question)):
        kind = next((one["kind"][at:] for at in range(len(one["kind"]) - 1) if one["kind"][at:].lower() in kinds), "")
        if not kind or (one["kind"].isascii() and kind != one["kind"]):
            continue
        letter, start = one["letter"].upper(), one.end("kind") - len(kind)
        letters = kinds[kind.lower()]
        is_within = any(each.start <= start and one.end() < each.end for each in mentions)
        if len(letters) > 1 and any(map(_BEGINS_SERIES.match, letters)) and not is_within:
            found.append(LetteredName(kind.lower(), letter, question[start : one.end()], (start, one.end())))
    return tuple(found)


_BEGINS_SERIES = re.compile(r"[AB]|[IVX]{2}")
"""The letters of which any series has one: its first ones, or a Roman numeral."""

_ASKED = re.compile(
    rf"(?<![\w-])(?P<kind>[A-Za-z]{{4,}})[ -](?P<letter>{_LETTER}|(?i:[b-hj-z]\d{{0,2}})(?![\w*+'’-])|a(?=\W*$|[?.,;]))"
)


def set_apart_lettered(
    question: str, called: Sequence[Span], mentions: Sequence[Mention], kinds: Kinds
) -> tuple[tuple[LetteredName, ...], tuple[Span, ...], list[Mention]]:
    """The lettered names of a question, and its called names and mentions with these, each of which is one name, or
    the concept that it is: vitamin E is not what is said of a vitamin."""
    names = _find_lettered_names(question, mentions, kinds)
    whole = {(one.start, one.end) for one in mentions}
    spans = [one.span for one in names if not (one.span in whole or any(_overlap(one.span, each) for each in called))]
    others = [one for one in mentions if not any(_overlap((one.start, one.end), at) for at in spans)]
    return names, (*called, *spans), others


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
