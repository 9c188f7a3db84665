"""The structured prompt (Maastricht 2): previous questions, context and question in XML blocks, within a budget. Pure.

Everything from outside is escaped, so the only tags in the prompt are those written here. A document carries what a
citation needs: its number, and the article and page, or the lecture and time, where it stands.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.time_code import time_code
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.generation.policy import Policy, with_policy
from serving.assistant.generation.prompts import CONTEXT, answer_in, of_course
from serving.assistant.guardrails.escaping import Xml, element, without_marks, xml_text
from serving.index.evidence import MAX_REFERENCES, Evidence
from serving.llm.messages import Message


@dataclass(frozen=True)
class AnsweredExample:
    """A question that people answered before, like the one asked (Maastricht 1.5)."""

    question: str
    answer: str


@dataclass(frozen=True)
class ContextPrompt:
    """The prompt and what is in it after the budget was kept. `citable` are the numbers that documents carry."""

    messages: tuple[Message, ...]
    evidence: tuple[Evidence, ...]
    citable: tuple[int, ...]
    previous: tuple[str, ...]
    examples: tuple[AnsweredExample, ...]
    policy: Policy | None
    template: str = CONTEXT.label

    @property
    def is_empty(self) -> bool:
        """Nothing to answer from: the model should not be asked."""
        return not self.evidence


def context_prompt(
    question: str,
    *,
    evidence: Sequence[Evidence],
    lang: Lang,
    budget: int,
    previous: Sequence[str] = (),
    examples: Sequence[AnsweredExample] = (),
    policy: Policy | None = None,
    course_title: str | None = None,
    citable: int = MAX_REFERENCES,
    count: Callable[[str], int] = estimate_tokens,
) -> ContextPrompt:
    """The prompt within `budget` tokens. `evidence` best first, `previous` oldest first, `examples` nearest first.

    Too long, it loses examples, the last first; then previous questions, the oldest first; then evidence, the last
    first. Question and policy always stay. Evidence with a number up to `citable` can be cited.
    """
    documents, asked_before, shown = list(evidence), list(previous), list(examples)
    system = _system(course_title, lang, policy)
    room = budget - count(system)

    def question_part() -> str:
        blocks = _blocks(documents, asked_before, shown, citable)
        return CONTEXT.fill(blocks=blocks, question=question)

    while count(question_part()) > room and (shown or asked_before or documents):
        if shown:
            shown.pop()
        elif asked_before:
            asked_before.pop(0)
        else:
            documents.pop()
    return ContextPrompt(
        messages=(Message("system", system), Message("user", question_part())),
        evidence=tuple(documents),
        citable=tuple(one.number for one in documents if 1 <= one.number <= citable),
        previous=tuple(asked_before),
        examples=tuple(shown),
        policy=policy,
    )


def _system(course_title: str | None, lang: Lang, policy: Policy | None) -> str:
    instructions = CONTEXT.fill_system(course=of_course(course_title), language=answer_in(lang))
    return with_policy(instructions, policy)


def _blocks(
    documents: Sequence[Evidence], previous: Sequence[str], examples: Sequence[AnsweredExample], citable: int
) -> Xml:
    """What stands before the question, each block once; no block for what there is none of, but always a context."""
    parts = []
    if examples:
        parts.append(element("examples", *(_example(one) for one in examples)))
    if previous:
        parts.append(element("previous_questions", *(element("previous", xml_text(one)) for one in previous)))
    parts.append(element("context", *(document(one, citable=citable) for one in documents)))
    return Xml("\n\n".join(parts))


def _example(one: AnsweredExample) -> Xml:
    asked, answered = xml_text(without_marks(one.question)), xml_text(without_marks(one.answer))
    return element("example", element("asked", asked), element("answered", answered))


def document(evidence: Evidence, *, citable: int = MAX_REFERENCES) -> Xml:
    """One piece of evidence as `<document number="1" title="…" article="5.1.1" page="20">`, with what is known of it.

    One that cannot be cited has no number, and numbers in the text itself are no marks.
    """
    number = {"number": str(evidence.number)} if 1 <= evidence.number <= citable else {}
    text = xml_text(without_marks(evidence.text.strip()))
    return element("document", text, **number, title=without_marks(evidence.title), **_place(evidence))


def _place(evidence: Evidence) -> dict[str, str]:
    where = evidence.locator
    if where is None:
        return {}
    time = None if where.start_ms is None else time_code(where.start_ms)
    page = None if where.page is None else str(where.page)
    named = {"file": where.document, "article": where.article, "page": page, "lecture": where.video_title, "time": time}
    return {name: value for name, value in named.items() if value}
