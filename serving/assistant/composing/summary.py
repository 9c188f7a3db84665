"""What a lecture, a chapter or the course is about: its key sentences in order, with times. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.time_code import time_code
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.document_answers import document_section
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.introduction import introduction
from serving.assistant.composing.key_sentences import key_sentences
from serving.assistant.composing.lecture_places import (
    TAUGHT,
    best_part,
    find_places,
    lecture_evidence,
    section,
    taught_together,
)
from serving.assistant.composing.lecture_titles import (
    ONE,
    SERIES,
    find_lecture_by_name,
    find_lecture_by_title,
    lecture_of_title,
    meant_of,
    of_one_title,
)
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import MaterialPiece, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, known, terms_of
from serving.assistant.composing.where import keep_said_whole, teaches
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.closed_words import read_number
from serving.index.evidence import MAX_CITED

SENTENCES: dict[Lang, int] = {"en": 9, "zh": 12}
"""Key sentences of a lecture, or of a part of the course; Chinese ones are short. A choice: about a minute to read."""
TITLES = 14
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_NUMBER_EN = re.compile(
    rf"\b(?:lecture|video|lesson|episode|unit|chapter|class)s? (?:number |no\.? |#)?(\d{{1,3}})\b"
    rf"|\b({'|'.join(_ORDINALS)}|last|final) (?:lecture|video|lesson|episode|class)\b",
    re.IGNORECASE,
)
_NUMBER_ZH = re.compile(
    r"第\s*([\d一二三四五六七八九十]{1,3})\s*(?:讲|节|课|集|章|个视频)|(最后)一?(?:讲|节|课|集|章|个视频)"
)
_WEEK = re.compile(r"\bweek (?:number |no\.? |#)?(\d{1,2})\b|第\s*(\d{1,2})\s*周", re.IGNORECASE)
_STRUCTURE = re.compile(
    r"\bhow (?:is|was) (?:the|this|your) (?:course|class)\b|(?:课程?|这门课)(?:的)?(?:结构|安排)", re.IGNORECASE
)
_COURSE = re.compile(
    r"\b(?:this|the|whole|entire|your) (?:whole |entire )?(?:course|class|mooc|lectures|series)\b|(?:这门|整门|本|整个"
    r"|该)(?:课程?|系列)|这(?!一)[一二三四五六七八九十\d]{1,3}[讲节课集]",
    re.IGNORECASE,
)


def compose_summary(request: Request) -> Composed | None:
    """Of the lecture that is named by title, number or topic, of the one being watched, or of the course."""
    lectures = request.material.lectures
    if not lectures.lectures:
        return document_section(request) or _of_documents(request, lectures.titles) or compose_explanation(request)
    if (called := find_lecture_by_name(request.question, lectures)) is not None:
        return _of_lecture(request, called)
    if (week := _WEEK.search(request.question)) is not None:
        return _of_week(request, lectures, int(next(group for group in week.groups() if group)))
    if numbered := find_numbered_lectures(request.question, lectures.lectures):
        return _of_lecture(request, numbered[0]) if len(numbered) == 1 else _of_series(request, numbered)
    if _STRUCTURE.search(request.question):
        return _of_course(request, lectures)
    if (titled := _of_title(request, lectures)) is not None:
        return titled
    if series := _series(request, lectures):
        return _of_series(request, series)
    lecture = _meant(request, lectures)
    if lecture is not None:
        return _of_lecture(request, lecture)
    if _COURSE.search(request.question) or not request.units:
        return _of_course(request, lectures)
    return None


def _of_documents(request: Request, titles: Sequence[str]) -> Composed | None:
    """What the parts of each document are headed, where the whole of a course of documents is asked about."""
    if request.catalogue.classes:
        return None
    parts: dict[str, dict[str, None]] = {}
    for title in titles:
        document, _, label = title.partition(" — ")
        if label and (heading := _ARTICLE.sub("", label.split(" › ")[0])):
            parts.setdefault(document, {})[heading] = None
    if _about(request.units) and not _COURSE.search(request.question):
        parts = _of_subject(tuple(one for one in request.units if one.label.lower() not in _DOCUMENT), parts)
    statements = []
    for document, headings in islice(parts.items(), MAX_CITED):
        pieces = request.material.pieces(document, None, lang=request.lang)
        named = [one for one in pieces if one.entry.title.partition(" — ")[0] == document]
        piece = min(named, key=_page, default=None)
        if piece is not None:
            listed = wording(request.spoken).join(map(safe, islice(headings, HEADINGS)))
            text = wording(request.spoken).contents.format(title=safe(document), parts=listed)
            statements.append(ComposedStatement(text, piece.evidence(piece.lines[:1])))
    score = LIKELY if len(statements) == 1 and _about(request.units) else 0.5
    return Composed("summary", "partial", tuple(statements), score=score) if statements else None


def _page(piece: MaterialPiece) -> int:
    at = piece.entry.locator
    return (at.page if at is not None else None) or 0


def _of_subject(units: Sequence[QuestionUnit], parts: dict[str, dict[str, None]]) -> dict[str, dict[str, None]]:
    """Of the document that is about something, by its title or by what it begins with, all parts; else of the one that
    has most parts headed so, these."""
    for document, headings in parts.items():
        if coverage(units, terms_of(f"{document} {next(iter(headings))}")) >= ALL_OF_IT:
            return {document: headings}
    headed = {
        document: {one: None for one in headings if coverage(units, terms_of(one)) >= ALL_OF_IT}
        for document, headings in parts.items()
    }
    most = max(headed, key=lambda document: len(headed[document]), default="")
    return {most: headed[most]} if len(headed.get(most, ())) >= LEAST_PARTS else {}


LEAST_PARTS = 3
"""Parts headed by a subject from which a document is about it. A choice."""


def _about(units: Sequence[QuestionUnit]) -> bool:
    """Whether anything but the document itself is asked about."""
    return any(unit.label.lower() not in _DOCUMENT for unit in units)


_DOCUMENT = frozenset(
    (
        "document documents material materials notes file slides slide deck notebook page pages handout "
        "文档 资料 材料 课件 幻灯片"
    ).split()
)
_LENGTHS = frozenset("few sentence sentences words short brief lines minutes quick episode recap summary".split())
"""How much is wanted, which no material speaks of."""
_ARTICLE = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3}){0,4}|第\S{1,6}[条章节])(?: |$)")
HEADINGS = 40
"""Headings of a document that are named. A choice."""


def _of_week(request: Request, lectures: CourseLectures, week: int) -> Composed | None:
    """The lectures that a document lists for a week, in a table or after "Week 3:"; else what is said of the week."""
    row = re.compile(
        rf"(?:^|[|\s])0*{week} \|([^|]+)|(?:\bweek|第)\s*0*{week}(?!\d)\s*周?\W+(.{{5,200}})", re.IGNORECASE
    )
    for piece in request.pieces:
        if piece.entry.source == "subtitle":
            continue
        for found in row.finditer(piece.entry.text):
            listed = next(group for group in found.groups() if group)
            named = [one for one in lectures.lectures if one.title and one.title.lower() in listed.lower()]
            if named:
                return _of_lecture(request, named[0]) if len(named) == 1 else _of_series(request, named)
    numbered = [one for one in lectures.lectures if section(one) == week]
    return _of_series(request, numbered) if len(numbered) > 1 else None


def _is_of_course(request: Request) -> bool:
    """Whether the whole course is meant, and not one subject in it."""
    is_in_it = _IN_COURSE.search(request.question) is not None and bool(known(request.units))
    return _COURSE.search(request.question) is not None and not is_in_it


_IN_COURSE = re.compile(
    r"\b(?:in|by|throughout) (?:this|the|your) (?:whole )?(?:course|class|lectures)\b|课程?(?:里|中)", re.IGNORECASE
)


def _series(request: Request, lectures: CourseLectures) -> list[SpokenLecture]:
    """The lectures of the part of the course that teaches what is asked about, where several of its lectures do."""
    if _is_of_course(request):
        return []
    places = [one for one in find_places(request.units, lectures) if one.is_titled or one.count >= TAUGHT]
    part = best_part(places)
    if part is None:
        if SERIES.search(request.question) and len(places) > 1:
            return [one.lecture for one in places][:TITLES]
        together = [] if ONE.search(request.question) else taught_together(request.units, lectures)
        return together if len(together) > 1 else []
    if sum(section(one.lecture) == part for one in places) < 2:
        return []
    return [one for one in lectures.lectures if section(one) == part]


def _of_title(request: Request, lectures: CourseLectures) -> Composed | None:
    """Of the lecture whose title is asked about; of all that share it, where nothing says which is meant."""
    titled = of_one_title(request, lectures)
    if len(titled) > 1:
        meant = meant_of(request, titled)
        return _of_series(request, titled) if meant is None else _of_lecture(request, meant)
    named = find_lecture_by_title(request, lectures.lectures)
    return None if named is None else _of_lecture(request, named)


def _meant(request: Request, lectures: CourseLectures) -> SpokenLecture | None:
    units = [one for one in request.units if one.label.lower() not in _LENGTHS]
    titled = lecture_of_title(units, lectures.lectures)
    if titled is not None:
        return titled
    if _is_of_course(request):
        return None
    if places := find_places(units, lectures):
        first = (keep_said_whole(request, places) or places)[0]
        is_one_asked = ONE.search(request.question) is not None  # of which a word in passing is no subject
        return first.lecture if teaches(first) or not is_one_asked else None
    if request.position is not None:
        return lectures.by_id.get(request.position.video_id)
    return None


def find_numbered_lectures(question: str, lectures: Sequence[SpokenLecture]) -> list[SpokenLecture]:
    """The lecture of that number, or those of the part of that number: by the numbers in titles and file names where
    they have some ("13 - 4"), else by its place."""
    if (pair := _PAIR.search(question)) is not None:
        named = re.compile(rf"\D{{0,3}}0{{0,2}}{pair[1]} ?[-–._] ?0{{0,2}}{pair[2]}(?!\d)")
        if paired := [one for one in lectures if named.match(one.title) or named.match(one.video_id)]:
            return paired[:1]
    if (part := _PART.search(question)) is not None:
        wanted = read_number(next(group for group in part.groups() if group))
        if len(parted := [one for one in lectures if section(one) == wanted]) > 1:
            return parted
    found = _NUMBER_EN.search(question) or _NUMBER_ZH.search(question)
    if found is None:
        return []
    word = next(group for group in found.groups() if group).lower()
    if word in ("last", "final", "最后"):
        return [lectures[-1]]
    number = int(word) if word.isdigit() else _ORDINALS.index(word) + 1 if word in _ORDINALS else read_number(word)
    titled = [one for one in lectures if re.match(rf"\D{{0,3}}0*{number}(?!\d)", one.title)]
    titled = titled or [one for one in lectures if re.match(rf"\D{{0,3}}0*{number}(?!\d)", one.video_id)]
    if len(titled) == 1 or (titled and all(section(one) == number for one in titled)):
        return titled
    return [lectures[number - 1]] if 0 < number <= len(lectures) else []


_PAIR = re.compile(r"(?<![\d.])(\d{1,2}) ?[-–.] ?(\d{1,2})(?![\d%]|\.\d)")
_PART = re.compile(
    r"\b(?:chapter|section|part|unit|module|topic)s? (?:number |no\.? |#)?(\d{1,2})\b"
    r"|第\s*([\d一二三四五六七八九十]{1,3})\s*(?:章|单元|部分)",
    re.IGNORECASE,
)


def _of_lecture(request: Request, lecture: SpokenLecture) -> Composed:
    said = wording(request.spoken)
    chosen = sentences_of_summary(lecture, request.graph, request.course_id)
    whole = replace(lecture.sentences[0], end_ms=lecture.sentences[-1].end_ms)
    evidence = lecture_evidence(whole, request.course_id, summary_text(chosen))
    lectures = request.material.lectures
    lead = ComposedStatement(said.summary_of.format(title=lectures.name_of(lecture)), evidence)
    items = [
        ComposedStatement(said.summary_item.format(time=time_code(one.start_ms), text=safe(one.text)), is_item=True)
        for one in chosen
    ]
    others = said.join(lectures.name_of(one) for one in lectures.with_same_title(lecture) if one != lecture)
    after = said.also_called.format(title=lecture.title, names=others) if others else ""
    return Composed("summary", "partial", (lead, *items), after=after, score=0.8)


def _of_series(request: Request, series: Sequence[SpokenLecture]) -> Composed:
    """The key sentences of each of several lectures."""
    said = wording(request.spoken)
    each = max(2 if len(series) <= FEW else 1, SENTENCES[series[0].sentences[0].lang] // len(series))
    names = list(map(request.material.lectures.name_of, series))
    is_one_title = all(one in request.material.lectures.with_same_title(series[0]) for one in series)
    text = said.one_title if is_one_title and len(series) > 1 else said.series_of
    lead = ComposedStatement(
        text.format(titles=said.join(names), names=said.join(names), title=series[0].title, count=len(series))
    )
    items = []
    for lecture, name in islice(zip(series, names, strict=True), TITLES):
        defined_at = _definitions(request.graph, request.course_id, lecture)
        for key in _find_key_sentences(request.material.lectures, lecture, each, defined_at):
            text = f"{name}, {time_code(key.start_ms)}: {safe(key.text)}"
            items.append(ComposedStatement(text, lecture_evidence(key, request.course_id), is_item=True))
    return Composed("summary", "partial", (lead, *items), score=0.8)


FEW = 6
"""Lectures of which one sentence each would say too little of what they teach. A choice."""


def sentences_of_summary(lecture: SpokenLecture, graph: ConceptGraph, course_id: str | None) -> list[LectureSentence]:
    """The sentences of one lecture that its summary shows."""
    return key_sentences(lecture, SENTENCES[lecture.sentences[0].lang], _definitions(graph, course_id, lecture))


def summary_text(chosen: Sequence[LectureSentence]) -> str:
    """What is kept of a summary as the text that it rests on."""
    return " ".join(sentence.text for sentence in chosen)


def _find_key_sentences(
    lectures: CourseLectures, lecture: SpokenLecture, most: int, defined_at: tuple[int, ...] = ()
) -> list[LectureSentence]:
    """`key_sentences`, chosen once for all who ask."""
    key = ("key sentences", lecture.video_id, most, defined_at)
    return lectures.keep(key, partial(key_sentences, lecture, most, defined_at))


def _definitions(graph: ConceptGraph, course_id: str | None, lecture: SpokenLecture) -> tuple[int, ...]:
    """When a lecture says what a concept of the course is, in milliseconds."""
    listed = (graph.concept(key) for key, _ in graph.concepts_of(course_id))
    places = (one.definition_locator for one in listed if one.definition and one.definition_locator is not None)
    return tuple(at.start_ms for at in places if at.video_id == lecture.video_id and at.start_ms is not None)


def _introduction_of_title(request: Request, lecture: SpokenLecture) -> LectureSentence | None:
    """The sentence in which a lecture says what the first concept of its title is; `None` where it does not."""
    for mention in request.graph.mentions(lecture.title, request.lang):
        concept = request.graph.concept(mention.concept_id)
        said = introduction([concept.name, *concept.aliases], request.material.lectures, titled=[lecture.video_id])
        if said and said[0].video_id == lecture.video_id:
            return said[0]
    return None


def _of_course(request: Request, lectures: CourseLectures) -> Composed:
    said = wording(request.spoken)
    title = request.card.title if request.card is not None else ""
    count = len(lectures.lectures)
    step = max(1, -(-count // TITLES))
    chosen = lectures.lectures[::step]
    lead = ComposedStatement(said.course_of.format(course=title, count=count))
    items = []
    for lecture in chosen:
        key = _introduction_of_title(request, lecture) or _find_key_sentences(lectures, lecture, 1)[0]
        items.append(
            ComposedStatement(
                f"{lectures.name_of(lecture)}: {safe(key.text)}", lecture_evidence(key, request.course_id), is_item=True
            )
        )
    rest = count - len(chosen)
    after = said.lectures_in_all.format(count=rest) if rest else ""
    return Composed("summary", "partial", (lead, *items), after=after, score=0.7)
