"""Where something is taught: the lectures that speak most of it, each with the time at which it begins. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from re import Pattern

from knowledge_graph.text.sentences import has_cjk, singular
from knowledge_graph.text.time_code import time_code
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.definition import defining_pattern
from serving.assistant.composing.introduction import defining_patterns
from serving.assistant.composing.lecture_places import (
    NEAR_MS,
    TAUGHT,
    LecturePlace,
    announces_subject,
    by_count,
    find_densest,
    find_nearest,
    find_places,
    lecture_evidence,
    start_of,
)
from serving.assistant.composing.lectures import SpokenLecture
from serving.assistant.composing.material import MaterialPiece, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.taught_concepts import is_defined_in
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, is_written_in, known, phrases, terms_of
from serving.assistant.composing.timetable import ASKS_WEEK, compose_week_of
from serving.assistant.composing.whole_names import says_whole
from serving.assistant.composing.window import heading_of
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.comparison_terms import AND

MOST = 3


def compose_where(request: Request) -> Composed | None:
    """The places, best first; documents and the FAQ where no lecture speaks of it."""
    said = wording(request.spoken)
    places = in_teaching_order(request, keep_own_mentions(request, _places(request)))
    subjects = _subjects(request)
    if has_cjk(request.question) and any(_is_strange(unit) and _is_latin(unit.label) for unit in subjects):
        return None
    taught = [place for place in places if teaches(place) or _is_defined_in(place, request)][:MOST]
    if ASKS_WEEK.search(request.question) and (week := _week_of(request, taught)) is not None:
        return week
    if (not taught or _are_told_apart(request)) and (each := _of_each(request)) is not None:
        return each
    taught = taught or _find_called_by(request)[:MOST]
    places = places or taught
    is_strange = any(_is_strange(unit) and len(unit.label) > LONGEST_SLIP for unit in subjects)
    if not places or is_strange:
        return _nearest(request) or (None if is_strange else _in_documents(request))
    if not taught and (likely := _find_partly_titled(request)):
        items = tuple(_item(request, place) for place in [*likely, *places][:MOST])
        return Composed("where", "partial", items, note=said.probably, score=0.6)
    lead = said.taught_in if taught else said.mentioned_in
    if _COUNTS.search(request.question):
        lead = said.spoken_of_in
    names = phrase_subject(request) or said.of_course
    if taught and _is_put_together(names, request):
        lead = said.told_in
    lead = lead.format(names=names, verb=_verb_of(names), count=len(places))
    items = tuple(_item(request, place) for place in taught or places[:MOST])
    return Composed("where", "partial", (ComposedStatement(lead), *items), score=0.8)


def _week_of(request: Request, taught: Sequence[LecturePlace]) -> Composed | None:
    """The week of a table in which the lecture stands that teaches it, or the thing itself, and where it is taught."""
    names = [unit.label for unit in _subjects(request) if unit.is_known]
    titles = [place.lecture.title for place in taught]
    week = compose_week_of(request, [*titles, *names])
    if week is None or not taught:
        return week
    name = phrase_subject(request)
    lead = wording(request.spoken).taught_in.format(names=name, verb=_verb_of(name), count=1)
    return replace(week, statements=(*week.statements, ComposedStatement(lead), _item(request, taught[0])))


def _is_put_together(names: str, request: Request) -> bool:
    """Whether what is looked for is no concept, and called by words that do not stand so in the question: "seeing and
    tongue" for seeing with your tongue."""
    units = request.units
    is_plain = len(units) > 1 and all(unit.concept_id is None for unit in units)
    is_listed = re.search(AND, names) is not None
    return is_plain and is_listed and names.lower() not in request.question.lower()


def _of_each(request: Request) -> Composed | None:
    """Where each of several things is taught that a question lists; `None` where it lists none, or not all of them
    are: 半加器和全加器 are built one after the other, and no sentence names both."""
    subjects = _subjects(request)
    if not _lists(request.question, subjects):
        return None
    said = wording(request.spoken)
    statements: list[ComposedStatement] = []
    for unit in subjects:
        one = replace(request, units=(unit,))
        taught = [place for place in in_teaching_order(one, _places(one)) if teaches(place)][:1]
        if not taught:
            return None
        lead = said.taught_in.format(names=unit.label, verb=_verb_of(unit.label), count=len(taught))
        statements += [ComposedStatement(lead), _item(request, taught[0])]
    return Composed("where", "partial", tuple(statements), score=0.8)


def _lists(question: str, subjects: Sequence[QuestionUnit]) -> bool:
    """Whether a question names its subjects one beside the other: "API和面向对象"."""
    labels = [re.escape(unit.label) for unit in subjects]
    return len(subjects) > 1 and re.search(AND.join(labels), question, re.IGNORECASE) is not None


def _are_told_apart(request: Request) -> bool:
    """Whether a question lists things that hardly a sentence and no title of a lecture names together."""
    subjects, lectures = _subjects(request), request.material.lectures
    titled = any(coverage(subjects, terms_of(one.title)) >= ALL_OF_IT for one in lectures.lectures)
    together = lectures.naming([one.names for one in subjects]).values()
    return _lists(request.question, subjects) and not titled and max(map(len, together), default=0) < TAUGHT


def _find_called_by(request: Request) -> list[LecturePlace]:
    """The lectures called by what is looked for, whatever it is of: "determinant" for the determinant of a matrix."""
    heads = _heads([unit for unit in request.units if unit.concept_id is not None], request.question)
    return [one for one in find_places(heads, request.material.lectures) if one.is_titled and one.count >= TAUGHT]


_COUNTS = re.compile(r"\bhow many\b|(?<![第哪])(?:几|多少)(?=[讲节集堂]|个视频)", re.IGNORECASE)
"""What asks in how many lectures something is spoken of."""


def _find_partly_titled(request: Request) -> list[LecturePlace]:
    """The lectures whose titles have two words at least of an English name of several, and half of them: of the
    bias-variance trade-off "Diagnosing Bias vs. Variance"."""
    names = phrases([unit.label for unit in _subjects(request)], request.question)
    wanted = [frozenset(one for one in terms_of(name) if len(one) >= SHORTEST_WORD) for name in names if name.isascii()]
    found = []
    for lecture in request.material.lectures.lectures:
        title = terms_of(lecture.title)
        if any(len(words & title) >= max(SHARED_WORDS, len(words) / 2) for words in wanted):
            found.append(LecturePlace(lecture, 0, lecture.sentences[0], is_titled=False))
    return found


SHORTEST_WORD, SHARED_WORDS = 4, 2
"""Letters of a word of a name that may be looked for in titles, and how many such a title has. Choices."""


def teaches(place: LecturePlace) -> bool:
    """Whether a lecture is about what it speaks of: often, by its title, or by what it says that it is about."""
    return place.count >= TAUGHT or place.is_titled or place.is_named or announces_subject(place.first)


def keep_own_mentions(request: Request, places: Sequence[LecturePlace]) -> list[LecturePlace]:
    """The places of one thing without the sentences that have only the stem of its word ("precisely" is no precision),
    and those that set it apart from what they speak of; none where no other sentence speaks of it."""
    subjects = known(_subjects(request))
    if len(subjects) != 1 or not places:
        return list(places)
    spoken = request.material.lectures.naming([subjects[0].names])
    found = []
    for place in places:
        said = spoken.get(place.lecture.video_id, [])
        denied = [one.start_ms for one in said if _OF_ANOTHER.search(one.text)]
        own = [
            one
            for one in said
            if not any(0 <= one.start_ms - at < STILL_DENIED_MS for at in denied)
            if not subjects[0].label.isascii() or is_written_in(subjects[0], one.text)
        ]
        if len(own) == len(said):
            found.append(place)
        elif own or place.is_titled:
            first = place.first if place.first in own or not own else own[0]
            found.append(replace(place, count=min(place.count, len(own)), first=first))
    return sorted(found, key=by_count)


STILL_DENIED_MS = 20_000
"""How long a lecture goes on setting apart what it has said to be something else. A choice."""
_OF_ANOTHER = re.compile(
    r"\b(?:nothing|not (?:much|anything)) to do with\b|\bunrelated to\b|\bnot (?:be )?confused? with\b|无关|不是一回事",
    re.IGNORECASE,
)
"""How a sentence says that what it names is not what it speaks of."""


def _is_defined_in(place: LecturePlace, request: Request) -> bool:
    """Whether a lecture has the definition of the one concept that is looked for, or names a thing that is none as it
    says what it is."""
    subjects = _subjects(request)
    if len(subjects) == 1 and subjects[0].concept_id is None and not has_cjk(label := subjects[0].label):
        defines = defining_patterns((label.lower(), singular(label.lower())))[0]
        return len(label) >= LEAST_NAMED and defines.search(place.first.text) is not None
    if len(subjects) == 1 and subjects[0].concept_id is None:
        names = {label, re.sub(r"\W", "", label)}
        text = "".join(place.first.text.split())
        return len(label) >= LEAST_NAMED and defining_pattern(names).search(text) is not None
    concepts = [unit.concept_id for unit in request.units if unit.concept_id is not None]
    if len(concepts) != 1 or concepts[0] is None:
        return False
    concept = request.graph.concept(concepts[0])
    return concept.definition_course_id == request.course_id and is_defined_in(concept, place)


def _find_naming(request: Request, places: Sequence[LecturePlace]) -> LecturePlace | None:
    """The first place that gives the thing its name, else the one that has the definition of the one concept that is
    looked for before the lecture that says most of it, which then uses it."""
    if named := [one for one in places if one.is_named]:
        return min(named, key=lambda one: one.lecture.index)
    most = max(places, key=lambda one: one.count)
    before = [one for one in places if one.lecture.index < most.lecture.index]
    return next((one for one in before if _is_defined_in(one, request)), None)


LEAST_NAMED = 3
"""Characters of a Chinese name that is no part of another word. A choice."""

LONGEST_SLIP = 3
"""Letters of an unknown word that may be a slip: a longer one is something that the course does not have. A choice."""


def _is_strange(unit: QuestionUnit) -> bool:
    """Whether no text of the course has a name."""
    return not unit.is_known and unit.concept_id is None


def _is_latin(label: str) -> bool:
    """Whether a name is of Latin letters alone."""
    return label.isascii() and label.replace("-", "").isalpha()


def _places(request: Request) -> list[LecturePlace]:
    """The places of all that is asked for, then those of its concepts alone."""
    lectures = request.material.lectures
    of_concepts = find_places(request.units, lectures)
    if said := keep_said_whole(request, of_concepts):
        return said
    if (names := _latin_names(request)) and (said := find_places(names, lectures)):
        return said
    if all(unit.concept_id is None for unit in request.units):
        return of_concepts
    of_all = find_places([replace(unit, concept_id=None) for unit in request.units], lectures)
    whole = [place for place in of_all if place.is_titled or place.count >= TAUGHT]
    if not whole and _qualifies(request):
        return []
    named = {place.lecture.video_id for place in whole}
    return [*whole, *(place for place in of_concepts if place.lecture.video_id not in named)]


def _qualifies(request: Request) -> bool:
    """Whether an English question says more closely which one of a concept: "linearly dependent vectors"."""
    concepts = [unit.label for unit in request.units if unit.concept_id is not None]
    others = [unit.label for unit in known(request.units) if unit.concept_id is None]
    named = phrases([unit.label for unit in request.units], request.question)
    return any(
        name.isascii() and any(one in name for one in concepts) and any(one in name for one in others) for name in named
    )


def _latin_names(request: Request) -> list[QuestionUnit]:
    """What a Chinese question names in Latin letters beside a concept: "Linux 在操作系统那集讲过吗" is about Linux."""
    if not has_cjk(request.question) or all(unit.concept_id is None for unit in request.units):
        return []
    return [one for one in request.units if one.concept_id is None and one.is_known and _is_latin(one.label)]


def keep_said_whole(request: Request, places: Sequence[LecturePlace]) -> list[LecturePlace]:
    """Of places of a concept those that say the whole name that it begins or ends in the question, the one that says it
    most first, where any does: "map reduce", and not what maps; 逆矩阵, and not 矩阵."""
    wholes = _whole_names(request)
    if not wholes:
        return []
    spoken = request.material.lectures.naming([[terms_of(one)] for one in wholes])
    said = {
        video_id: kept
        for video_id, sentences in spoken.items()
        if (kept := [one for one in sentences if all(says_whole(one.text, whole) for whole in wholes)])
    }
    found = [
        replace(place, count=len(said[video_id]), first=find_densest(said[video_id]))
        for place in places
        if (video_id := place.lecture.video_id) in said
    ]
    return sorted(found, key=by_count)


def _whole_names(request: Request) -> list[str]:
    """The names of several words that concepts begin or end in an English question, or end in a Chinese one."""
    concepts = [unit for unit in request.units if unit.concept_id is not None]
    labels = [unit.label for unit in request.units]
    if not concepts:
        return []
    english = [one for one in phrases(labels, request.question) if " " in one and one not in labels and one.isascii()]
    others = [one.label for one in request.units if one.concept_id is None and has_cjk(one.label)]
    chinese = [f"{one}{concept.label}" for concept in concepts for one in others if has_cjk(concept.label)]
    return english or [one for one in chinese if one in request.question]


def in_teaching_order(request: Request, places: Sequence[LecturePlace]) -> list[LecturePlace]:
    """The places as a student goes through them: those that tell who made the thing, where that is asked, from there;
    then those called by it, in the order of the course, and those called by what is looked for rather than by what it
    is beside; then the one that gives it its name, if it says half as much of it as any; "Kernels I" before
    "Kernels II"."""
    if not places:
        return []
    made = _where_told(request, places, _find_making(request.question))
    concepts = [unit for unit in request.units if unit.concept_id is not None]
    heads = [unit.names for unit in _heads(concepts, request.question)]
    named = None if made or any(one.is_titled for one in places) else _find_naming(request, places)
    enough = max((one.count for one in places), default=0) / 2
    is_named = named is not None and named.count >= enough
    is_all = len(concepts) == len(known(request.units))

    def is_called_by(place: LecturePlace) -> bool:
        title = terms_of(place.lecture.title)
        return bool(heads) and all(any(name <= title for name in names) for names in heads)

    defining = _find_defining(request)

    def order(place: LecturePlace) -> tuple[bool, bool, int, bool, bool, bool]:
        is_taught = place.count >= TAUGHT
        is_titled = is_all and place.is_titled and (is_taught or len(concepts) > 1)
        is_called = is_taught and is_called_by(place)
        in_course = place.lecture.index if is_titled else 0
        names = is_named and place is named
        defines = is_taught and place.lecture.video_id in defining
        return place.lecture.video_id not in made, not is_titled, in_course, not is_called, not names, not defines

    ordered = sorted(places, key=order)
    first_of: dict[str, int] = {}
    for at, place in enumerate(ordered):
        first_of.setdefault(_series_of(place.lecture), at)
    ordered.sort(key=lambda one: (first_of[_series_of(one.lecture)], one.lecture.index))
    told = {**_begin_each(request, places), **_where_told(request, places, _find_part(request.question)), **made}
    lectures = request.material.lectures

    def begin(place: LecturePlace) -> LectureSentence:
        of_heads = lectures.naming(heads).get(place.lecture.video_id) if heads and is_called_by(place) else None
        return told.get(place.lecture.video_id, (of_heads or [place.first])[0])

    return [replace(one, first=begin(one), is_titled=one.is_titled or is_called_by(one)) for one in ordered]


def _find_defining(request: Request) -> frozenset[str]:
    """The videos in which a sentence says what the one thing that is looked for is."""
    subjects = known(_subjects(request))
    if len(subjects) != 1 or has_cjk(subjects[0].label):
        return frozenset()
    label = subjects[0].label.lower()
    defines = defining_patterns((label, singular(label)))[0]
    said = request.material.lectures.naming([subjects[0].names])
    return frozenset(video_id for video_id, named in said.items() if any(defines.search(one.text) for one in named))


def _begin_each(request: Request, places: Sequence[LecturePlace]) -> dict[str, LectureSentence]:
    """By video, where the first of several things is begun that a question lists, and not where they meet."""
    subjects = _subjects(request)
    if not _lists(request.question, subjects):
        return {}
    each = [{one.lecture.video_id: one for one in find_places([unit], request.material.lectures)} for unit in subjects]
    return {
        place.lecture.video_id: min((one[place.lecture.video_id].first for one in each), key=start_of)
        for place in places
        if not place.is_titled and all(place.lecture.video_id in one for one in each)
    }


_NUMBER_IN_SERIES = re.compile(r"[ (]{1,2}(?:I{1,3}|IV|V|[1-9])\)?$")


def _series_of(lecture: SpokenLecture) -> str:
    """What its title has in common with those of the other parts of a lecture; its own id where it has no number."""
    found = _NUMBER_IN_SERIES.search(lecture.title)
    return lecture.title[: found.start()] if found is not None else f"={lecture.video_id}"


def _heads(concepts: Sequence[QuestionUnit], question: str) -> list[QuestionUnit]:
    """Of several concepts those that are looked for, and not what they are beside: of "SVM kernels" and "kernels for
    SVMs" the kernels; none where all are."""
    labels = "|".join(re.escape(unit.label) for unit in concepts)

    def is_beside(unit: QuestionUnit) -> bool:
        name = re.escape(unit.label)
        behind = rf"\b(?:for|in|of|with|on|using)(?: the| an?)? {name}(?!\w)"
        return re.search(rf"{behind}|{name}(?:[ -]|的)?(?:{labels})", question, re.IGNORECASE) is not None

    heads = [unit for unit in concepts if not is_beside(unit)]
    return heads if len(heads) < len(concepts) else []


def _where_told(
    request: Request, places: Sequence[LecturePlace], asked: Pattern[str] | None
) -> dict[str, LectureSentence]:
    """By video, the first sentence of each place that names the thing and says what is `asked` of it; where none does,
    the first that says so just after one that names it, or anywhere in a lecture called by it."""
    wanted = [unit for unit in request.units if unit.concept_id is not None] or list(known(request.units))
    if asked is None or not wanted:
        return {}
    spoken = request.material.lectures.naming([unit.names for unit in wanted])
    at_once: dict[str, LectureSentence] = {}
    soon: dict[str, LectureSentence] = {}
    for place in places:
        lecture = place.lecture
        naming = [lecture.places[one.position] for one in spoken.get(lecture.video_id, ())]
        near = sorted({at + after for at in naming for after in range(1, JUST_AFTER + 1)})
        anywhere = range(len(lecture.sentences)) if place.is_titled else ()
        for told, within in ((at_once, naming), (soon, (*near, *anywhere))):
            said = [one for at in within for one in lecture.sentences[at : at + 1] if asked.search(one.text)]
            if said:
                at = lecture.places[said[0].position]
                goes_on = at > 0 and asked.match(said[0].text) is not None  # who did it stands in the one before
                told[lecture.video_id] = lecture.sentences[at - goes_on]
    return at_once or soon


JUST_AFTER = 3
"""Sentences after one that names a thing in which it may be called "this method". A choice."""

_WHO_OR_WHEN = re.compile(
    r"\b(?:who|when (?:was|were|did)|(?:what|which) year)\b|谁|哪位|哪一?年|何时|什么时候", re.IGNORECASE
)
_MAKING = tuple(
    re.compile(verb, re.IGNORECASE)
    for verb in (
        r"\binvent(?:ed|or)\b|发明",
        r"\bdiscover(?:ed|er|y)\b|发现",
        r"\bproposed\b|提出",
        r"\bcoin(?:s|ed)?\b|\bnamed\b|命名|得名",
        r"\bdevelope(?:d|r)\b|开发",
        r"\bdesigne(?:d|r)\b|设计",
        r"\b(?:created|creator|built|made)\b|创造|建造|制造",
    )
)
"""How a question and a sentence say that somebody made a thing."""


def _find_making(question: str) -> Pattern[str] | None:
    """What tells of the making of a thing that a question asks about: "哪一集讲到晶体管是谁发明的"; `None` for none."""
    who = _WHO_OR_WHEN.search(question)
    return next((one for one in _MAKING if one.search(question)), None) if who is not None else None


_PARTS = tuple(
    re.compile(word, re.IGNORECASE)
    for word in (r"\bformulas?\b|公式", r"\bpro(?:of|ve)s?\b|证明", r"\bderiv(?:e|ation)s?\b|推导")
)
"""What is asked for of a thing that a lecture teaches, which is said in its own place."""


def _find_part(question: str) -> Pattern[str] | None:
    """What tells of the formula or the proof of a thing, where a question asks for it; `None` for none."""
    return next((one for one in _PARTS if one.search(question)), None)


def phrase_subject(request: Request) -> str:
    """What is asked for as the question puts it: neighbouring words together, `mean normalization`."""
    labels = [unit.label for unit in _latin_names(request) or _subjects(request)]
    concepts = [unit.label for unit in request.units if unit.concept_id is not None and unit.label in labels]
    named = phrases(labels, request.question)
    of_concepts = [one for one in named if any(label in one for label in concepts)] or named
    is_listed = _lists(request.question, _subjects(request))
    *first, last = named if is_listed else of_concepts
    said = wording(request.spoken)
    return said.and_.join((said.join(first), last)) if first else last


def _verb_of(names: str) -> str:
    """What an English sentence says of one thing or of several: hashing is, heaps are."""
    last = _BEHIND_ITS_HEAD.split(names.lower())[0].split()[-1:]
    return "are" if " and " in names or any(singular(word) != word for word in last) else "is"


_BEHIND_ITS_HEAD = re.compile(r" (?:for|of|in|with|on|to|by) ")


def _subjects(request: Request) -> tuple[QuestionUnit, ...]:
    """What is asked about, without what it is looked for in."""
    return tuple(unit for unit in request.units if unit.label.lower() not in _LOOKED_IN) or request.units


_LOOKED_IN = frozenset("slide slides deck notebook notebooks cell page pages document documents file section".split())


def _nearest(request: Request) -> Composed | None:
    """Where no lecture names all of it: those that speak of most of it, said to be no more, or probably it where one
    alone does and much of it is said there: students remember a story by its words."""
    places = find_nearest(request.units, request.material.lectures)[:2]
    if not places:
        return None
    said = wording(request.spoken)
    items = tuple(_item(request, place) for place in places)
    if len(places) == 1 and _says_much(places[0], request.units):
        return Composed("where", "partial", items, note=said.probably, score=0.6)
    return Composed("where", "partial", items, note=said.not_direct, score=0.4)


def _says_much(place: LecturePlace, units: Sequence[QuestionUnit]) -> bool:
    """Whether what is said around a place speaks of `MUCH` of a question, and of two things of it at least."""
    start_ms = place.first.start_ms
    said = place.lecture.between(start_ms - NEAR_MS, start_ms + NEAR_MS)
    found = terms_of(" ".join((place.lecture.title, *(one.text for one in said))))
    return coverage(units, found) >= MUCH and sum(unit.measure_coverage(found) == 1.0 for unit in units) > 1


MUCH = 0.4
"""Share of a question, by weight, from which the one place that speaks of it is probably what is looked for. Of 22
development questions without a place that names all of it, ten are told so, all of them rightly. A choice."""


def _in_documents(request: Request) -> Composed | None:
    """The documents that speak of all of it, where no lecture does."""
    units = known(_subjects(request))
    speaking = [
        one
        for one in request.pieces
        if units
        and one.entry.source == "document"
        and coverage(units, terms_of(f"{one.entry.title} {one.entry.text}")) >= ALL_OF_IT
    ]
    headed = [one for one in speaking if coverage(units, terms_of(heading_of(one.entry))) >= ALL_OF_IT]
    found = (headed or speaking)[:MOST]
    said = wording(request.spoken)
    if not found:
        likely = [one for one in request.pieces if _is_likely(one, units)][:1]
        items = tuple(
            ComposedStatement(safe(one.entry.title), one.evidence(one.lines[:1]), is_item=True) for one in likely
        )
        return Composed("where", "partial", items, note=said.probably, score=0.5) if items else None
    unheaded = said.mentioned_in if request.material.lectures.lectures else said.written_in
    names = phrase_subject(request)
    lead = (said.taught_in if headed else unheaded).format(names=names, verb=_verb_of(names))
    items = tuple(ComposedStatement(safe(one.entry.title), one.evidence(one.lines[:1]), is_item=True) for one in found)
    return Composed("where", "partial", (ComposedStatement(lead), *items), score=0.6)


def _is_likely(piece: MaterialPiece, units: Sequence[QuestionUnit]) -> bool:
    """Whether a part of a document speaks of half of what is asked, and of the rarest of it."""
    said = terms_of(f"{piece.entry.title} {piece.entry.text}")
    rarest = max(units, key=lambda unit: unit.weight, default=None)
    is_of_it = rarest is not None and rarest.measure_coverage(said) == 1.0
    return piece.entry.source == "document" and is_of_it and coverage(units, said) >= HALF


HALF = 0.5
"""Share of what is asked, by weight, that a part of a document must speak of to be probably meant. A choice."""


def _item(request: Request, place: LecturePlace) -> ComposedStatement:
    title, time = request.material.lectures.name_of(place.lecture), time_code(place.first.start_ms)
    text = wording(request.spoken).item_lecture.format(title=title, time=time)
    return ComposedStatement(text, lecture_evidence(place.first, request.course_id), is_item=True)
