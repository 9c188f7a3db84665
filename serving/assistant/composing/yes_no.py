"""Is it so: the sentence that speaks of it, with a yes or no before it only where the wording settles it. Pure."""

import re
from dataclasses import replace

from serving.assistant.composing.composed import Composed
from serving.assistant.composing.explain import compose_explanation, find_windows
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import coverage, terms_of
from serving.assistant.composing.wording import wording
from serving.assistant.grounding.negation import is_negated

SETTLES = 0.85
"""Share of the question that one sentence must speak of to say yes or no to it. A choice."""

TOLD_APART = 2
"""Concepts from which a sentence that names all may settle something; of one it may say anything. A choice."""

_OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in (
        "slower/faster slow/fast more/less more/fewer better/worse increase/decrease stable/unstable sorted/unsorted "
        "first/last always/never high/low larger/smaller best/worst directed/undirected possible/impossible "
        "required/optional easy/hard 快/慢 多/少 大/小 高/低 最好/最坏 必须/不必"
    ).split()
)
_HEDGED = re.compile(
    r"\b(?:if|unless|sometimes|may|might|usually|often|depends?|except|only|could|would|almost|in general|when"
    r"|suppose|assume|whether)\b|如果|除非|有时|可能|通常|取决于|一般|假设|是否",
    re.IGNORECASE,
)


def compose_yes_no(request: Request) -> Composed | None:
    """As an explanation, with "Yes." or "No." before it where one sentence settles the question."""
    found = compose_explanation(request)
    if found is None or found.note:
        return found
    windows = find_windows(request, most=1)
    if not windows:
        return found
    verdict = settles(request, windows[0].piece.lines[windows[0].anchor].text)
    if verdict is None:
        return found
    said = wording(request.spoken)
    return replace(found, note=said.yes if verdict else said.no)


def settles(request: Request, sentence: str) -> bool | None:
    """Whether a sentence says yes (`True`) or no to the question; `None` where it does not settle it."""
    if not any(unit.concept_id is None for unit in request.units) and len(request.units) < TOLD_APART:
        return None
    if coverage(request.units, terms_of(sentence)) < SETTLES or _HEDGED.search(sentence):
        return None
    turned = is_negated(sentence) != is_negated(_without_tag(request.question))
    return turned == _is_turned_round(request.question, sentence)


def _is_turned_round(question: str, sentence: str) -> bool:
    """Whether the sentence says the opposite word where the question says the other."""
    asked, said = _words(question), _words(sentence)
    for one, other in _OPPOSITES:
        for here, there in ((one, other), (other, one)):
            if _has(asked, question, here) and not _has(said, sentence, here) and _has(said, sentence, there):
                return True
    return False


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text.lower()))


def _has(words: frozenset[str], text: str, word: str) -> bool:
    return word in words if word.isascii() else word in text


def _without_tag(question: str) -> str:
    """The question without "isn't it?" and "是不是", whose negation denies nothing."""
    tag = (
        r",? (?:isn't|doesn't|don't|aren't|can't|won't)(?: \w+)?\W*$|^\W*(?:isn't|doesn't|don't|aren't|can't"
        r"|won't)\b|是不是|能不能|可不可以|会不会|有没有|对不对|要不要|是否"
    )
    return re.sub(tag, "", question, flags=re.IGNORECASE)
