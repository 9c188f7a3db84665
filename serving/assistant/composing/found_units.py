"""What the units of a question are by what was found for it: a name that no text has is not known. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from serving.assistant.composing.cues import defines
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.request import FindPieces
from serving.assistant.composing.terms import (
    OF_KINDS,
    WORDS,
    QuestionUnit,
    is_spelled_in,
    says_in_order,
    spelling_pattern,
    spellings,
    terms_of,
)
from serving.index.analysis import content_terms, terms


def spells(piece: MaterialPiece, literal: re.Pattern[str]) -> bool:
    return any(literal.search(text) for text in (piece.entry.title, *(line.text for line in piece.lines)))


def pieces_as_spelled(units: Sequence[QuestionUnit], find_pieces: FindPieces) -> tuple[MaterialPiece, ...]:
    """The passages that spell the one word to be defined, where any does: a transform is no transformer."""
    found = find_pieces()
    if len(units) != 1:
        return found
    kept = tuple(one for one in found if is_spelled_in(units[0], f"{one.entry.title} {one.entry.text}"))
    return kept or found


def home_of(piece: MaterialPiece, homes: Mapping[str, float]) -> float:
    at = piece.entry.locator
    return homes.get(at.video_id, 0.0) if at is not None and at.video_id is not None else 0.0


def unit_as_named(unit: QuestionUnit, find_pieces: FindPieces, lectures: CourseLectures) -> QuestionUnit:
    """A name of several words that no sentence has is not known, though the course uses each of its words."""
    if unit.concept_id is not None or not unit.is_known or all(len(name) == 1 for name in unit.names):
        return unit
    if (literal := spelling_pattern(unit)) is not None:
        texts = [one.text for said in lectures.naming([unit.names]).values() for one in said]
        texts += [line.text for piece in find_pieces() for line in piece.lines]
        return unit if any(literal.search(text) for text in texts) else replace(unit, is_known=False)
    texts = [one.text for said in lectures.naming([unit.names]).values() for one in said]
    texts += [text for piece in find_pieces() for text in (piece.entry.title, *(line.text for line in piece.lines))]
    said = any(_names_it(unit, text) for text in texts)
    return unit if said else replace(unit, is_known=False)


def _names_it(unit: QuestionUnit, text: str) -> bool:
    """Whether a text has a thing by one of its names, by its own in that order where that is English: what is deep and
    learns is no deep learning."""
    found = terms_of(text)
    own = frozenset(terms(unit.label))
    others = (name for name in unit.names if name != own)
    is_own = own <= found and (not unit.label.isascii() or says_in_order(text, unit.label))
    return is_own or any(name <= found for name in others)


def units_to_define(
    units: Sequence[QuestionUnit], whole: QuestionUnit | None, find_pieces: FindPieces, lectures: CourseLectures
) -> tuple[QuestionUnit, ...]:
    """The units of a thing to be defined, whose `whole` name may say more than they do; the name alone, as unknown,
    where no text has it: a confusion matrix is no matrix, and who learns to transfer does no transfer learning. Of a
    concept's own thing that is defined without its name, that thing: an AVL tree rotation is a rotation."""
    units = tuple(_as_spelled(unit, find_pieces, lectures) for unit in units)
    if whole is None:
        return units
    name = frozenset(content_terms(whole.label)) or whole.names[0]
    texts = [one.text for each in lectures.naming([name]).values() for one in each]
    for piece in find_pieces():
        texts += [piece.entry.title, *(line.text for line in piece.lines)]
    said = [text for text in texts if name <= terms_of(text)]
    if any(says_in_order(text, whole.label) for text in said):
        return units
    if (head := _head_of(whole.label, units)) is not None and any(defines(text, [head.label]) for text in texts):
        return (head,)
    if whole.label.lower().split()[0] in OF_KINDS:
        return (replace(whole, is_known=False),)
    is_in_units = name <= {term for unit in units for each in unit.names for term in each}
    return units if said and is_in_units else (replace(whole, is_known=False),)


def _head_of(name: str, units: Sequence[QuestionUnit]) -> QuestionUnit | None:
    """The unit that ends a name which begins with a concept."""
    concepts = [one.label.lower() for one in units if one.concept_id is not None]
    rest = next((name[len(one) :].strip() for one in concepts if name.lower().startswith(f"{one} ")), "")
    return next((one for one in units if one.label.lower() == rest.lower()), None)


def _as_spelled(unit: QuestionUnit, find_pieces: FindPieces, lectures: CourseLectures) -> QuestionUnit:
    """A word to be defined that nothing found spells so is not known: a transformer is no log transform."""
    spelled = spellings(unit)
    if not spelled or not unit.is_known:
        return unit
    if spelled & lectures.words.counts.keys() or len(unit.names) > 1:
        return unit
    said = " ".join(f"{piece.entry.title} {piece.entry.text}" for piece in find_pieces()).lower()
    return unit if spelled & set(WORDS.findall(said)) else replace(unit, is_known=False)
