"""One question in fewer words, by rules: as students type it when nobody looks.

Belongs here: which parts of a question can go, in English and in Chinese, and in which order. How short each question
of a set becomes is `reshaping`'s.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Literal

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.segmenter import chinese_segmenter
from knowledge_graph.text.sentences import has_cjk
from serving.index.analysis import content_terms

Part = Literal["polite", "asking", "filler", "subject"]
"""What a word does: courtesies go first, then words of a question, then those without a subject."""

_WORD = re.compile(
    r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff](?:[^\s\u3400-\u9fff?？!！,，.。;；:：()（）\"“”]*[^\W_\u3400-\u9fff]|)[+#]*"
)

_POLITE_EN = re.compile(
    r"\b(?:hello|hi|hey|please|thanks?(?: you)?|sorry|excuse me|dear \w+|i (?:would|'d) like to (?:know|ask)|"
    r"i wonder(?:ed)?(?: if| whether)?|(?:can|could|would|will) you(?: please)? (?:tell me|explain(?: to me)?|"
    r"help me(?: with)?)|(?:do you|does anybody) know|tell me|explain)\b",
    re.IGNORECASE,
)
_ASKING_EN = re.compile(
    r"^\W*(?:(?:what|which|who|where|when|why|how)(?:['’]s)?(?:\s+(?:many|much|long|often|old|exactly))?\b\s*)?"
    r"(?:\b(?:is|are|was|were|do|does|did|can|could|may|might|should|shall|would|will|must|has|have)\b\s*)?"
    r"(?:\b(?:there|i|you|we|they|one|it|somebody|someone)\b\s*)?(?:\b(?:an?|the|my)\b\s*)?",
    re.IGNORECASE,
)
_POLITE_ZH = re.compile(
    "请问(?:一下)?|老师(?:您?好)?|[你您]好|谢谢(?:老师)?|麻烦(?:问)?(?:一下)?|我?想(?:问|知道|了解)(?:一下)?|同学们?"
)
_ASKING_ZH = re.compile(
    "什么是|是什么(?:意思)?|为什么(?:要)?|怎么(?:样|办)?|怎样|如何|应该|到底|究竟|能不能|可不可以|是不是|有没有|是否|可以|哪里|哪儿|"
    "哪些?|哪个|多少|什么|几点|[吗呢吧啊呀么]"
)
_POLITE = {"en": _POLITE_EN, "zh": _POLITE_ZH}
_ASKING = {"en": _ASKING_EN, "zh": _ASKING_ZH}


_GENERAL = (
    "how why when where who difference differ between mean use using work need count take get one two each any many "
    "much time class course first last good better best 怎么 为什么 还是 区别 不同 大概 多少 小时 几个 时候 情况 课程"
)
"""Words that a title and a question may share by accident."""


@dataclass(frozen=True)
class Word:
    """A word of a question, or a name of several words that stays whole; offsets are those of the question."""

    text: str
    start: int
    end: int
    part: Part
    is_name: bool = False


@dataclass(frozen=True)
class ShortenedQuestion:
    """A question in some of its words, and whether it still says what it is about."""

    text: str
    words: tuple[Word, ...]


def key_terms(question: str, titles: Collection[str], names: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """The index terms that a question shares with the titles of what answers it.

    Of those, the ones in a concept that it names (`names`, stretches of it); else those that say more than "how" or
    "difference"; all its own terms when it shares none.
    """
    own = frozenset(content_terms(question))
    shared = own & frozenset(term for title in titles for term in content_terms(title))
    named = frozenset(term for start, end in names for term in content_terms(question[start:end], strict=True))
    chosen = (shared & named, shared - _general(), shared, named, own - _general(), own)
    return next((found for found in chosen if found), own)


def keeps_a_key(text: str, keys: Collection[str]) -> bool:
    """Whether a wording still has one of the terms by which its question is answered."""
    return not keys or not frozenset(keys).isdisjoint(content_terms(text))


def wordings(
    question: str,
    lang: Lang,
    *,
    keys: Collection[str],
    names: Sequence[tuple[int, int]] = (),
    seed: int = 0,
) -> tuple[ShortenedQuestion, ...]:
    """Ways to ask the same, longest first, the question without its last mark among them.

    Each is a part of the question's words in their order, lower-case but for the first wording, and keeps one of
    `keys`. Courtesies go, then words of a question, then those that carry no subject, then one after another what is
    no key, at last all keys but one; which of equals goes first is drawn by `seed`. `names` are stretches of the
    question that stay whole: its concepts.
    """
    whole = question.strip()
    bare = whole.rstrip("?？!！.。… ") or whole
    words = words_of(question, lang, names)
    kept = [words]
    for part in ("polite", "asking", "filler"):
        kept.append(tuple(word for word in kept[-1] if word.part != part))
    kept += _fewer(kept[-1], frozenset(keys), Random(f"{seed} {question}"))
    found = {bare: ShortenedQuestion(bare, words)}
    for some in kept:
        text = join_words([word.text.lower() for word in some])
        if text and keeps_a_key(text, keys):
            found.setdefault(text, ShortenedQuestion(text, some))
    return tuple(sorted(found.values(), key=lambda one: (-len(one.text), one.text)))


def words_of(question: str, lang: Lang, names: Sequence[tuple[int, int]] = ()) -> tuple[Word, ...]:
    """The words of a question with what they do. Names come from the graph, Chinese words from jieba."""
    polite = [match.span() for match in _POLITE[lang].finditer(question)]
    rest = max((end for start, end in polite if not question[:start].strip()), default=0)
    asking = [
        (start + rest, end + rest) for start, end in (one.span() for one in _ASKING[lang].finditer(question[rest:]))
    ]
    found = [_word(question, span, polite, asking) for span in _spans(question, names)]
    whole = [Word(question[start:end], start, end, "subject", is_name=True) for start, end in names]
    return tuple(sorted((*found, *whole), key=lambda one: one.start))


def join_words(texts: Sequence[str]) -> str:
    """Words as one text: a blank between them, none beside Chinese."""
    if not texts:
        return ""
    parts = [texts[0]]
    for before, after in pairwise(texts):
        parts += ["" if has_cjk(before[-1]) or has_cjk(after[0]) else " ", after]
    return "".join(parts)


@cache
def _general() -> frozenset[str]:
    return frozenset(content_terms(_GENERAL))


def _spans(question: str, names: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where the words are that belong to no name."""
    for match in _WORD.finditer(question):
        at = match.start()
        for piece in _cut(match.group()):
            start, at = at, at + len(piece)
            if not any(start < end and begin < at for begin, end in names):
                yield start, at


def _cut(run: str) -> Sequence[str]:
    if not has_cjk(run):
        return [run]
    return list(chinese_segmenter().cut(run))


def _word(
    question: str, span: tuple[int, int], polite: Sequence[tuple[int, int]], asking: Sequence[tuple[int, int]]
) -> Word:
    text = question[span[0] : span[1]]
    part: Part = "subject" if content_terms(text, strict=True) else "filler"
    if _within(span, asking):
        part = "asking"
    if _within(span, polite):
        part = "polite"
    return Word(text, *span, part)


def _within(span: tuple[int, int], stretches: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in stretches)


def _fewer(words: tuple[Word, ...], keys: frozenset[str], random: Random) -> Iterator[tuple[Word, ...]]:
    """One word less at a time, those that are no key first; of the others, the longest say most and go last."""
    drawn = {word: (_is_key(word, keys), word.is_name, len(word.text) * random.uniform(0.5, 1.5)) for word in words}
    left = list(words)
    while len(left) > 1:
        left.remove(min(left, key=lambda one: drawn[one]))
        yield tuple(left)


def _is_key(word: Word, keys: frozenset[str]) -> bool:
    return not keys.isdisjoint(content_terms(word.text, strict=True))
