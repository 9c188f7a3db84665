"""Where a concept is taught: its lecture and time, what comes later, and a line of a list that says so. Pure."""

import re
from functools import partial

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.text.time_code import time_code
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.lecture_places import LecturePlace, find_places, lecture_evidence
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit, is_of_another_word, terms_of
from serving.index.analysis import content_terms

MOST_LISTED = 5
"""Concepts that a list of what comes before or after names at most. A choice."""


def names_title(concept: GraphConcept, lecture: SpokenLecture) -> float:
    """The share of the words of a lecture's title, or of one of the things in it, that are a concept's name, 0..1."""
    if is_of_another_word(as_units(concept)[0], lecture.title):
        return 0.0
    things = (frozenset(content_terms(one)) for one in _AND.split(lecture.title))
    titles = (frozenset(content_terms(lecture.title)), *things)
    names = [terms_of(name) for name in (concept.name, *concept.aliases)]
    return max((len(name) / len(title) for title in titles for name in names if title and name <= title), default=0.0)


_AND = re.compile(r"\band\b|[&、,，/]|[与和及]")
"""What stands between the things in a title: 寄存器 & 内存, "Matrices and Vectors"."""


def subject_of(request: Request) -> GraphConcept | None:
    """The concept that is asked about: the last that is named before which something is asked for, else the first."""
    named = [unit.concept_id for unit in request.units if unit.concept_id is not None]
    return request.graph.concept(named[-1] if request.kind == "before" else named[0]) if named else None


def place_item(request: Request, concept: GraphConcept, placed: str, unplaced: str) -> ComposedStatement:
    """A line of a list that names a concept with its lecture and time, worded as `placed`; as `unplaced` where no
    lecture teaches it."""
    place = place_of(concept, request.material.lectures)
    if place is None:
        return ComposedStatement(unplaced.format(concept=concept.name), is_item=True)
    title = request.material.lectures.name_of(place.lecture)
    text = placed.format(concept=concept.name, title=title, time=time_code(place.first.start_ms))
    return ComposedStatement(text, lecture_evidence(place.first, request.course_id), is_item=True)


def place_of(concept: GraphConcept, lectures: CourseLectures) -> LecturePlace | None:
    """The lecture that teaches a concept: the one that is called by it, else the first that says nearly as much of it
    as any or, where that is earlier, the one that has its definition."""
    key = ("place of concept", concept.name, *concept.aliases)
    return lectures.keep(key, partial(_find_place, concept, lectures))


def _find_place(concept: GraphConcept, lectures: CourseLectures) -> LecturePlace | None:
    places = find_places(as_units(concept), lectures)
    if not places:
        return None
    called = [one for one in places if names_title(concept, one.lecture) == 1.0]
    much = [one for one in places if one.count >= NEARLY_AS_MUCH * places[0].count] or places[:1]
    least = places[0].count * OF_THE_MOST
    defined = [one for one in places if one.count >= least and is_defined_in(concept, one)]
    return min(called or [*defined, *much], key=lambda one: one.lecture.index)


def is_defined_in(concept: GraphConcept, place: LecturePlace) -> bool:
    """Whether a lecture has the definition of a concept."""
    at = concept.definition_locator
    return concept.definition_kind == "subtitle" and at is not None and at.video_id == place.lecture.video_id


OF_THE_MOST = 1 / 3
"""Share of those from which the lecture that has its definition teaches it: less may only announce it. A choice."""

NEARLY_AS_MUCH = 0.6
"""Share of the sentences of the lecture that names a concept most from which an earlier one teaches it. A choice."""


def taught_at(concept: GraphConcept, lectures: CourseLectures) -> tuple[int, int]:
    """Where a concept is taught, to order by; what no lecture teaches comes first."""
    place = place_of(concept, lectures)
    return (-1, 0) if place is None else (place.lecture.index, place.first.start_ms)


def as_units(concept: GraphConcept) -> list[QuestionUnit]:
    """A concept as the one unit of a question, by its name and aliases."""
    names = tuple(terms_of(name) for name in (concept.name, *concept.aliases))
    return [QuestionUnit(concept.name, names, 1.0, concept.concept_id)]


def is_later(concept: GraphConcept, here: LecturePlace | None, lectures: CourseLectures) -> bool:
    """Whether a concept is taught after a place; False where either is taught nowhere."""
    place = place_of(concept, lectures)
    if place is None or here is None:
        return False
    return (place.lecture.index, place.first.start_ms) > (here.lecture.index, here.first.start_ms)
