"""What to know before a concept and what builds on it: the study path, with the place of each step. Pure."""

import re
from collections import Counter
from collections.abc import Sequence

from knowledge_graph.graph_records import GraphConcept
from knowledge_graph.records import Lang
from knowledge_graph.time_code import time_code
from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.lectures import CourseLectures, Lecture
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import Unit, terms_of
from serving.assistant.composing.where import Place, find_nearest, find_places, lecture_evidence
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording

MOST = 5
MOST_AGAIN = 3


def compose_before(request: Request) -> Composed | None:
    """The study path of the graph; where it has none, what the course's own words say."""
    concept = _subject(request)
    if concept is None:
        return _of_course(request) or compose_explanation(request)
    said = wording(request.spoken)
    steps = request.graph.study_path(concept.concept_id, course_id=request.course_id)
    known = [step.concept for step in steps if request.course_id in step.concept.course_ids]
    earlier = _earlier(request, known, concept) or _named_in_definition(request, concept)
    if not earlier:
        return _leant_on(request, concept) or compose_explanation(request)
    lead = Statement(said.before.format(concept=concept.name))
    items = tuple(_item(request, one, said.before_item, said.before_item_unseen) for one in earlier[-MOST:])
    return Composed("before", "partial", (lead, *items), score=0.7)


_BACKGROUND: dict[Lang, str] = {
    "en": "prerequisites background required of students before this course, what you should know or be familiar with",
    "zh": "先修要求 预备知识 需要具备的基础 学习本课程之前",
}


def _of_course(request: Request) -> Composed | None:
    """What the material says of the background for the whole course."""
    query = _BACKGROUND[request.lang]
    pieces = request.material.pieces(query, request.material.vector_of(query), lang=request.lang)
    windows = best_windows(pieces, (), kind="other", cue=_NEEDED, most=2, length=1.4)
    shown = [window.statement for window in windows if _NEEDED.search(window.text)]
    return Composed("before", "partial", tuple(shown), score=LIKELY) if shown else None


_NEEDED = re.compile(
    r"\b(?:prerequisites?|background|familiar with|assum\w+|should (?:know|be able|have)"
    r"|experience (?:with|in)|need to know|knowledge of)\b"
    r"|先修|预备|基础|要求|熟悉|掌握",
    re.IGNORECASE,
)


def _leant_on(request: Request, concept: GraphConcept) -> Composed | None:
    """The earlier concepts that the lecture on this one speaks of most, where the graph knows no prerequisite."""
    here = _place(concept, request.material.lectures)
    if here is None:
        return None
    text = " ".join(one.text for one in here.lecture.sentences)
    counted = Counter(mention.concept_id for mention in request.graph.mentions(text, request.lang))
    named = [key for key, count in counted.most_common(12) if count > 1 and key != concept.concept_id]
    listed = [one for one in map(request.graph.concept, named) if request.course_id in one.course_ids]
    places = {one.concept_id: _place(one, request.material.lectures) for one in listed}
    earlier = [
        one
        for one in listed
        if (place := places[one.concept_id]) is not None and place.lecture.index < here.lecture.index
    ]
    if not earlier:
        return None
    said = wording(request.spoken)
    lead = Statement(said.leant_on.format(concept=concept.name, title=here.lecture.title))
    items = tuple(_item(request, one, said.before_item, said.before_item_unseen) for one in earlier[:MOST])
    return Composed("before", "partial", (lead, *items), score=LIKELY)


def compose_after(request: Request) -> Composed | None:
    """The concepts that need this one and are taught later, the lectures that speak of it again, and the one that
    follows, which comes first where it is asked for."""
    concept = _subject(request)
    if concept is None:
        return _next_lecture(request) or compose_explanation(request)
    said = wording(request.spoken)
    here = _place(concept, request.material.lectures)
    later = [
        one
        for one in request.graph.dependants(concept.concept_id)
        if request.course_id in one.course_ids and _is_later(one, here, request.material.lectures)
    ]
    items = [_item(request, one, said.after_item, said.before_item_unseen) for one in later[:MOST]]
    following = _following(here.lecture, request.material.lectures) if here is not None else None
    following_said = [_next(request, here.lecture, following)] if here is not None and following is not None else []
    statements: list[Statement] = []
    if items:
        statements += [Statement(said.after.format(concept=concept.name)), *items]
    if here is not None and (again := _named_again(request, concept, here)):
        lead = Statement(said.again.format(concept=concept.name))
        statements += [lead, *again]
    is_next_asked = _NEXT.search(request.question) is not None
    statements = [*following_said, *statements] if is_next_asked else [*statements, *following_said]
    if not statements:
        return compose_explanation(request)
    return Composed("after", "partial", tuple(statements), score=0.7 if items else 0.4)


_NEXT = re.compile(r"\b(?:next|follow\w*|comes? after|after)\b|接着|接下来|之后|下一", re.IGNORECASE)
"""Questions for the next lecture rather than for where something is used."""


def _named_again(request: Request, concept: GraphConcept, here: Place) -> list[Statement]:
    """The later lectures that speak of a concept most, in their order."""
    names = tuple(terms_of(name) for name in (concept.name, *concept.aliases))
    places = find_places([Unit(concept.name, names, 1.0, concept.concept_id)], request.material.lectures)
    later = [one for one in places if one.lecture.index > here.lecture.index][:MOST_AGAIN]
    shown = []
    for place in sorted(later, key=lambda one: one.lecture.index):
        text = wording(request.spoken).again_item.format(
            title=place.lecture.title, time=time_code(place.first.start_ms), text=safe(place.first.text)
        )
        shown.append(Statement(text, lecture_evidence(place.first, request.course_id), is_item=True))
    return shown


def _next_lecture(request: Request) -> Composed | None:
    """The lecture after the one that speaks most of what is asked, where that is no concept of the graph."""
    lectures = request.material.lectures
    places = find_places(request.units, lectures) or find_nearest(request.units, lectures)
    here = places[0].lecture if places else None
    following = _following(here, lectures) if here is not None else None
    if here is None or following is None:
        return None
    statement = _next(request, here, following)
    return Composed("after", "partial", (statement,), score=0.4)


def _next(request: Request, here: Lecture, following: Lecture) -> Statement:
    text = wording(request.spoken).next_lecture.format(here=here.title, title=following.title)
    return Statement(text, lecture_evidence(following.sentences[0], request.course_id))


def _subject(request: Request) -> GraphConcept | None:
    named = [unit.concept_id for unit in request.units if unit.concept_id is not None]
    return request.graph.concept(named[-1] if request.kind == "before" else named[0]) if named else None


def _earlier(request: Request, steps: Sequence[GraphConcept], goal: GraphConcept) -> list[GraphConcept]:
    """Steps that are not first taught after the goal: nobody is sent to a later lecture."""
    here = _place(goal, request.material.lectures)
    return [one for one in steps if here is None or not _is_later(one, here, request.material.lectures)]


def _named_in_definition(request: Request, concept: GraphConcept) -> list[GraphConcept]:
    """The concepts that a concept's definition is put in words of."""
    if not concept.definition:
        return []
    found = dict.fromkeys(mention.concept_id for mention in request.graph.mentions(concept.definition, concept.lang))
    listed = [request.graph.concept(key) for key in found if key != concept.concept_id]
    return _earlier(request, [one for one in listed if request.course_id in one.course_ids], concept)


def _item(request: Request, concept: GraphConcept, placed: str, unplaced: str) -> Statement:
    place = _place(concept, request.material.lectures)
    if place is None:
        return Statement(unplaced.format(concept=concept.name), is_item=True)
    text = placed.format(concept=concept.name, title=place.lecture.title, time=time_code(place.first.start_ms))
    return Statement(text, lecture_evidence(place.first, request.course_id), is_item=True)


def _place(concept: GraphConcept, lectures: CourseLectures) -> Place | None:
    """The lecture that teaches a concept."""
    names = tuple(terms_of(name) for name in (concept.name, *concept.aliases))
    places = find_places([Unit(concept.name, names, 1.0, concept.concept_id)], lectures)
    return places[0] if places else None


def _is_later(concept: GraphConcept, here: Place | None, lectures: CourseLectures) -> bool:
    place = _place(concept, lectures)
    if place is None or here is None:
        return False
    return (place.lecture.index, place.first.start_ms) > (here.lecture.index, here.first.start_ms)


def _following(here: Lecture, lectures: CourseLectures) -> Lecture | None:
    later = [one for one in lectures.lectures if one.index > here.index and one.title != here.title]
    return later[0] if later else None
