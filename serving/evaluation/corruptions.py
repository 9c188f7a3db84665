"""Right answers made wrong in one place, and said in other words: what a checker of attribution must tell apart.

Deterministic: the same answer gives the same corruptions. Its words are a list of its own, not the checker's.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import has_cjk

CorruptionKind = Literal["subject", "comparative", "negation", "number"]

_PAIRS_EN = (
    "faster slower|more less|more fewer|larger smaller|bigger smaller|greater smaller|higher lower|longer shorter|"
    "before after|first last|better worse|best worst|left right|above below|front back|top bottom|increases decreases|"
    "increase decrease|increasing decreasing|grows shrinks|upper lower|maximum minimum|"
    "largest smallest|highest lowest|always never|easier harder|easy difficult|"
    "cheap expensive|fast slow|high low|large small|long short|"
    "most fewest|many few|at_most at_least|up_to at_least|inserted removed|insert remove|sorted unsorted|"
    "same different|earlier later|inside outside|open closed|allowed forbidden|required forbidden|simple complicated|"
    "quickly slowly|"
    "strong weak|positive negative|ascending descending|sparse dense|convex concave|global local|linear nonlinear|"
    "supervised unsupervised|directed undirected|weighted unweighted|input output|row column|rows columns"
)
_PAIRS_ZH = (
    "更快 更慢|更多 更少|更大 更小|更高 更低|更长 更短|之前 之后|以前 以后|第一个 最后一个|更好 更差|最好 最坏|左 右|"
    "最大 最小|增加 减少|增大 减小|递增 递减|至多 至少|"
    "最多 最少|不超过 不少于|以内 以上|插入 删除|入队 出队|入栈 出栈|"
    "队头 队尾|栈顶 栈底|有序 无序|相同 不同|容易 困难|"
    "大于 小于|高于 低于|可以 不可以|快 慢|前驱 后继|入度 出度|局部 全局|"
    "有向 无向|线上 线下"
)
_NUMBER = re.compile(r"(?<![\w.^(])\d{1,4}(?:\.\d+)?(?![\w^)]|\.\d)")
_WORDS_EN = {
    "two": "four", "three": "five", "four": "seven", "five": "three", "six": "nine", "seven": "four",
    "eight": "six", "nine": "twelve", "ten": "fifteen", "twelve": "eight", "twenty": "fifty",
}  # fmt: skip
_HAN = re.compile(r"(?<![一二两三四五六七八九十百千])[二两三四五六七八九十](?=[个天次种条层十周百千日倍])")
_HAN_OTHER = dict(zip("二两三四五六七八九十", "五四六九二八三四六三", strict=True))
_GROWTH = re.compile(r"O\((?:[^()]|\([^()]*\))*\)|O of (?:log n|n squared|n|one)\b")
_GROWTHS = ("O(1)", "O(log n)", "O(n)", "O(n log n)", "O(n^2)")
_UNITS = {"days": "weeks", "weeks": "months", "hours": "minutes", "minutes": "hours", "months": "days"}
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|does|do|did|will|would|should|must|may|has|have)\b(?! not|n?'t| never)"
)
_PLAIN_VERB = re.compile(
    r"\b(removes|uses|needs|takes|gives|makes|works|means|keeps|stores|contains|counts|guarantees|finds|holds|depends|"
    r"requires|returns)\b"
)
_DENIED_EN = re.compile(
    r"\b(is|are|was|were|can|could|does|do|will|would|should|must|may|has|have) not\b|\bcannot\b"
    r"|\b(?:do|does|is|are|was)n't\b"
)
_DENIED_ZH = re.compile(r"不(?=需要|能|可以|是|会|用|必|再|计|占|动)|没有")
_AFFIRMED_ZH = re.compile(r"(?<![不没])(?:需要|可以|能够|是(?!否)|会(?!员|议)|必须|应该|能(?!力|量))")


@dataclass(frozen=True)
class Corrupted:
    """An answer with one thing wrong."""

    kind: CorruptionKind
    text: str


def corruptions(answer: str, names: Sequence[str]) -> Iterator[Corrupted]:
    """One of each kind that the answer has a place for. `names` are the course's concepts, the best first."""
    makers: Mapping[CorruptionKind, Callable[[str], str | None]] = {
        "subject": lambda text: swap_names(text, names),
        "comparative": turn_round,
        "negation": turn_denial,
        "number": change_number,
    }
    for kind, make in makers.items():
        wrong = make(answer)
        if wrong is not None and wrong != answer:
            yield Corrupted(kind, wrong)


def swap_names(text: str, names: Sequence[str]) -> str | None:
    """Two names exchanged; where there is one, another of the course in its place."""
    found = TermMatcher((name.lower(), name) for name in names).find(text)
    said = list(dict.fromkeys(match.keys[0] for match in found))
    if not said:
        return None
    first = said[0]
    others = [key for key in said[1:] if key not in first and first not in key]
    spare = [name.lower() for name in names if name.lower() not in text.lower() and has_cjk(name) == has_cjk(first)]
    spare = [name for name in spare if name not in first and first not in name]
    if not others and not spare:
        return None
    second = others[0] if others else spare[_digest(text) % len(spare)]
    new, at = [], 0
    for match in found:
        key = match.keys[0]
        if key in (first, second):
            new += [text[at : match.start], _with_case_of(second if key == first else first, text[match.start])]
            at = match.end
    return "".join([*new, text[at:]])


def turn_round(text: str) -> str | None:
    """The first comparison, place or direction turned round."""
    pairs = _pairs(_PAIRS_ZH if has_cjk(text) else _PAIRS_EN)
    form = "|".join(sorted(map(re.escape, pairs), key=len, reverse=True))
    pattern = re.compile(form if has_cjk(text) else rf"\b(?:{form})\b", re.IGNORECASE)
    found = pattern.search(text)
    if found is None:
        return None
    other = pairs[found.group().lower()]
    return text[: found.start()] + _with_case_of(other, found.group()[0]) + text[found.end() :]


def turn_denial(text: str) -> str | None:
    """The first denial taken away, or one put in."""
    if has_cjk(text):
        if found := _DENIED_ZH.search(text):
            return text[: found.start()] + ("有" if found.group() == "没有" else "") + text[found.end() :]
        found = _AFFIRMED_ZH.search(text)
        return None if found is None else f"{text[: found.start()]}不{text[found.start() :]}"
    if found := _DENIED_EN.search(text):
        kept = found[1] or ("can" if found.group() == "cannot" else found.group()[:-3])
        return text[: found.start()] + kept + text[found.end() :]
    if found := _AUXILIARY.search(text):
        return f"{text[: found.end()]} not{text[found.end() :]}"
    if found := _PLAIN_VERB.search(text):
        return f"{text[: found.start()]}never {text[found.start() :]}"
    return None


def change_number(text: str) -> str | None:
    """Another order of growth, number or unit."""
    if found := _GROWTH.search(text):
        others = [one for one in _GROWTHS if one not in text and one != found.group().replace(" of n", "(n)")]
        return text[: found.start()] + others[_digest(text) % len(others)] + text[found.end() :]
    if found := _NUMBER.search(text):
        value = found.group()
        return text[: found.start()] + (str(int(value) + 3) if value.isdecimal() else value + "5") + text[found.end() :]
    if has_cjk(text) and (found := _HAN.search(text)):
        return text[: found.start()] + _HAN_OTHER[found.group()] + text[found.end() :]
    for word, other in {**_WORDS_EN, **_UNITS}.items():
        if found := re.search(rf"\b{word}\b", text):
            return text[: found.start()] + other + text[found.end() :]
    return None


def reword(text: str) -> str:
    """The same in other words: synonyms, short forms, and the halves of a contrast in the other order."""
    if has_cjk(text):
        for old, new in _SYNONYMS_ZH.items():
            text = text.replace(old, new)
        return text
    for old, new in _SYNONYMS_EN.items():
        text = re.sub(rf"(?<!-)\b{old}\b(?!-| (?:hundred|thousand|million))", new, text)
    contrast = r"^([A-Z])([^,;.]{15,}), (while|whereas) ([^,;.]{15,})\.$"
    return re.sub(contrast, _other_half_first, text, flags=re.MULTILINE)


def _other_half_first(found: re.Match[str]) -> str:
    return f"{found[3].capitalize()} {found[4]}, {found[1].lower()}{found[2]}."


_SYNONYMS_EN = {
    "usually": "as a rule", "therefore": "so", "you": "one", "because": "since", "needs": "requires",
    "need": "require", "use": "employ", "uses": "employs", "does not": "doesn't", "do not": "don't",
    "cannot": "can not", "is not": "isn't", "large": "big", "get": "receive", "begin": "start", "each": "every",
    "about": "roughly", "only": "just", "for example": "for instance", "so that": "in order that",
    "also": "in addition",
    "two": "2", "three": "3", "five": "5", "ten": "10", "often": "frequently", "Okay, so": "So", "um": "",
    "called": "named", "happens": "occurs", "show": "demonstrate", "shows": "demonstrates", "big": "large",
}  # fmt: skip
_SYNONYMS_ZH = {
    "因为": "由于", "所以": "因此", "例如": "比如", "可以": "能够", "如果": "要是", "需要": "须要", "常用": "经常使用",
    "必须": "一定要", "就是": "即", "只有": "仅有", "每个": "每一个", "通常": "一般", "请": "",
}  # fmt: skip


def _pairs(listed: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in listed.split("|"):
        one, other = (word.replace("_", " ") for word in pair.split())
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


def _with_case_of(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like.isupper() else word


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)
