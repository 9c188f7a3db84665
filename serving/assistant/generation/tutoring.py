"""The academic tutor (Course Hero 2.1): the prompt for a question without options, with numbered material.

What should not be answered is declined before any model is asked; the tutor's rules are the second line.
"""

from collections.abc import Callable, Sequence

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.generation.policy import Policy, with_policy
from serving.assistant.generation.prompts import FRQ_ANSWER, TUTOR, answer_in, of_course
from serving.assistant.generation.template import Template
from serving.assistant.guardrails.escaping import without_marks
from serving.index.evidence import Evidence
from serving.llm.messages import Message


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


def _material(evidence: Sequence[Evidence]) -> str:
    """One line each, so that no text can look like another piece of material."""
    return "\n".join(f"{one.mark} {_one_line(one)}".lstrip() for one in evidence)


def _one_line(evidence: Evidence) -> str:
    return " ".join(without_marks(f"{evidence.title}: {evidence.text}").split())
