"""How well a sentence says what a term is.

Belongs here: the wording of a definition weighed against its flaws, and what of the sentence need not be shown. Two
sentences that belong together are in `joining.py`; which of many is kept is in `define.py`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from knowledge_graph.definitions.chinese import CHINESE
from knowledge_graph.definitions.cleaning import LEADS, clean_spoken
from knowledge_graph.definitions.english import ENGLISH
from knowledge_graph.definitions.flaws import emptiness, flaws
from knowledge_graph.definitions.parts import SAYING
from knowledge_graph.definitions.patterns import Kind, Pattern
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import lower_text


@dataclass(frozen=True)
class _Group:
    """Patterns that ask the same of what precedes the term; `after` matches where any of theirs does."""

    weight: float
    before: re.Pattern[str]
    after: re.Pattern[str]
    patterns: tuple[Pattern, ...]


def _group(patterns: tuple[Pattern, ...]) -> tuple[_Group, ...]:
    """Groups by falling weight of their best pattern, so that a search can stop early."""
    groups = []
    for before in dict.fromkeys(each.before for each in patterns):
        own = sorted((each for each in patterns if each.before == before), key=lambda each: (-each.weight, each.name))
        after = "|".join(f"(?:{each.after.pattern.replace('?P<that>', '?:')})" for each in own)
        groups.append(_Group(own[0].weight, before, re.compile(after), tuple(own)))
    return tuple(sorted(groups, key=lambda group: -group.weight))


_NAMING: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(r"call|known as|referred to|termed|named"),
    "zh": re.compile("[叫称名]|记作|就是所谓的"),
}
"""Words without which a sentence has none of the patterns that name what was described."""
_GROUPS: dict[Lang, tuple[_Group, ...]] = {"en": _group(ENGLISH), "zh": _group(CHINESE)}
_PLAIN: dict[Lang, tuple[_Group, ...]] = {
    "en": _group(tuple(each for each in ENGLISH if not each.names)),
    "zh": _group(tuple(each for each in CHINESE if not each.names)),
}
_CLOSING = frozenset(("", ".", "?", "!", ";"))  # no pattern but those that name goes on behind them
LENGTHS = {"en": (20, 360), "zh": (8, 200)}  # characters of a definition
_BEFORE = 160  # characters before a term in which its wording is looked for, unless the sentence begins nearer

_NARRATION = 0.2  # flaws of a first clause that is about the lecture rather than the term
_LONG_PREFIX = 90  # characters before the clause of the term that are left out whatever they say
_CONDITION = re.compile(r"(?:if|when|for|because|since|unless|whenever|in|given|suppose)\b", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:[,;]|,? -+|) (?:and|but|so|which)(?: (?:concretely|for example|so|then|now|also|here|in fact|actually))?,? "
    r"(?:i|i'm|i'll|we|we'll|we're|let's|let|in this|in the|that's|this is|you|your|is something|what|by the way)\b",
    re.IGNORECASE,
)
_CUT = re.compile(
    rf"[,;:\s-]*(?:(?:(?:{SAYING} )?that|and|so|then|but|because|where|recall|remember|say|means|about|of|called|use|"
    r"using|with|by|for|is|was|or|see|define|consider|apply|run|have|get|how|if|when|whereas) )?",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"(?:,|;| ?--)(?= ?(?:and|but|or|so|because|which|where|whereas|then)\b)| (?=because\b)", re.IGNORECASE
)
_MARGIN = 60  # characters below the longest definition from which on a sentence is cut at the end of a clause
_SAID = 15  # characters behind a wording that say something of the term, so that the sentence may be cut there
_CIRCULAR = 0.6  # the term explained by itself


@dataclass(frozen=True)
class DefinitionWording:
    """What is said of a term: `quality` is at most about 1, `text[start:end]` without `left_out` is worth showing."""

    quality: float
    start: int
    end: int
    left_out: tuple[int, int] = (0, 0)
    weight: float = 0.0
    """Weight of the pattern that was found."""


NO_WORDING = DefinitionWording(0.0, 0, 0)


def wording(text: str, start: int, end: int, lang: Lang) -> DefinitionWording:
    """The best wording that defines the term at `text[start:end]`; `NO_WORDING` when it is only mentioned."""
    low = _low(text)
    naming = _names(low, lang)
    if not naming and (low[end : end + 1] in _CLOSING or not _follows_any(low, end, lang)):
        return NO_WORDING  # most mentions end here
    lead = lead_of(text, lang)
    at = max(min(lead, start), start - _BEFORE)
    before = low[at:start]
    best = NO_WORDING
    for group in _GROUPS[lang] if naming else _PLAIN[lang]:
        if best.quality >= group.weight:
            break
        precedes = group.before.search(before) if group.after.match(low, end) else None
        if precedes:
            mention = _Mention(text, low, lang, start, end, lead, at + precedes.start())
            best = max((best, _best_of(group, mention)), key=lambda each: each.quality)
    return best


_low = lru_cache(maxsize=16)(lower_text)


def _follows_any(low: str, end: int, lang: Lang) -> bool:
    """Whether what follows a term follows it in any pattern that does not name. Each group is asked: one pattern of all
    of them takes a third less for a mention, and as long to compile as twenty thousand mentions."""
    return any(group.after.match(low, end) for group in _PLAIN[lang])


@lru_cache(maxsize=16)
def _names(low: str, lang: Lang) -> bool:
    return _NAMING[lang].search(low) is not None


@dataclass(frozen=True, slots=True)
class _Mention:
    """A term at `text[start:end]`; `low` is the text in lower case. The sentence begins at `lead` behind false starts,
    the term's clause at `clause`.
    """

    text: str
    low: str
    lang: Lang
    start: int
    end: int
    lead: int
    clause: int

    @property
    def term(self) -> str:
        return self.low[self.start : self.end]


def _best_of(group: _Group, mention: _Mention) -> DefinitionWording:
    best = NO_WORDING
    for pattern in group.patterns:
        follows = pattern.after.match(mention.low, mention.end) if pattern.weight > best.quality else None
        if follows:
            first, left_out = _visible_part(mention, follows, pattern.kind)
            said = mention.end if pattern.names else follows.end() + _SAID
            last = _tail(mention.text, said, mention.lang)
            circular = _CIRCULAR * (mention.term in mention.low[follows.end() : last])
            quality = pattern.weight - _cost(mention, _without(mention.text, first, last, left_out)) - circular
            if quality > best.quality:
                best = DefinitionWording(quality, first, last, left_out, pattern.weight)
    return best


def _cost(mention: _Mention, part: str) -> float:
    """What is wrong with the part that would be shown: its flaws, and saying too little."""
    said = clean_spoken(part, mention.lang)
    return flaws(said, mention.lang) + emptiness(said, mention.lang, mention.term)


def _visible_part(mention: _Mention, follows: re.Match[str], kind: Kind) -> tuple[int, tuple[int, int]]:
    """Where the shown part begins, and what is left out of it: a clause about the lecture goes when the rest stands."""
    lead, clause = mention.lead, mention.clause
    joint = _CUT.match(mention.text, clause)
    first = joint.end() if joint else clause
    prefix = mention.text[lead:first]
    long = len(prefix) > _LONG_PREFIX and not _CONDITION.match(prefix)
    if kind == "plain" or clause <= lead or not (long or flaws(prefix, "en") >= _NARRATION):
        return lead, (0, 0)
    return first, follows.span("that") if kind == "relative" else (0, 0)


def _without(text: str, start: int, end: int, left_out: tuple[int, int]) -> str:
    if left_out == (0, 0):
        return text[start:end]
    return text[start : left_out[0]].rstrip(", ") + text[left_out[1] : end]


@lru_cache(maxsize=16)
def lead_of(text: str, lang: Lang) -> int:
    """Where the sentence begins behind its false starts."""
    found = LEADS[lang].match(text)
    return found.end() if found else 0


def _tail(text: str, said: int, lang: Lang) -> int:
    """Where the shown part ends, from `said` on: before a last clause that is about the lecture."""
    if lang == "zh":
        return len(text)
    for found in _TAIL.finditer(text, min(len(text), said)):
        if flaws(text[found.start() :], lang) >= _NARRATION:
            return found.start()
    if len(text) <= LENGTHS[lang][1] - _MARGIN:
        return len(text)
    ends = [found.start() for found in _CLAUSE_END.finditer(text, said + 25, LENGTHS[lang][1] - _MARGIN)]
    return ends[-1] if ends else len(text)


def extract_definition(text: str, found: DefinitionWording, lang: Lang) -> str:
    """The part of `text` worth showing, cleaned."""
    return clean_spoken(_without(text, found.start, found.end, found.left_out), lang)


def acceptable(text: str, lang: Lang) -> bool:
    """Whether a cleaned definition has a length people read."""
    shortest, longest = LENGTHS[lang]
    return shortest <= len(text) <= longest
