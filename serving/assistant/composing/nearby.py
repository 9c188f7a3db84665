"""What else the material says near the question: passages under an answer that is not sure. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import Composed, ComposedStatement, body_of, is_shown
from serving.assistant.composing.document_answers import quote_under_heading
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.missing import pieces_on_property
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, coverage, is_of_concept, known, terms_of
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.evidence import MAX_CITED, Evidence

MOST = 2
"""Passages that are added. A choice: with those of the answer no more than can be cited."""

NEAR = 0.5
"""A passage is added when it is found as well as this share of the best one. A choice."""

MUCH = 0.6
"""Share of what is asked, by weight, from which an answer names much of it. A choice."""

HALF = 0.5
"""Share that a passage of another lecture must name beside an answer that names all. Of about 150 development answers
that lost such a passage one lost its mark, by words that the passage had by accident; to ask as much beside an answer
that names less had cost two. A choice."""

SAME = 80
"""Characters at the beginning of a passage that are in what is shown: a document's question and part say the same."""

LONGEST: dict[Lang, int] = {"en": 900, "zh": 320}
"""Characters of a passage that are shown, in whole sentences. A choice."""

_COMPLETE: frozenset[QuestionKind] = frozenset(
    {"where", "summary", "people", "small_talk", "task", "plan", "catalogue"}
)
"""Kinds whose answers lead to the material themselves, or say that it does not name somebody."""
_RULES = ("document", "faq")
"""Sources of the rules of a course: beside them, what a lecture says is not near."""
_WHO = re.compile(r"\bwho\b|谁", re.IGNORECASE)
_GREETING = re.compile(
    r"^\W*(?:(?:hello|hi|hey|welcome)\b|good (?:morning|afternoon|evening)\b|大家好|同学们|各位|嗨|你好)", re.IGNORECASE
)


def add_nearby(found: Composed, request: Request) -> Composed:
    """The answer with the nearest passages that it does not show; as it is, where it is sure or there is nothing."""
    if found.coverage != "partial" or not _COMPLETE.isdisjoint((request.kind, found.kind)) or found.is_whole:
        return found
    shown = [one.evidence for one in found.statements if one.evidence is not None]
    if any(one.source == "catalog" for one in shown):
        return found
    added = _find_near(found, request, shown)
    if not added:
        return found
    lead = ComposedStatement(wording(request.spoken).nearby)
    return replace(found, statements=(*found.statements, lead, *added))


def _find_near(found: Composed, request: Request, shown: list[Evidence]) -> list[ComposedStatement]:
    """The nearest passages beside those that are `shown`, to which they are added."""
    room = min(MOST, MAX_CITED - len(found.evidence))
    text = " ".join(one.text for one in found.statements)
    share = coverage(known(request.units), terms_of(text))
    added: list[ComposedStatement] = []
    is_subject = _asks_of_a_subject(request)
    is_ruled = request.kind == "logistics" and any(one.source in _RULES for one in shown)
    for piece in pieces_on_property(request):
        if len(added) >= room:
            break
        if is_ruled and piece.entry.source not in _RULES:
            continue
        lines = _lines(piece)
        if not _is_near(piece, lines, request) or (share >= MUCH and _is_beside(piece, lines, shown, request, share)):
            continue
        evidence = piece.evidence(lines)
        if any(_same(evidence, one) for one in shown):
            continue
        if is_subject and _GREETING.match(piece.entry.text):
            room -= 1  # the opening of a lecture tells what is going to be said, and what is less near tells less
            continue
        said = quote_under_heading(piece, lines)
        if _is_said(said, (*found.statements, *added)):
            continue
        shown.append(evidence)
        added.append(said)
    return added


def _is_near(piece: MaterialPiece, lines: Sequence[MaterialLine], request: Request) -> bool:
    """Whether a passage has anything to show, and was found nearly as well as the best one."""
    is_fit = bool(lines) and piece.entry.source != "catalog" and not _only_titled(piece, request)
    return is_fit and piece.relevance >= NEAR * request.pieces[0].relevance


def _asks_of_a_subject(request: Request) -> bool:
    """Whether a question is on a concept, and not on who teaches it or what comes before it, which openings tell."""
    is_of_lectures = request.kind in ("before", "after") or _WHO.search(request.question) is not None
    return is_of_concept(request.units) and not is_of_lectures


def _is_beside(
    piece: MaterialPiece, lines: Sequence[MaterialLine], shown: Sequence[Evidence], request: Request, share: float
) -> bool:
    """Whether a passage of another lecture or text than what is shown names nothing of what is asked, or less than half
    of it where the answer, by its `share` of the question, names all."""
    if any(one.title == piece.entry.title for one in shown):
        return False
    said = " ".join((piece.entry.title, piece.entry.section or "", *(line.text for line in lines)))
    named = coverage(known(request.units), terms_of(said))
    return named == 0.0 or (share >= ALL_OF_IT and named < HALF)


def _is_said(said: ComposedStatement, shown: Sequence[ComposedStatement]) -> bool:
    """Whether a passage begins as something that is shown, or half of it stands in what is shown."""
    body = body_of(said.text)
    text = " ".join(one.text.replace("**", "") for one in shown)
    return any(body[:SAME] in one.text for one in shown) or is_shown(body, text)


def _only_titled(piece: MaterialPiece, request: Request) -> bool:
    """Whether a part of a document has what is asked in its title alone, as the first slide of a deck has."""
    if piece.entry.source != "document" or not known(request.units):
        return False
    return coverage(request.units, terms_of(" ".join(line.text for line in piece.lines))) == 0.0


def _lines(piece: MaterialPiece) -> Sequence[MaterialLine]:
    """The sentences of the passage itself, not those that are read on, as far as there is room."""
    at = piece.entry.locator
    end = at.end_ms if at is not None else None
    room = LONGEST[piece.lang]
    lines: list[MaterialLine] = []
    for line in piece.lines:
        room -= len(line.text)
        if room < 0 or (end is not None and line.start_ms is not None and line.start_ms >= end):
            break
        lines.append(line)
    return lines


def _same(one: Evidence, other: Evidence) -> bool:
    """Whether two pieces of evidence are of one passage, or of one stretch of a lecture."""
    if one.evidence_id == other.evidence_id:
        return True
    left, right = one.locator, other.locator
    if left is None or right is None or left.video_id is None or left.video_id != right.video_id:
        return False
    return (left.start_ms or 0) < (right.end_ms or 0) and (right.start_ms or 0) < (left.end_ms or 0)
