"""Quoted spans and code spans of a text, and whether each stands word for word in the evidence.

"Word for word" is after normalisation: NFKC, lower case, one space for any space and none beside Chinese, one kind of
quotation mark and dash, no punctuation at either end. A quote shortened by "..." must have its parts in order.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from serving.index.evidence import Evidence

QuoteKind = Literal["quote", "title", "code"]

_PATTERNS: tuple[tuple[QuoteKind, re.Pattern[str]], ...] = (
    ("code", re.compile(r"`([^`\n]+)`")),
    ("quote", re.compile(r"“([^“”\n]+)”")),
    ("quote", re.compile(r"「([^「」\n]+)」")),
    ("quote", re.compile(r"『([^『』\n]+)』")),
    ("quote", re.compile(r"‘([^‘’\n]+)’(?!\w)")),
    ("title", re.compile(r"《([^《》\n]+)》")),
    ("quote", re.compile(r"(?<![\w\"])\"(?![\s\"])([^\"\n]+)\"|(?<=[\u4e00-\u9fff])\"([^\"\n]+)\"")),
)
_SAME = str.maketrans(
    {**dict.fromkeys('‘’‛′`´“”„″「」『』«»"', "'"), **dict.fromkeys("‐‑‒–—―−", "-"), "\u00ad": "", "\u200b": ""}
)
_HAN_SPACE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\s++|(?<!\s)\s++(?=[\u3000-\u9fff\uff00-\uffef])")
_ELLIPSIS = re.compile(r"\[?\.{3,}\]?")
_EDGE = " \t.,;:!?。，、；：！？'"


@dataclass(frozen=True)
class Quote:
    """What stands between two quotation marks: `text[start:end]`, the marks not included."""

    start: int
    end: int
    text: str
    kind: QuoteKind = "quote"


@dataclass(frozen=True)
class CheckedQuote:
    """A quote and the first evidence that holds it; `None` when none does."""

    quote: Quote
    evidence_id: str | None

    @property
    def is_found(self) -> bool:
        return self.evidence_id is not None


def quotes(text: str) -> list[Quote]:
    """The quoted spans of a text, in order, none inside another; those without a letter or digit are left out."""
    free, found = text, []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(free):
            start, end = match.span(match.lastindex or 1)
            if any(char.isalnum() for char in text[start:end]):
                found.append(Quote(start, end, text[start:end], kind))
        free = pattern.sub(lambda match: " " * len(match.group()), free)
    return sorted(found, key=lambda quote: quote.start)


def verify_quotes(text: str, evidence: Sequence[Evidence]) -> tuple[CheckedQuote, ...]:
    """Each quote of a text with the evidence that holds it; a title of evidence counts like its text."""
    said = [(one.evidence_id, normalize_text(f"{one.title}\n{one.text}")) for one in evidence]
    checked = []
    for quote in quotes(text):
        holder = next((evidence_id for evidence_id, whole in said if holds(whole, quote.text)), None)
        checked.append(CheckedQuote(quote, holder))
    return tuple(checked)


def holds(whole: str, quoted: str) -> bool:
    """Whether a normalised text holds the parts of a quote in order, not beginning or ending in a word."""
    at = 0
    for part in _ELLIPSIS.split(normalize_text(quoted)):
        wanted = part.strip(_EDGE)
        if wanted:
            found = _find_word(whole, wanted, at)
            if found < 0:
                return False
            at = found + len(wanted)
    return at > 0


def normalize_text(text: str) -> str:
    """The form in which quotes and evidence are compared."""
    folded = unicodedata.normalize("NFKC", text.translate(_SAME)).casefold().translate(_SAME)
    return _HAN_SPACE.sub("", " ".join(folded.split()))


def _find_word(whole: str, wanted: str, at: int) -> int:
    while (at := whole.find(wanted, at)) >= 0:
        end = at + len(wanted)
        if not (_runs_across(whole, at, wanted[0]) or (end < len(whole) and _runs_across(whole, end, whole[end]))):
            return at
        at += 1
    return -1


def _runs_across(text: str, at: int, after: str) -> bool:
    """Whether a word of letters or digits runs across a place; Chinese is written without gaps and never does."""
    before = text[at - 1 : at]
    return before.isascii() and before.isalnum() and after.isascii() and after.isalnum()
