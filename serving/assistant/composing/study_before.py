"""What to know before a concept or the course: the study path, with the place of each step, and whether the student has
been there or knows it. Pure."""

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Lang
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.document_answers import quote_under_heading
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.lecture_places import (
    LecturePlace,
    find_places,
    lecture_evidence,
    says_what_is_needed,
    section,
    taught_together,
)
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.rule_topics import BACKGROUND, is_of_another_skill
from serving.assistant.composing.stored import NEAREST_SCORE, give_stored
from serving.assistant.composing.study_after import previous_lecture
from serving.assistant.composing.summary import find_numbered_lectures
from serving.assistant.composing.taught_concepts import (
    MOST_LISTED,
    as_units,
    is_later,
    names_title,
    place_item,
    place_of,
    subject_of,
    taught_at,
)
from serving.assistant.composing.terms import QuestionUnit, known, phrases, terms_of
from serving.assistant.composing.timetable import compose_reading
from serving.assistant.composing.window import Window, heading_of
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.translation import synonyms
from serving.index.analysis import content_terms
from serving.index.evidence import MAX_CITED

OF_THE_FIRST = 2
"""How much more a concept counts that the first lecture on a subject names than one of the others. A choice."""


def compose_before(request: Request) -> Composed | None:
    """The study path of the graph; where it has none, what the course's own words say."""
    reading = compose_reading(request, phrases([unit.label for unit in request.units], request.question))
    if (found := reading or previous_lecture(request) or _of_numbered(request)) is not None:
        return found
    if not request.catalogue.classes and _IS_BEFORE_ALL.search(request.question):
        return compose_background(request) or _quote_faq_on_background(request) or _without_background(request)
    concept = subject_of(request)
    if concept is None:
        is_part = known(request.units) and not _WHOLE.search(request.question)
        leant_on = _leant_on_any(request) if is_part else None
        is_course = not request.catalogue.classes
        if is_course and _ANOTHER_COURSE.search(request.question):
            return None
        of_course = compose_background(request) if is_course and not is_part else None
        is_vague = not known(request.units) and _WHOLE.search(request.question) is not None
        return leant_on or of_course or (None if is_vague else compose_explanation(request))
    said = wording(request.spoken)
    steps = request.graph.study_path(concept.concept_id, course_id=request.course_id)
    listed = [step.concept for step in steps if request.course_id in step.concept.course_ids]
    earlier = _earlier(request, listed, concept) or _find_in_definition(request, concept)
    telling = [one for one in earlier if _rarity(one, request.material.lectures)]
    if len(telling) < 2 and (leant_on := _leant_on(request, as_units(concept), concept.name)) is not None:
        return leant_on
    earlier = telling or earlier
    if not earlier:
        return compose_explanation(request)
    here = place_of(concept, request.material.lectures)
    taught_here = None if here is None else lecture_evidence(here.first, request.course_id)
    written = [] if here is None else _find_written_needs(request, here.lecture)
    needed = _find_spoken_needs(request, concept, here)
    told = _earlier(request, [one for text in needed for one in _find_concepts(request, text.text)], concept)
    if len(told) >= ENOUGH_TOLD:
        return _in_order(request, (*written, *needed, ComposedStatement(said.taught_before)), told, score=0.7)
    lead = ComposedStatement(said.before.format(concept=concept.name), taught_here)
    ordered = _in_order(request, (*written, *needed, lead), earlier[::-1], score=0.7)
    return ordered if len(earlier) >= ENOUGH else _with_spoken_of(request, ordered, concept, earlier)


ENOUGH = 3
"""Steps of a study path below which what the lectures speak of stands under them. A choice."""


def _with_spoken_of(
    request: Request, ordered: Composed, concept: GraphConcept, steps: Sequence[GraphConcept]
) -> Composed:
    """A short study path, and under it what the lectures on its goal speak of besides, taught earlier."""
    subject = as_units(concept)
    spoken = _rank_concepts_spoken_of(request, subject, _lectures_on(subject, request.material.lectures))
    more = [one for one in spoken if one not in steps][: MOST_LISTED - len(steps)]
    lead = ComposedStatement(wording(request.spoken).speaks_of)
    return _in_order(request, (*ordered.statements, lead), more, score=ordered.score) if more else ordered


ENOUGH_TOLD = 2
"""Concepts that a lecture says one has to know for it, from which they are the list and not those of the graph. A
choice."""


def _find_written_needs(request: Request, lecture: SpokenLecture) -> list[ComposedStatement]:
    """What a document has under a heading "Before lecture 13", of the lecture with that number."""
    numbered = _NUMBER.match(lecture.video_id) or _NUMBER.match(lecture.title)
    if numbered is None or section(lecture) is not None:
        return []
    number = int(numbered[1])
    wanted = f"第{number}讲之前" if request.lang == "zh" else f"before lecture {number}"
    for piece in request.material.pieces(wanted, None, lang=request.lang, sources=("document",)):
        found = _BEFORE_LECTURE.search(heading_of(piece.entry))
        if found is not None and int(found[1] or found[2]) == number and piece.lines:
            return [quote_under_heading(piece, piece.lines[:MOST_LISTED])]
    return []


_NUMBER = re.compile(r"\D{0,3}(\d{1,3})(?!\d)")
"""The number at the beginning of a lecture's name."""

_BEFORE_LECTURE = re.compile(
    r"\bbefore (?:the )?(?:lecture|lesson|video|class|session) (\d{1,3})\b|第(\d{1,3})[讲课节集]课?之?前", re.IGNORECASE
)


def _find_spoken_needs(request: Request, concept: GraphConcept, here: LecturePlace | None) -> list[ComposedStatement]:
    """What a lecture with the concept in its title, or the one `here` that teaches it, says that one has to know."""
    for place in find_places(as_units(concept), request.material.lectures):
        is_meant = place.is_titled or (here is not None and place.lecture is here.lecture)
        for one in place.lecture.sentences if is_meant else ():
            if says_what_is_needed(one):
                text = safe(one.text)
                return [ComposedStatement(text, lecture_evidence(one, request.course_id, text))]
    return []


_BACKGROUND: dict[Lang, str] = {
    "en": "prerequisites background required of students before this course, what you should know or be familiar with",
    "zh": "先修要求 预备知识 需要具备的基础 学习本课程之前",
}


def compose_background(request: Request) -> Composed | None:
    """What the material says of the background for the whole course: texts, the first lectures, and others where they
    name what is asked about."""
    query = f"{_BACKGROUND[request.lang]} {request.question}"
    pieces = request.material.pieces(query, request.material.vector_of(query), lang=request.lang)
    first = {one.video_id for one in _first_lectures(request.material.lectures.lectures)}
    asked = [unit for unit in known(request.units) if not _OF_BACKGROUND.search(unit.label)]
    shown = [
        window.statement
        for window in best_windows(pieces, (), kind="other", cue=_NEEDED, most=MOST_LISTED, length=1.4)
        if _tells_background(window, first, asked) and not is_of_another_skill(request.question, window.text)
    ]
    return Composed("before", "partial", tuple(shown[:2]), score=LIKELY) if shown else None


def _tells_background(window: Window, first: Set[str], asked: Sequence[QuestionUnit]) -> bool:
    """Whether a text says what one needs, by its words or its heading, "What you need to know before", or a document
    that what is asked about is needed; a lecture that is none of the `first` in a sentence on that."""
    at, is_written = window.piece.entry.locator, window.piece.entry.source == "document"
    if (at is None or at.video_id is None or at.video_id in first) and _NEEDED.search(
        f"{heading_of(window.piece.entry)}\n{window.text}"
    ):
        return True
    needed = _IS_NEEDED if is_written else _NEEDED
    return any(
        needed.search(line.text) and any(unit.measure_coverage(terms_of(line.text)) for unit in asked)
        for line in window.lines
    )


_IS_NEEDED = re.compile(
    r"\b(?:is|are) (?:not )?(?:needed|required|necessary|expected)\b|不?(?:需要|要求)", re.IGNORECASE
)


def _quote_faq_on_background(request: Request) -> Composed | None:
    """The entry of the FAQ that is asked for the background, of the skill that is asked about where it is of any."""
    for one in request.stored:
        entry = one.entry
        is_asked = entry.source == "faq" and BACKGROUND.asked.search(entry.title) is not None
        if is_asked and not is_of_another_skill(request.question, f"{entry.title}\n{entry.text}"):
            said = wording(request.spoken)
            given = give_stored(entry, kind="before", spoken=request.spoken, score=NEAREST_SCORE)
            return replace(given, coverage="partial", note=said.faq_noted, after=said.hand_off)
    return None


def _without_background(request: Request) -> Composed:
    """That the material says nothing of what one has to know before the course: what the lectures on a thing build on
    does not tell whether that is needed."""
    said = wording(request.spoken)
    return Composed("before", "none", (ComposedStatement(said.no_background),), after=said.ask_ta)


def _first_lectures(lectures: Sequence[SpokenLecture]) -> Sequence[SpokenLecture]:
    """Those at the beginning of a course, which say what it builds on; a later one says it of itself."""
    return lectures[: max(LEAST_FIRST, len(lectures) // 10)]


_OF_BACKGROUND = re.compile(
    r"\b(?:background|experience|knowledge|skills?|beginners?|course|class)\b|基础|经验", re.IGNORECASE
)
"""What a question for the background says beside the subject that it asks about."""

LEAST_FIRST = 2
"""Lectures that are the beginning of a course, at least; else a tenth. A choice."""

_WHOLE = re.compile(
    r"\b(?:this|the|your) (?:course|class|mooc)\b|\b(?:sign|signing) up\b|\benrol\w*|(?:这门|本|该)课|报名|选课",
    re.IGNORECASE,
)
"""Questions about the background for the whole course."""

_COURSE = r"(?:this|the|your) (?:whole |entire )?(?:course|class|mooc|series|module)\b(?! (?:on|about)\b)"
_TAKES = r"(?:tak|start|begin|follow|do|join|attend|sign up for|enrol\w* in|understand)"
_COURSE_ZH = r"(?:学习?|上|修|选|看|读|听|报)(?:这门|这个|本|该)课"
_FIRST_ZH = r"先(?:学|会|修|懂|掌握|了解)"
_IS_BEFORE_ALL = re.compile(
    rf"\b(?:before|prior to|prerequisites? (?:for|of|to)|to|for)(?: (?:i|we|you))?(?: {_TAKES}\w*)? {_COURSE}"
    r"|^\W*(?:do|should|must) (?:i|we) (?:really )?(?:(?:need|have) to )?(?:already )?(?:know|learn|study)"
    r" (?!what\b)[^,.?!]{2,40} (?:first|beforehand)\W*$"
    r"|(?:这门|这个|本|该)课程?[^。？！，]{0,4}(?:先修|预备|基础|门槛)"
    rf"|{_COURSE_ZH}[^。？！，]{{0,6}}(?:要|需|得|必须|用|{_FIRST_ZH})"
    rf"|^\W*(?:请问)?(?:我们?)?(?:是不是|是否)?(?:需不需要|需要|要不要|要|得|必须){_FIRST_ZH}[^。？！，]{{1,12}}吗?\W*$",
    re.IGNORECASE,
)
"""What asks whether something has to be known before the whole course: what is asked about is what is needed, and not
what it is needed for."""

_ANOTHER_COURSE = re.compile(
    r"\b(?:second|next|other|another|follow-?up|advanced) (?:course|class|mooc)\b|(?:下一?门|后续|另一门|别的)课",
    re.IGNORECASE,
)
"""What asks for the way into another course, which this one's background is not."""

_NEEDED = re.compile(
    r"\b(?:prerequisites?|background|familiar with|should (?:know|be able|have)"
    r"|assum(?:e|es|ed|ing) (?:that )?(?:you|students|participants|some|basic|prior|knowledge|familiarity)"
    r"|experience (?:with|in)|need to know|knowledge of)\b"
    r"|先修|预备|(?:需要|要有|具备|有一定的?|没有)[^，。]{0,6}基础|零基础|要求|熟悉|掌握",
    re.IGNORECASE,
)


def _leant_on_any(request: Request) -> Composed | None:
    """As `_leant_on` for all that is asked about together, else for the rarest part of it that is taught, or that a
    lecture is called by."""
    units = known(_find_aim(request))
    labels = [unit.label for unit in units]
    name = (
        request.names
        if units == known(request.units)
        else wording(request.spoken).join(phrases(labels, request.question))
    )
    found = _leant_on(request, units, name)
    lectures = request.material.lectures.lectures
    called = [one for one in units if any(_is_called(lecture, one) for lecture in lectures)]
    rarest = sorted(called or units, key=lambda one: -one.weight)[:1] if len(units) > 1 else []
    return found or next((_leant_on(request, [one], one.label) for one in rarest), None)


def _leant_on(request: Request, subject: Sequence[QuestionUnit], name: str) -> Composed | None:
    """The earlier concepts that the lectures on a subject speak of most, where the graph knows no prerequisite."""
    lectures = request.material.lectures
    together = _lectures_on(subject, lectures)
    concept = request.graph.concept(subject[0].concept_id) if len(subject) == 1 and subject[0].concept_id else None
    if concept is not None and together and not names_title(concept, together[0]):
        here = place_of(concept, lectures)
        together = [here.lecture] if here is not None and here.lecture.index < together[0].index else together
    title = lectures.name_of(together[0]) if together else ""
    lead = wording(request.spoken).leant_on.format(concept=name, title=title)
    return _leant_on_in(request, subject, together, lead)


def _of_numbered(request: Request) -> Composed | None:
    """What the one lecture speaks of that is asked for by its number, and was taught earlier: "before lecture 6"."""
    lectures = request.material.lectures
    named = find_numbered_lectures(request.question, lectures.lectures)
    if len(named) != 1:
        return None
    lead = wording(request.spoken).leant_on_by.format(title=lectures.name_of(named[0]))
    return _leant_on_in(request, (), named, lead)


def _leant_on_in(
    request: Request, subject: Sequence[QuestionUnit], together: Sequence[SpokenLecture], lead_in: str
) -> Composed | None:
    """The earlier concepts that lectures speak of, under what the first of them or a document says is needed for it,
    else under `lead_in`."""
    earlier = _rank_concepts_spoken_of(request, subject, together)
    if not earlier:
        return None
    here, lectures = together[0], request.material.lectures
    written = _find_written_needs(request, here)
    said = wording(request.spoken)
    early = here.sentences[:EARLY]
    told = (one for one in here.sentences if says_what_is_needed(one))
    needed = next(told, None) or next((one for one in early if _names_what_is_needed(request, one)), None)
    begins = lecture_evidence(needed or here.sentences[0], request.course_id)
    lead = [ComposedStatement(lead_in, begins)]
    if needed is not None:
        named = [
            one for one in _find_concepts(request, needed.text) if _is_taught_before(one, here, frozenset(), lectures)
        ]
        if len(named) >= ENOUGH_TOLD and says_what_is_needed(needed):
            lead = [ComposedStatement(safe(needed.text), begins), ComposedStatement(said.taught_before)]
            return _in_order(request, (*written, *lead), named, score=LIKELY)
        lead = [ComposedStatement(safe(needed.text), begins), ComposedStatement(said.speaks_of)]
    elif written:
        lead = [ComposedStatement(said.speaks_of)]
    return _in_order(request, (*written, *lead), earlier, score=LIKELY)


def _lectures_on(subject: Sequence[QuestionUnit], lectures: CourseLectures) -> list[SpokenLecture]:
    """The lectures on a subject, in order: the one that is called by it, where that is not among those that speak of
    it."""
    together = taught_together(subject, lectures)
    called = next((one for one in lectures.lectures if len(subject) == 1 and _is_called(one, subject[0])), None)
    return [called] if called is not None and called not in together else together


def _rank_concepts_spoken_of(
    request: Request, subject: Sequence[QuestionUnit], together: Sequence[SpokenLecture]
) -> list[GraphConcept]:
    """The concepts taught earlier that the lectures on a subject speak of, what tells most of them first."""
    if not together:
        return []
    lectures = request.material.lectures
    here, own = together[0], {unit.concept_id for unit in subject}
    text = " ".join(lecture.text for lecture in together)
    counted = Counter(mention.concept_id for mention in request.graph.mentions(text, request.lang))
    for mention in request.graph.mentions(here.text, request.lang):
        counted[mention.concept_id] += OF_THE_FIRST
    named = [key for key, count in counted.most_common(MOST_WEIGHED) if count > 1 and key not in own]
    listed = [one for one in map(request.graph.concept, named) if request.course_id in one.course_ids]
    spoken = lectures.naming([unit.names for unit in subject])
    aside = {one.video_id for one in together[:-1] if len(spoken.get(one.video_id, ())) <= HARDLY}
    earlier = [one for one in listed if _is_taught_before(one, here, aside, lectures)]
    weights = {one.concept_id: counted[one.concept_id] * _rarity(one, lectures) for one in earlier}
    weighty = sorted((one for one in earlier if weights[one.concept_id]), key=lambda one: -weights[one.concept_id])
    return _other_than([name for unit in subject for name in unit.names], weighty)


def _other_than(goal: Sequence[Set[str]], concepts: Sequence[GraphConcept]) -> list[GraphConcept]:
    """The concepts that are no part of a goal by their names, as the heap order is of a heap, each of them once: the
    heap ordering is the same."""
    kept = {terms_of(one.name): one for one in reversed(concepts)}
    return [
        one
        for one in concepts
        if kept[terms_of(one.name)] is one and not any(own <= terms_of(one.name) for own in goal)
    ]


def _in_order(
    request: Request, above: Sequence[ComposedStatement], concepts: Sequence[GraphConcept], *, score: float
) -> Composed:
    """The first concepts, as many as there are places to cite beside those of what stands above, in the order in which
    they are taught; those that the student knows only where there is room for them."""
    room = min(MOST_LISTED, MAX_CITED - sum(one.evidence is not None for one in above))
    new_first = sorted(concepts, key=lambda one: one.concept_id in request.progress.known)
    taught = sorted(new_first[:room], key=lambda one: taught_at(one, request.material.lectures))
    return Composed("before", "partial", (*above, *(_step(request, one) for one in taught)), score=score)


def _step(request: Request, concept: GraphConcept) -> ComposedStatement:
    """A step with its place, and what is kept of the student: that they know it, or else that they were there."""
    said, progress = wording(request.spoken), request.progress
    item = place_item(request, concept, said.before_item, said.before_item_unseen)
    if concept.concept_id in progress.known:
        return replace(item, text=item.text + said.known_already)
    at = item.evidence.locator if item.evidence is not None else None
    if at is not None and progress.has_been_at(request.course_id, at.video_id, at.start_ms):
        return replace(item, text=item.text + said.watched_already)
    return item


def _find_aim(request: Request) -> Sequence[QuestionUnit]:
    """What is asked about behind the word "before", where the course knows any of it: who has one evening left asks
    nothing of evenings."""
    behind = _BEFORE.split(request.question.lower())[-1]
    aimed = [unit for unit in request.units if unit.label.lower() in behind]
    return aimed if known(aimed) else request.units


_BEFORE = re.compile(r"\b(?:before|prior to)\b")

MOST_WEIGHED = 30
"""Concepts that the lectures on a subject name most, among which its background is looked for. A choice."""


def _is_taught_before(concept: GraphConcept, first: SpokenLecture, aside: Set[str], lectures: CourseLectures) -> bool:
    """Whether a concept is taught before the first lecture on a subject, or is the whole title of one among them that
    hardly speaks of the subject: the Gaussian distribution in the part on anomaly detection."""
    place = place_of(concept, lectures)
    if place is None:
        return False
    is_aside = place.lecture.video_id in aside and names_title(concept, place.lecture) == 1.0
    return is_aside or place.lecture.index < first.index


HARDLY = 3
"""Sentences of a lecture that name what the lectures around it are about, up to which it is about something else that
they rest on. A choice."""


def _rarity(concept: GraphConcept, lectures: CourseLectures) -> float:
    """How much naming a concept says of a lecture: the logarithm of how many lectures there are to one that names it; 0
    where most of them do and none is called by it, as of "number". Twice as much where one is."""
    named = len(lectures.naming([[terms_of(name) for name in (concept.name, *concept.aliases)]]))
    place = place_of(concept, lectures)
    is_title = place is not None and names_title(concept, place.lecture) >= OF_A_NAME
    if not named or (named > EVERYWHERE * len(lectures.lectures) and not is_title):
        return 0.0
    return math.log(1 + len(lectures.lectures) / named) * (2.0 if is_title else 1.0)


OF_A_NAME, EVERYWHERE = 0.5, 0.4
"""Share of a title's words from which a concept gives it its name, and of the lectures from which one that gives none
its name says nothing of any of them. Choices."""


def _is_called(lecture: SpokenLecture, unit: QuestionUnit) -> bool:
    """Whether the whole title of a lecture is a name of what is asked about, or one that the glossary knows for it."""
    titles = [frozenset(content_terms(one)) for one in (lecture.title, *synonyms(lecture.title))]
    return any(bool(name) and name in titles for name in unit.names)


EARLY = 25
"""Sentences at the beginning of a lecture in which it says what it builds on. A choice."""


def _names_what_is_needed(request: Request, sentence: LectureSentence) -> bool:
    """Whether a sentence says that something is needed for what follows, and names a concept."""
    return _NEEDED.search(sentence.text) is not None and bool(request.graph.mentions(sentence.text, request.lang))


def _earlier(request: Request, steps: Sequence[GraphConcept], goal: GraphConcept) -> list[GraphConcept]:
    """Steps that are not first taught after the goal, nor where it is: nobody is sent to a later lecture."""
    here = place_of(goal, request.material.lectures)
    return [
        one
        for one in steps
        if here is None
        or not (is_later(one, here, request.material.lectures) or place_of(one, request.material.lectures) == here)
    ]


def _find_in_definition(request: Request, concept: GraphConcept) -> list[GraphConcept]:
    """The concepts that a concept's definition is put in words of."""
    named = _find_concepts(request, concept.definition or "")
    return _earlier(request, [one for one in named if one.concept_id != concept.concept_id], concept)


def _find_concepts(request: Request, text: str) -> list[GraphConcept]:
    """The concepts of the course that a text names, in its order."""
    found = dict.fromkeys(mention.concept_id for mention in request.graph.mentions(text, request.lang))
    listed = (request.graph.concept(key) for key in found)
    return [one for one in listed if request.course_id in one.course_ids]
