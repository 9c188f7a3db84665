"""Which kinds of a thing there are: those that the course defines, after what it says of them together. Pure."""

import re
from dataclasses import dataclass, replace

from knowledge_graph.graph.records import GraphConcept
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.document_answers import document_list
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.introduction import introduction
from serving.assistant.composing.lecture_places import lecture_evidence
from serving.assistant.composing.lectures import first_within
from serving.assistant.composing.material import join_material_lines, line_of, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.summary import compose_summary
from serving.assistant.composing.terms import coverage, known, terms_of
from serving.assistant.composing.window import LENGTH
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.closed_words import NUMBER_WORDS
from serving.index.evidence import from_definition

LEAST, MOST = 3, 5
"""Kinds that make a list, and those that are shown beside one passage: no more than can be cited. Choices."""

SCORE = 0.5
"""How sure a list is that was put together of definitions: nobody says that it is whole. A choice."""

_ASKS_FOR_KINDS = re.compile(
    r"\b(?:types?|kinds?|sorts?|forms?|variants?) of\b|\b(?:all|which|list|name)\b|哪些|哪几[种类]|几[种类]|种类|类型",
    re.IGNORECASE,
)
_TOPICS = re.compile(r"\b(?:topics?|subjects?|themes?|covered|contents?)\b|内容|主题|知识点|讲了", re.IGNORECASE)
"""Lists of what the whole course speaks of."""
_GENERIC = re.compile(r"^(?P<of>.+?)(?: ?(?P<generic>algorithm|method|technique)s?|(?P<chinese>算法|方法))$")
_SPOKEN = ("term ", "word ", "name ", "called ")
"""How a name begins that is only spoken of: "the term regression" is no kind of regression."""
_NO_THINGS = frozenset({"all", "exist", "exists"})
_METHODS = {"算法": r"算法|方法", "方法": r"算法|方法"}


@dataclass(frozen=True)
class _Head:
    """What the names of the kinds end with, and what their definitions must say beside it."""

    ending: str
    said: re.Pattern[str] | None = None

    def is_of(self, concept: GraphConcept) -> bool:
        name, definition = concept.name.lower(), concept.definition or ""
        if name == self.ending or not name.endswith(self.ending) or name.startswith(_SPOKEN):
            return False
        is_apart = not self.ending.isascii() or self.said is not None or name.endswith(f" {self.ending}")
        return is_apart and (self.said is None or not definition or self.said.search(definition) is not None)


def compose_list(request: Request) -> Composed | None:
    """What the material says in one place; where that is in doubt, before it the kinds that the course defines."""
    if not request.units and _TOPICS.search(request.question):
        return compose_summary(request)
    if (listed := document_list(request) or _quote_count(request)) is not None:
        return listed
    found = compose_explanation(request)
    if request.aspects or not _ASKS_FOR_KINDS.search(request.question) or (found is not None and not found.note):
        return found
    kinds = _kinds(request)
    if len(kinds) < LEAST:
        return found
    said = wording(request.spoken)
    beside = () if found is None else found.statements[:1]
    lead = ComposedStatement(said.kinds)
    return Composed("list", "partial", (lead, *kinds[:MOST], *beside), after=said.hand_off, score=SCORE)


_NUMBERS = {word: number for word, number in NUMBER_WORDS.items() if 2 <= number <= 10}
_COUNTED = (
    r"(?:ways?|ideas?|perspectives?|views?|kinds?|types?|forms?|sorts?|methods?|approaches|techniques?|steps?|cases?"
    r"|things|rules|properties|components?|parts|reasons?|categories|problems|operations|advantages|disadvantages"
    r"|strategies|phases|stages|conditions|questions|principles)"
)
_SO_MANY = re.compile(rf"\b(?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)})\b(?: \w+){{0,3}} {_COUNTED}\b", re.IGNORECASE)
READ_ON = 8
"""Sentences behind the one that counts in which the things are named. A choice."""


def _quote_count(request: Request) -> Composed | None:
    """What a lecture counts as often as the question, of the same thing: "there are three ideas about vectors", from
    there on; `None` where no lecture does."""
    asked = _SO_MANY.search(request.question)
    units = [unit for unit in known(request.units) if unit.label.lower() not in _BESIDE_COUNTS and unit.label.isalpha()]
    if asked is None or not units:
        return None
    number = _NUMBERS.get(asked["number"].lower()) or int(asked["number"])
    word = next((one for one, value in _NUMBERS.items() if value == number), str(number))
    counted = re.compile(rf"\b(?:{word}|{number})\b(?:[ ,]+\w+){{0,4}} {_COUNTED}\b", re.IGNORECASE)
    lectures = request.material.lectures
    spoken = lectures.naming([(frozenset({word}), frozenset({str(number)}))])
    found = [one for each in spoken.values() for one in each if counted.search(one.text)]
    first = max(found, key=lambda one: coverage(units, terms_of(one.text)), default=None)
    if first is None or coverage(units, terms_of(first.text)) < MUCH:
        return None
    lecture = lectures.by_id[first.video_id]
    at = lecture.places[first.position]
    said = first_within(lecture.sentences[at : at + READ_ON], LENGTH[first.lang] * OF_A_LIST)
    text = join_material_lines([line_of(one) for one in said], first.lang)
    statement = ComposedStatement(text, lecture_evidence(first, request.course_id, text))
    return Composed("list", "partial", (statement,), score=LIKELY)


_BESIDE_COUNTS = frozenset(
    "think thinks thinking look looks looking mention mentions start begin give gives number".split()
)
"""Words of a question for counted things that the lecture need not say."""
MUCH = 0.5
"""Share of what is asked that the sentence which counts must speak of. A choice."""
OF_A_LIST = 1.6
"""How much longer than usual what is counted may be. A choice."""


def _kinds(request: Request) -> list[ComposedStatement]:
    """The concepts whose names end with what is asked about and that the course itself defines or introduces, as they
    are taught."""
    head = _head(request)
    if head is None:
        return []
    listed = (request.graph.concept(concept_id) for concept_id, _ in request.graph.concepts_of(request.course_id))
    found = [kind for one in listed if head.is_of(one) and (kind := _describe_concept(request, one)) is not None]
    return [statement for _, statement in sorted(found, key=lambda one: one[0])]


def _describe_concept(request: Request, concept: GraphConcept) -> tuple[tuple[int, int, str], ComposedStatement] | None:
    """What the course says a concept is, and where in it; `None` where it does not."""
    name = f"**{safe(concept.name)}**: "
    by_id = request.material.lectures.by_id
    if concept.definition:
        at = concept.definition_locator
        if concept.definition_course_id != request.course_id or concept.definition_kind == "search" or at is None:
            return None
        lecture = by_id.get(at.video_id or "")
        place = (lecture.index if lecture is not None else len(by_id), at.start_ms or 0, concept.name)
        evidence = replace(from_definition(0, concept), number=0)
        return place, ComposedStatement(f"{name}{safe(concept.definition)}", evidence, is_item=True)
    said = introduction({concept.name, *concept.aliases}, request.material.lectures)
    if not said:
        return None
    text = join_material_lines([line_of(one) for one in said], said[0].lang)
    evidence = lecture_evidence(said[0], request.course_id, text)
    place = (by_id[said[0].video_id].index, said[0].start_ms, concept.name)
    return place, ComposedStatement(f"{name}{text}", evidence, is_item=True)


def _head(request: Request) -> _Head | None:
    """The name of the thing: "tree", or "sort" of sorting algorithms, whose definitions say "algorithm"."""
    name = _name(request)
    if name is None or (generic := _GENERIC.match(name)) is None:
        return None if name is None else _Head(name)
    word = generic["generic"] or generic["chinese"]
    return _Head(generic["of"].removesuffix("ing"), re.compile(_METHODS.get(word, rf"\b{word}s?\b"), re.IGNORECASE))


def _name(request: Request) -> str | None:
    """What is asked about, where it is one concept, with the word for a method that Chinese parts from it."""
    units = [unit for unit in request.units if unit.label.lower() not in _NO_THINGS]
    if not units or units[0].concept_id is None:
        return None
    name = request.graph.concept(units[0].concept_id).name.lower()
    if len(units) == 1:
        return name
    return f"{name}{units[1].label}" if len(units) == 2 and units[1].label in _METHODS else None
