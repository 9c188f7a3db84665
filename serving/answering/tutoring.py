"""The academic tutor (Course Hero 2.1): a free-response question with numbered material; answer and explanation back.

Belongs here: the prompt for a question without options and how its reply is read. Declining what should not be answered
is decided before any model is asked; the tutor's rules are the second line.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from knowledge_graph.records import Lang
from serving.answering.escaping import without_marks
from serving.answering.policy import Policy, with_policy
from serving.answering.prompts import FRQ_ANSWER, TUTOR, answer_in, of_course
from serving.answering.teach import estimate_tokens
from serving.answering.template import Template
from serving.evidence import Evidence
from serving.messages import Message

_LABEL = re.compile(
    r"^\W{0,40}+(?:(?:the )?(?:short |final |accurate )?answer|答案|回答)\**+\s*+(?:is\s*+)?[:：]\**+\s*+",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(
    r"(?:^|\n|(?<=[.。!！]))\W{0,12}+(?:(?:step[- ]by[- ]step )?explanation|reasoning|解释|解析|分析)"
    r"\**+\s*+[:：]\**+\s*+",
    re.IGNORECASE,
)
_FIRST_SENTENCE = re.compile(r"^.*?(?:[。！？]|[.!?](?=\s|$)|\n|$)", re.DOTALL)
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|Dr|Mr|Ms|Fig|Eq|No)\.|\b[A-Z]\.|(?:^|\n)\s{0,9}\d{1,4}\.)$")


@dataclass(frozen=True)
class FreeResponse:
    """The two parts of a reply; `explanation` is empty when the model gave none."""

    answer: str
    explanation: str


def tutor_prompt(
    question: str,
    *,
    evidence: Sequence[Evidence],
    lang: Lang,
    budget: int,
    policy: Policy | None = None,
    course_title: str | None = None,
    template: Template = FRQ_ANSWER,
    count: Callable[[str], int] = estimate_tokens,
) -> tuple[Message, ...]:
    """The prompt within `budget` tokens: too long, it loses evidence, the last first. `template`: `TUTOR` or this one.

    Question and policy always stay. Raises `ValueError` for another template.
    """
    if template not in (FRQ_ANSWER, TUTOR):
        raise ValueError(f"Expected {FRQ_ANSWER.label} or {TUTOR.label}, found {template.label}.")
    system = with_policy(template.fill_system(course=of_course(course_title), language=answer_in(lang)), policy)
    kept = list(evidence)
    while True:
        asked = template.fill(material=_material(kept), question=question).strip()
        if not kept or count(system) + count(asked) <= budget:
            return Message("system", system), Message("user", asked)
        kept.pop()


def read_free_response(text: str) -> FreeResponse:
    """Answer and explanation of whatever the model wrote: by its labels, else the first sentence is the answer.

    Nothing is lost: every word but the labels is in one of the two parts.
    """
    labelled = _EXPLANATION.search(text)
    if labelled and labelled.start() > 0:
        return FreeResponse(_bare(text[: labelled.start()]), text[labelled.end() :].strip())
    bare = _bare(text[labelled.end() :] if labelled else text)
    first = _first_sentence(bare)
    return FreeResponse(bare[:first].strip(), bare[first:].strip())


def _bare(text: str) -> str:
    return _LABEL.sub("", text.strip(), count=1).strip()


def _first_sentence(text: str) -> int:
    """Where the first sentence ends; `e.g.`, `1.` and initials end none."""
    end = 0
    while end < len(text):
        found = _FIRST_SENTENCE.match(text[end:])
        end += found.end() if found and found.end() else len(text)
        if text[:end].strip() and not _ABBREVIATED.search(text[:end].rstrip(" ")):
            break
    return min(end, len(text))


def _material(evidence: Sequence[Evidence]) -> str:
    """One line each, so that no text can look like another piece of material."""
    return "\n".join(f"{one.mark} {_one_line(one)}".lstrip() for one in evidence)


def _one_line(evidence: Evidence) -> str:
    return " ".join(without_marks(f"{evidence.title}: {evidence.text}").split())
