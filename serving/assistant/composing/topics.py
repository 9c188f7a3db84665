"""Where a lecturer turns to another topic: by a heading said aloud ("Calcium."), by a name at the beginning. Pure."""

import re
from collections.abc import Callable, Sequence, Set
from functools import lru_cache
from re import Pattern

from serving.assistant.composing.introduction import any_of
from serving.assistant.composing.terms import WORDS_OF_QUESTIONS, terms_of
from serving.assistant.understanding.closed_words import CLOSED_EN
from serving.index.analysis import content_terms

_HEADING = re.compile(
    r"(?:(?:The|An?) [a-z'’-]{3,}|[A-Z][a-z'’-]{2,}(?: [\w'’-]{2,})?)[.:]|[\u4e00-\u9fff]{1,7}[A-Z]?\d{0,2}[。：]"
)
"""A sentence of one word or two."""


def is_heading(text: str) -> bool:
    """Whether a sentence is no more than one word or two, none of them of those that name nothing."""
    words = set(re.findall(r"[a-z'’-]+", text.lower())) - {"the", "a", "an"}
    return _HEADING.fullmatch(text) is not None and not words & (CLOSED_EN | WORDS_OF_QUESTIONS)


def is_heading_of_something(text: str, others: Set[str]) -> bool:
    """Whether a sentence only names something that the `others`, the terms said around it, speak of: "Calcium.", and
    not "Meh."."""
    named = content_terms(text, strict=True)
    return is_heading(text) and bool(named) and set(named) <= others


@lru_cache(maxsize=256)
def _opening(names: tuple[str, ...]) -> Pattern[str]:
    lead = r"(?:(?:so|and|now|then|next|but|well|first|finally),? ){0,2}(?:(?:what|how) about )?(?:the |an? )?"
    return re.compile(rf"^(?:{lead}|(?:那么?|再看|然后|接下来)?(?:是)?)(?:{any_of(names)})s?(?![\w-])", re.IGNORECASE)


def opens_topic(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence begins with one of the names of a thing: what follows speaks of that."""
    return _opening(tuple(names)).search(text) is not None


def find_topic(texts: Sequence[str], place: int, opens: Callable[[str], bool]) -> int | None:
    """The last sentence, at most `LONGEST_RUN` before another one or that itself, that opens a topic: one that `opens`
    tells of, or a heading of any other; `None` where none does."""
    for at in range(place, max(-1, place - LONGEST_RUN), -1):
        around = (*texts[max(0, at - LONGEST_RUN) : at], *texts[at + 1 : at + LONGEST_RUN])
        if opens(texts[at]) or is_heading_of_something(texts[at], frozenset[str]().union(*map(terms_of, around))):
            return at
    return None


LONGEST_RUN = 40
"""Sentences that are told of one topic before it is named again. A choice."""
