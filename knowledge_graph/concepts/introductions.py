"""English names that a course introduces in so many words: "A condition is a term which …", "this is called a margin".

Belongs here: the wordings that introduce a name, and which words a name may have. One such sentence is enough, however
seldom the name is said; Chinese ones are in `seeds.py`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from knowledge_graph.concepts.candidates import is_noise, stands_alone
from knowledge_graph.concepts.tagging import TaggedSentence

_WORD = r"[A-Za-z][\w'’-]{0,30}"
_NAME = rf"(?P<name>{_WORD}(?: {_WORD}){{0,3}}?)"
_LEAD = r"^(?:(?:and|so|but|now|well|okay|then),? )?"
_ENDS = r"(?=[.,:;?!]|$| (?:and|or|because|since|which|where|when|if|but|so|for|in|by|from)\b)"
_WORDINGS = tuple(
    re.compile(wording, re.IGNORECASE)
    for wording in (
        rf"\b(?:is|are|was|were|be|been|also|what's|often|usually|sometimes|it's|that's) (?:called|known as|termed),? "
        rf"(?:(?:an?|the|its|his|her|their) )?{_NAME}{_ENDS}",
        rf"\b(?:we|i|you|they|\w+s|people) (?:(?:usually|also|often) )?call (?:this|it|that|these|those|them) "
        rf"(?:(?:an?|the) )?{_NAME}{_ENDS}",
        rf"{_LEAD}(?:that's|this is|that is|these are|those are) (?:(?:an?|the) )?{_NAME}: ",
        rf"{_LEAD}(?:an? )?{_NAME},? (?:is|are) (?:an?|the|any|when|where|how|those|one|what|(?:some|any)\w+) "
        r"[^.?!]*\b(?:which|that|who|whose|where|when|what)\b",
        rf"{_LEAD}(?:an? )?{_NAME} means (?:that|the|an?|to|there)\b",
    )
)
_INSIDE = frozenset("of to in for".split())
_NAMING = ("NN", "JJ", "VBG", "VBN", "POS")
"""Beginnings of the tags that the words of a name have."""


def find_introductions(tagged: Iterable[TaggedSentence]) -> Iterator[str]:
    """Every name that an English sentence introduces."""
    for item in tagged:
        if item.sentence.lang == "en":
            for wording in _WORDINGS:
                for found in wording.finditer(item.sentence.text):
                    if _is_name(item, *found.span("name")):
                        yield found["name"]


def _is_person(item: TaggedSentence, at: int) -> bool:
    """Whether a word inside a sentence is written and tagged as a proper name: "a judge called Denning"."""
    return at > 0 and item.tags[at].startswith("NNP") and item.words[at].istitle()


def _is_name(item: TaggedSentence, start: int, end: int) -> bool:
    """Whether nouns and what may stand before them, or between them, are all there is."""
    first, stop = bisect_left(item.starts, start), bisect_left(item.starts, end)
    words = [(word.lower(), tag) for word, tag in zip(item.words[first:stop], item.tags[first:stop], strict=True)]
    joints = [at for at, (word, _) in enumerate(words) if word in _INSIDE]
    is_joined = not joints or (len(joints) == 1 and 0 < joints[0] < len(words) - 1)
    named = [pair for pair in words if pair[0] not in _INSIDE]
    is_long = len(named) > 1 or (len(named) == 1 and stands_alone(item.words[first]) and not _is_person(item, first))
    return is_joined and is_long and all(tag.startswith(_NAMING) and not is_noise(word) for word, tag in named)
