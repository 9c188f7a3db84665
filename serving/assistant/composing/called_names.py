"""Names that a course gives things in Chinese, and no dictionary has: what stands after 叫, or before a colon. Pure.

A dictionary cuts such a name into words of their own (最近发展区 into 最近, 发展 and 区), and a question about it would
be answered by what is said of one of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from knowledge_graph.graph.records import Mention
from knowledge_graph.text.segmenter import chinese_segmenter, chinese_word_class
from serving.assistant.composing.terms import strike_words_of_questions

Span = tuple[int, int]
SHORTEST, LONGEST = 3, 8
"""Characters of a name that is looked for. A choice."""

_NAME = rf"[\u4e00-\u9fff]{{{SHORTEST},{LONGEST}}}"
_CALLED = re.compile(rf"(?:叫[做作]?|称[为作]|称之为|所谓的?)[“\"‘]?({_NAME}?)[”\"’]?(?=[，。；：！？、,.;:!?]|$)")
_LED_BY = (
    re.compile(rf"(?:^|(?<=[。；！？，]))(?:结果)?[就也]?是?({_NAME}?)(?=[：:])"),
    re.compile(rf"(?:^|(?<=[。；！？]))({_NAME}?)(?=[，。])"),
    re.compile(rf"有个({_NAME}?)(?=[，。])"),
)
"""What may be a name by where it stands: "X：…", "有个X，", and a sentence that begins with it, "X，就是…"."""


def find_called_names(texts: Iterable[str], titles: Iterable[str] = ()) -> Mapping[str, bool]:
    """What sentences may give as a name, and whether they say that something is called so. Titles that end alike are
    names of kinds of one thing: 社会心理学 beside 发展心理学."""
    texts, titles = tuple(texts), frozenset(titles)
    led = {one for text in texts for pattern in _LED_BY for one in pattern.findall(text)}
    led |= {one for one in titles if any(other.endswith(one[-SHORTEST:]) for other in titles - {one})}
    called = {one for text in texts for one in _CALLED.findall(text)}
    return {**dict.fromkeys(led, False), **dict.fromkeys(called, True)}


def set_apart_called(
    question: str, mentions: Sequence[Mention], names: Mapping[str, bool]
) -> tuple[tuple[Span, ...], list[Mention]]:
    """Where a question has such names that say more than the concepts it mentions, and the mentions without those of
    which such a name makes another thing: 负强化 is not what is said of 强化. A name of the dictionary is one of these
    only where it holds a concept: any other is no words of their own."""
    spans = tuple(
        (start, end)
        for start, end in _spans_of(question, names)
        if not any(_crosses(one, start, end) for one in mentions)
        if not chinese_word_class(question[start:end]) or any(start <= one.start < end for one in mentions)
    )
    return spans, [one for one in mentions if not any(start <= one.start < end for start, end in spans)]


def _crosses(mention: Mention, start: int, end: int) -> bool:
    """Whether a mention holds all of a place, or begins or ends in it alone."""
    is_within = start <= mention.start and mention.end <= end and mention.end - mention.start < end - start
    return mention.start < end and start < mention.end and not is_within


def _spans_of(question: str, names: Mapping[str, bool]) -> Iterator[Span]:
    """Where a question has names, none within another."""
    at = 0
    while at < len(question) - SHORTEST + 1:
        sizes = range(min(LONGEST, len(question) - at), SHORTEST - 1, -1)
        found = ((one, question[at : at + one]) for one in sizes)
        size = next((one for one, name in found if name in names and _is_name(name, is_called=names[name])), 0)
        if size:
            yield at, at + size
        at += size or 1


@lru_cache(maxsize=1 << 12)
def _is_name(name: str, *, is_called: bool) -> bool:
    """Whether what may be a name is no way of speaking: one that something is called has no word of these, of any other
    each word names something."""
    if _OF_SPEECH.search(name):
        return False
    if is_called:
        return True
    words = list(chinese_segmenter().cut(name))
    words = words[len(words[0]) == 1 :]  # 正强化, though 正 is an adverb
    telling = (chinese_word_class(word) or "n" for word in words)
    return " " not in strike_words_of_questions(name) and all(kind[0] in _TELLING for kind in telling)


_OF_SPEECH = re.compile(r"[的了吗呢吧啊是我你您他她它这那什怎谁哪]|注意|一个")
_TELLING = frozenset("navbijlsz")
"""What the dictionary calls nouns, verbs, adjectives and set phrases, of which a name is made. A choice."""
