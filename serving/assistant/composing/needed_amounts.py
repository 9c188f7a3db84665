"""How much of something is needed or recommended. Pure.

In speech such an amount often stands in a sentence without what it is an amount of ("Adults need about nine hundred
milligrams"): that is the topic last opened.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from knowledge_graph.text.sentences import split_sentences
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY, UNLIKELY, compose_explanation
from serving.assistant.composing.lecture_places import lecture_evidence
from serving.assistant.composing.lectures import SpokenLecture
from serving.assistant.composing.lettered_names import set_apart_lettered
from serving.assistant.composing.logistics import is_about_the_course
from serving.assistant.composing.material import join_material_lines, line_of
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, phrases, terms_of
from serving.assistant.composing.topics import LONGEST_RUN, find_topic, is_heading, is_heading_of_something, opens_topic
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.closed_words import NUMBER_WORDS
from serving.assistant.understanding.quantities import gives_measure

_EATS = r"(?:need|eat|drink|take|get|have|consume|require)"
_ASKS = re.compile(
    rf"\bhow much (?P<thing>[^?]{{2,40}}?) (?:(?:a|per|each|every|in a) day |daily )?(?:do|does|should|must|is|are)\b"
    rf"(?=[^?]*\b(?:{_EATS}|needed|required|recommended|supposed|enough)\b)"
    r"|\b(?:recommended|daily|adequate|necessary|required)(?: daily)? (?:intake|amount|dose|allowance|requirement)s?"
    r"(?: (?:of|for) (?P<of>[^?]{2,40}))?"
    r"|(?:需要|应该?|要|推荐|建议)(?:摄入|吃|喝|补充)?多少(?:毫克|微克|克|毫升|升)?的?(?P<zh>[^，。？?]{1,10})"
    r"|(?P<of_zh>[^，。？?]{1,10}?)的?(?:每[日天])?(?:推荐|建议|每[日天])的?(?:每[日天])?(?:摄入量|用量|剂量|量)",
    re.IGNORECASE,
)
"""What asks how much of a thing is needed."""

_SAYS_NEED = re.compile(
    r"(?<!['’]d )(?<!would )\b(?:needs?|needed|requir\w+|recommend\w*|should|intake|allowance|advice)\b"
    r"|\bsays (?:(?:under|below|over|about|at least|at most|up to) )?[\w-]+|需要|推荐|建议|应该?|摄入",
    re.IGNORECASE,
)
"""What a sentence has that says how much is needed."""

_GIVES_NUMBER = re.compile(
    rf"\b(?:intake|allowance|need|recommendation) (?:is|are) (?:about )?(?:\d|(?:{'|'.join(NUMBER_WORDS)})\b)",
    re.IGNORECASE,
)
"""How it is said without a unit."""

_OF_NEED = re.compile(
    rf"{_EATS}|needed|required|recommend\w*|intake|amounts?|dose|allowance|requirements?|daily|days?|per|every|enough"
    r"|supposed|adequate|每[天日]|天|日|需要?|推荐|建议|摄入量?|吃|喝|补充|量|用量|剂量|毫克|微克|克",
    re.IGNORECASE,
)
"""What a question for it has beside the thing and who needs it."""


@dataclass(frozen=True)
class _Amount:
    """A sentence of a lecture that tells an amount, and the one, at or before it, that names what it is of."""

    lecture: SpokenLecture
    named: int
    place: int


def compose_needed_amount(request: Request) -> Composed | None:
    """The sentence that tells how much of a thing is needed, behind the one that names it; that the material does not
    tell, and what it says of the thing, where all else that is asked is who needs it. `None` for any other question."""
    asked = _ASKS.search(request.question)
    wanted = next(filter(None, asked.groups()), "") if asked is not None else ""
    things = [unit for unit in request.units if unit.label.lower() in wanted.lower() and not _is_of_need(unit)]
    spoken_of = request.material.lectures.naming([unit.names for unit in things])
    if not things or not spoken_of or is_about_the_course(request.question):
        return None
    others = [unit for unit in request.units if unit not in things and not _is_of_need(unit)]
    told = max(_find_amounts(request, things, others), key=_measure_plainness, default=None)
    if told is not None:
        return Composed(request.kind, "partial", (_quote(told, request),), score=LIKELY)
    if any(unit.concept_id is not None for unit in others):
        return None
    found = compose_explanation(replace(request, units=(*things, *others)))
    if found is None:
        return None
    said = wording(request.spoken)
    names = said.join(phrases([unit.label for unit in things], request.question))
    statements = tuple(one for one in found.statements if coverage(things, terms_of(one.text)) >= ALL_OF_IT)
    names_it = _find_naming(request, things).names
    shown = [one for each in found.statements for one in split_sentences(each.text, request.lang)]
    may_tell = any(names_it(one) and _tells_need(one) for one in shown)
    may_tell = may_tell or any(_is_titled(one, things) for one in request.material.lectures.lectures)
    note = said.not_direct if may_tell else said.no_aspect.format(names=names, aspect=said.needed_amount)
    return replace(found, statements=statements or found.statements, note=note, after=said.hand_off, score=UNLIKELY)


def _measure_plainness(told: _Amount) -> tuple[bool, bool]:
    """How plainly an amount is told as that which is needed, of the thing by name."""
    return _tells_need(told.lecture.sentences[told.place].text), told.named == told.place


def _is_of_need(unit: QuestionUnit) -> bool:
    return all(_OF_NEED.fullmatch(word) for word in unit.label.split())


def _find_amounts(
    request: Request, things: Sequence[QuestionUnit], others: Sequence[QuestionUnit]
) -> Iterator[_Amount]:
    """The sentences that tell how much is needed of a thing, with all else that is asked."""
    naming = _find_naming(request, things)
    for lecture in request.material.lectures.lectures:
        texts = [one.text for one in lecture.sentences]
        for place, text in enumerate(texts):
            is_daily = naming.opens(text) and _gives_daily(text)
            if not (_tells_need(text) or is_daily) or coverage(others, terms_of(text)) < ALL_OF_IT:
                continue
            near = LONGEST_RUN if _is_titled(lecture, things) else NEAR
            topic = (
                place if naming.names(text) else None if _LEANS.search(text) else naming.find_topic(texts, place, near)
            )
            if topic is not None:
                yield _Amount(lecture, topic, place)


def _is_titled(lecture: SpokenLecture, things: Sequence[QuestionUnit]) -> bool:
    return coverage(things, terms_of(lecture.title)) >= ALL_OF_IT


_LEANS = re.compile(r"\b(?:both|these|those|them)\b|两者|它们|这些", re.IGNORECASE)
"""What says that an amount is of what was named right before it."""


@dataclass(frozen=True)
class _Naming:
    """Whether a sentence `names` a thing, and not in a list of many, whether it `opens` that as its topic, and whether
    it `turns` to it or to another one of its kind."""

    names: Callable[[str], bool]
    opens: Callable[[str], bool]
    turns: Callable[[str], bool]

    def find_topic(self, texts: Sequence[str], place: int, near: int) -> int | None:
        """The sentence that opens the topic of another, where that is the thing; further from it than `near` only a
        heading does. None of one that is of what was named right before it."""
        topic = None if _LEANS.search(texts[place]) else find_topic(texts, place, self.turns)
        if topic is None or not self.opens(texts[topic]):
            return None
        return topic if place - topic <= near or is_heading(texts[topic]) else None


NEAR = 16
"""Sentences behind one that begins with a name which may tell of that without a heading. A choice."""


def _find_naming(request: Request, things: Sequence[QuestionUnit]) -> _Naming:
    labels = [unit.label for unit in things]
    lettered, _, _ = set_apart_lettered(request.question, (), (), request.material.lectures.lettered_kinds)
    name = next((one for one in lettered if one.label in labels), None)
    if name is not None:
        return _Naming(name.is_told_in, name.is_opened_in, name.turns_in)
    listed = re.compile(_LISTED.format("|".join(map(re.escape, labels))), re.IGNORECASE)
    opens = partial(opens_topic, names=labels)
    return _Naming(lambda text: coverage(things, terms_of(text)) >= ALL_OF_IT and not listed.search(text), opens, opens)


_LISTED = r"[\w-]+, (?:{0})(?:,| and| or)|\b(?:{0}), [\w-]+(?:,| and| or) [\w-]+|、(?:{0})|(?:{0})、"
"""A thing among others of a list, of which what is said may be said of each."""


def _tells_need(text: str) -> bool:
    return (_SAYS_NEED.search(text) is not None and gives_measure(text)) or _GIVES_NUMBER.search(text) is not None


def _gives_daily(text: str) -> bool:
    return gives_measure(text) and _DAILY.search(text) is not None


_DAILY = re.compile(r"\b(?:a|per|each|every) day\b|每[天日]", re.IGNORECASE)


def _quote(told: _Amount, request: Request) -> ComposedStatement:
    """The sentence that names the thing, and the one that tells the amount with what follows of the same topic."""
    said = told.lecture.sentences
    stop = told.place + 1
    while stop < min(len(said), told.place + 1 + MOST_BEHIND) and not _turns(said, stop):
        stop += 1
    is_near = told.place - told.named <= MOST_BETWEEN
    before = said[told.named : told.place] if is_near else said[told.named : told.named + 1]
    lines = [line_of(one) for one in (*before, *said[told.place : stop])]
    at = len(before)
    key = replace(lines[at], text=f"**{lines[at].text}**") if len(lines) > 1 else lines[at]
    lines[at] = key if is_near else replace(key, continued=None, after_gap=True)
    text = join_material_lines(lines, said[0].lang)
    return ComposedStatement(text, lecture_evidence(said[told.place], request.course_id, text))


def _turns(said: Sequence[LectureSentence], place: int) -> bool:
    around = (one.text for at, one in enumerate(said) if at != place)
    return is_heading_of_something(said[place].text, frozenset[str]().union(*map(terms_of, around)))


MOST_BEHIND, MOST_BETWEEN = 2, 3
"""Sentences that are read on behind an amount, and those between it and what names the thing from which these are left
out. Choices."""
