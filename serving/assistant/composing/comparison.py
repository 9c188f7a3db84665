"""How two things differ: the sentences that contrast them, then what is said of each. Pure."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from knowledge_graph.text.sentences import has_cjk, language_of, split_sentences
from serving.assistant.composing.compared_sides import (
    BOTH,
    PLACES,
    Side,
    are_all_named,
    find_sides,
    is_named,
    list_sides,
    names_of,
)
from serving.assistant.composing.composed import Composed, ComposedStatement, body_of
from serving.assistant.composing.contrast import (
    CHOOSES,
    CONTRASTS,
    LONGER,
    OF_MORE,
    contrasts_in_a_sentence,
    contrasts_plainly,
    find_contrasts,
    find_versus,
    fits_question,
    is_parallel,
    is_plain_contrast,
    says_faster,
    tells_one_from_the_other,
)
from serving.assistant.composing.defining_cues import defines
from serving.assistant.composing.definition import introduce, quote_sentences
from serving.assistant.composing.document_answers import document_comparison, document_statement
from serving.assistant.composing.explain import HARDLY, LIKELY, UNLIKELY, compose_explanation, find_windows
from serving.assistant.composing.introduction import with_what_follows
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.quote_edges import complete_quotes
from serving.assistant.composing.request import Request
from serving.assistant.composing.subject_sentences import (
    SAYS_WHAT,
    SAYS_WHAT_IT_DOES,
    find_side_by_side,
    find_subject_sentence,
    tells,
)
from serving.assistant.composing.terms import (
    ALL_OF_IT,
    coverage,
    is_doer,
    is_of_concept,
    is_spelled_in,
    phrases,
    terms_of,
)
from serving.assistant.composing.told_names import ask_by_told_names
from serving.assistant.composing.whole_names import says_in_order, says_with_one
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.index.evidence import MAX_CITED, from_definition

ONLY_EACH = 0.5
"""How sure an answer is that says what each is, but not how they differ. A choice."""


_OF_EACH = re.compile(r"\b(?:respectively|of each|each of (?:them|the two))\b|分别|各自", re.IGNORECASE)
"""What asks for something of each thing beside the choice."""


def compose_comparison(request: Request) -> Composed | None:
    """A contrast where one window names both and contrasts them, and what is said of each thing."""
    sides = find_sides(request)
    if len(sides) < 2:
        return compose_explanation(request)
    if (laid_out := document_comparison(request, sides)) is not None:
        return laid_out
    request, sides = ask_by_told_names(request, sides)
    contrasts = find_contrasts(request, sides)
    fitting = [one for one in contrasts if fits_question(one, sides, request.question)]
    contrasts = fitting or contrasts
    is_of_aspects = any(one.key != "example" for one in request.aspects)
    is_choice = is_of_aspects or CHOOSES.search(request.question) is not None
    side_by_side = None if is_choice else _find_side_by_side(request, sides)
    if not contrasts and OF_MORE.search(request.question):
        return compose_explanation(replace(request, kind="why"))
    each = _of_each(request, sides, briefly=bool(contrasts))
    is_written = all(one is None or _is_of_document(one) for one in each)
    if not contrasts and is_written and not _are_told(sides, each):
        return _explain(request, sides)
    if not contrasts and (found := _without_contrast(request, sides, each)) is not None:
        return found
    if not contrasts and not any(each):
        return _explain(request, sides)
    alone = [one for one in each if one is not None]
    lectures = request.material.lectures
    near = [one.statement for one in complete_quotes(find_windows(request, most=PLACES)[::-1], lectures)]
    contrasting = [one.statement for one in complete_quotes(contrasts, lectures)]
    if not is_choice:
        first = contrasting[:1] if contrasts and contrasts_plainly(contrasts[0], sides) else []
        if not first and side_by_side is not None:
            further = [one for one in alone if not _begins_in(one, side_by_side)]
            return _of_each_alone(request, _without_repeats([side_by_side, *further]), is_told=True)
        ordered = [*first, *alone, *(one for one in contrasting if one not in first), *near]
    else:
        is_of_each = not contrasting or _OF_EACH.search(request.question) is not None
        ordered = [*contrasting, *alone, *near] if is_of_each else [*contrasting, *near, *alone]
    statements = _without_repeats(_with_preferred_first(ordered, sides, request.question))[
        : PLACES if is_choice else MAX_CITED
    ]
    if contrasts:
        found = Composed("comparison", "partial", statements, score=LIKELY)
        is_meant = bool(fitting) and any(_is_spoken(one) or contrasts_in_a_sentence(one, sides) for one in contrasts)
        is_told = any(tells_one_from_the_other(one, sides) or says_faster(one, sides, request) for one in contrasts)
        is_told = is_told or bool(_find_each_in_a_row(statements[:1], sides, request))
        return found if is_meant and (is_told or not _is_one_only_named(request, sides)) else _doubt(found, request)
    is_told = not is_choice and _tells_each(sides, each)
    return _of_each_alone(request, _without_repeats(alone) if is_told else statements, is_told=is_told)


_PREFERS = re.compile(r"\b(?:rather than|instead of)\b|而不是?(?:用|选|拿)", re.IGNORECASE)
"""What asks for the case of the first thing, and not of the other."""


def _with_preferred_first(
    statements: list[ComposedStatement], sides: Sequence[Side], question: str
) -> list[ComposedStatement]:
    """Statements; where one thing is to be taken "rather than" the other and the first speaks no more of that, what the
    same lecture contrasts with it stands before."""
    first = statements[0]
    if not _PREFERS.search(question) or _speaks_more_of(sides[0], sides[1], first) > 0:
        return statements
    for one in statements[1:]:
        title, other = (each.evidence.title if each.evidence is not None else "" for each in (first, one))
        is_contrast = title == other and is_plain_contrast(one.text)
        if is_contrast and _speaks_more_of(sides[0], sides[1], one) > 0:
            return [one, *(each for each in statements if each is not one)]
    return statements


def _speaks_more_of(wanted: Side, other: Side, said: ComposedStatement) -> int:
    """How many more sentences name the one thing alone than the other alone."""
    text = body_of(said.text).replace("**", "")
    named = [[is_named(side, one) for side in (wanted, other)] for one in split_sentences(text, language_of(text))]
    return sum(is_wanted - is_other for is_wanted, is_other in named)


def _find_side_by_side(request: Request, sides: Sequence[Side]) -> ComposedStatement | None:
    """What a lecture says in a row of two things, each in a sentence that says what it is."""
    if len(sides) != 2:
        return None
    one, other = map(names_of, sides)
    found = find_side_by_side(one, other, request.material.lectures)
    return None if found is None else quote_sentences(request, found)


def _of_each_alone(
    request: Request, statements: tuple[ComposedStatement, ...], *, is_told: bool, is_whole: bool = False
) -> Composed:
    """What is said of each thing, where nothing contrasts them; under a doubt, which is smaller where it `is_told` what
    each is, and none where that names all of them, or each stands under its name in a document."""
    sides = find_sides(request)
    is_together = any(all(is_named(side, body_of(one.text)) for side in sides) for one in statements)
    is_laid_out = all(map(_is_of_document, statements))
    in_a_row = _find_each_in_a_row(statements, sides, request)
    statements = (*in_a_row, *(one for one in statements if one not in in_a_row))
    is_sure = bool(in_a_row) or (is_told and (is_together or is_laid_out))
    note = "" if is_sure else wording(request.spoken).each_alone
    score = LIKELY if is_told else ONLY_EACH
    return Composed("comparison", "partial", statements, note=note, score=score, is_whole=is_whole)


def _find_each_in_a_row(
    statements: Sequence[ComposedStatement], sides: Sequence[Side], request: Request
) -> list[ComposedStatement]:
    """The statements that say in a row what each of the things is; none where one of them is to be chosen, which that
    does not tell."""
    is_choice = CHOOSES.search(request.question) is not None
    return [one for one in statements if not is_choice and _says_each_in_a_row(one, sides)]


def _says_each_in_a_row(said: ComposedStatement, sides: Sequence[Side]) -> bool:
    """Whether a statement contrasts the things in a sentence of it, or has a sentence that begins with each of them,
    one soon after the other: "The one has no nucleus … The other keeps its DNA in a nucleus"."""
    text = body_of(said.text).replace("**", "")
    sentences = split_sentences(text, language_of(text))
    if any((are_all_named(sides, one) and CONTRASTS.search(one)) or is_parallel(one, sides) for one in sentences):
        return True
    subjects = [one[:SUBJECT] if has_cjk(one) else " ".join(one.split()[:WORDS_OF_SUBJECT]) for one in sentences]
    begins = [[is_named(side, one) for side in sides] for one in subjects]
    places = [[at for at, one in enumerate(begins) if one[side] and sum(one) == 1] for side in range(len(sides))]
    return len(sides) > 1 and all(
        any(abs(here - there) <= IN_A_ROW for here in one for there in other) for one, other in pairwise(places)
    )


IN_A_ROW, SUBJECT, WORDS_OF_SUBJECT = 4, 12, 8
"""Sentences from what is said of one thing within which it is said of the next, and the characters of a Chinese
sentence and words of an English one within which its subject is named. Choices."""


def _tells_each(sides: Sequence[Side], each: Sequence[ComposedStatement | None]) -> bool:
    """Whether it is said of every thing what it is or does: by a sentence of that subject, or under its name."""
    return all(one is not None and _tells_side(side, one) for side, one in zip(sides, each, strict=True))


def _tells_side(side: Side, said: ComposedStatement) -> bool:
    if said.evidence is None or said.evidence.source == "concept":
        return said.evidence is not None
    is_under_its_name = _is_of_document(said) and is_named(side, said.evidence.title.rpartition(" — ")[2])
    return is_under_its_name or tells(body_of(said.text).replace("**", ""), names_of(side))


def _is_one_only_named(request: Request, sides: Sequence[Side]) -> bool:
    """Whether one of the things is no concept of the course nor a name that it gives, and named in hardly any sentence
    of its lectures: a GPU, in a course on CPUs."""
    lectures = request.material.lectures
    strange = (side for side in sides if not is_of_concept(side) and side[0].label not in lectures.called_names)
    return bool(lectures.lectures) and any(
        sum(map(len, lectures.naming([unit.names for unit in side]).values())) <= HARDLY for side in strange
    )


def _are_told(sides: Sequence[Side], each: Sequence[ComposedStatement | None]) -> bool:
    """Whether one of the things is a concept of the course, or is said to be something, or each has what stands under
    its name: two words that it only uses are not told apart by what they stand in."""
    labels = [unit.label for side in sides for unit in side]
    is_any = any(map(is_of_concept, sides)) or any(one is not None and defines(one.text, labels) for one in each)
    return is_any or _tells_each(sides, each)


def _explain(request: Request, sides: Sequence[Side]) -> Composed | None:
    """What is nearest to a comparison, under a doubt where it does not say in a row what each of the things is."""
    found = compose_explanation(request)
    is_told = found is not None and _find_each_in_a_row(found.statements[:1], sides, request)
    return found if is_told else _doubt(found, request)


def _doubt(found: Composed | None, request: Request) -> Composed | None:
    """What names the things and contrasts nothing, under a doubt."""
    if found is None or found.note:
        return found
    said = wording(request.spoken)
    return replace(found, note=said.not_direct, after=said.hand_off, score=UNLIKELY)


def compose_each(request: Request) -> Composed | None:
    """What each of several things is, then what is said of them together: "what are precision and recall". `None` where
    a question lists no things, asks for something else of them, or the course says nothing of one."""
    sides = list_sides(request)
    if len(sides) < 2 or request.aspects:
        return None
    each = [one for one in _of_each(request, sides, briefly=True) if one is not None]
    if len(each) < len(sides):
        return None
    together = [window.statement for window in best_windows(request.pieces, request.units, kind="definition")]
    return Composed("definition", "partial", _without_repeats([*each, *together]), score=LIKELY)


def _without_contrast(
    request: Request, sides: tuple[Side, ...], each: list[ComposedStatement | None]
) -> Composed | None:
    """Where nothing contrasts the things: a part that is called a comparison of one of them, what is found of the
    others where one is not, or what documents say of each; `None` where speech says something of each, or nothing of
    any."""
    if versus := find_versus(request, sides):
        return Composed("comparison", "partial", tuple(versus), score=LIKELY)
    alone = [one for one in each if one is not None]
    if len(alone) < len(each):
        return _partly(request, sides, _prefer_contrasts(request, sides, each)) if alone else None
    if not all(map(_is_of_document, alone)):
        return None
    shown = _without_repeats(alone)
    if len(shown) == 1:  # one place says both
        return Composed("comparison", "partial", shown, score=LIKELY, is_whole=True)
    return _of_each_alone(request, shown, is_told=_tells_each(sides, each), is_whole=True)


def _prefer_contrasts(
    request: Request, sides: tuple[Side, ...], each: list[ComposedStatement | None]
) -> list[ComposedStatement | None]:
    """What is said of each thing, where it is contrasted with something that the course calls otherwise in place of
    what it is."""
    by_subject = [
        side for side in sides if _of_subject(request, sides, side, SAYS_WHAT_IT_DOES) is not None
    ]  # of others the nearest is what is said already
    nearest = {
        side: near
        for side, near in _find_nearest(request, sides, by_subject).items()
        if near is not None and is_plain_contrast(near.text) and _is_meant(request, sides, near)
    }
    return [nearest.get(side, one) for side, one in zip(sides, each, strict=True)]


def _is_of_document(one: ComposedStatement) -> bool:
    return one.evidence is not None and one.evidence.source == "document"


def _without_repeats(statements: Sequence[ComposedStatement]) -> tuple[ComposedStatement, ...]:
    """The statements without those that one before says; one that goes on from a plain one before in its place."""
    found: list[ComposedStatement] = []
    for one in statements:
        whole = next((at for at, other in enumerate(found) if one.text.startswith(f"{other.text} ")), None)
        if whole is not None:
            found[whole] = one
        elif not _is_in(one, found):
            found.append(one)
    return tuple(found)


def _begins_in(one: ComposedStatement, other: ComposedStatement) -> bool:
    """Whether the first sentence of one stands in the other."""
    first = split_sentences(one.text.replace("**", ""), language_of(one.text))[:1]
    return any(text in other.text for text in first)


def _is_in(one: ComposedStatement, statements: Sequence[ComposedStatement]) -> bool:
    """Whether most of a statement, by its sentences, stands in one of the others."""
    whole = body_of(one.text).replace("**", "").lower()
    said = [_GOES_ON.sub("", each) for each in split_sentences(whole, language_of(one.text))]
    for other in statements:
        text = other.text.replace("**", "").lower()
        if sum(len(each) for each in said if each in text) > sum(map(len, said)) / 2:
            return True
    return False


_GOES_ON = re.compile(r"^(?:so|and|but|now|then),? ")


def _is_spoken(window: Window) -> bool:
    return window.piece.entry.source == "subtitle"


def _of_each(request: Request, sides: Sequence[Side], *, briefly: bool) -> list[ComposedStatement | None]:
    """The best that is said of each thing; `briefly` its definition, where no aspect is asked for, then what a sentence
    of that subject says."""
    said = [_definition(request, side) if briefly else _glossary_definition(request, side) for side in sides]
    defined = [one if one is not None and _is_meant(request, sides, one) else None for one in said]
    least = SAYS_WHAT if briefly else SAYS_WHAT_IT_DOES
    defined = [one or _of_subject(request, sides, side, least) for side, one in zip(sides, defined, strict=True)]
    nearest = _find_nearest(request, sides, [side for side, one in zip(sides, defined, strict=True) if one is None])
    found = [one or nearest[side] for side, one in zip(sides, defined, strict=True)]
    return [one if one is None or _is_meant(request, sides, one) else None for one in found]


def _find_nearest(
    request: Request, sides: Sequence[Side], wanted: Sequence[Side]
) -> dict[Side, ComposedStatement | None]:
    """The best that the passages on it say of each of the wanted things, which are embedded at once."""
    labels = [" ".join(unit.label for unit in side) for side in wanted]
    vectors = request.material.vectors_of(labels)
    return {
        side: _of_one(request, sides, side, request.material.pieces(label, vector, lang=request.lang))
        for side, label, vector in zip(wanted, labels, vectors, strict=True)
    }


def _of_subject(request: Request, sides: Sequence[Side], side: Side, least: int) -> ComposedStatement | None:
    """What a lecture says of one thing in a sentence of that subject, one that names the others, too, where any does;
    of a plain word no other is sure to mean the thing."""
    lectures = request.material.lectures
    if request.aspects or CHOOSES.search(request.question) or not lectures.lectures:
        return None
    naming = [lectures.naming([unit.names for unit in one]).keys() for one in sides]
    beside = frozenset[str].intersection(*map(frozenset, naming))
    if not beside and not is_of_concept(side):
        return None
    said = find_subject_sentence(names_of(side), lectures, within=beside, least=least)
    if said is None or not is_named(side, said.text):
        return None
    return quote_sentences(request, with_what_follows(said, lectures))


def _is_meant(request: Request, sides: Sequence[Side], stated: ComposedStatement) -> bool:
    """Whether what is said of one thing is of the thing that is meant: where a lecture is called by all of them, the
    lecture that says it names them all, as the one on the Gaussian distribution names variance and no bias."""
    lectures, at = request.material.lectures, stated.evidence.locator if stated.evidence is not None else None
    is_called = any(all(is_named(side, one.title) for side in sides) for one in lectures.lectures)
    if not is_called or at is None or at.video_id is None:
        return True
    return all(at.video_id in lectures.naming([unit.names for unit in side]) for side in sides)


def _definition(request: Request, side: Side) -> ComposedStatement | None:
    """What the one thing of a side is said to be, where no aspect is asked for."""
    return None if request.aspects else _glossary_definition(request, side) or introduce(request, side)


def _glossary_definition(request: Request, side: Side) -> ComposedStatement | None:
    """The definition that the course itself gives of the one concept of a side, where no aspect is asked for."""
    if request.aspects or len(side) != 1 or side[0].concept_id is None:
        return None
    concept = request.graph.concept(side[0].concept_id)
    return ComposedStatement(concept.definition, from_definition(0, concept)) if concept.definition else None


def _of_one(
    request: Request, sides: Sequence[Side], side: Side, own: Sequence[MaterialPiece]
) -> ComposedStatement | None:
    """The best that is said of one thing, in the pieces that were found for it and in the question's; of that thing
    alone, where something of each is asked for."""
    found = {piece.entry.entry_id: piece for piece in (*own, *request.pieces)}
    pieces = [piece for piece in found.values() if _has_words_of(side, piece)]
    records = [piece for piece in pieces if piece.entry.source == "catalog" and _is_titled(piece, side)]
    windows = best_windows(records or pieces, side, kind="definition", aspects=request.aspects, most=3, length=LONGER)
    if (written := document_statement(frozenset({" ".join(unit.label for unit in side)}), pieces)) is not None:
        return written
    labels = [unit.label for unit in side]
    named = phrases(labels, request.question) if len(side) > 1 else []
    names = [one for one in named if len(one.split()) == len(" ".join(labels).split())]
    doers = [unit for unit in side if is_doer(unit.label)]
    if _OF_EACH.search(request.question):
        windows.sort(key=lambda window: any(other != side and is_named(other, window.text) for other in sides))
    for window in windows:
        text = f"{window.piece.entry.title} {window.text}"
        if not all(is_spelled_in(unit, text) for unit in doers):
            continue
        if is_named(side, text) and all(says_in_order(text, one) or says_with_one(text, one) for one in names):
            return complete_quotes([window], request.material.lectures)[0].statement
    return None


def _has_words_of(side: Side, piece: MaterialPiece) -> bool:
    said = terms_of(piece.entry.title).union(*(terms_of(line.text) for line in piece.lines))
    return coverage(side, said) >= BOTH


def _is_titled(piece: MaterialPiece, side: Side) -> bool:
    return is_named(side, piece.entry.title)


def _is_spoken_of(side: Side, shown: Set[str]) -> bool:
    """Whether what is shown has every word with which a question tells one thing from another, though not the name that
    both share: "the original model", of anomaly detection."""
    telling = [unit for unit in side if unit.concept_id is None]
    return is_of_concept(side) and bool(telling) and coverage(telling, shown) >= ALL_OF_IT


def _partly(request: Request, sides: tuple[Side, ...], each: list[ComposedStatement | None]) -> Composed:
    lacking = [side for side, one in zip(sides, each, strict=True) if one is None]
    shown = frozenset[str]().union(*(terms_of(one.text) for one in each if one is not None))
    if all(_is_spoken_of(side, shown) for side in lacking):
        return _of_each_alone(request, tuple(one for one in each if one is not None), is_told=False)
    missing = [" ".join(phrases([unit.label for unit in side], request.question)) for side in lacking]
    said = wording(request.spoken)
    note = said.partly.format(missing=said.and_.join(missing))
    known = tuple(one for one in each if one is not None)
    return Composed("comparison", "partial", known, note=note, after=said.hand_off, score=UNLIKELY)
