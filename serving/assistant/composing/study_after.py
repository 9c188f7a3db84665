"""What to go on with: what needs a concept and is taught later, where it is spoken of again, the next lecture and the
one before. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.text.time_code import time_code
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.lecture_places import (
    IS_ABOUT,
    LecturePlace,
    find_nearest,
    find_places,
    lecture_evidence,
    taught_together,
)
from serving.assistant.composing.lecture_titles import find_lecture_by_name
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.taught_concepts import (
    MOST_LISTED,
    as_units,
    is_later,
    place_item,
    place_of,
    subject_of,
)
from serving.assistant.composing.terms import coverage, known, terms_of
from serving.assistant.composing.wording import wording

MOST_AGAIN = 3
"""Later lectures that are named as speaking of a concept again. A choice."""


def compose_after(request: Request) -> Composed | None:
    """The concepts that need this one and are taught later, the lectures that speak of it again, and the one that
    follows, which comes first where it is asked for."""
    if (previous := previous_lecture(request)) is not None:
        return previous
    concept = subject_of(request)
    if concept is None:
        return _next_lecture(request) or compose_explanation(request)
    said = wording(request.spoken)
    here = place_of(concept, request.material.lectures)
    later = [
        one
        for one in request.graph.dependants(concept.concept_id)
        if request.course_id in one.course_ids and is_later(one, here, request.material.lectures)
    ]
    items = [place_item(request, one, said.after_item, said.before_item_unseen) for one in later[:MOST_LISTED]]
    together = (
        _find_finished(request)
        or _meant_by_all(request)
        or taught_together(as_units(concept), request.material.lectures)
    )
    following = _following(together[-1], request.material.lectures) if together else None
    following_said = [*_next(request, together[-1], following)] if following is not None else []
    statements: list[ComposedStatement] = []
    if items:
        statements += [ComposedStatement(said.after.format(concept=concept.name)), *items]
    if here is not None and (again := _list_later_lectures(request, concept, here)):
        lead = ComposedStatement(said.again.format(concept=concept.name))
        statements += [lead, *again]
    is_next_asked = _NEXT.search(request.question) is not None
    statements = [*following_said, *statements] if is_next_asked else [*statements, *following_said]
    if not statements:
        return compose_explanation(request)
    return Composed("after", "partial", tuple(statements), score=0.7 if items else 0.4)


def _find_finished(request: Request) -> list[SpokenLecture]:
    """The lecture whose whole title the question has, as who has just watched it says; all that have this title, where
    it does not say which of them."""
    lectures = request.material.lectures
    if (called := find_lecture_by_name(request.question, lectures)) is not None:
        return [called]
    asked = request.question.lower()
    named = [one for one in lectures.lectures if len(one.title) > SHORTEST and one.title.lower() in asked]
    return lectures.with_same_title(max(named, key=lambda one: len(one.title))) if named else []


SHORTEST = 12
"""Characters of a title that is no accident in a question. A choice."""


def _meant_by_all(request: Request) -> list[SpokenLecture]:
    """The lectures on all that is asked about, where that is more than one concept: 平衡 beside 二叉树."""
    if len(request.units) < 2:
        return []
    wanted = [replace(unit, concept_id=None) for unit in known(request.units)]
    found = taught_together(wanted, request.material.lectures)
    return found if any(coverage(wanted, terms_of(one.title)) >= OF_A_TITLE for one in found) else []


OF_A_TITLE = 0.6
"""Share of what is asked that a title must have for its lecture to be the one that is meant. A choice."""

_NEXT = re.compile(r"\b(?:next|follow\w*|comes? after|after)\b|接着|接下来|之后|下一", re.IGNORECASE)
"""Questions for the next lecture rather than for where something is used."""


def _list_later_lectures(request: Request, concept: GraphConcept, here: LecturePlace) -> list[ComposedStatement]:
    """The later lectures that speak of a concept most, in their order."""
    places = find_places(as_units(concept), request.material.lectures)
    later = [one for one in places if one.lecture.index > here.lecture.index][:MOST_AGAIN]
    shown = []
    for place in sorted(later, key=lambda one: one.lecture.index):
        text = wording(request.spoken).again_item.format(
            title=request.material.lectures.name_of(place.lecture),
            time=time_code(place.first.start_ms),
            text=safe(place.first.text),
        )
        shown.append(ComposedStatement(text, lecture_evidence(place.first, request.course_id), is_item=True))
    return shown


def _next_lecture(request: Request) -> Composed | None:
    """The lecture after the one that speaks most of what is asked, where that is no concept of the graph."""
    lectures = request.material.lectures
    places = find_places(request.units, lectures) or find_nearest(request.units, lectures)
    called = find_lecture_by_name(request.question, lectures)
    together = taught_together(request.units, lectures) if called is None else [called]
    here = together[-1] if together else places[0].lecture if places else None
    following = _following(here, lectures) if here is not None else None
    if here is None or following is None:
        return None
    return Composed("after", "partial", tuple(_next(request, here, following)), score=0.4)


_BEFORE_IT = re.compile(
    r"\b(?:lectures?|videos?|lessons?|episodes?)\b(?!.{0,30}\b(?:watch|see|know|study|learn|need|review)\b)"
    r".{0,30}\b(?:before|in front of|preced\w+)\b"
    r"|(?:之前|前面)的?那?一?[讲节课集]",
    re.IGNORECASE,
)


def previous_lecture(request: Request) -> Composed | None:
    """The lecture before the first that teaches what is named, where that is asked."""
    lectures = request.material.lectures
    if _BEFORE_IT.search(request.question) is None:
        return None
    here = next(iter(_find_finished(request) or taught_together(request.units, lectures)), None)
    earlier = [one for one in lectures.lectures if here is not None and one.index < here.index]
    if here is None or not earlier:
        return None
    text = wording(request.spoken).previous_lecture.format(
        here=lectures.name_of(here), title=lectures.name_of(earlier[-1])
    )
    said = ComposedStatement(text, lecture_evidence(earlier[-1].sentences[0], request.course_id))
    return Composed("after", "partial", (said,), score=LIKELY)


def _next(request: Request, here: SpokenLecture, following: SpokenLecture) -> Iterator[ComposedStatement]:
    """The lecture that follows, and what this one says of it when it ends."""
    name_of = request.material.lectures.name_of
    text = wording(request.spoken).next_lecture.format(here=name_of(here), title=name_of(following))
    yield ComposedStatement(text, lecture_evidence(following.sentences[0], request.course_id))
    if (about := _key_sentence(following.sentences[:BEGINNING])) is not None:
        yield ComposedStatement(safe(about.text), lecture_evidence(about, request.course_id))
    last = here.sentences[-ENDING:]
    announced = (one for one in last if _ANNOUNCES.search(one.text) and request.graph.mentions(one.text, request.lang))
    if (said := next(announced, None)) is not None:
        yield ComposedStatement(safe(said.text), lecture_evidence(said, request.course_id))


def _key_sentence(sentences: Sequence[LectureSentence]) -> LectureSentence | None:
    """The heaviest sentence that says what a lecture is going to be about; `None` where none does."""
    found = [one for one in sentences if IS_ABOUT.search(one.text)]
    return max(found, key=lambda one: one.weight) if found else None


BEGINNING = 8
"""Sentences at the beginning of a lecture in which it says what it is about. A choice."""

ENDING = 6
"""Sentences at the end of a lecture in which it says what comes next. A choice."""

_ANNOUNCES = re.compile(
    r"\bnext (?:time|week|lecture|video|lesson|class|one|up)\b|\b(?:that's|is|comes?) next\b"
    r"|\bin the (?:next|following)\b"
    r"|下一?[讲节课集次]|下回|接下来",
    re.IGNORECASE,
)


def _following(here: SpokenLecture, lectures: CourseLectures) -> SpokenLecture | None:
    return next((one for one in lectures.lectures if one.index > here.index), None)
