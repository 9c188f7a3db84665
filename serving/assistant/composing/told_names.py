"""By which concept of a course a plain name is told: "A sequential list … Put simply, that's an array". Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.compared_sides import Side
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit, terms_of

_IS_JUST = (
    r"(?:(?:\b(?:is|are|['’]s) (?:really |just |basically |simply |nothing but )+(?:an? )?"
    r"|\b(?:also called|also known as|in other words,?) (?:an? )?){name}s?"
    r"|(?:也?就是|其实是|说白了是|又叫做?|也叫做?|又称|也称){name})\W*$"
)
"""How a sentence ends that says of a thing that it is what everybody calls by a name."""


def ask_by_told_names(request: Request, sides: tuple[Side, ...]) -> tuple[Request, tuple[Side, ...]]:
    """A question and the things that it compares, of which one that is no concept of the course has the names, too, of
    the concept that the lectures say is just that."""
    told = tuple(tuple(_with_told_name(unit, request, sides) for unit in side) for side in sides)
    if told == tuple(sides):
        return request, sides
    names = {unit.label: unit.names for side in told for unit in side}
    units = tuple(replace(unit, names=names.get(unit.label, unit.names)) for unit in request.units)
    return replace(request, units=units), told


def _with_told_name(unit: QuestionUnit, request: Request, sides: Sequence[Side]) -> QuestionUnit:
    others = {one.concept_id for side in sides for one in side}
    told = _find_concept_told(unit, request) if unit.concept_id is None else None
    if told is None or told in others:
        return unit
    concept = request.graph.concept(told)
    return replace(unit, names=(*unit.names, *map(terms_of, (concept.name, *concept.aliases))))


def _find_concept_told(unit: QuestionUnit, request: Request) -> str | None:
    """The concept that a sentence names before it says that it is just the thing, or else the sentence before that."""
    is_just = re.compile(_IS_JUST.replace("{name}", re.escape(unit.label.removesuffix("s"))), re.IGNORECASE)
    lectures = {one.video_id: one for one in request.material.lectures.lectures}
    for video_id, naming in request.material.lectures.naming([unit.names]).items():
        lecture = lectures[video_id]
        for sentence in naming:
            if (found := is_just.search(sentence.text)) is None:
                continue
            place = lecture.places[sentence.position]
            before = lecture.sentences[place - 1].text if place else ""
            for text in (sentence.text[: found.start()], before):
                if mentions := request.graph.mentions(text, request.lang):
                    return min(mentions, key=lambda one: one.start).concept_id
    return None
