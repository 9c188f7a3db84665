"""Prompts of retrieval and self-reflection (Maastricht 1.1, 3.1-3.5), and how lists of questions are read. Pure.

Grading itself is `serving.assistant.reflection`'s: a verdict is a choice of the server between yes and no, never read
from text.
"""

import re
from collections.abc import Callable, Sequence

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.generation.prompts import CLARIFY, GRADE_ANSWERS, GRADE_GROUNDED, REWORD, REWRITE, answer_in
from serving.assistant.guardrails.escaping import Xml, without_marks, xml_text
from serving.index.evidence import Evidence
from serving.llm.messages import Message

WORDINGS = 3
"""Alternative wordings of a question, as in the paper."""

MOST_CHOICES = 3
"""Questions offered to a student at once. A choice."""

LONGEST_LINE = 200
"""Characters of a question that a model wrote; what is longer is no question but talk. A choice."""

_BULLET = re.compile(r"^\s*(?:(?:[-*•·–]|[(（]?\d{1,2}[.)、．）:：](?!\d)|Q\d?[.:：])\s*)+")
_GOES_ON = re.compile(r"[.!](?=\s+\S)|[。！](?=\S)")
_QUOTED = re.compile(r"^[\"'“”‘’「『]+|[\"'“”‘’」』]+$")
_PREAMBLE = re.compile(r"[:：]\s*$|^(?:(?:sure|here (?:are|is)|of course|certainly|okay)\b|以下是|好的|当然)", re.I)


def reword_prompt(question: str, lang: Lang) -> tuple[Message, ...]:
    """Three alternative wordings, one per line."""
    return REWORD.messages(question=question, language=answer_in(lang))


def rewrite_prompt(question: str, lang: Lang) -> tuple[Message, ...]:
    """One better wording for the search; read it with `read_lines(…, most=1)`."""
    return REWRITE.messages(question=question, language=answer_in(lang))


def clarify_prompt(
    question: str,
    evidence: Sequence[Evidence],
    lang: Lang,
    *,
    budget: int,
    count: Callable[[str], int] = estimate_tokens,
) -> tuple[Message, ...]:
    """What the student may have meant, one question per line; evidence that does not fit is left out."""

    def make(facts: Xml) -> tuple[Message, ...]:
        return CLARIFY.messages(context=facts, question=question, language=answer_in(lang))

    return _within(make, evidence, budget, count)


def grounding_prompt(
    answer: str, evidence: Sequence[Evidence], *, budget: int, count: Callable[[str], int] = estimate_tokens
) -> tuple[Message, ...]:
    """Whether the facts support the answer, yes or no; facts that do not fit are left out, the last first."""

    def make(facts: Xml) -> tuple[Message, ...]:
        return GRADE_GROUNDED.messages(facts=facts, answer=answer)

    return _within(make, evidence, budget, count)


def answers_prompt(question: str, answer: str) -> tuple[Message, ...]:
    """Whether the answer resolves the question, yes or no."""
    return GRADE_ANSWERS.messages(question=question, answer=answer)


def read_lines(text: str, *, question: str = "", most: int = WORDINGS) -> tuple[str, ...]:
    """The questions in whatever the model wrote: at most `most`, without bullets, numbers, quotes and preambles.

    Repeats go, and so does `question` itself, in any case or spacing. A line longer than `LONGEST_LINE`, or one that
    goes on after a full stop, is no question but an answer. Nothing usable gives an empty tuple.
    """
    seen, found = {_fold(question)}, []
    for line in text.splitlines():
        bare = _QUOTED.sub("", _BULLET.sub("", line).strip().strip("*").strip()).strip()
        folded = _fold(bare)
        is_talk = len(bare) > LONGEST_LINE or _PREAMBLE.search(bare) or _GOES_ON.search(bare)
        if not folded or folded in seen or is_talk:
            continue
        seen.add(folded)
        found.append(bare)
    return tuple(found[:most])


def _within(
    made: Callable[[Xml], tuple[Message, ...]],
    evidence: Sequence[Evidence],
    budget: int,
    count: Callable[[str], int],
) -> tuple[Message, ...]:
    kept = list(evidence)
    while True:
        messages = made(_facts(kept))
        if not kept or sum(count(message.content) for message in messages) <= budget:
            return messages
        kept.pop()


def _facts(evidence: Sequence[Evidence]) -> Xml:
    lines = (" ".join(f"{one.title}: {one.text}".split()) for one in evidence)
    return Xml("\n".join(xml_text(without_marks(line)) for line in lines))


def _fold(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
