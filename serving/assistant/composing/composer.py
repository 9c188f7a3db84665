"""`Composer`: from an understood question to a composed answer; which composer does it, and what stands in for it.

The table `COMPOSERS` names one composer for each kind of question. Everything is looked up once, here, before any of
them is asked.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.records import Lang, Mode
from serving.assistant.composing.arithmetic import named, work_out
from serving.assistant.composing.calculation import compose_calculation
from serving.assistant.composing.catalogue import compose_catalogue
from serving.assistant.composing.comparison import compose_comparison
from serving.assistant.composing.composed import Composed, Statement, within
from serving.assistant.composing.definition import compose_definition
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.lectures import Lectures
from serving.assistant.composing.logistics import compose_logistics, is_about_the_course
from serving.assistant.composing.material import Material
from serving.assistant.composing.nearby import add_nearby
from serving.assistant.composing.people import compose_people
from serving.assistant.composing.premise import deny_premise
from serving.assistant.composing.recorded import compose_recorded
from serving.assistant.composing.request import Request
from serving.assistant.composing.small_talk import compose_small_talk, occasion_of
from serving.assistant.composing.stored import compose_close, compose_stored
from serving.assistant.composing.study_order import compose_after, compose_before
from serving.assistant.composing.summary import compose_summary
from serving.assistant.composing.task import compose_task
from serving.assistant.composing.terms import NEVER, OF_QUESTIONS, OF_QUESTIONS_ZH, terms_of, units_of
from serving.assistant.composing.where import compose_where
from serving.assistant.composing.wording import wording
from serving.assistant.composing.yes_no import compose_yes_no
from serving.evidence import MAX_CITED
from serving.index.analysis import terms
from serving.index.schema import KINDS
from serving.index.search import SearchIndex
from serving.messages import Message
from serving.retrieval.candidates import Retrieved
from serving.retrieval.lookup import Dense
from serving.understanding.aspects import Aspect, asked_aspects
from serving.understanding.focus import Position
from serving.understanding.question_kind import QuestionKind, question_kind
from serving.understanding.spelling import Corrected, correct
from serving.understanding.translation import synonyms_in, translate
from serving.understanding.understand import Understanding
from serving.understanding.wishes import Wish

Compose = Callable[[Request], Composed | None]

COMPOSERS: Mapping[QuestionKind, Compose] = {
    "definition": compose_definition,
    "comparison": compose_comparison,
    "why": compose_explanation,
    "how": compose_explanation,
    "list": compose_explanation,
    "aspect": compose_explanation,
    "yes_no": compose_yes_no,
    "where": compose_where,
    "before": compose_before,
    "after": compose_after,
    "summary": compose_summary,
    "people": compose_people,
    "task": compose_task,
    "calculation": compose_calculation,
    "logistics": compose_logistics,
    "catalogue": compose_explanation,
    "small_talk": compose_small_talk,
    "other": compose_explanation,
}
"""One composer a kind. Each gives `None` when the material has nothing for it."""

LANGUAGES: Mapping[Lang, Mapping[Lang, str]] = {
    "en": {"en": "English", "zh": "Chinese"},
    "zh": {"en": "英语", "zh": "中文"},
}
"""What one language calls the other."""

ASKS_SOMETHING = re.compile(
    r"[?？]|\b(?:what|why|how|explain|when|where|which|can you)\b|什么|怎么|为什么|如何|吗", re.IGNORECASE
)

_NEVER_STORED = frozenset({"where", "summary", "small_talk", "before", "after", "task"})
"""Kinds that no FAQ entry answers as well as their own composer."""

_OF_THE_COURSE = _NEVER_STORED - {"small_talk"} | {"logistics", "catalogue"}
"""Kinds that a message is by what only courses have: no small talk, whatever the intent model says."""

_RECORDED = frozenset({"definition", "comparison", "why", "how", "list", "aspect", "people", "calculation", "other"})
"""Kinds that a record from outside the course may answer, where the course does not."""

_ASPECT_KINDS = frozenset({"definition", "other", "list", "calculation", "how", "why"})
"""Kinds by wording that are about one aspect where the question names one: "what is the complexity of X"."""


@dataclass(frozen=True)
class Asked:
    """One question on its way to a composer: as it was `asked`, as it was `sought` (the same, or put into the course's
    language), and what was retrieved for it."""

    asked: Understanding
    sought: Understanding
    retrieved: Retrieved
    course_id: str | None
    history: Sequence[Message] = ()
    position: Position | None = None
    mode: Mode | None = None
    wish: Wish = ""


class Composer:
    """Composes answers over one graph, one index version and the lectures of a home. Asks no model."""

    def __init__(
        self, graph: ConceptGraph, index: SearchIndex, *, dense: Dense | None = None, lectures: Lectures | None = None
    ) -> None:
        self._graph, self._index, self._dense = graph, index, dense
        self._lectures = lectures or Lectures()

    def compose(self, question: Asked) -> Composed:
        """The answer of the question's kind; the nearest stored one or the honest lack of one where it has none."""
        request = self.request(question)
        if is_small_talk(question.asked):
            return compose_small_talk(request)
        found = add_nearby(compose(request), request)
        found = replace(found, statements=within(found.statements, MAX_CITED))
        if (
            found.coverage != "full"
            and found.stored is None
            and request.kind not in _NEVER_STORED
            and _chats(question, request)
        ):
            return compose_small_talk(request, is_sad=question.asked.is_emotional)
        return self._said_in(found, question)

    def corrected(self, asked: Understanding, course_id: str | None) -> Corrected | None:
        """The question with mistyped words, and names that no text has, put as the material has them; `None` when
        there are none."""
        text, words = asked.question, []
        if question_kind(text) == "task" or named(text) is not None:
            return None
        for start, end, names in synonyms_in(text):
            if OF_QUESTIONS_ZH.fullmatch(text[start:end]) or OF_QUESTIONS.issuperset(terms(text[start:end])):
                continue
            if self._says(text[start:end].lower(), course_id) or self._graph.mentions(text[start:end]):
                continue
            if (name := next((one for one in names if self._says(one, course_id)), None)) is not None:
                text = f"{text[:start]}{name}{text[end:]}"
                words.append(name)
        typed = correct(text, self._lectures.of(course_id).words, knows=self._knows) if asked.lang == "en" else None
        if typed is not None:
            return Corrected(typed.text, tuple(dict.fromkeys((*words[::-1], *typed.words))))
        return Corrected(text, tuple(dict.fromkeys(words[::-1]))) if words else None

    def _says(self, name: str, course_id: str | None) -> bool:
        """Whether the course's material has a name word for word, in what it is found in first."""
        hits = (hit for kind in KINDS for hit in self._index.search(name, kind=kind, course_id=course_id, k=3))
        return any(name in f"{hit.entry.title}\n{hit.entry.text}".lower() for hit in hits)

    def _knows(self, text: str) -> bool:
        """Whether the index holds every term of a text."""
        unseen = self._index.idf(NEVER)
        return all(self._index.idf(term) < unseen for term in terms(text))

    def in_course_language(self, asked: Understanding, course_id: str | None) -> str | None:
        """The question in the language of the course; `None` when it is in it, or cannot be put into it."""
        card = self._graph.course(course_id) if course_id else None
        if card is None or card.lang == asked.lang:
            return None
        return translate(asked.question, card.lang)

    def _said_in(self, found: Composed, question: Asked) -> Composed:
        """With a word on what was looked up, where the question was put into another language."""
        if question.asked is question.sought or found.coverage == "none":
            return found
        said = wording(question.asked.lang)
        language = LANGUAGES[question.asked.lang][question.sought.lang]
        note = said.other_language.format(language=language, query=question.sought.question)
        return replace(found, note="\n\n".join(part for part in (note, found.note) if part))

    def request(self, asked: Asked) -> Request:
        """Everything that is known of a question, looked up."""
        understood, course_id = asked.sought, asked.course_id
        card = self._graph.course(course_id) if course_id else None
        lang: Lang = card.lang if card is not None else understood.lang
        question = understood.question
        kind, aspects = kind_of(asked.asked.question, names_concept=bool(understood.concepts))
        if asked.asked is not understood:
            aspects = aspects or asked_aspects(question)
        mentions = [one for one in self._graph.mentions(question) if self._is_own(one.concept_id, course_id)]
        blanked = [found.group() for aspect in aspects for found in aspect.asked.finditer(question)]
        ignore = frozenset(term for text in blanked for term in terms(text))
        mentions = [one for one in mentions if not ignore.issuperset(terms(one.surface))]
        units = units_of(question, mentions, self._graph.concept, self._index.idf, ignore=ignore)
        material = Material(self._index, self._dense, self._lectures.of(course_id), course_id)
        pieces = material.pieces(question, asked.retrieved.vector, lang=lang, mode=asked.mode)
        shown = "\n".join(turn.content for turn in asked.history if turn.role == "assistant")
        return Request(
            question=question,
            kind=kind,
            lang=lang,
            spoken=asked.asked.lang,
            units=units,
            aspects=aspects,
            concepts=understood.concepts,
            stored=asked.retrieved.ranked,
            pieces=tuple(pieces),
            material=material,
            graph=self._graph,
            card=card,
            position=asked.position,
            wish=asked.wish,
            seen=shown if asked.wish == "more" else "",
        )

    def _is_own(self, concept_id: str, course_id: str | None) -> bool:
        return course_id is None or course_id in self._graph.concept(concept_id).course_ids


_PERCENT = re.compile(r"\d ?% of \d")


def kind_of(question: str, *, names_concept: bool = False) -> tuple[QuestionKind, tuple[Aspect, ...]]:
    """The kind of a question and the aspects it asks for: by its wording, and by whether it is about the course."""
    if named(question) is not None or (_PERCENT.search(question) and work_out(question) is not None):
        return "calculation", ()
    kind, aspects = question_kind(question), asked_aspects(question)
    if kind not in ("task", "where", "summary", "before", "after") and is_about_the_course(
        question, names_concept=names_concept
    ):
        return "logistics", ()
    if kind in _ASPECT_KINDS and aspects:
        return "aspect", aspects
    if kind in ("people", "comparison", "yes_no"):
        return kind, tuple(one for one in aspects if one.key in _COMPARED)
    return kind, ()


_COMPARED = frozenset({"complexity", "space", "worst_case", "best_case", "average_case"})
"""Aspects in which things are compared, and of which it is asked whether they are so."""


def compose(request: Request) -> Composed:
    """A stored answer that covers the question, else what the kind's composer makes, else the lack of an answer."""
    if request.kind not in _NEVER_STORED and (stored := compose_stored(request)) is not None:
        return stored
    denied = deny_premise(request)
    if denied is not None:
        return denied
    found = compose_catalogue(request) or COMPOSERS[request.kind](request)
    if found is not None and (found.coverage == "full" or found.score >= LIKELY):
        return found
    if request.kind in _RECORDED and (recorded := compose_recorded(request)) is not None:
        return recorded
    close = compose_close(request) if request.kind not in _NEVER_STORED and request.kind != "logistics" else None
    if found is None or close is None:
        return found or close or nothing(request)
    return replace(close, statements=(*close.statements, *found.statements[:2]), after=found.after)


def nothing(request: Request) -> Composed:
    """That the material does not say it, naming what it never speaks of, and the way to a person."""
    said = wording(request.spoken)
    strange = [unit.label for unit in request.units if unit.concept_id is None and len(unit.label) > 2]
    known = frozenset(term for piece in request.pieces for line in piece.lines for term in terms(line.text))
    never = [label for label in strange if not terms_of(label) & known]
    if request.kind == "where" and request.names:
        text = said.not_taught.format(names=request.names)
    elif request.kind == "people" and request.names:
        text = said.no_maker.format(names=request.names)
    elif never and len(never) <= MOST_NAMED:
        text = said.nothing_of.format(names=("、" if request.spoken == "zh" else ", ").join(never))
    else:
        text = said.nothing
    return Composed(request.kind, "none", (Statement(text),), after=said.ask_ta)


MOST_NAMED = 3
"""Words that are named as never spoken of; more of them are the student's story. A choice."""


CHAT_NEAR = 0.5
"""Meaning (stretched cosine) from which a passage is near enough for small talk to be a question after all. Of 201
answerable questions of the development half one counts as small talk by the intent model, and none by this."""


def _chats(question: Asked, request: Request) -> bool:
    """Whether the intent model takes a message for small talk, in both languages, and no passage is near to it."""
    if request.kind in _OF_THE_COURSE or not (question.asked.is_chat and question.sought.is_chat):
        return False
    return question.asked.is_emotional or all(piece.meaning < CHAT_NEAR for piece in request.pieces)


def is_small_talk(asked: Understanding) -> bool:
    """Whether a message is small talk by its wording; what also asks about a concept or the course is not."""
    occasion = occasion_of(asked.question)
    if occasion is None:
        return False
    if occasion == "frustrated":
        return not ASKS_SOMETHING.search(asked.question)
    return True
