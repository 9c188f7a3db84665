"""`ReadStatement`: one sentence read into marks: what it names, counts, compares and denies, and of whom it says so.

A shallow reading by closed words, in English and Chinese: no parser is loaded, a sentence takes a fraction of a
millisecond. Who is spoken of is the name before; one that a comparison or preposition brings in ("than a list") is not.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import has_cjk, lower_text
from serving.assistant.grounding.complexities import growths
from serving.assistant.grounding.directions import directions
from serving.assistant.grounding.numbers import numbers
from serving.index.analysis import content_terms

Kind = Literal["name", "number", "growth", "direction", "term", "break", "denial"]

Subjects = frozenset[str]

ADMINISTRATIVE = (
    "quiz quizzes midterm exam assignment homework lab project lecture certificate resit forum tutorial grade "
    "submission deadline attendance seminar essay thesis appeal "
    "测验 作业 期末考试 期中考试 证书 补考 实验 讨论区 签到 平时成绩 报告"
).split()
"""What courses speak of besides their subject: known by name in every course."""

DENIAL = re.compile(
    r"\b(?:not(?! only| just)|no(?! (?:matter|doubt|\d))|never|neither|nor|cannot|without|none|nothing|nobody|unable"
    r"|hardly)\b|n['’]t\b"
    r"|不(?![仅但只管论过断同少久妨料如得]|可或缺|等式|变|等于)|没(?!收)|(?<![毫])无(?!论|穷|限|向|序|权|符号|监督|关|法)|无法"
    r"|并非|绝非|未(?!来|知|必)"
)
_BREAK = re.compile(
    r"[,;:.()?!—–，。；：、？！（）]|(?<=\s)-(?=\s)"
    r"|(?<![a-z])(?:while|whereas|but|because|although|though|however|unless)(?![a-z])"
    r"|但是|而是|因为|所以|然而|但"
)
_COMPARED = re.compile(
    r"\b(?:instead of|rather than|than|unlike|compared (?:to|with)|versus|vs|other than|not)|比|相比|不是|不同于|而不是"
)
_JOINING = frozenset("and or a an the both , 、 和 与 或 及".split())
_AND = re.compile(r"\b(?:and|or)(?: (?:a|an|the|any|each|its))?\s*$")
_LISTED = re.compile(r"\s*(?:,\s*)?(?:and|or|nor)\b|\s*[、和与或及]")
"""After a name of a list that goes on."""
_THERE = re.compile(r"\W*(?:(?:no|yes|so|and|also|then)\b\W*)*there (?:is|are|was|were|will be)\b", re.IGNORECASE)
_CONTRAST = re.compile(r"but|while|whereas|although|though|except|however|unlike", re.IGNORECASE)
_IS = re.compile(
    r"(?:\b(?:is|are|was|were|be|as|called|named)(?: (?:not|also|just|only|really|always|never))*"
    r"(?: (?:a|an|the|any|one|this))?(?: (?:kind|type|form|sort) of)?|是|叫做?|称为|即|就是|也是|属于|一种|一个)\s*$"
)
_WORD = re.compile(r"[^\W_\u2e80-\uffef]+(?:['’][a-z]+)?[+#]*|[\u3400-\u9fff]+")
_PREFIXED = re.compile(
    r"^(?:un|non|in)(?=(?:sorted|stable|weighted|directed|balanced|ordered|successful|likely|necessary|able|limited"
    r"|linear|bounded|correct|efficient|equal|visited|settled|used)$)"
)
_EMPTY = frozenset(
    content_terms(
        "one thing things way ways lot lots bit kind sort case example instance say said see know think mean means "
        "call called name named want need needs use uses used using employ take takes taken get gets give gives "
        "make makes made go goes come comes put look looks work works do does doing just also only even still "
        "again now then here there very really quite well okay ok yes time times happen happens occur show shows "
        "demonstrate like actually basically usual rule roughly about around certain particular different let try "
        "keep keeps have has having been being each every any all both some many much other another such same "
        "order receive begin start require requires when how what why",
        strict=True,
    )
) | frozenset(
    "这样 那么 就是 时候 我们 你们 他们 东西 事情 例子 比如 例如 可以 能够 需要 因为 "
    "所以 由于 因此 如果 要是 这里 那里 现在 今天 一个 这个 那个 什么 怎么 怎样 通常 一般".split()
)
"""Words that carry no claim: two sentences do not differ by them. A choice."""

DENIED_TERMS = 6
"""Marks behind a denial that it may deny, up to the end of the clause. A choice."""


@dataclass(frozen=True, slots=True)
class StatementMark:
    """One thing that a sentence says. `key` is equal for all its spellings; `value` is what must agree with it.

    The value is the end of a direction (`1`, `-1`) and the number or order of growth itself. `denied` is the number of
    the denial that reaches it, 0 for none; `subjects` are the names of which it is said.
    """

    kind: Kind
    key: str
    value: str
    text: str
    denied: int = 0
    subjects: Subjects = frozenset()
    clause: int = 0
    is_subject: bool = False

    @property
    def sign(self) -> str:
        """The key with the value: what stands around another mark."""
        return f"{self.key} {self.value}" if self.value else self.key


@dataclass(frozen=True)
class ReadStatement:
    """One sentence, read. `names` are those that it speaks of itself."""

    text: str
    evidence_id: str
    marks: tuple[StatementMark, ...]
    names: Subjects


class StatementReader:
    """Reads sentences of one course: `names` are its concepts, their other names included."""

    def __init__(self, names: Collection[str]) -> None:
        known = sorted({name for name in (*names, *ADMINISTRATIVE) if len(name) > 1 or has_cjk(name)})
        self._matcher = TermMatcher((name.lower(), name) for name in known)

    def names(self, text: str) -> Subjects:
        """The names that a text speaks of."""
        return frozenset(_one(match.keys) for match in self._matcher.find(text))

    def read(self, text: str, *, evidence_id: str = "", carried: Subjects = frozenset()) -> ReadStatement:
        """One sentence; `carried` are the names spoken of before it."""
        spans = sorted(self._spans(lower_text(text)), key=lambda span: span[0])
        bound = _bound(_without_list_commas(spans, lower_text(text)), lower_text(text), carried)
        marks = tuple(_apply_denials(_add_later_names(tuple(bound)) if _THERE.match(text) else bound))
        own = frozenset(mark.key for mark in marks if mark.kind == "name")
        said = tuple(mark for mark in marks if mark.kind not in ("break", "denial"))
        return ReadStatement(text, evidence_id, said, own)

    def _spans(self, text: str) -> Iterator[tuple[int, int, StatementMark]]:
        free = text
        for growth in growths(free):
            yield growth.start, growth.end, _mark("growth", "growth", growth.key, text[growth.start : growth.end])
            free = _blank(free, growth.start, growth.end)
        for match in self._matcher.find(free):
            yield match.start, match.end, _mark("name", _one(match.keys), "", text[match.start : match.end])
            free = _blank(free, match.start, match.end)
        for number in numbers(free):
            value = f"{number.value.normalize():f}{number.unit}"
            yield number.start, number.end, _mark("number", f"number {number.unit}", value, number.text)
            free = _blank(free, number.start, number.end)
        yield from _find_closed_marks(free, text)


def _find_closed_marks(free: str, text: str) -> Iterator[tuple[int, int, StatementMark]]:
    """Directions, denials and breaks, then what is left: plain terms."""
    for found in DENIAL.finditer(free):
        yield found.start(), found.end(), _mark("denial", "", "", found.group())
        free = _blank(free, found.start(), found.end())
    for one in directions(free):
        yield one.start, one.end, _mark("direction", one.axis, str(one.end_of), text[one.start : one.end])
        free = _blank(free, one.start, one.end)
    for found in _BREAK.finditer(free):
        yield found.start(), found.end(), _mark("break", "", "", found.group())
        free = _blank(free, found.start(), found.end())
    for found in _WORD.finditer(free):
        for key, is_denied in _terms(found.group()):
            yield (
                found.start(),
                found.end(),
                replace(_mark("term", key, "", found.group()), denied=-1 if is_denied else 0),
            )


@lru_cache(1 << 14)
def _terms(word: str) -> tuple[tuple[str, bool], ...]:
    """The keys of a word, and whether its prefix denies it: "unsorted" is a denied "sorted"."""
    if has_cjk(word):
        return tuple((term, False) for term in content_terms(word, strict=True) if len(term) > 1 and term not in _EMPTY)
    plain = _PREFIXED.sub("", word)
    return tuple((term, plain != word) for term in content_terms(plain, strict=True) if term not in _EMPTY)


def _bound(spans: Sequence[tuple[int, int, StatementMark]], text: str, carried: Subjects) -> Iterator[StatementMark]:
    """Every mark with its clause and those of whom it is said: the name that opens the clause, or the one before."""
    subjects, clause, opened, last = carried, 0, 0, -1
    has_own = False
    for start, end, mark in spans:
        leads = joined = False
        if mark.kind == "break":
            clause, opened = clause + 1, end
        elif mark.kind == "name":
            before = text[max(0, start - 32) : start]
            joined = last >= 0 and _joins(text[last:start])
            opens = opened >= 0 or _AND.search(before) is not None
            leads = joined or not has_own or (opens and not _COMPARED.search(before[-16:]) and not _IS.search(before))
            if leads:
                subjects = subjects | {mark.key} if joined else frozenset({mark.key})
                has_own, last = True, end
        if mark.kind in ("term", "direction", "name", "number", "growth"):
            opened = -1
        yield replace(mark, clause=clause, subjects=subjects, is_subject=leads)


def _without_list_commas(
    spans: Sequence[tuple[int, int, StatementMark]], text: str
) -> Sequence[tuple[int, int, StatementMark]]:
    """The spans less the breaks within "quizzes, the midterm and the exam": what denies the first denies all."""
    kept = list(spans[:1])
    for place in range(1, len(spans)):
        start, end, mark = spans[place]
        after = spans[place + 1] if place + 1 < len(spans) else None
        if mark.kind == "break" and after is not None and kept[-1][2].kind == after[2].kind == "name":
            is_within = _joins(text[kept[-1][1] : after[0]]) and _LISTED.match(text[after[1] :]) is not None
        else:
            is_within = False
        if not is_within:
            kept.append((start, end, mark))
    return kept


def _add_later_names(marks: Sequence[StatementMark]) -> Iterator[StatementMark]:
    """The marks of "there are no late days for quizzes and the exam": what stands before the names is said of them all,
    up to a contrast, and not of whom was spoken of before."""
    contrast = next((place for place, mark in enumerate(marks) if _CONTRAST.fullmatch(mark.text)), len(marks))
    first = next((place for place, mark in enumerate(marks) if mark.kind == "name"), 0)
    names = frozenset(mark.key for mark in marks[:contrast] if mark.kind == "name")
    for place, mark in enumerate(marks):
        yield replace(mark, subjects=names) if place < min(first, contrast) else mark


def _joins(between: str) -> bool:
    """Whether what stands between two names only joins them: "a stack and a queue"."""
    return all(word in _JOINING for word in between.replace(",", " , ").replace("、", " 、 ").split())


def _apply_denials(marks: Iterator[StatementMark]) -> Iterator[StatementMark]:
    """The marks with the denial that reaches each: forward to the end of the clause, `DENIED_TERMS` at most."""
    number, active, left = 0, 0, 0
    for mark in marks:
        if mark.kind == "denial":
            number, left = number + 1, DENIED_TERMS
            active = 0 if active and left else number
        elif mark.kind == "break":
            active = 0
        elif mark.denied < 0:
            number += 1
            mark = replace(mark, denied=0 if active else number)
        elif active and left:
            left -= 1
            mark = replace(mark, denied=active)
        yield mark


def _mark(kind: Kind, key: str, value: str, text: str) -> StatementMark:
    return StatementMark(kind, key, value, text)


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + "\n" * (end - start) + text[end:]


def _one(keys: Sequence[str]) -> str:
    return keys[0]
