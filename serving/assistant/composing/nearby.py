"""What else the material says near the question: passages under an answer that is not sure. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import Composed, ComposedStatement, body_of
from serving.assistant.composing.document_answers import quote_under_heading
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, coverage, known, terms_of
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.evidence import MAX_CITED, Evidence

MOST = 2
"""Passages that are added. A choice: with those of the answer no more than can be cited."""

NEAR = 0.5
"""A passage is added when it is found as well as this share of the best one. A choice."""

MUCH, HALF = 0.6, 0.5
"""Share of what is asked, by weight, from which an answer names much of it; and share that a passage of another lecture
must name beside an answer that names all. Of about 150 development answers that lost such a passage one lost its mark,
by words that the passage had by accident; to ask as much beside an answer that names less had cost two. Choices."""

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


def add_nearby(found: Composed, request: Request) -> Composed:
    """The answer with the nearest passages that it does not show; as it is, where it is sure or there is nothing."""
    if found.coverage != "partial" or not _COMPLETE.isdisjoint((request.kind, found.kind)) or found.is_whole:
        return found
    room = min(MOST, MAX_CITED - len(found.evidence))
    shown = [one.evidence for one in found.statements if one.evidence is not None]
    if any(one.source == "catalog" for one in shown):
        return found
    text = " ".join(one.text for one in found.statements)
    share = coverage(known(request.units), terms_of(text))
    added: list[ComposedStatement] = []
    is_ruled = request.kind == "logistics" and any(one.source in _RULES for one in shown)
    for piece in request.pieces:
        if len(added) >= room:
            break
        if is_ruled and piece.entry.source not in _RULES:
            continue
        lines = _lines(piece)
        if (
            not lines
            or piece.entry.source == "catalog"
            or _only_titled(piece, request)
            or piece.relevance < NEAR * request.pieces[0].relevance
            or (share >= MUCH and _is_beside(piece, lines, shown, request, share))
        ):
            continue
        evidence = piece.evidence(lines)
        if any(_same(evidence, one) for one in shown):
            continue
        said = quote_under_heading(piece, lines)
        if _is_said(said, (*found.statements, *added)):
            continue
        shown.append(evidence)
        added.append(said)
    if not added:
        return found
    lead = ComposedStatement(wording(request.spoken).nearby)
    return replace(found, statements=(*found.statements, lead, *added))


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
    return any(body_of(said.text)[:SAME] in one.text for one in shown)


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
