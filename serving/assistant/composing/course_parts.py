"""The parts of a course that have rules of their own, the midterm and the final, and which a text names. Pure."""

import re
from collections.abc import Sequence

from serving.assistant.composing.terms import QuestionUnit, coverage, terms_of
from serving.index.analysis import terms


def is_part(unit: QuestionUnit) -> bool:
    """Whether a question names a part of a course by it."""
    is_paper = _PAPER.search(f"a {unit.label}") is not None
    return is_paper or any(name & _PARTS for name in unit.names) or any(word in unit.label for word in _PARTS_ZH)


def is_of_another_part(text: str, parts: Sequence[QuestionUnit]) -> bool:
    """Whether a rule names parts of a course, and none of those that are asked about. What is said of exams is said of
    each of them."""
    said = terms_of(text)
    said = said | _QUIZ if said & _QUIZ else said
    is_exam = any(name & _EXAMS for unit in parts for name in unit.names)
    others = _PARTS if is_exam else _PARTS | _EXAMS
    names = bool(said & others) or _PAPER.search(text) is not None or any(word in text for word in _PARTS_ZH)
    return bool(parts) and names and coverage(parts, said) == 0.0


_EXAMS = frozenset(terms("exam midterm final resit"))
_PARTS = frozenset(terms("midterm final quiz quizzes assignment homework project lab resit"))
_PAPER = re.compile(
    r"\b(?:the|an?|your|my|our|each|every) (?:\w+ )?(?:reports?|essays?)\b(?! (?:to|this|it|the|an?|that)\b)",
    re.IGNORECASE,
)
"""A report or an essay; nobody who reports something."""
_QUIZ = frozenset(terms("quiz quizzes"))
"""Two stems of one word."""
_PARTS_ZH = ("期中", "期末", "测验", "作业", "项目", "实验", "补考")
"""Parts of a course that have rules of their own."""
