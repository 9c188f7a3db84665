"""Whole names: a name of several words is more than the concepts that are mentioned in it. Pure."""

import re
from collections.abc import Sequence

from knowledge_graph.graph.records import Mention
from knowledge_graph.text.segmenter import chinese_word_class
from serving.assistant.composing.terms import TELLING_KINDS, WORDS_OF_QUESTIONS, is_name
from serving.index.analysis import terms

_FILLING = (
    r"(?:is|are|again|exactly|actually|really|please|means?|here|then|anyway|though|simply|briefly|quickly|properly)\b"
)
_HOW_TOLD = r"[a-z]+(?:ally|ively)\b"
"""In which way something is to be defined: geometrically, recursively."""
_WORD_OF_NAME = rf"(?!{_FILLING}|{_HOW_TOLD})[A-Za-z][A-Za-z-]+"
_DEFINES = re.compile(
    r"^\W*(?:(?:please |can you |could you )*(?:what(?:'s|s| is| are)|define|explain|describe|tell me what)"
    rf"(?: (?:is|are|a|an|the|meant by|by|exactly|actually))*) ({_WORD_OF_NAME}(?: {_WORD_OF_NAME}){{1,4}})"
    rf"(?: {_FILLING}| {_HOW_TOLD})*\W*$",
    re.IGNORECASE,
)
_JOINING = frozenset(
    "of for in on at to from with without by as and or vs versus between about behind under over than into per "
    "is are was were do does did can could will would should has have had not if when where which that this it its "
    "my your our their his her i you we they there here a an the called used".split()
)
"""Words with which a question says more than a name."""
GENERIC = frozenset(
    "algorithm algorithms method methods function functions technique techniques problem problems approach concept "
    "term model models theorem structure structures operation operations property rule formula idea process "
    "procedure equation".split()
)
"""Words that add nothing to a name."""
KINDS = GENERIC | frozenset(
    "form forms case judgment judgement decision ruling doctrine test principle act statute clause defence defense "
    "remedy law effect theory hypothesis experiment study paradox syndrome disease disorder reaction cycle war battle "
    "treaty movement variable scale level measurement error sample sampling distribution coefficient interval bias "
    "diagram chart curve plot graph".split()
)
"""Words behind a name that say what kind of thing it is; who speaks of it often leaves them out: "then comes ordinal".
A choice."""
_WORDS_APART = re.compile(r"[ -]")


def without_kind(name: str) -> str:
    """A name without the last word, where that says only what kind of thing it is and the rest names it alone, for it
    is rare or of several words: "SSA form"; in Chinese without the word behind it that does, 吊桥效应. Empty for any
    other."""
    if (named := _WITH_KIND_ZH.fullmatch(name)) is not None:
        return named[1]
    rest, _, head = name.rpartition(" ")
    return rest if head.lower() in KINDS and (len(_WORDS_APART.split(rest)) > 1 or is_name(rest)) else ""


_WITH_KIND_ZH = re.compile(r"([\u4e00-\u9fff]{2,6})(?:效应|理论|定律|法则|原理|现象|实验|模型|假说)")
_NAME_ZH = r"[\u4e00-\u9fff]{3,8}"
_DEFINES_ZH = re.compile(
    r"^(?:请问|那么?|所以)?[，,]?"
    rf"(?:(?:什么是|何谓|啥是|什么叫做?|(?:解释|介绍|说明|讲)一下(?:什么是)?)({_NAME_ZH})"
    rf"|({_NAME_ZH}?)(?:到底|究竟)?(?:是(?:个|一种)?(?:什么|啥)(?:意思|东西|玩意儿?)?|指的?是什么))[呀啊呢]?\W*$"
)
_OF_PHRASES_ZH = re.compile(
    r"[的和与跟及或里中上下在了吗呢是不有这那么怎为对把被给让请哪个些我你它他们]|什么|之间|这门|课程"
)
"""Words with which a Chinese question says more than a name."""

OF_KINDS = frozenset("full perfect complete simple strict weak strong hard soft".split())
"""Words that make another thing of the concept behind them: a full binary tree is one of its own."""
_ASIDE = re.compile(r"\([^()]{1,80}\)\W{0,3}$")


def whole_name(question: str, mentions: Sequence[Mention]) -> str:
    """The name of two to five words whose definition is asked, where words of it say more than the concepts that are
    mentioned in it: "confusion matrix" is no matrix. A Chinese one of three to eight characters in which no concept is
    mentioned, 机器学习, though 学习 is a word that questions are made of, or one behind a word, 有效需求. Empty for any
    other question."""
    if (asked := _DEFINES_ZH.match(question)) is not None:
        start, end = asked.span(1 if asked[1] else 2)
        within = [one for one in mentions if one.start < end and start < one.end]
        if len(within) == 1 and _is_kind_of(within[0], question[start:end]):
            return question[start:end]
        return "" if within or _OF_PHRASES_ZH.search(question, start, end) else question[start:end]
    asked = _DEFINES.search(_ASIDE.sub("", question))
    said = asked[1].lower().split() if asked is not None else []
    named = [one for one in mentions if asked is not None and one.start < asked.end(1) and asked.start(1) < one.end]
    is_of = len(said) == len(("bag", "of", "words")) and (
        (said[1] == "of" and said[0] not in _OF_IT and not named) or (said[1] == "by" and said[0].islower())
    )
    if asked is None or not (is_of or _JOINING.isdisjoint(said)) or WORDS_OF_QUESTIONS.issuperset(said):
        return ""
    rest = question
    for one in named:
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    words = (word.lower() for word in rest[asked.start(1) : asked.end(1)].split())
    telling = (one for one in words if one not in GENERIC and (one not in WORDS_OF_QUESTIONS or one == said[-1]))
    return asked[1] if any(telling) else ""


_OF_IT = frozenset(
    "goal aim purpose point use role job task benefit importance meaning definition essence intuition idea result "
    "outcome cause reason effect consequence advantage drawback cost origin".split()
)
"""What is asked of a thing, and with it no other thing: the goal of clustering is none as a bag of words is."""


def _is_kind_of(mention: Mention, name: str) -> bool:
    """Whether a Chinese name is a concept's behind a word that makes another thing of it: 有效需求 is no 需求."""
    before = name.removesuffix(mention.surface)
    return before != name and chinese_word_class(before)[:1] in TELLING_KINDS | {"d"} and before not in _OF_ANY_ZH


_OF_ANY_ZH = frozenset(
    "一般 普通 通常 常见 常用 主要 重要 基本 简单 经典 典型 具体 详细 真正 整个 全部 所有 各种 其他 相关 实际 上述"
    " 课程 学习 理解 使用 计算 分析 研究 解释 介绍 说明".split()
)
"""Words before a name that make no other thing of it."""


def says_in_order(text: str, name: str) -> bool:
    """Whether a text has the terms of a name one after the other."""
    said, wanted = terms(text), terms(name)
    return any(said[at : at + len(wanted)] == wanted for at in range(len(said) - len(wanted) + 1))


def stands_alone(text: str, name: str) -> bool:
    """Whether an English text has a name with no other noun behind it, which makes another thing of it: of "Turing
    machine" no Turing test is known, of "In Etridge, the bank" the Etridge case is."""
    return re.search(_ALONE.format(re.escape(name)), text, re.IGNORECASE) is not None


_ALONE = (
    r"\b{}(?:['’]s)?(?:\W*$|[,.;:?!()]| (?:"
    + "|".join(
        sorted(_JOINING | KINDS | {"v", "comes", "means", "says", "said", "tells", "because", "also", "so", "then"})
    )
    + r")\b)"
)


def says_with_one(text: str, name: str) -> bool:
    """Whether a text has an English name with "one" for its last word: "an inelastic one" is a collision, too, where
    the sentence before it tells of an elastic collision."""
    kind = name.rpartition(" ")[0].lower()
    return bool(kind) and re.search(rf"\b{re.escape(kind)} ones?\b", text, re.IGNORECASE) is not None


def says_whole(text: str, name: str) -> bool:
    """Whether a text has a whole name: an English one by its terms in order, a Chinese one as it is written."""
    return says_in_order(text, name) if name.isascii() else _squeeze(name) in _squeeze(text)


def _squeeze(text: str) -> str:
    """A Chinese text without blanks, which captions write around Latin names or leave out, and without capitals."""
    return "".join(text.split()).lower()
