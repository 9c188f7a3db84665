"""What is added to a plan of a semester: "COMP 1100 and MATH 1210", "none yet", "and no Fridays", 12 学分.

Belongs here: the one rule for it. It is no question of its own, so the question before it is asked again with it.
"""

import re

from serving.assistant.understanding.chat import is_small_talk
from serving.assistant.understanding.follow_up_question import FollowUpQuestion, Resolved, Rule
from serving.assistant.understanding.question_kind import question_kind

_ASKS = re.compile(
    r"[?？]|^\W*(?:what|which|why|how|when|where|who|can|could|is|are|do|does|explain|define|tell|show)\b"
    r"|什么|怎么|为什么|如何|哪|谁|多少|吗|呢",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:pass\w*|took|tak\w+|done|finished|completed|want\w*|like|need|no|not|none|nothing|without|avoid|only"
    r"|at (?:least|most)|credits?|classes|courses|semester|term|spring|fall|autumn|summer|winter"
    r"|first[- ]year|freshman|n't)\b|n't\b"
    r"|[修学上选想要没不]|学分|门课|新生|大一|学期",
    re.IGNORECASE,
)
"""Words by which a message says itself what it is about; a bare list of classes answers what was passed."""


def _addition(asked: FollowUpQuestion) -> Resolved | None:
    previous = asked.focus.previous
    if not previous or question_kind(previous) != "plan" or _ASKS.search(asked.text) or is_small_talk(asked.text):
        return None
    if question_kind(asked.text) != "other" or asked.words.acknowledges.fullmatch(asked.text):
        return None
    said = asked.text.strip()
    if not _SAYS.search(said):
        said = f"我修过{said}" if asked.is_zh else f"I passed {said}"
    joint = "。" if asked.is_zh else ". "
    whole = f"{previous.rstrip('.?!。？！ ')}{joint}{said}"
    return Resolved(whole, (f"{asked.core} -> {whole} (the previous question)",), "same_question")


PLANS: tuple[Rule, ...] = (_addition,)
