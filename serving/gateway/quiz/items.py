"""What a course can be asked: its own multiple-choice questions (`gold/choices.jsonl`), and which concept a definition
is of, among concepts of the course. Nothing is written by a model. Pure.

Not asked are items that stand under a rule about graded work, definitions that nobody may be shown, and those that are
of no use without the name. The other options of a definition are concepts that it does not name.
"""

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.lectures import place_of
from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Lang, Locator
from serving.assistant.references import Reference
from serving.evaluation.choice_questions import KnownQuestion
from serving.gateway.links import reference_path

OPTIONS = 4
"""How many options a definition has: as most printed questions. A choice."""

SHORTEST, LONGEST = 25, 400
"""Characters of a definition that says enough without the name, and not too much to read. A choice."""

BLANK = "____"

_LABELS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class QuizItem:
    """A question with options by label, `answer` the label of the right one. `url` opens where the course says so, and
    `place` is what that is called; both `None` where nothing can be opened. `video_ids` and `concept_ids` are what it
    is about."""

    item_id: str
    stem: str
    options: dict[str, str]
    answer: str
    explanation: str = ""
    url: str | None = None
    place: str | None = None
    concept_ids: frozenset[str] = frozenset()
    video_ids: frozenset[str] = frozenset()
    is_definition: bool = False


@dataclass(frozen=True)
class QuizWords:
    """What a definition is asked with, in the language of the course."""

    which: str = "Which concept is this?"
    of: str = "{name}: {definition}"


WORDS: dict[Lang, QuizWords] = {"en": QuizWords(), "zh": QuizWords("这是哪个概念？", "{name}：{definition}")}


@dataclass(frozen=True)
class CourseQuiz:
    """All items of one course, questions before definitions."""

    course_id: str
    items: tuple[QuizItem, ...]
    by_id: dict[str, QuizItem] = field(default_factory=dict, repr=False)

    def about(self, *, concept_id: str | None = None, video_id: str | None = None) -> list[QuizItem]:
        """Those about one concept, or of one lecture; all without either."""
        return [
            one
            for one in self.items
            if (concept_id is None or concept_id in one.concept_ids) and (video_id is None or video_id in one.video_ids)
        ]


def course_quiz(
    graph: ConceptGraph,
    course_id: str,
    known: Iterable[KnownQuestion],
    *,
    is_protected: Callable[[str], bool] = lambda text: False,
) -> CourseQuiz:
    """The items of a course. `is_protected` says whether a text stands under a rule about graded work."""
    lang = graph.course(course_id).lang
    concepts = [graph.concept(concept_id) for concept_id, _ in graph.concepts_of(course_id)]
    questions = [_question(one, graph, course_id, lang) for one in known]
    definitions = _definitions([one for one in concepts if one.lang == lang], course_id, lang)
    items = tuple(one for one in (*questions, *definitions) if not is_protected(one.stem))
    return CourseQuiz(course_id, items, {one.item_id: one for one in items})


def _question(known: KnownQuestion, graph: ConceptGraph, course_id: str, lang: Lang) -> QuizItem:
    """One of the course's own questions; it is about what it and its right answer name."""
    right = known.options[known.answer]
    named = [one.concept_id for text in (known.stem, right) for one in graph.mentions(text, lang)]
    concepts = [graph.concept(one) for one in dict.fromkeys(named)]
    of_course = [one for one in concepts if course_id in one.course_ids]
    places = [place for one in of_course if (place := _place(one, course_id)) is not None]
    return QuizItem(
        _id_of(course_id, "question", known.question_id, known.stem),
        known.stem,
        dict(known.options),
        known.answer,
        known.explanation,
        places[0][0] if places else None,
        places[0][1] if places else None,
        frozenset(one.concept_id for one in of_course),
        frozenset(video for one in of_course for video in _videos(one, course_id)),
    )


def _definitions(concepts: Sequence[GraphConcept], course_id: str, lang: Lang) -> list[QuizItem]:
    """A question for each concept whose definition stands without its name, where there are concepts enough to choose
    from."""
    if len(concepts) < OPTIONS:
        return []
    found = []
    for concept in concepts:
        if concept.definition is None or concept.definition_kind == "none":
            continue
        asked = blank_names(concept.definition, (concept.name, *concept.aliases))
        others = _others(concept, concepts, course_id)
        if not SHORTEST <= len(asked.replace(BLANK, "").strip()) <= LONGEST or len(others) < OPTIONS - 1:
            continue
        found.append(_definition(concept, asked, others, course_id, lang))
    return found


def _definition(
    concept: GraphConcept, asked: str, others: Sequence[GraphConcept], course_id: str, lang: Lang
) -> QuizItem:
    item_id = definition_id(course_id, concept)
    names = [concept.name, *(one.name for one in others)]
    random.Random(item_id).shuffle(names)
    options = dict(zip(_LABELS, names, strict=False))
    answer = next(label for label, name in options.items() if name == concept.name)
    url, place = _place(concept, course_id) or (None, None)
    said = WORDS[lang].of.format(name=concept.name, definition=concept.definition)
    about = frozenset({concept.concept_id})
    videos = frozenset(_videos(concept, course_id))
    stem = f"{WORDS[lang].which}\n{asked}"
    return QuizItem(item_id, stem, options, answer, said, url, place, about, videos, is_definition=True)


def _others(concept: GraphConcept, concepts: Sequence[GraphConcept], course_id: str) -> list[GraphConcept]:
    """Three concepts that the definition is not of, the same at each look: none that it names, and none of which one
    name holds the other, as *tree* and *binary tree*."""
    text = (concept.definition or "").casefold()
    own = [one.casefold() for one in (concept.name, *concept.aliases)]

    def may_stand(other: GraphConcept) -> bool:
        names = [one.casefold() for one in (other.name, *other.aliases)]
        alike = any(one in mine or mine in one for one in names for mine in own)
        return other.concept_id != concept.concept_id and not alike and not any(one in text for one in names)

    possible = [one for one in concepts if may_stand(one)]
    return random.Random(f"{course_id} {concept.concept_id}").sample(possible, min(OPTIONS - 1, len(possible)))


def blank_names(definition: str, names: Iterable[str]) -> str:
    """A definition with every name of what it defines left out, plurals too."""
    for name in sorted({one for one in names if one}, key=len, reverse=True):
        ends = r"(?:e?s)?\b" if name[-1:].isascii() and name[-1:].isalnum() else ""
        begins = r"\b" if name[:1].isascii() and name[:1].isalnum() else ""
        definition = re.sub(f"{begins}{re.escape(name)}{ends}", BLANK, definition, flags=re.IGNORECASE)
    return _ARTICLE.sub(lambda found: f"{found[1][0]}(n)", definition)


_ARTICLE = re.compile(rf"\b(an?|An?)(?= {BLANK})")
"""What would tell how the name begins."""


def _place(concept: GraphConcept, course_id: str) -> tuple[str, str] | None:
    """Where the course defines a concept, or first speaks of it: an address on this gateway, and what is there."""
    found = place_of(concept, course_id)
    if found is None or found.course_id != course_id:
        return None
    span = found.span
    where = Locator(None, span.video_id, None, span.start_ms, span.end_ms, span.document, span.page, span.article)
    path = reference_path(Reference(1, concept.name, "", "concept", course_id, concept.concept_id, where, None))
    return None if path is None else (path, span.video_id or span.document or concept.name)


def _videos(concept: GraphConcept, course_id: str) -> Iterable[str]:
    where = concept.definition_locator if concept.definition_course_id == course_id else None
    found = [where.video_id] if where is not None else []
    found += [one.span.video_id for one in concept.evidence if one.course_id == course_id]
    return [one for one in found if one is not None]


def definition_id(course_id: str, concept: GraphConcept) -> str:
    """What the question of a concept's definition is known by."""
    return _id_of(course_id, "definition", concept.concept_id, concept.definition or "")


def _id_of(course_id: str, *parts: str) -> str:
    """What an item is known by; another text is another item."""
    return hashlib.sha256("\0".join((course_id, *parts)).encode()).hexdigest()[:16]
