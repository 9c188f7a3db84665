"""Which questions are declined without looking for an answer, and why (Course Hero 2.1, 2.3). Rules, no model.

Declining a real question is worse than letting a strange one through, so a broad rule lists its exceptions.
"""

import re
from typing import Literal

from serving.assistant.understanding.chat import is_small_talk
from serving.assistant.understanding.closed_words import COURSE_EN, COURSE_ZH
from serving.assistant.understanding.form import QuestionForm
from serving.assistant.understanding.gibberish import is_gibberish
from serving.assistant.understanding.off_topic import is_off_topic
from serving.assistant.understanding.unfinished_questions import is_cut_off

Refusal = Literal["missing_options", "incomplete", "nonsense", "not_academic"]

LONGEST_LOOKED_AT = 300
"""Characters; a longer text is a problem statement, neither cut off nor off topic."""

_OF_THE_COURSE = re.compile(rf"\b(?:{COURSE_EN}|class(?:es)?)\b|老师|讲师|{COURSE_ZH}", re.IGNORECASE)
_LETTER_DIGIT_OR_SIGN = re.compile(r"[^\W_]|[\u2200-\u22ff]")
_OPERATOR = re.compile(r"[-+*/%&|^~<>=!:@#$.?？]{1,3}")


def speaks_of_the_course(text: str) -> bool:
    """Whether the text mentions what belongs to a course: lectures, exams, teachers, deadlines."""
    return _OF_THE_COURSE.search(text) is not None


def find_refusal(question: str, *, form: QuestionForm, names_concept: bool, previous: str = "") -> Refusal | None:
    """Why the question should be declined; `None` when it should be answered. Small talk is never declined.

    `names_concept`: whether it mentions a concept of the graph. After a `previous` question a fragment is let through,
    since it may continue that question.
    """
    if not form.is_whole:
        return "missing_options" if form.stem else "incomplete"
    text = form.stem
    if form.options or is_small_talk(question):
        return None
    if not _LETTER_DIGIT_OR_SIGN.search(text):
        return "incomplete" if not text or _OPERATOR.fullmatch(text) else "nonsense"
    if not names_concept and is_gibberish(text):
        return "nonsense"
    if len(text) > LONGEST_LOOKED_AT:
        return None
    if not previous and is_cut_off(text):
        return "incomplete"
    if not names_concept and not speaks_of_the_course(text) and is_off_topic(text):
        return "not_academic"
    return None
