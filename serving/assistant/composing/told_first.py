"""What students tell of themselves before they ask: its words are no things that an answer has to name. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.terms import QuestionUnit, known
from serving.assistant.understanding.question_kind import QuestionKind, question_kind

_TOLD_FIRST = re.compile(
    r"^\W*(?:(?:so|hi|hey|ok|okay|hello)\b,? ?)?(?:i|we|my|our)\b(?P<told>.{20,400}?)[,.;:!] ?(?:and |so |but )?"
    r"(?P<asks>(?:what|which|how|why|who|where|when|should)\b[^.!]{6,160})$"
    r"|^\W*(?:老师)?[，,]?(?:我们?|我的)(?P<told_zh>.{6,200}?)[，。；！](?:那么?|请问)?"
    r"(?P<asks_zh>[^，。；！]{0,20}(?:什么|怎么|如何|为什么|哪|谁|多少|吗)[^。！]{0,60})$",
    re.IGNORECASE | re.DOTALL,
)


_ASKS_ALREADY = re.compile(
    r"[?？]| [-\u2013\u2014] (?:what|which|how|why|who|where|when|can|could|do|does|should|is|are)\b"
    r"|什么|怎么|多少|[谁哪吗]",
    re.IGNORECASE,
)
"""What is a question already: "I took this class - can I take that one, and when does it meet"."""


def find_asking_part(question: str) -> str:
    """What a message asks behind what its student tells first; empty where nothing is told first, and for a plan, which
    goes by all of it."""
    found = _TOLD_FIRST.match(question)
    if found is None or _ASKS_ALREADY.search(found["told"] or found["told_zh"]) or question_kind(question) == "plan":
        return ""
    return found["asks"] or found["asks_zh"]


def weaken_told(units: Sequence[QuestionUnit], question: str, kind: QuestionKind) -> tuple[QuestionUnit, ...]:
    """Units of which those that stand only in what is told before the question weigh less, where that names something
    that the course knows itself and is of a kind that is not decided by what is told."""
    asks = "" if kind in _OF_THE_STUDENT else find_asking_part(question).lower()
    asked = {unit.label for unit in known(units) if unit.label.lower() in asks}
    if not asked:
        return tuple(units)
    return tuple(unit if unit.label.lower() in asks else replace(unit, weight=TOLD * unit.weight) for unit in units)


_OF_THE_STUDENT = frozenset({"logistics", "catalogue", "plan", "yes_no", "calculation"})
"""Kinds of questions that what students tell of themselves decides: whether they may, and which class is for them."""
TOLD = 0.3
"""How much of its weight a thing keeps that is only told. A choice."""
