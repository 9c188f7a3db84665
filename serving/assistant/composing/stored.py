"""A stored answer, given under its own question, so that the student sees which question it answers. Pure."""

from serving.answering.direct import direct_text
from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import STORED_NEAR, StoredMatch, is_answer, match_stored
from serving.assistant.composing.wording import wording
from serving.evidence import from_entry
from serving.understanding.question_kind import QuestionKind, question_kind

MOST_CHOICES = 3
NEAREST_SCORE = 0.3
"""How sure an entry is that is only the nearest: not enough to count as an answer."""


def stored_matches(request: Request) -> list[StoredMatch]:
    """The FAQ's entries that were found, in the order of the look-up."""
    found = sorted(
        (one for one in request.stored if one.entry.source == "faq"),
        key=lambda one: (-one.score, one.entry.entry_id),
    )
    scores = [*(one.score for one in found[1:]), 0.0]
    weigh = request.material.index.idf
    return [
        match_stored(one, request.units, request.question, weigh, lead=one.score - following)
        for one, following in zip(found, scores, strict=False)
    ]


def compose_stored(request: Request) -> Composed | None:
    """The FAQ entry that covers all that was asked; `None` where none does."""
    found = stored_matches(request)
    if not found or not is_answer(found[0], request.aspects) or _asks_otherwise(request, found[0]):
        return None
    return _given(request, found[0])


_APART: frozenset[QuestionKind] = frozenset({"definition", "why", "how", "comparison", "list", "people"})
"""Kinds of which one is not answered by another, however alike the words: how it works is not why it fails."""


def _asks_otherwise(request: Request, match: StoredMatch) -> bool:
    stored = question_kind(match.candidate.entry.title)
    return request.kind in _APART and stored in _APART and stored != request.kind


def compose_close(request: Request) -> Composed | None:
    """The nearest entry, said to be only that, and the others as questions to choose."""
    found = [one for one in stored_matches(request) if one.score >= STORED_NEAR]
    if not found or request.kind == "people":
        return None
    given = _given(request, found[0])
    choices = tuple(one.candidate.entry.title for one in found[1 : 1 + MOST_CHOICES])
    note = wording(request.spoken).faq_noted
    return Composed(
        request.kind, "partial", given.statements, note=note, choices=choices, stored=given.stored, score=NEAREST_SCORE
    )


def _given(request: Request, match: StoredMatch) -> Composed:
    entry = match.candidate.entry
    evidence = from_entry(0, entry)
    headline = wording(request.spoken).faq.format(question=safe(entry.title))
    text = f"**{headline}**\n{safe(direct_text(entry))}"
    return Composed(request.kind, "full", (Statement(text, evidence),), stored=evidence, score=match.score)
