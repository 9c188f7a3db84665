"""Sentences without a verb: what ends the one before, "A torsion balance.", and what names what is spoken of next,
"Calcium.". Pure."""

from functools import lru_cache

from serving.assistant.composing.cues import REMEMBERED, make_cue
from serving.assistant.understanding.closed_words import NUMBER_WORDS

_SAYS_WHAT_IS_DONE = make_cue(
    r"['’](?:s|re|ve|ll|m|d)\b|n['’]t\b|\b(?:is|are|was|were|be|am|has|have|had|do|does|did|can|could|will|would|may"
    r"|must|should|let|i|we|you|they|he|she|it|this|that)\b|ed\b|[?!]",
)
"""What a sentence with a verb, or an order, mostly has."""

LONGEST_FRAGMENT, LEAST_OF_FRAGMENT = 24, 3
"""Characters of an English sentence without a verb, and its words. Choices."""
_ADDS = make_cue(
    rf"^(?:an?|{'|'.join(NUMBER_WORDS)}|not|as|namely|like|with|without|only|just|almost|about|all|both|[b-hj-z])\b"
)
"""How one begins that adds to the sentence before it, and is no heading: "Mass and weight.", "The lever arm."."""


@lru_cache(maxsize=REMEMBERED)
def is_fragment(text: str) -> bool:
    """Whether an English sentence ends the one before it: "A torsion balance."."""
    is_short = text.isascii() and len(text) <= LONGEST_FRAGMENT and len(text.split()) >= LEAST_OF_FRAGMENT
    return is_short and _ADDS.match(text) is not None and _SAYS_WHAT_IS_DONE.search(text) is None


PAST = (
    r"(?:was|were|had|did|meant|sold|gave|got|took|made|said|went|paid|wrote|lost|won|found|held|came|kept|left|sent|let"
    r"|[a-z]{2,}ed)"
)
"""How a verb tells of what happened; an English one that is not known is none."""

MOST_WORDS_OF_TOPIC = 4
"""Words of a sentence that only names what is spoken of next. A choice."""
_NO_TOPIC = make_cue(
    r"^(?:no|yes|not|nothing|nobody|none|never|always|right|wrong|exactly|good|ok|okay|well|fine|true|false|so|and|but|or"
    r"|maybe|perhaps|thanks|sorry|see|bye|hello|hi|done|of|same|too|more|less|only|just|even|once|twice|like|as|with|without"
    r"|for|in|on|at|from|by|to|both|either|neither|than|very|please|because|every|each|all|some|most|why|what|how|who"
    r"|(?:the )?(?:first|second|third|fourth|next|last)"
    rf"|an? \w+|[a-z]|oddly|\w+ly|go|look|take|wait|notice|remember|watch|think|try|stop|start|keep|put|repeat"
    rf"|swap|compare|return|check)\b|,| {PAST}\b|^the [\w-]+ \w+s\.$"
)


@lru_cache(maxsize=REMEMBERED)
def is_topic(text: str) -> bool:
    """Whether an English sentence only names what is spoken of next: "Calcium.", "Rule two."."""
    is_short = text.isascii() and text.endswith(".") and len(text.split()) <= MOST_WORDS_OF_TOPIC
    return is_short and text[:1].isupper() and not (_NO_TOPIC.search(text) or _SAYS_WHAT_IS_DONE.search(text))
