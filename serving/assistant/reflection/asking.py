"""What the model is asked between two attempts: the question in other words, and what the student may have meant.

What it writes is never trusted: a rewritten question must still be about the question, and a question back must be
about what was found. Prompts and how lists are read are `serving.assistant.reflection.prompts`'.
"""

import re
from collections.abc import Iterable, Sequence

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.several import questions_in
from serving.assistant.reflection.prompts import MOST_CHOICES, clarify_prompt, read_lines, rewrite_prompt
from serving.index.analysis import content_terms
from serving.index.evidence import Evidence
from serving.llm.language_model import LanguageModel, LlmError

_REWRITE_TOKENS = 48
_CLARIFY_TOKENS = 96
_ASKS = re.compile(r"[?？]\s*$")


async def rewrite_question(llm: LanguageModel, question: str, lang: Lang) -> str | None:
    """The question in words that a search may find; `None` when the model fails or says nothing of use.

    Of several questions in one message each is kept: in the model's words, or in its own where no line is about it.
    """
    try:
        reply = await llm.complete(rewrite_prompt(question, lang), max_tokens=_REWRITE_TOKENS, temperature=0.2)
    except LlmError:
        return None
    read = [line for line in read_lines(reply.text, question=question) if _is_about(line, question)]
    parts = questions_in(question)
    if len(parts) > 1:
        kept = dict.fromkeys(next((line for line in read if _is_about(part, line)), part) for part in parts)
        read = [" ".join(kept)] if read else []
    return next((line for line in read if not _same(line, question)), None)


async def questions_back(
    llm: LanguageModel | None,
    question: str,
    *,
    stored: Sequence[str],
    evidence: Sequence[Evidence],
    lang: Lang,
    budget: int,
) -> tuple[str, ...]:
    """Up to three questions that the student may have meant, to choose from (Maastricht 3.3).

    `stored` are questions that are known to have an answer; they come first. The model's own must ask something, and
    be about the question or the evidence, of which the prompt holds what `budget` tokens allow. Without a model only
    stored ones are offered.
    """
    found = [one for one in stored if not _same(one, question)][:MOST_CHOICES]
    if llm is not None and evidence and len(found) < MOST_CHOICES:
        found += await _thought_of(llm, question, evidence, lang, budget)
    return tuple(_distinct(found))[:MOST_CHOICES]


async def _thought_of(
    llm: LanguageModel, question: str, evidence: Sequence[Evidence], lang: Lang, budget: int
) -> list[str]:
    prompt = clarify_prompt(question, evidence, lang, budget=budget)
    try:
        reply = await llm.complete(prompt, max_tokens=_CLARIFY_TOKENS, temperature=0.2)
    except LlmError:
        return []
    about = "\n".join([question, *(f"{one.title} {one.text}" for one in evidence)])
    asked = [line for line in read_lines(reply.text, question=question) if _ASKS.search(line)]
    return [line for line in asked if not _same(line, question) and _is_about(line, about)]


def _is_about(line: str, text: str) -> bool:
    """Whether most of what a line speaks of is in a text: a rewording keeps its subject."""
    spoken = set(content_terms(line, strict=True))
    return bool(spoken) and 2 * len(spoken & set(content_terms(text, strict=True))) >= len(spoken)


def _same(left: str, right: str) -> bool:
    return set(content_terms(left)) == set(content_terms(right))


def _distinct(questions: Iterable[str]) -> list[str]:
    return list({frozenset(content_terms(one)): one for one in reversed(list(questions))}.values())[::-1]
