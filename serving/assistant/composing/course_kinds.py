"""`kind_of`: the kind of a question and the aspects it asks for, by who knows the course. Pure.

Belongs here: what is decided beside the wording (`understanding.question_kind`): whether a question is about the
course's life, about a name that looks like an aspect, or a sum.
"""

import re
from collections.abc import Sequence

from knowledge_graph.graph.records import Mention
from serving.assistant.composing.arithmetic import find_named_value, work_out
from serving.assistant.composing.logistics import is_about_the_course
from serving.assistant.composing.rule_topics import BACKGROUND, topics_in
from serving.assistant.composing.terms import OF_QUESTIONS, strike_words_of_questions
from serving.assistant.understanding.aspects import Aspect, find_aspects
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.index.analysis import content_terms

_ASPECT_KINDS = frozenset({"definition", "other", "list", "calculation", "how"})
"""Kinds by wording that are about one aspect where the question names one: "what is the complexity of X"."""

_COMPARED = frozenset({"complexity", "space", "extra_space", "worst_case", "best_case", "average_case"})
"""Aspects in which things are compared, and of which it is asked whether they are so."""


def is_named_by(aspects: Sequence[Aspect], question: str, mentions: Sequence[Mention]) -> bool:
    """Whether what looks like an aspect is a part of the one name that is asked about: "the normal equation"."""
    if not aspects or len(mentions) != 1 or question_kind(question) != "definition":
        return False
    name = mentions[0]
    beside = f"{question[: name.start]} {question[name.end :]}"
    return not find_aspects(beside) and OF_QUESTIONS.issuperset(content_terms(beside, strict=True))


def is_bare_name(question: str, mentions: Sequence[Mention]) -> bool:
    """Whether a question is the name of a concept and nothing else: who types that wants to be told what it is."""
    if len(mentions) != 1:
        return False
    name = mentions[0]
    return not any(char.isalnum() for char in f"{question[: name.start]}{question[name.end :]}")


OF_LECTURES = re.compile(
    r"\b(?:lectures?|videos?|lessons?|episodes?|chapters?|units?|clips?|taught|explain\w*|cover\w*|discuss\w*"
    r"|mention\w*)\b|[讲节集章]|视频|提到",
    re.IGNORECASE,
)
"""What asks for a place in the lectures rather than in the rules."""

_EXAMS = re.compile(r"\b(?:mid-?terms?|finals?|exams?|quiz(?:zes)?|tests?)\b|期中|期末|考试|测验", re.IGNORECASE)

_TOLD = re.compile(r"\b(?:explain|mention|discuss|talk|say|said|told|announce)\w*|[讲说提]", re.IGNORECASE)
"""Which lectures an exam covers is a rule of the course; which of them speaks of it is a place in the lectures."""


def find_defined_thing(question: str, aspects: Sequence[Aspect]) -> str:
    """What looks like an aspect and is all whose definition is asked: "what is big O"; empty where more is asked."""
    found = next((at for one in aspects if (at := one.asked.search(question))), None)
    if found is None or question_kind(question) != "definition":
        return ""
    start = found.start() - len(of.group()) if (of := _OF_WHAT.search(question[: found.start()])) else found.start()
    beside = strike_words_of_questions(f"{question[:start]} {question[found.end() :]}")
    return question[start : found.end()].strip() if OF_QUESTIONS.issuperset(content_terms(beside, strict=True)) else ""


_OF_WHAT = re.compile(
    r"(?:\b(?:time|space|running|memory|computational|asymptotic) ){1,8}$|(?:时间|空间)$", re.IGNORECASE
)

_NAMES_A_NOTATION = re.compile(
    r"^\W*(?:(?:what(?:'s|s| is| does)|define|explain|describe)(?: the)? )?(?:(?:big|little)[- ]?(?:o|oh|omega|theta)"
    r"|tilde)(?: notation)?(?: mean)?\W*$"
    r"|^\W*(?:什么是|解释一?下?)?大? ?[oO] ?(?:记号|表示法|记法|符号)(?:是什么|什么意思)?\W*$",
    re.IGNORECASE,
)
"""A question for what the notation is that others are answered with: "what is big O notation"."""

_PERCENT = re.compile(r"\d ?% of \d")


def kind_of(question: str, *, names_concept: bool = False) -> tuple[QuestionKind, tuple[Aspect, ...]]:
    """The kind of a question and the aspects it asks for: by its wording, and by whether it is about the course."""
    if find_named_value(question) is not None or (_PERCENT.search(question) and work_out(question) is not None):
        return "calculation", ()
    if _NAMES_A_NOTATION.search(question):
        return "definition", ()
    kind = question_kind(question)
    aspects = _find_aspects_of(kind, question)
    if kind == "where" and not names_concept and is_about_the_course(question):
        is_examined = _EXAMS.search(question) and not _TOLD.search(question)
        if is_examined or not OF_LECTURES.search(question):
            return "logistics", ()
    is_of_its_life = kind not in ("task", "plan", "where", "summary", "before", "after") and is_about_the_course(
        question, names_concept=names_concept
    )
    if is_of_its_life or (kind in ("before", "yes_no") and BACKGROUND in topics_in(question)):
        return "logistics", ()
    if kind in ("definition", "how") and all(one.key == "property" for one in aspects):
        return kind, ()
    if kind == "why":
        return kind, tuple(one for one in aspects if one.key in _COMPARED)
    if kind in _ASPECT_KINDS and aspects:
        return "aspect", aspects
    if kind in ("people", "comparison", "yes_no"):
        return kind, tuple(one for one in aspects if one.key in _COMPARED)
    return kind, ()


def _find_aspects_of(kind: QuestionKind, question: str) -> tuple[Aspect, ...]:
    """The aspects that a question of a kind asks for; how big something is may be worked out."""
    return tuple(one for one in find_aspects(question) if kind != "calculation" or one.key != "size")
